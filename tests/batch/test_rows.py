"""The Arrow function: a release depends on its row alone, names hold where they should."""

from collections import Counter
from datetime import date, datetime
from weakref import WeakSet

import numpy as np
import pyarrow as pa
import pytest

from privstamp.batch.cells import strings, undated
from privstamp.batch.facts import Facts, persons
from privstamp.batch.plan import Plan
from privstamp.batch.rows import NO_DATE, Rows
from privstamp.errors import PolicyError, UsageError
from privstamp.noise import Randomness
from privstamp.policy import Policy
from privstamp.release import document

SECRET = b"sixteen bytes, or more"
COLUMNS = {
    "id": "release",
    "patient": "pseudonym",
    "name": {"as": "surrogate", "kind": "person"},
    "body": "text",
    "note": "text",
    "status": "release",
    "internal": "drop",
}
PLAN = {"table": "visits", "id": "id", "columns": COLUMNS}


def row(number, patient="p1", body="Dana Whitfield called from Leeds.", **more):
    known = {"id": number, "patient": patient, "name": "Dana Whitfield",
             "body": body, "note": "Ask Whitfield about 7 refunds.", "status": "open",
             "internal": "x"}  # fmt: skip
    return known | more


def table(rows):
    return pa.RecordBatch.from_pylist(rows)


@pytest.fixture(scope="module")
def rows():
    return Rows(Plan.load(PLAN), SECRET)


@pytest.fixture(scope="module")
def people():
    return Rows(Plan.load(PLAN | {"same": "patient", "person": "patient"}), SECRET)


def released(rows, content):
    return rows(table(content)).batch.to_pylist()


def test_batches_and_order_change_nothing(rows):
    content = [
        row(number, f"p{number}", f"Dana Whitfield has {number} cats.") for number in range(9)
    ]
    whole = released(rows, content)
    pieces = [one for start in range(0, 9, 2) for one in released(rows, content[start : start + 2])]
    assert pieces == whole
    assert released(rows, content[::-1])[::-1] == whole
    assert released(Rows(Plan.load(PLAN), SECRET), content) == whole
    assert released(Rows(Plan.load(PLAN), SECRET[:-1]), content) != whole


def test_columns_of_a_row_share_their_surrogates(rows):
    [one] = released(rows, [row(1)])
    given, family = one["name"].split()
    assert one["body"].startswith(f"{given} {family} called from ")
    assert one["note"].startswith(f"Ask {family} about ")
    assert "Whitfield" not in str(one) and "Leeds" not in str(one)
    assert one["status"] == "open" and "internal" not in one and one["patient"] != "p1"


def test_equal_texts_of_two_rows_are_two_releases(rows):
    names = Counter(one["name"] for one in released(rows, [row(number) for number in range(20)]))
    assert max(names.values()) <= 2  # of 480 and more


def test_names_of_a_person_hold_through_rows(people):
    content = [row(number, f"p{number % 4}") for number in range(40)]
    content[4]["name"] = content[4]["note"] = ""  # what one row shows does not matter
    content[4]["body"] = "Call Whitfield, please. Dana Whitfield was here on 5 March 2024."
    out = released(people, content)
    names = {number: {one["name"] for one in out[number::4] if one["name"]} for number in range(4)}
    assert all(len(held) == 1 for held in names.values())
    assert len(set.union(*names.values())) == 4
    assert names[0].pop() in out[4]["body"]


def test_digits_of_a_person_are_no_cipher(people):
    out = released(
        people, [row(number, note=f"Room 7{number % 2}, bed 3.") for number in range(30)]
    )
    assert len({one["note"] for one in out}) > 5


@pytest.mark.parametrize("change", [{"body": "Dana Whitfield called."}, {"id": 2}])
def test_the_noise_depends_on_text_and_id(rows, change):
    [first], [other] = released(rows, [row(1)]), released(rows, [row(1) | change])
    assert first["name"] != other["name"]


