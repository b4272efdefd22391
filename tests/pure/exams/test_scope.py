"""Which Tasks and elements an oral covers, on standards small enough to read."""

import json
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from typing import Any

import pytest

from exams.domain.exam_request import ExamOrder, OrderRefused, order_from
from exams.domain.sampling import SHOWN
from exams.domain.scenes.scene import AFTER_THE_FLIGHT, HANGING_LEAST, Scheduled
from exams.domain.scope import Scope, along_the_flight, scope_for
from tests.doubles.orals import fact, facts_for

TASKS = ("PA.I.A", "PA.I.B", "PA.I.E", "PA.II.A")


def codes(scope: Scope) -> list[str]:
    return [item.code for item in scope.plan]


def test_five_questions_are_two_whole_tasks_and_one_more_element_of_the_last() -> None:
    scope = scope_for(facts_for(*TASKS), ExamOrder(questions=5), seed="a")
    assert scope.title == "2 of 4 Tasks"
    assert (scope.questions, scope.minutes) == (5, 8)
    assert [item.kind for item in scope.plan] == ["knowledge", "risk", "knowledge", "risk", "knowledge"]
    assert [item.role for item in scope.plan] == ["needed"] * 4 + ["extra"]
    assert scope.plan[-1].task == scope.tasks[-1].task


def test_one_question_is_raised_to_the_smallest_whole_task_and_says_so() -> None:
    scope = scope_for(facts_for(*TASKS), ExamOrder(questions=1), seed="a")
    assert scope.questions == 2
    assert scope.notices == ("The smallest Task takes 2 questions, so 2 are asked.",)


def test_a_mock_is_asked_in_the_order_of_its_flight_and_the_rest_after_it() -> None:
    scope = scope_for(facts_for(*TASKS[:2], elements=("K1", "R1")), ExamOrder(questions=4), seed="a")
    assert codes(scope) == ["PA.I.A.K1", "PA.I.A.R1", "PA.I.B.K1", "PA.I.B.R1"]
    scheduled = {"PA.I.A.R1": Scheduled(place=44), "PA.I.B.K1": Scheduled(place=18)}
    assert codes(along_the_flight(scope, scheduled)) == ["PA.I.B.K1", "PA.I.A.R1", "PA.I.A.K1", "PA.I.B.R1"]
    scheduled["PA.I.A.K1"] = Scheduled(place=17)
    assert codes(along_the_flight(scope, scheduled)) == ["PA.I.A.K1", "PA.I.B.K1", "PA.I.A.R1", "PA.I.B.R1"]


TWO_OF_EACH = facts_for("PA.I.A", "PA.I.B", "PA.I.C", elements=("K1", "K2", "R1", "R2"))


def topics_of_mock(*topics: str, by_change: Collection[str] = ()) -> list[str]:
    """The topics that are asked about where the plan has one of these for each Task, and "other" is in reserve."""
    scope = scope_for(TWO_OF_EACH, ExamOrder(questions=6), seed="a")
    risks = [item.code for item in scope.plan if item.kind == "risk"]
    planned = dict(zip(risks, topics, strict=True))
    spare = {item.code: "other" for item in scope.reserve if item.kind == "risk"}
    scheduled = {
        code: Scheduled(place=number, topic=topic, by_change=topic in by_change)
        for number, (code, topic) in enumerate((planned | spare).items())
    }
    plan = along_the_flight(scope, scheduled).plan
    assert len(plan) == 6
    assert Counter((one.task, one.kind) for one in plan) == Counter(
        (one.task, one.kind) for one in scope.plan
    )
    return [scheduled[one.code].topic for one in plan if one.kind == "risk"]


def test_a_topic_that_was_asked_about_gives_way_to_another_of_its_task() -> None:
    assert topics_of_mock("moa", "moa", "fog") == ["moa", "fog", "other"]
    assert topics_of_mock("", "", "") == ["", "", ""]
    assert topics_of_mock("pressure", "pressure", "pressure") == ["pressure", "pressure", "other"]
    assert topics_of_mock("failure-gear", "failure-oil", "failure-door") == [
        "failure-gear",
        "failure-oil",
        "failure-door",
    ]
    assert topics_of_mock("moa", "fog", "moa", by_change=["moa"]) == ["moa", "fog", "moa"]


def test_what_the_papers_have_shown_is_asked_only_where_nothing_else_is_left() -> None:
    facts = facts_for("PA.I.A", "PA.I.B", elements=("K1", "K2", "K3", "R1"))
    shown = {"PA.I.A.K1": SHOWN, "PA.I.A.K3": SHOWN}
    for seed in "abcdefgh":
        scope = scope_for(facts, ExamOrder(questions=4), seed=seed, hanging=shown)
        assert "PA.I.A.K2" in codes(scope)
        assert not shown.keys() & set(codes(scope))
    whole = scope_for(facts, ExamOrder(questions=8), seed="a", hanging=shown)
    assert shown.keys() < set(codes(whole))


