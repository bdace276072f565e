"""Pictures of results: of both kinds, and the same for the same results."""

import pytest

from privstamp.lab.evals.figures import save


@pytest.mark.slow
def test_pictures_are_files_of_both_kinds_and_always_the_same(report, tmp_path):
    rows = [row for row in report.rows if row.experiment in ("table1", "overhead", "restore")]
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        save(rows, tmp_path / name)
    found = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert found == sorted(
        f"{name}-ag-news.{kind}"
        for name in ("table1", "overhead", "restore")
        for kind in ("png", "svg")
    )
    for name in found:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
