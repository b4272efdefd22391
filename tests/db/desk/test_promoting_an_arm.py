"""An arm is turned on for everyone only if the interval of what it adds lies above 0; the report says so, by school."""

import json
from collections.abc import Callable
from io import StringIO
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from waffle.models import Flag

from desk.experiments.arms_report import report_on_arms
from exams.models import Answer, Assessment, Dispute, Exam, Rating, Turn
from knowledge.flags import ENHANCED, FILTER
from knowledge.models import Membership, RetrievalComparison, Tenant
from knowledge.models.tenancy import Role
from tests.doubles.claims import make_user
from tests.doubles.library import make_tenant

pytestmark = [pytest.mark.long, pytest.mark.django_db]
FOUND = [str(number) for number in range(5)]
Cited = Callable[[int], tuple[int, int]]


def better(number: int) -> tuple[int, int]:
    """How many of five labeled passages the plain arm finds, and the enhanced one."""
    return 1, 2 + number % 2


def now_and_then(number: int) -> tuple[int, int]:
    return (1, 2) if number % 2 else (2, 1)


def make_comparisons(
    cited: Cited, exams: int = 8, questions: int = 5, tenant: Tenant | None = None, **fields: Any
) -> list[RetrievalComparison]:
    rows = []
    for at in range(exams * questions):
        plain, enhanced = cited(at)
        given: dict[str, Any] = {"exam": UUID(int=at // questions + 1), "served": "enhanced", **fields}
        rows.append(
            RetrievalComparison(
                tenant=tenant,
                element="PA.I.A.K1",
                turn=RetrievalComparison.objects.count() + at + 1,
                plain=FOUND,
                enhanced=FOUND,
                labels=FOUND,
                plain_found=FOUND[:plain],
                enhanced_found=FOUND[:enhanced],
                plain_ms=10.0,
                enhanced_ms=20.0,
                plain_verdict="partial",
                enhanced_verdict="satisfactory",
                verdict="satisfactory",
                overlap=0.5,
                **given,
            )
        )
    return RetrievalComparison.objects.bulk_create(rows)


@pytest.fixture(autouse=True)
def half() -> None:
    Flag.objects.filter(name=ENHANCED).update(everyone=None, percent=50)


def is_for_everyone(name: str = ENHANCED) -> bool:
    return Flag.objects.get(name=name).everyone is True


def promote(flag: str = ENHANCED) -> None:
    call_command("promote", flag, stdout=StringIO())


def test_what_is_better_in_each_draw_may_be_turned_on() -> None:
    make_comparisons(better)
    report = report_on_arms(timezone.now())
    assert report.refusal == ""
    assert report.found.mean == pytest.approx(0.3)
    promote()
    assert is_for_everyone()


def test_what_may_be_no_better_may_not() -> None:
    make_comparisons(now_and_then)
    with pytest.raises(CommandError, match="not above 0") as refused:
        promote()
    assert refused.value.returncode == 2
    assert not is_for_everyone()


@pytest.mark.parametrize(("exams", "questions"), [(0, 0), (8, 1), (2, 30)])
def test_nor_what_was_hardly_compared(exams: int, questions: int) -> None:
    make_comparisons(better, exams, questions)
    with pytest.raises(CommandError, match="needed"):
        promote()
    assert not is_for_everyone()


def test_another_flag_needs_no_comparison_and_an_unknown_one_is_refused() -> None:
    Flag.objects.filter(name=FILTER).update(everyone=False)
    promote(FILTER)
    assert is_for_everyone(FILTER)
    with pytest.raises(CommandError, match="There is"):
        promote("no.such")


def test_the_report_tells_both_arms() -> None:
    make_comparisons(better)
    out = StringIO()
    call_command("shadow_report", "--json", stdout=out)
    told = json.loads(out.getvalue())
    assert (told["questions"], told["exams"], told["overlap"], told["agreement"]) == (40, 8, 0.5, 0.0)
    assert (told["plain"]["found"], told["plain"]["p50"], told["plain"]["agrees"]) == (0.2, 10.0, 0.0)
    assert (told["enhanced"]["served"], told["enhanced"]["agrees"]) == (40, 1.0)


def test_what_students_tapped_counts_for_the_arm_they_had() -> None:
    student = make_user("stu", Role.STUDENT)
    for served, fair in (("enhanced", False), ("plain", True)):
        for _ in range(6):
            exam = Exam.objects.create(id=uuid4(), student=student, certificate="private")
            turn = Turn.objects.create(
                exam=exam, number=1, element="PA.I.A.K1", task="PA.I.A", kind="knowledge"
            )
            Rating.objects.create(turn=turn, fair=fair)
            make_comparisons(better, 1, 6, served=served, exam=exam.pk)
    report = report_on_arms(timezone.now())
    assert (report.enhanced.fair, report.plain.fair) == (0.0, 1.0)
    assert "fair less often" in report.refusal


def test_a_school_sees_its_own_alone(client: Client) -> None:
    school = make_tenant()
    make_comparisons(better)
    make_comparisons(now_and_then, exams=2, tenant=school)
    assert report_on_arms(timezone.now(), school).questions == 10
    assert report_on_arms(timezone.now(), None).questions == 40
    assert report_on_arms(timezone.now()).questions == 50
    olga = make_user("olga", Role.OPERATOR)
    Membership.objects.filter(user=olga).update(tenant=school)
    client.force_login(olga)
    assert client.get("/operations/arms/").context["report"].questions == 10


@pytest.mark.parametrize("rows", [0, 8])
def test_the_page_with_and_without_comparisons(client: Client, rows: int) -> None:
    make_comparisons(now_and_then, exams=rows)
    client.force_login(make_user("olga", Role.OPERATOR))
    page = client.get("/operations/arms/").content.decode()
    assert ("<svg" in page) == bool(rows)
    assert ("not above 0" in page) == bool(rows)


def test_students_do_not_get_in(client: Client) -> None:
    client.force_login(make_user("stu", Role.STUDENT))
    assert client.get("/operations/arms/").status_code == 403


def in_admin(client: Client, **given: Any) -> str:
    client.force_login(get_user_model().objects.create_superuser("root", password="x"))
    row = Flag.objects.get(name=ENHANCED)
    answer = client.post(f"/admin/waffle/flag/{row.pk}/change/", given)
    return answer.content.decode() if answer.status_code == 200 else ""


@pytest.mark.parametrize("given", [{"everyone": "true"}, {"everyone": "unknown", "percent": "99.9"}])
def test_the_admin_refuses_it_as_well(client: Client, given: dict[str, str]) -> None:
    make_comparisons(now_and_then)
    assert "not above 0" in in_admin(client, **given)
    assert not is_for_everyone()


def test_the_admin_shows_whose_a_flag_is_and_changes_who_has_it(client: Client) -> None:
    assert in_admin(client, everyone="unknown", percent="20") == ""
    assert float(Flag.objects.get(name=ENHANCED).percent or 0) == 20
    page = client.get("/admin/waffle/flag/").content.decode()
    for words in ("on for 20 % of students", "retrieval", "approved claims"):
        assert words in page


def test_verdicts_are_judged_by_those_that_a_reviewer_gave_or_upheld() -> None:
    student = make_user("stu", Role.STUDENT)
    rows = make_comparisons(better)
    for row in rows[::5]:  # one question of each exam was disputed
        exam = Exam.objects.create(id=row.exam, student=student, certificate="private")
        turn = Turn.objects.create(exam=exam, number=1, element="PA.I.A.K1", task="PA.I.A", kind="knowledge")
        answer = Answer.objects.create(exam=exam, turn=turn, client_id="a1", text="Three miles.")
        Assessment.objects.create(
            answer=answer, turn=turn, element="PA.I.A.K1", final=True, verdict="partial"
        )
        Dispute.objects.create(exam=exam, turn=turn, resolved=True, resolution="It was half.")
    report = report_on_arms(timezone.now())
    assert (report.labeled, report.decided) == (40, 40)
    assert (report.plain.accuracy, report.enhanced.accuracy) == (1.0, 0.0)
    assert "less often the reviewers'" in report.refusal
    Dispute.objects.update(resolved=False)
    assert report_on_arms(timezone.now()).decided == 0


def test_questions_without_labels_judge_nothing_and_the_flag_is_shown() -> None:
    make_comparisons(better)
    RetrievalComparison.objects.update(labels=[])
    report = report_on_arms(timezone.now())
    assert (report.questions, report.labeled, report.found.mean) == (40, 0, None)
    assert "0 questions with labeled passages" in report.refusal
    assert report.flag == "on for 50 % of students"