def test_an_element_that_asks_for_the_same_again_gives_way_to_another_of_its_task() -> None:
    scope = scope_for(TWO_OF_EACH, ExamOrder(questions=6), seed="a")
    same = frozenset([frozenset(["stall", "angl", "attack"])])
    risks = [item for item in scope.plan if item.kind == "risk"]
    scheduled = {
        item.code: Scheduled(place=number) for number, item in enumerate((*scope.plan, *scope.reserve))
    }
    for item in risks[:2]:
        scheduled[item.code] = replace(scheduled[item.code], musts=same)
    plan = along_the_flight(scope, scheduled).plan
    asked = {one.code for one in plan}
    assert risks[0].code in asked
    assert risks[1].code not in asked
    assert Counter(one.task for one in plan) == Counter(one.task for one in scope.plan)
    spare = next(one.code for one in scope.reserve if one.task == risks[1].task and one.kind == "risk")
    scheduled[spare] = replace(scheduled[spare], musts=same)  # nothing else is left to ask
    assert risks[1].code in codes(along_the_flight(scope, scheduled))


def test_what_cannot_give_way_comes_after_the_flight_while_enough_is_about_it() -> None:
    facts = facts_for("PA.I.A", "PA.I.B", "PA.I.C", elements=("K1", "R1"))
    scope = scope_for(facts, ExamOrder(questions=6), seed="a")
    scheduled = {
        item.code: Scheduled(place=number, topic="fog" if item.kind == "risk" else "")
        for number, item in enumerate(scope.plan)
    }
    plan = along_the_flight(scope, scheduled).plan
    after = [item.code for item in plan if item.moment == AFTER_THE_FLIGHT]
    assert after == ["PA.I.B.R1", "PA.I.C.R1"]
    assert len(plan) - len(after) >= HANGING_LEAST * len(plan)
    for code in ("PA.I.A.K1", "PA.I.B.K1"):
        del scheduled[code]  # four of six hang on the flight: none can be spared
    plan = along_the_flight(scope, scheduled).plan
    assert sum(item.moment < AFTER_THE_FLIGHT for item in plan) == 4


def test_a_library_that_supports_fewer_questions_says_so() -> None:
    scope = scope_for(facts_for("PA.I.A"), ExamOrder(questions=20), seed="a")
    assert scope.questions == 4
    assert scope.notices == ("You asked for 20 questions; this library supports 4.",)


def test_it_names_the_documents_that_the_others_wait_for() -> None:
    held, *rest = facts_for("PA.I.A", "PA.I.B")
    lacking = [replace(one, askable=False, items=0, missing_reference="AC 68-1") for one in rest[-2:]]
    scope = scope_for([held, *rest[:-2], *lacking], ExamOrder(questions=20), seed="a")
    assert "2 elements cannot be asked yet. They lack: AC 68-1." in scope.notices[-1]


def test_the_order_in_which_elements_were_read_does_not_matter() -> None:
    facts = facts_for(*TASKS)
    order = ExamOrder(questions=5)
    assert scope_for(facts, order, seed="x") == scope_for(tuple(reversed(facts)), order, seed="x")


def test_another_exam_draws_other_elements() -> None:
    drawn = {
        tuple(codes(scope_for(facts_for(*TASKS), ExamOrder(questions=5), seed=str(n)))) for n in range(20)
    }
    assert len(drawn) > 5


def test_a_scope_survives_storage() -> None:
    scope = scope_for(facts_for(*TASKS), ExamOrder(questions=5, codes=["PA.I.A.K2"]), seed="a")
    assert Scope.from_dict(json.loads(json.dumps(scope.to_dict()))) == scope


def test_how_hard_the_questions_are_changes_no_scope() -> None:
    easy, hard = (
        scope_for(facts_for(*TASKS), ExamOrder.model_validate({"questions": 5, "difficulty": word}), seed="a")
        for word in ("recall", "hard")
    )
    assert easy == hard


def test_codes_of_the_report_are_in_it_hidden_among_the_rest() -> None:
    scope = scope_for(facts_for(*TASKS), ExamOrder(questions=5, codes=["pa.ii.a.k2"]), seed="a")
    assert "PA.II.A.K2" in codes(scope)
    assert codes(scope)[0] != "PA.II.A.K2"


@pytest.mark.parametrize("seed", [str(number) for number in range(12)])
def test_each_area_picked_gets_a_task_before_any_gets_a_second(seed: str) -> None:
    order = ExamOrder(questions=6, areas=["I", "II"])
    scope = scope_for(facts_for(*TASKS), order, seed=seed)
    assert {task.area for task in scope.tasks} == {"I", "II"}


def test_an_area_picked_that_gets_no_task_is_named() -> None:
    facts = facts_for(*TASKS)
    small = scope_for(facts, ExamOrder(questions=2, areas=["I", "II"]), seed="a")
    assert len(small.tasks) == 1
    left_out = {"I", "II"} - {task.area for task in small.tasks}
    assert f"Area {left_out.pop()} does not fit into this number of questions." in small.notices
    lacking = [replace(one, askable=False, items=0) if one.area == "II" else one for one in facts]
    lacks = scope_for(lacking, ExamOrder(questions=6, areas=["I", "II"]), seed="a")
    assert "Nothing of Area II can be asked with this library." in lacks.notices