def test_labels_are_in_the_key(rows, monkeypatch):
    """Another processor may find something else in the same text: then the noise is new."""
    keys = []
    original = Randomness.key
    monkeypatch.setattr(
        Randomness, "key", lambda self, *parts: keys.append(parts) or original(self, *parts)
    )
    released(rows, [row(1)])
    cells = [parts for parts in keys if parts[0] == b"row"]
    assert len(cells) == 3
    assert all(any(b"(0, 14, 'PERSON')" in part for part in cells[n]) for n in (0, 1))


def test_by_content_equal_texts_stay_equal():
    rows = Rows(Plan.load(PLAN | {"noise": "content"}), SECRET)
    out = released(rows, [row(1), row(2), row(3, body="Ruth Abel called.")])
    assert out[0]["body"] == out[1]["body"] != out[2]["body"]


def test_nulls_and_faults_stay_in_their_rows(rows):
    content = [row(1, body=None), row(2, body=""), row(None), row(4, body="x" * 1_000_001), row(5)]
    outcome = rows(table(content))
    assert [one["body"] for one in outcome.batch.to_pylist()[:2]] == [None, ""]
    assert outcome.kept == [0, 1, 4]
    assert [(number, stage) for number, _, stage, _ in outcome.rejected] == [(2, "id"), (3, "body")]
    assert outcome.facts.nulls["body"] == outcome.facts.empty["body"] == 1
    assert "Whitfield" not in repr(outcome) + repr(outcome.rejected)


def test_sums_are_those_of_single_rows(people):
    content = [row(number, f"p{number % 3}") for number in range(7)]
    whole = people(table(content)).facts
    singles = [people(table([one])).facts for one in content]
    for name in ("name", "body", "note"):
        certificate = whole.sums()[name].certificate()
        each = [single.sums()[name].certificate() for single in singles]
        assert certificate.counts.units == sum(one.counts.units for one in each)
        assert certificate.loss.draws == sum(one.loss.draws for one in each)
    assert len(np.unique(whole.table().column("person"))) == 3


def test_totals_of_persons_are_a_recount(people):
    content = [row(number, f"p{number % 4}") for number in range(11)]
    facts = people(table(content)).facts.table()
    told = persons(facts, np.zeros(len(facts), dtype=np.int64))
    recount, rows = Counter(), Counter()
    for one in content:
        sums = people(table([one])).facts.sums().values()
        rows[one["patient"]] += 1
        recount[one["patient"]] += sum(s.certificate().counts.unprotected for s in sums)
    assert told["persons"] == 4 and told["rows"]["largest"] == max(rows.values()) == 3
    assert told["unprotected"]["largest"] == max(recount.values())
    assert told["unprotected"]["sum"] == sum(recount.values())


def test_unlisted_columns_are_refused(rows):
    with pytest.raises(UsageError, match=r'not list the column "extra"; .*no column "note"'):
        rows(table([{**row(1), "extra": 1}]).drop_columns(["note"]))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"id": "nr"}, 'id = "nr" is no column'),
        ({"id": None, "noise": "row"}, "needs an id"),
        ({"columns": {"a": "release"}}, "nothing would be protected"),
        ({"columns": {"a": "surrogate"}}, "has a kind"),
        ({"columns": {"a": {"as": "release", "task": "t"}}}, "only a text has a task"),
        ({"columns": {"a": "keep"}}, "columns.a"),
        ({"colums": {}}, "colums"),
    ],
)
def test_a_plan_that_does_not_fit_is_refused(change, told):
    with pytest.raises(PolicyError, match=told):
        Plan.load(PLAN | change)


def test_a_fingerprint_follows_everything_but_the_secret():
    plan = Plan.load(PLAN)
    assert plan.fingerprint() == Plan.load(PLAN | {"secret": "file:x"}).fingerprint()
    assert plan.fingerprint() != Plan.load(PLAN | {"policy": "readable"}).fingerprint()
    assert plan.fingerprint() != Plan.load(PLAN | {"table": "other"}).fingerprint()
    other = plan.model_copy(update={"policies": {"selective": Policy(numbers="all")}})
    assert plan.fingerprint() != other.fingerprint()


