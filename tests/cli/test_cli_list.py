"""privstamp list: every registered part, also one that cannot be loaded."""

import json

import pytest

from privstamp import registry
from privstamp.cli.list_parts import about


@pytest.mark.parametrize("kind", list(registry.TABLES))
def test_lists_every_part(run, kind):
    content = json.loads(run("list", kind, "--json").stdout)
    assert list(content) == [kind]
    assert [row["name"] for row in content[kind]] == [
        e.name for e in registry.TABLES[kind].entries()
    ]
    assert all(row["about"] and row["provider"] for row in content[kind])
    shown = run("list", kind).stdout
    assert all(row["name"] in shown for row in content[kind])


def test_without_a_kind_lists_all(run):
    assert list(json.loads(run("list", "--json").stdout)) == list(registry.TABLES)


def test_unknown_kind(run):
    done = run("list", "mechanism")
    assert done.exit_code == 2
    assert 'Did you mean "mechanisms"?' in done.stderr


def test_a_part_whose_extra_is_missing_still_lists():
    table = registry.Table("toy", "privstamp.none", {"gone": "no_such_module:Part"})
    assert about(table, "gone") == "cannot be loaded here (ModuleNotFoundError)"
