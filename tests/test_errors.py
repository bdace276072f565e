import ast
import sys
from pathlib import Path

import pytest

from privstamp import errors
from privstamp.errors import (
    REMOVED,
    InputError,
    PrivstampError,
    StageFailed,
    guarded,
    scrub,
    suggest,
)
from privstamp.policy import Policy
from privstamp.release.stages import stripped

SECRET = "Raghunathan"


def test_every_error_is_in_the_tree_drawn_in_the_docstring():
    tree = [
        value
        for value in vars(errors).values()
        if isinstance(value, type) and issubclass(value, Exception)
    ]
    assert all(issubclass(value, PrivstampError) for value in tree)
    assert all(value.__name__ in (errors.__doc__ or "") for value in tree)


def test_a_failed_stage_carries_nothing_of_the_input():
    def step(text: str) -> None:
        text.encode("ascii")

    with pytest.raises(StageFailed) as caught:
        guarded("splitting", step, SECRET + "\u00e9")
    error = caught.value
    assert error.__context__ is None and error.__cause__ is None
    assert SECRET not in str(error) and "splitting" in str(error)
    assert "nothing was released" in str(error)


def test_our_own_errors_pass_through_a_guard():
    def step() -> None:
        raise InputError("as it is")

    with pytest.raises(InputError, match="as it is"):
        guarded("input", step)


def test_keyboard_interrupt_is_not_swallowed():
    def step() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        guarded("input", step)


def test_suggestions_name_the_nearest_and_all():
    assert suggest("exponental", ["polar", "exponential"]) == (
        ' Did you mean "exponential"? Known: exponential, polar'
    )
    assert "Did you mean" not in suggest("zzz", ["polar"])


def test_an_error_reporter_gets_no_text():
    """With a real reporter, which keeps the locals of every frame."""
    sentry_sdk = pytest.importorskip("sentry_sdk")

    def failing(text):
        copy = text.upper()
        try:
            raise ValueError(copy)
        except ValueError:
            guarded("splitting", lambda: Policy.load("nowhere.toml"))

    sent = []

    class Kept(sentry_sdk.transport.Transport):
        def capture_envelope(self, envelope):
            sent.append(envelope.serialize())

    def reported(**options):
        sent.clear()
        sentry_sdk.init(
            dsn="https://key@example.com/1",
            transport=Kept,
            default_integrations=False,
            **options,
        )
        try:
            failing("Quix" + "worth has a cough")
        except PrivstampError as error:
            sentry_sdk.capture_exception(error)
        sentry_sdk.get_client().close()
        return b"".join(sent).lower()

    word = b"quix" + b"worth"  # source lines are sent too
    assert word in reported()
    scrubbed = reported(before_send=scrub)
    assert word not in scrubbed and REMOVED.encode() in scrubbed
    assert b"policyerror" in scrubbed or b"failing" in scrubbed


def test_events_of_others_stay_as_they_are():
    frame = {"module": "shop.orders", "vars": {"order": "7"}}
    event = {"exception": {"values": [{"stacktrace": {"frames": [frame]}, "value": "no order"}]}}
    assert scrub(dict(event)) == event


def test_a_missing_extra_and_a_missing_asset_are_told_in_one_message(monkeypatch):
    from importlib.metadata import PackageNotFoundError

    from privstamp.models import llama

    def gone(_):
        raise PackageNotFoundError

    monkeypatch.setattr(llama, "version", gone)
    monkeypatch.setattr(llama, "absent", lambda asset: asset)
    with pytest.raises(errors.MissingExtra) as caught:
        llama.SmolLM2Model()
    told = str(caught.value)
    assert 'pip install "privstamp[lm]" && privstamp assets pull smollm2' in told
    monkeypatch.setattr(llama, "absent", lambda _: None)
    with pytest.raises(errors.MissingExtra) as caught:
        llama.SmolLM2Model()
    assert "assets pull" not in str(caught.value) and "privstamp[lm]" in str(caught.value)


def test_an_optional_module_is_given_or_how_to_get_it_and_nothing_of_why_it_failed(monkeypatch):
    assert errors.optional("json", "lab", "reading").loads("[1]") == [1]
    monkeypatch.setitem(sys.modules, "json.gone", None)
    with pytest.raises(
        errors.MissingExtra, match=r"reading needs an extra.*privstamp\[lab\]"
    ) as told:
        errors.optional("json.gone", "lab", "reading")
    assert told.value.__context__ is None and told.value.__cause__ is None
    with pytest.raises(errors.MissingExtra, match="assets pull minilm"):
        errors.optional("json.gone", "encoder", "reading", "minilm")


def raised_in_handlers(tree: ast.AST) -> list[int]:
    """Lines in which a handler raises something new, which keeps what it handles."""
    lines: list[int] = []
    for handler in (node for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler)):
        inside: list[ast.AST] = list(handler.body)
        for node in inside:
            if isinstance(node, ast.Raise) and node.exc is not None:
                lines.append(node.lineno)
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                inside += ast.iter_child_nodes(node)
    return lines


SOURCES = sorted(Path(errors.__file__).parent.rglob("*.py"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.name))
def test_errors_are_raised_after_the_handler(path):
    """`from None` hides the context, and keeps it."""
    assert not raised_in_handlers(ast.parse(path.read_text()))


def test_the_rule_notices_an_error_raised_in_a_handler():
    handled = "try:\n    f()\nexcept ValueError:\n    raise KeyError from None\n"
    assert raised_in_handlers(ast.parse(handled)) == [4]
    assert not raised_in_handlers(ast.parse(handled.replace("raise KeyError from None", "raise")))


TREE = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, PrivstampError)
]


@pytest.mark.parametrize("kind", TREE, ids=lambda kind: kind.__name__)
def test_no_error_of_the_line_keeps_what_it_was_raised_from(kind):
    error = kind("extra", "what") if kind is errors.MissingExtra else kind("a name, a fix")
    error.__context__ = ValueError(SECRET)
    error.__cause__ = ValueError(SECRET)
    left = stripped("sensitivity", error)
    assert left.__context__ is None and left.__cause__ is None and left.__traceback__ is None
    assert SECRET not in str(left)
