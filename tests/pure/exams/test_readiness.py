"""Ready, not ready, not yet known: the rules of an oral on the latest verdicts."""

from datetime import UTC, datetime, timedelta

import pytest

from exams.conf import CARRIED_OVER_DAYS
from exams.domain.readiness import Evidence, Readiness, TaskReadiness, readiness_by_area
from exams.domain.values import Verdict
from tests.doubles.orals import fact, facts_for

NOW = datetime(2026, 11, 28, tzinfo=UTC)
VERDICTS: dict[str, Verdict] = {"s": "satisfactory", "p": "partial", "u": "unsatisfactory", "x": "ungraded"}
TASK = facts_for("PA.I.A", elements=("K1", "K2", "R1", "R2"))


def told(orals: str, days_ago: int = 1) -> list[Evidence]:
    """ "K1s R1u! | K2s": two orals, the later one on the day before; ! marks what failed its Task at once."""
    found = orals.split("|")
    return [
        Evidence(
            oral=number,
            code=f"PA.I.A.{word[:2]}",
            verdict=VERDICTS[word[2]],
            at=NOW - timedelta(days=days_ago),
            fatal=word.endswith("!"),
        )
        for number, oral in enumerate(found)
        for word in oral.split()
    ]


def task_after(evidence: list[Evidence]) -> TaskReadiness:
    ((area,),) = [readiness_by_area(TASK, evidence, NOW)]
    return area.tasks[0]


@pytest.mark.parametrize(
    ("orals", "readiness", "held_back"),
    [
        ("", "not yet known", ""),
        ("K1s", "not yet known", ""),
        ("K1s R1x", "not yet known", ""),  # a failure of ours is no evidence
        ("K1s R1s", "ready", ""),
        ("K1s | R1s", "ready", ""),  # a Task's least may be met over several orals
        ("K1s R1p", "not ready", "R1"),  # a doubt
        ("K1s R1p R2s", "ready", ""),  # the doubt is closed: a weak spot
        ("K1s R1s | K2u", "not ready", "K2"),  # failed since
        ("K1s R1s | K2u | K2s", "ready", ""),  # answered better since
        ("K1u R1u", "not ready", "K1 R1"),
        ("K1u R1u | K1s", "not ready", "R1"),
        ("K1u R1u | K2s R2s", "ready", ""),  # a later oral was satisfactory in the Task
        ("K1u! R1s", "not ready", "K1"),
        ("K1u! R1s | K2s", "not ready", "K1"),  # what fails at once is no doubt that another element closes
        ("K1p R1p", "not ready", "K1 R1"),  # all partial does not pass
    ],
)
def test_a_task(orals: str, readiness: Readiness, held_back: str) -> None:
    found = task_after(told(orals))
    assert found.readiness == readiness
    assert found.held_back == tuple(f"PA.I.A.{code}" for code in held_back.split())


def test_what_was_satisfactory_lapses_and_what_was_not_stays() -> None:
    old = CARRIED_OVER_DAYS + 1
    lapsed = task_after(told("K1s R1s", days_ago=old))
    assert (lapsed.readiness, lapsed.lapsed) == ("not yet known", True)
    assert task_after(told("K1s R1u", days_ago=old)).held_back == ("PA.I.A.R1",)
    passed_later = told("K1u R1u | K2s R2s", days_ago=old)
    assert task_after(passed_later).readiness == "not yet known"


@pytest.mark.parametrize("missed", ["K1", "K4"])
def test_an_element_whose_doubt_a_part_of_another_closed_is_owed_no_more(missed: str) -> None:
    facts = [fact(f"PA.I.C.{name}") for name in ("K1", "K2", "K2a", "K2b", "K2c", "K4", "R1")]
    asked = {f"PA.I.C.{missed}": "p", "PA.I.C.K2a": "s"}
    evidence = [Evidence(oral=1, code=code, verdict=VERDICTS[said], at=NOW) for code, said in asked.items()]
    (area,) = readiness_by_area(facts, evidence, NOW)
    assert area.tasks[0].to_ask == ("PA.I.C.R1",)


def test_what_to_ask_next_meets_the_least() -> None:
    assert {code[7] for code in task_after([]).to_ask} == {"K", "R"}
    missing = task_after(told("K1s")).to_ask
    assert [code[7] for code in missing] == ["R"]
    more = [Evidence(oral=1, code=missing[0], verdict="satisfactory", at=NOW)]
    assert task_after(told("K1s") + more).readiness == "ready"


@pytest.mark.parametrize(
    ("orals", "readiness"),
    [("K1s R1s", "not yet known"), ("K1u R1s", "not ready"), ("", "not yet known")],
)
def test_an_area_is_ready_when_all_of_its_tasks_are(orals: str, readiness: Readiness) -> None:
    (area,) = readiness_by_area(facts_for("PA.I.A", "PA.I.B"), told(orals), NOW)
    assert area.readiness == readiness
    second = [
        Evidence(oral=9, code=f"PA.I.B.{code}", verdict="satisfactory", at=NOW) for code in ("K1", "R1")
    ]
    (area,) = readiness_by_area(facts_for("PA.I.A", "PA.I.B"), [*told("K1s R1s"), *second], NOW)
    assert area.readiness == "ready"


def test_a_task_that_the_library_cannot_ask_is_not_yet_known() -> None:
    facts = (fact("PA.I.A.K1"), fact("PA.I.A.R1", askable=False))
    (area,) = readiness_by_area(facts, told("K1s"), NOW)
    assert area.readiness == "not yet known"
    assert not area.tasks[0].askable


def test_an_element_that_is_no_longer_in_the_standard_says_nothing() -> None:
    gone = [Evidence(oral=1, code="PA.I.A.K9", verdict="unsatisfactory", at=NOW)]
    assert task_after(gone).readiness == "not yet known"
