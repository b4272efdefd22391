"""What a satisfactory answer showed of another element counts for it, marked, until it is asked."""

import pytest
from django.utils import timezone

from exams.domain.values import Verdict
from exams.exchange.mastery_repository import rebuild_mastery, record_verdict
from exams.models import Exam, Mastery, Turn
from tests.doubles.demo_library import Demo
from tests.doubles.past_orals import past_oral

pytestmark = pytest.mark.django_db
ASKED, SHOWN = "PA.I.E.K1", "PA.I.A.K4"


def answered(demo: Demo, verdict: Verdict) -> Turn:
    """The turn of an oral that is over, whose item was about two elements."""
    exam = past_oral(demo.student, {ASKED: verdict})
    Turn.objects.filter(exam=exam).update(rubric={"elements": [ASKED, SHOWN]})
    return Turn.objects.select_related("exam").get(exam=exam)


def rows() -> dict[str, tuple[float, int, bool]]:
    columns = ("element", "estimate", "attempts", "by_mention")
    return {
        code: (value, attempts, mention)
        for code, value, attempts, mention in Mastery.objects.values_list(*columns)
    }


@pytest.mark.parametrize(
    ("verdict", "known"), [("satisfactory", {ASKED, SHOWN}), ("unsatisfactory", {ASKED})]
)
def test_the_rows_are_the_same_as_they_are_written_and_as_they_are_computed_again(
    demo: Demo, verdict: Verdict, known: set[str]
) -> None:
    turn = answered(demo, verdict)
    rebuild_mastery(demo.student.pk, None, "private")
    again = rows()
    Mastery.objects.all().delete()
    record_verdict(turn.exam, turn, verdict, timezone.now())
    assert set(rows()) == known
    assert rows() == again
    if SHOWN in known:
        assert rows()[SHOWN] == (0.5, 0, True)


def test_a_mention_changes_nothing_of_an_element_that_was_asked(demo: Demo) -> None:
    past_oral(demo.student, {SHOWN: "unsatisfactory"})
    turn = answered(demo, "satisfactory")
    record_verdict(turn.exam, turn, "satisfactory", timezone.now())
    assert rows()[SHOWN] == (0.0, 1, False)


def test_a_qualification_is_counted_when_its_oral_is_over(demo: Demo) -> None:
    exam = past_oral(demo.student, {ASKED: "partial"}, manner="checkride", is_over=False)
    Exam.objects.filter(pk=exam.pk).update(qualification={"credited": [SHOWN]})
    rebuild_mastery(demo.student.pk, None, "private")
    assert rows() == {}
    Exam.objects.filter(pk=exam.pk).update(status="finished")
    rebuild_mastery(demo.student.pk, None, "private")
    assert rows()[SHOWN] == (0.5, 0, True)
