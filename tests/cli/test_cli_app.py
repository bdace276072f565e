"""Help, version, completion; and the ways out that every command shares."""

import pytest
import typer

from privstamp import __version__
from privstamp.cli.app import app
from privstamp.cli.output import DraftFile, check_target, closed
from privstamp.cli.screen import visible
from privstamp.errors import AssetError, MissingExtra, PolicyError, PrivstampError, UsageError

COMMANDS = [
    ["demo"], ["privatize"], ["restore"], ["explain"], ["group"], ["audit"], ["calibrate"],
    ["bench"], ["frontier"], ["list"], ["assets", "list"], ["assets", "pack"],
    ["assets", "pull"], ["assets", "verify"],
    ["policy", "init"], ["policy", "show"], ["policy", "check"],
    ["policy", "trust"], ["policy", "diff"], ["evals", "list"], ["evals", "run"],
    ["evals", "report"], ["evals", "make-fantasy"], ["certificate", "key"],
    ["certificate", "sign"], ["certificate", "verify"], ["chat"], ["session", "list"],
    ["session", "show"], ["session", "limit"], ["session", "forget"], ["session", "export"],
    ["session", "purge"], ["session", "rotate"],
    ["batch", "run"], ["batch", "init"], ["batch", "status"], ["batch", "verify"],
    ["serve", "check"], ["serve", "key", "add"], ["serve", "key", "list"],
    ["serve", "key", "revoke"],
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_every_command_has_help_with_examples(run, command, flag):
    done = run(*command, flag)
    assert done.exit_code == 0
    typed = ["batch"] if command == ["batch", "run"] else command  # `run` goes without saying
    assert f"    privstamp {' '.join(typed)} " in done.stdout.replace("\n", " \n")


@pytest.mark.parametrize(
    "group",
    [["batch"], ["evals"], ["policy"], ["session"], ["serve", "key"], ["certificate"], ["assets"]],
    ids=" ".join,
)
def test_a_group_has_an_example_of_each_of_its_commands(run, group):
    said = run(*group, "--help").stdout.partition("Examples:")[2]
    for command in (path for path in COMMANDS if path[:-1] == group):
        typed = group if command == ["batch", "run"] else command
        assert f"    privstamp {' '.join(typed)} " in said.replace("\n", " \n")


def test_no_command_is_left_out():
    def walk(group, path):
        for name, command in group.commands.items():
            if hasattr(command, "commands"):
                yield from walk(command, [*path, name])
            else:
                yield [*path, name]

    assert sorted(walk(typer.main.get_command(app), [])) == sorted(COMMANDS)


def test_version(run):
    done = run("--version")
    assert (done.exit_code, done.stdout) == (0, f"privstamp {__version__}\n")


def test_completion_is_kept(run):
    assert "--install-completion" in run("--help").stdout


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("x"), 2), (PolicyError("x"), 2), (AssetError("x"), 1),
        (MissingExtra("hub", "x"), 1), (KeyboardInterrupt(), 130), (BrokenPipeError(), 1),
        (ValueError("secret"), 1), (OSError(28, "full"), 1), (MemoryError(), 1),
    ],
)  # fmt: skip
def test_exit_codes(error, code, capsys):
    @closed
    def command():
        raise error

    with pytest.raises(typer.Exit) as caught:
        command()
    assert caught.value.exit_code == code
    assert caught.value.__context__ is None
    shown = capsys.readouterr().err
    assert "secret" not in shown
    assert shown.count("\n") == (0 if isinstance(error, BrokenPipeError) else 1)


def test_a_draft_appears_whole_or_not_at_all(tmp_path):
    target = tmp_path / "c.json"
    target.write_text("old")
    with DraftFile(target, "new"):
        assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["c.json"]
    assert target.read_text() == "old"
    with DraftFile(target, "new") as draft:
        draft.publish()
    assert [path.name for path in tmp_path.iterdir()] == ["c.json"]
    assert target.read_text() == "new"


def test_a_draft_that_cannot_be_written(tmp_path):
    with (
        pytest.raises(PrivstampError, match="nothing was released"),
        DraftFile(tmp_path / "a" / "b", ""),
    ):
        pass


def test_a_link_is_followed_and_a_device_stays_one(tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    link.symlink_to(real)
    with DraftFile(link, "new") as draft:
        draft.publish()
    assert link.is_symlink()
    assert real.read_text() == "new"
    with pytest.raises(UsageError):
        check_target("--certificate", link, real)


def test_control_characters_are_shown_not_obeyed():
    assert visible("a\x1b[31m\x00\r\nb\u202ec\x9b\t") == "a␛[31m␀\nb\ufffdc\ufffd\t"