def test_ids_are_alike_whatever_file_they_came_from():
    assert strings(pa.array([1, None, 22])) == strings(pa.array(["1", None, "22"]))
    assert strings(pa.array(["a", "a"]).dictionary_encode()) == ["a", "a"]
    with pytest.raises(UsageError, match="double"):
        strings(pa.array([1.5]))


def test_rows_of_a_person_are_not_linked_by_surrogates_alone(rows):
    people = 150
    content = [row(number, f"p{number // 2}", note="") for number in range(2 * people)]
    names = [set(one["name"].split()) for one in released(rows, content)]
    same = [len(names[2 * n] & names[2 * n + 1]) for n in range(people)]
    other = [len(names[2 * n] & names[(2 * n + 3) % len(names)]) for n in range(people)]
    area = np.mean([(a > b) + (a == b) / 2 for a in same for b in other])
    assert 0.48 <= area <= 0.52


def test_the_measure_of_linkage_sees_names_that_hold(people):
    content = [row(number, f"p{number // 2}", note="") for number in range(40)]
    names = [one["name"] for one in released(people, content)]
    assert all(names[2 * n] == names[2 * n + 1] for n in range(20))


@pytest.mark.parametrize(
    ("text", "clock", "tail"),
    [
        ("2024-03-05T14:35:09Z", "T14:35:09", "Z"),
        ("2024-03-05 14:35:09.125", " 14:35:09", ".000"),
        ("2024-03-05T1435", "T1435", ""),
        ("05/Mar/2024:14:35:09 +0100", ":14:35:09", " +0100"),
    ],
)
def test_a_column_of_dates_hides_the_time_of_day(text, clock, tail):
    columns = {"id": "release", "at": {"as": "surrogate", "kind": "date"}}
    line = Rows(Plan.load({"table": "t", "id": "id", "columns": columns}), SECRET)
    out = [one["at"] for one in released(line, [{"id": n, "at": text} for n in range(12)])]
    assert all(one.endswith(tail) and clock[0] in one for one in out)
    assert sum(clock in one for one in out) <= 1 and not any(".125" in one for one in out)
    assert len({one.removesuffix(tail)[-len(clock) :] for one in out}) > 6


def test_what_is_known_of_a_text_is_let_go(rows, monkeypatch):
    """Long texts would fill a worker's memory otherwise: many times what the rows take."""
    alive, most = WeakSet(), []
    add = Facts.add

    def counted(self, name, document, parts):
        alive.add(document)
        most.append(len(alive))
        add(self, name, document, parts)

    monkeypatch.setattr(Facts, "add", counted)
    monkeypatch.setattr(document, "BATCH_DOCUMENTS", 3)
    rows(table([row(number) for number in range(30)]))
    assert len(most) == 90 and max(most) <= 2 * 3


def test_a_cell_that_is_one_thing_may_be_in_any_language(rows):
    """All of it is replaced: nothing has to be found in it."""
    names = ["Мария Иванова", "Александр Александрович Петров", "王小明"]
    outcome = rows(table([row(number, name=name) for number, name in enumerate(names)]))
    assert outcome.kept == [0, 1, 2]
    out = [one["name"] for one in outcome.batch.to_pylist()]
    assert all(one.isascii() for one in out)


@pytest.mark.parametrize("order", [1, -1])
def test_a_sum_promises_no_more_than_the_row_with_a_task(order):
    columns = {"id": "release", "asked": "drop", "body": {"as": "text", "task_column": "asked"}}
    plan = Plan.load({"table": "t", "id": "id", "columns": columns})
    public = Policy.of({"extends": "readable", "grouping": "public",
                        "sensitivity": "lexicon", "importance": "none"})  # fmt: skip
    line = Rows(plan.model_copy(update={"policies": {"selective": public}}), SECRET)
    content = [{"id": 1, "asked": None, "body": "A note."},
               {"id": 2, "asked": "Who is ill?", "body": "A note."}][::order]  # fmt: skip
    alone = [line(table([one])).facts.sums()["body"].certificate() for one in content][::order]
    both = line(table(content)).facts.sums()["body"].certificate()
    assert alone[0].task == "none" and alone[0].map != alone[1].map
    assert (both.task, both.map, both.scope) == (alone[1].task, alone[1].map, alone[1].scope)


