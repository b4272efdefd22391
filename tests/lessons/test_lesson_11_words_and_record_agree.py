"""The examiner said "exactly right" while the record said unsatisfactory."""

import re
from itertools import product

import pytest

from exams.domain.exam_request import ExamOrder
from exams.domain.feedback import CONFLICTING, LACKING, OPENERS, feedback_for
from exams.domain.planner import PlannerState, advance_oral, event_for, start_oral
from exams.domain.scope import scope_for
from exams.domain.values import Importance, Manner, Met, Point, Verdict
from exams.domain.verdicts import Decision, decide_verdict
from exams.protocol.codec import assessment_frame
from tests.doubles.orals import facts_for

METS: tuple[Met, ...] = ("met", "half", "missing", "contradicted")
IMPORTANCE: tuple[Importance, ...] = ("must", "should")
SAYS: dict[str, re.Pattern[str]] = {
    "satisfactory": re.compile(
        r"covers it|answers it\b|was looking for|needed to hear|what I need|settles it|takes care of it"
        r"|that's it|that does it|That's the answer|that's covered|you've covered|everything I asked|satisfied on that"
        r"|completes it|all I needed|That'll do it|I was after",
        re.IGNORECASE,
    ),
    "partial": re.compile(r"answers part of it|Part of the answer|part of the way"),
    "unsatisfactory": re.compile(
        r"this one takes|list to study|read up on|more to this one|source|isn't safe", re.IGNORECASE
    ),
}


def contradiction_set() -> list[Decision]:
    """Every mixture of two expectations in every circumstance."""
    mixtures = product(product(IMPORTANCE, METS), repeat=2)
    circumstances = product(("opening", "probe"), (False, True), (False, True), (False, True))
    return [
        decide_verdict(
            [
                Point(
                    expectation=f"Statement {place}.",
                    key=str(place),
                    importance=importance,
                    met=met,
                    p0=p0,
                    conveyed=1.0 if met == "met" else 0.0,
                )
                for place, (importance, met) in enumerate(mixture)
            ],
            attempt=attempt,  # type: ignore[arg-type]
            hint_used=hint,
            unsafe_held=unsafe,
        )
        for mixture, (attempt, hint, unsafe, p0) in product(mixtures, circumstances)
    ]


DECISIONS = contradiction_set()


def heard(words: str) -> set[str]:
    """The verdicts that somebody who only hears the opening words would believe in."""
    opener = words.partition("\n")[0]
    return {verdict for verdict, pattern in SAYS.items() if pattern.search(opener)}


def test_lesson_11_the_words_of_a_final_verdict_are_that_verdicts_own() -> None:
    final = [decision for decision in DECISIONS if decision.final]
    assert len(final) > 500
    mismatches = [
        (decision.verdict, said)
        for decision in final
        for turn in range(len(OPENERS["satisfactory"]))
        if heard(said := feedback_for(decision, turn=turn)) != {decision.verdict}
    ]
    assert mismatches == []


def test_lesson_11_the_sections_follow_the_points() -> None:
    for decision in (decision for decision in DECISIONS if decision.final):
        said = feedback_for(decision)
        assert ("You covered: " in said) == bool(decision.points_with("met"))
        assert ("Not what the source says; it says: " in said) == bool(decision.points_with("contradicted"))
        half_said = [point for point in decision.points_with("half") if point.importance == "must"]
        assert ("Partly covered: " in said) == bool(half_said)
        if decision.verdict == "satisfactory":
            assert "Missing" not in said
            assert "Not what the source says" not in said


def test_lesson_11_before_the_end_and_in_a_checkride_no_verdict_is_heard() -> None:
    manners: tuple[Manner, ...] = ("coach", "checkride")
    for decision, manner in product(DECISIONS, manners):
        if not decision.final or manner == "checkride":
            assert heard(feedback_for(decision, manner=manner)) == set()


def test_lesson_11_each_verdict_has_its_own_words() -> None:
    words = [wording for wordings in (*OPENERS.values(), LACKING, CONFLICTING) for wording in wordings]
    assert len(words) == len(set(words))


@pytest.mark.parametrize("verdict", ["satisfactory", "partial", "unsatisfactory"])
def test_lesson_11_the_frame_shows_the_decision_that_was_worded(verdict: Verdict) -> None:
    decision = next(item for item in DECISIONS if item.verdict == verdict and item.final)
    frame = assessment_frame(decision, turn=1, answer_id="a", feedback=feedback_for(decision))
    assert frame["verdict"] == verdict
    assert heard(frame["feedback"]) == {verdict}


def waiting(decision: Decision, attempt: str, hint: bool) -> PlannerState:
    scope = scope_for(facts_for("PA.I.A"), ExamOrder(questions=4), seed="l")
    state = advance_oral(start_oral(scope), "begin").state
    if attempt == "probe":
        state = advance_oral(state, "partial").state
    return advance_oral(state, "hint_asked").state if hint else state


@pytest.mark.parametrize("attempt", ["opening", "probe"])
@pytest.mark.parametrize("hint", [False, True])
def test_lesson_11_what_the_examiner_does_next_follows_the_same_decision(attempt: str, hint: bool) -> None:
    for met in METS:
        point = Point(expectation="a", key="a", met=met)
        decision = decide_verdict([point], attempt=attempt, hint_used=hint)  # type: ignore[arg-type]
        before = waiting(decision, attempt, hint)
        step = advance_oral(before, event_for(decision))
        assert (step.state.asked > before.asked) == decision.final
        assert (step.action.form == "probe") == (decision.next_step == "probe")
        if decision.final:
            assert step.state.outcomes[-1].verdict == decision.verdict