def test_a_task_without_a_risk_that_can_be_asked_is_not_offered() -> None:
    facts = (
        *facts_for("PA.I.A"),
        *facts_for("PA.I.B", elements=("K1", "K2")),
        fact("PA.I.B.R1", askable=False),
    )
    scope = scope_for(facts, ExamOrder(questions=5), seed="a")
    assert scope.task_codes == ("PA.I.A",)


def test_a_library_that_completes_nothing_is_still_of_use_and_says_what_it_is_not() -> None:
    facts = (*facts_for("PA.I.B", elements=("K1", "K2")), fact("PA.I.B.R1", askable=False))
    scope = scope_for(facts, ExamOrder(questions=5), seed="a")
    assert set(codes(scope)) == {"PA.I.B.K1", "PA.I.B.K2"}
    assert "will read incomplete" in scope.notices[0]


def test_nothing_that_can_be_asked_names_the_missing_reference() -> None:
    facts = tuple(replace(item, askable=False, missing_reference="AIM") for item in facts_for("PA.I.A"))
    with pytest.raises(OrderRefused, match="lacks: AIM"):
        scope_for(facts, ExamOrder(), seed="a")


def test_what_cannot_be_asked_is_listed_by_task_and_reference() -> None:
    missing = fact("PA.I.A.K3", askable=False, missing_reference="FAA-H-8083-25")
    scope = scope_for((*facts_for("PA.I.A"), missing), ExamOrder(), seed="a")
    assert [(item.task, item.reference, item.elements) for item in scope.not_askable] == [
        ("PA.I.A", "FAA-H-8083-25", ("PA.I.A.K3",))
    ]


@pytest.mark.parametrize(
    ("fields", "field", "says"),
    [
        ({"areas": ["XX"]}, "areas", "There is: I, II"),
        ({"class": "GLID"}, "class", "ASEL"),
        ({"mode": "quick"}, "mode", "drill"),
        ({"mode": "area"}, "areas", "Pick at least one"),
        ({"questions": 0}, "questions", "1 to 66"),
        ({"questions": 67}, "questions", "1 to 66"),
        ({"difficulty": "brutal"}, "difficulty", "standard"),
        ({"codes": ["PA.I.A.K1", "PA.I.Q.K9"]}, "codes", "PA.I.Q.K9"),
    ],
)
def test_a_request_that_cannot_be_met_names_the_field_and_what_exists(
    fields: dict[str, Any], field: str, says: str
) -> None:
    with pytest.raises(OrderRefused, match=says) as refused:
        scope_for(facts_for(*TASKS), order_from(fields), seed="a")
    assert list(refused.value.fields) == [field]


def test_no_standard_is_an_error_that_names_the_certificate() -> None:
    with pytest.raises(OrderRefused, match="commercial"):
        scope_for((), ExamOrder(certificate="commercial"), seed="a")


def test_codes_on_the_report_in_the_folder_are_asked_if_they_can_be_and_the_order_names_none() -> None:
    missed = ("PA.II.A.K2", "PA.I.Q.K9")
    drawn, named = ExamOrder(questions=5), ExamOrder(questions=5, codes=["PA.I.A.K2"])
    for seed in map(str, range(5)):
        scope = scope_for(facts_for(*TASKS), drawn, seed=seed, missed=missed)
        assert "PA.II.A.K2" in codes(scope)
        assert (
            scope.notices == scope_for(facts_for(*TASKS), drawn, seed=seed).notices
        )  # the student named nothing
        assert scope_for(facts_for(*TASKS), named, seed=seed, missed=missed) == scope_for(
            facts_for(*TASKS), named, seed=seed
        )
        everywhere = [f"{task}.K2" for task in TASKS]
        crowded = scope_for(facts_for(*TASKS), drawn, seed=seed, missed=everywhere)
        assert not any("does not fit" in one for one in crowded.notices)
    told = scope_for(facts_for(*TASKS), ExamOrder(questions=5, codes=everywhere), seed="a").notices
    assert any("does not fit" in one for one in told)


def test_codes_that_are_not_asked_are_answered_by_name() -> None:
    facts = (
        *facts_for("PA.I.A"),
        fact("PA.I.A.K9", archived=True),
        fact("PA.I.I.K1", classes=("ASES",)),
        fact("PA.IV.A.K1"),
        fact("PA.I.A.R9", askable=False, missing_reference="AIM"),
        fact("PA.X.C.K1"),
    )
    named = ["PA.I.A.K9", "PA.I.I.K1", "PA.IV.A.K1", "PA.I.A.R9", "PA.X.C.K1"]
    notices = scope_for(facts, ExamOrder(codes=named), seed="a").notices
    for code, word in zip(named, ("archived", "ASES", "airplane", "AIM", "instrument"), strict=True):
        assert any(code in notice and word in notice for notice in notices)