def test_a_sum_tells_the_languages_of_all_rows():
    plan = Plan.load({"table": "t", "id": "id", "columns": {"id": "release", "body": "text"}})
    rules = Policy.of({"sensitivity": {"name": "rules"}, "other_languages": "accept"})
    line = Rows(plan.model_copy(update={"policies": {"selective": rules}}), SECRET)
    english = "Please send the report to the office before the end of the week, and call me."
    german = "Bitte senden Sie mir den Bericht vor dem Ende der Woche, weil ich das Haus verlasse."
    texts = [english, *[german] * 3]
    content = [{"id": number, "body": text} for number, text in enumerate(texts)]
    told = line(table(content)).facts.sums()["body"].certificate()
    assert told.language == "de" and list(told.languages) == ["de", "en"]
    assert 0.7 < told.languages["de"] < 0.8


DATES = [
    pa.date32(),
    pa.date64(),
    pa.timestamp("s"),
    pa.timestamp("ns"),
    pa.timestamp("us", "UTC"),
    pa.timestamp("ms", "Europe/Berlin"),
]


@pytest.mark.parametrize("kind", DATES, ids=str)
def test_dates_and_times_keep_their_type_and_nothing_else(kind):
    columns = {"id": "release", "at": {"as": "surrogate", "kind": "date"}}
    line = Rows(Plan.load({"table": "t", "id": "id", "columns": columns}), SECRET)
    days = [datetime(2024, 1 + number, 5, 14, 35, 9, 125_000) for number in range(12)]
    given = pa.array([*days, None]).cast(pa.timestamp("us")).cast(kind, safe=False)
    batch = pa.RecordBatch.from_arrays([pa.array(range(13)), given], names=["id", "at"])
    outcome = line(batch)
    assert outcome.batch.schema.field("at").type == kind and not outcome.rejected
    assert outcome.batch.column("at").null_count == 1
    before, out = (
        column.cast(pa.string()).to_pylist()[:12] for column in (given, outcome.batch["at"])
    )
    same = sum(map(str.__eq__, before, out))
    assert same <= 1 and len(set(out)) > 8
    zoned = getattr(kind, "tz", None) is not None  # winter and summer of a place do not show
    assert all(one.endswith("Z") == zoned for one in strings(given)[:12])
    assert not any(".125" in one for one in out)
    if not pa.types.is_date(kind):
        assert len({one[11:19] for one in out}) > 6  # the time of day, too


def test_a_date_that_no_surrogate_stands_for_is_rejected_alone():
    """Years before the first and behind what Python counts."""
    columns = {"id": "release", "at": {"as": "surrogate", "kind": "date"}}
    line = Rows(Plan.load({"table": "t", "id": "id", "columns": columns}), SECRET)
    days = pa.array([20_000, -800_000, 3_000_000, 20_001], pa.int32()).cast(pa.date32())
    batch = pa.RecordBatch.from_arrays([pa.array(range(4)), days], names=["id", "at"])
    outcome = line(batch)
    assert set(outcome.kept) >= {0, 3} and len(outcome.kept) + len(outcome.rejected) == 4
    assert {(stage, why) for *_, stage, why in outcome.rejected} <= {("at", NO_DATE)}
    assert undated(["2024-02-30", None, "2024-02-29", "-0221"], pa.date32()) == [0, 3]


@pytest.mark.parametrize("role", ["text", "pseudonym", {"as": "surrogate", "kind": "code"}])
def test_a_date_in_any_other_role_leaves_as_a_string(role):
    line = Rows(
        Plan.load({"table": "t", "id": "id", "columns": {"id": "release", "at": role}}), SECRET
    )
    outcome = line(pa.RecordBatch.from_pylist([{"id": 1, "at": date(2024, 3, 5)}]))
    assert outcome.batch.schema.field("at").type == pa.string() and outcome.kept == [0]
    assert "2024-03-05" not in outcome.batch["at"].to_pylist()
