"""Shadow mode: after a turn both arms are made once more and stored; the turn itself knows nothing of it."""

from collections import defaultdict
from dataclasses import replace

import pytest
from waffle.models import Flag

from desk.evaluation.measures import interval_of_differences
from exams.conf import BRIEFING_PASSAGES
from exams.examiner.briefing import bank_at_hand, library_state, passages_found
from exams.experiments.shadow_comparison import compare_arms, overlap_of
from exams.models import Assessment, Exam, Turn
from knowledge.flags import ENHANCED, FLAGS, SHADOW
from knowledge.models import AcsElement, Chunk, Membership, RetrievalComparison, RetrievalLog
from tests.doubles.demo_library import Demo
from tests.doubles.exam_records import records_of
from tests.doubles.library import make_tenant
from tests.doubles.rooms import answer_and_settle, new_exam, opened, right_answer

pytestmark = pytest.mark.django_db


@pytest.fixture
def shadowed() -> None:
    Flag.objects.filter(name=SHADOW).update(everyone=True)


@pytest.fixture
def exam(demo: Demo, shadowed: None) -> Exam:
    exam = opened(new_exam(demo.student))
    answer_and_settle(exam, right_answer(exam), "a1")
    return exam


def test_both_arms_are_stored_with_what_became_of_them(exam: Exam) -> None:
    assert compare_arms() == 1
    row = RetrievalComparison.objects.get()
    turn = Turn.objects.get(exam=exam, number=1)
    assert (row.turn, row.exam, row.element, row.served) == (turn.pk, exam.pk, turn.element, "enhanced")
    assert row.enhanced == [one["chunk_id"] for one in turn.context["passages"]]
    assert set(row.labels) == {one["chunk_id"] for one in turn.citations}
    for found in (row.plain_found, row.enhanced_found):
        assert 0 < len(found) <= BRIEFING_PASSAGES
    assert (row.verdict, row.enhanced_verdict) == ("satisfactory", "satisfactory")
    assert row.enhanced_ms
    assert row.overlap == overlap_of(row.plain, row.enhanced)
    assert Chunk.objects.filter(pk__in=row.plain).count() == len(row.plain)
    assert bool(row.plain) == bool(row.plain_verdict)  # the search alone bears some elements only


@pytest.mark.long
def test_a_second_run_adds_nothing(exam: Exam) -> None:
    compare_arms()
    assert compare_arms() == 0
    assert RetrievalComparison.objects.count() == 1


def test_exam_and_log_are_as_they_were(exam: Exam) -> None:
    before, searches = records_of(exam.student), RetrievalLog.objects.count()
    compare_arms()
    assert records_of(exam.student) == before
    assert RetrievalLog.objects.count() == searches


@pytest.mark.long
def test_it_waits_for_the_final_verdict(demo: Demo, shadowed: None) -> None:
    exam = opened(new_exam(demo.student))
    answer_and_settle(exam, "I do not know.", "a1")
    assert compare_arms() == 0
    answer_and_settle(exam, "I do not know.", "a2")
    assert compare_arms() == 1
    assert RetrievalComparison.objects.get().verdict == Assessment.objects.get(final=True).verdict


@pytest.mark.long
def test_without_the_flag_nothing_is_compared(demo: Demo) -> None:
    exam = opened(new_exam(demo.student))
    answer_and_settle(exam, right_answer(exam), "a1")
    assert compare_arms() == 0


@pytest.mark.long
def test_the_arm_that_was_served_is_named(demo: Demo, shadowed: None) -> None:
    Flag.objects.filter(name=ENHANCED).update(everyone=False)
    exam = opened(new_exam(demo.student))
    for name in ("a1", "a2"):
        answer_and_settle(exam, "The anticollision lights, and 30 minutes of fuel.", name)
    compare_arms()
    assert RetrievalComparison.objects.get().served == "plain"


@pytest.mark.long
def test_an_arm_that_could_not_ask_is_stored_as_such(exam: Exam) -> None:
    AcsElement.objects.filter(code=Turn.objects.get(exam=exam, number=1).element).update(code="PA.GONE.K1")
    assert compare_arms() == 1
    row = RetrievalComparison.objects.get()
    assert (row.plain, row.enhanced, row.plain_verdict, row.enhanced_ms) == ([], [], "", None)


@pytest.mark.long
def test_a_comparison_that_fails_holds_up_no_other(exam: Exam) -> None:
    answer_and_settle(exam, right_answer(exam), "a2")
    first = Turn.objects.get(exam=exam, number=1)
    Turn.objects.filter(pk=first.pk).update(expectations=[], context={"flags": [SHADOW, 7]})
    assert compare_arms() == 1
    assert RetrievalComparison.objects.get().turn == Turn.objects.get(exam=exam, number=2).pk


def test_a_row_belongs_to_the_school_of_its_exam(demo: Demo, shadowed: None) -> None:
    school = make_tenant()
    Membership.objects.create(user=demo.student, tenant=school, role="student")
    exam = new_exam(demo.student)
    Exam.objects.filter(pk=exam.pk).update(tenant=school)
    exam.refresh_from_db()
    opened(exam)
    answer_and_settle(exam, right_answer(exam), "a1")
    compare_arms()
    assert RetrievalComparison.objects.get().tenant == school


@pytest.mark.long
def test_the_graph_is_on_by_default_since_it_finds_more_of_the_demos_labeled_passages(demo: Demo) -> None:
    """An item's own points are hidden from the graph. Questions of a Task are drawn together."""
    state = library_state(None, demo.student.pk)
    arms = [
        replace(state, flags=tuple({*state.flags} - {ENHANCED})),
        replace(state, flags=(*state.flags, ENHANCED)),
    ]
    differences: dict[str, list[float]] = defaultdict(list)
    for code, items in bank_at_hand(state).by_element.items():
        for item in items:
            hidden = {point.concept for point in item.points}
            if labels := {point.chunk_id for point in item.points if point.chunk_id}:
                plain, enhanced = (
                    len(labels & {*passages_found(code, item, library=arm, hidden=hidden)}) for arm in arms
                )
                differences[code.rpartition(".")[0]].append((enhanced - plain) / len(labels))
    found_more = interval_of_differences(list(differences.values()))
    assert found_more.is_above_zero
    assert (found_more.mean, found_more.lower, found_more.upper) == pytest.approx(
        (0.046, 0.006, 0.114), abs=0.03
    )
    assert next(flag.default for flag in FLAGS if flag.name == ENHANCED)
