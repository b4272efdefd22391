"""A week of searches becomes a report: on its page, by command, and as a job; each school sees its own."""

import io
import json
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
from celery import current_app
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client

from desk.operations.weekly_report import (
    count_week,
    keep_week,
    keep_weeks,
    monday_of,
    request_week,
    week_from,
)
from desk.tasks import count_week_again, report_searches
from exams.exchange import session
from exams.models import Turn
from knowledge.graph.skeleton import load_standard
from knowledge.models import Chunk, Membership, RetrievalLog, RetrievalReport, Tenant
from knowledge.models.tenancy import Role
from knowledge.retrieval.search_log import note_cited
from tests.doubles.claims import make_user
from tests.doubles.demo_library import Demo
from tests.doubles.library import FUEL, LIGHTS, make_chunk, make_document, make_tenant
from tests.doubles.rooms import new_exam
from tests.doubles.standards import small_standard

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 11, 12, tzinfo=UTC)  # a Wednesday
MONDAY = date(2026, 3, 9)


def make_log(query: str = "fuel", *found: Chunk, at: datetime = NOW, **fields: Any) -> RetrievalLog:
    results = [
        {"chunk_id": str(chunk.pk), "score": 0.5, "similarity": 0.5, "lexical": 0.5} for chunk in found
    ]
    given = {
        "arm": "hybrid",
        "quality": "strong",
        "top": 0.7,
        "latency_ms": 10.0,
        "results": results,
        **fields,
    }
    row = RetrievalLog.objects.create(query=query, **given)
    RetrievalLog.objects.filter(pk=row.pk).update(created_at=at)
    return row


def operator_of(school: Tenant) -> Any:
    user = make_user("otto", Role.OPERATOR)
    Membership.objects.filter(user=user).update(tenant=school)
    return user


def test_the_week_is_counted_and_no_other() -> None:
    make_log(latency_ms=10.0)
    make_log(quality="weak", top=0.4, latency_ms=30.0, filters={"doc_types": ["cfr"]})
    make_log(quality="none", top=None, fallback=True, cached=True, latency_ms=1.0)
    make_log(at=NOW - timedelta(days=7))
    make_log(at=NOW + timedelta(days=7))
    week = count_week(None, MONDAY)
    assert (week.searches, week.qualities) == (3, {"strong": 1, "weak": 1, "none": 1})
    assert (week.cached, week.filtered, week.fell_back) == (1, 2, 1)
    assert week.p50 == 20.0  # what a cache answered is left out
    assert [one["weak"] for one in week.days] == [0, 0, 1, 0, 0, 0, 0]


def test_weak_queries_are_missing_documents() -> None:
    for _ in range(2):
        make_log("seaplane step taxi", quality="none", top=None)
    make_log("glassy water", quality="weak", top=0.4)
    make_log("fuel")
    week = count_week(None, MONDAY)
    assert [(one["query"], one["times"], one["top"]) for one in week.weak] == [
        ("seaplane step taxi", 2, None),
        ("glassy water", 1, 0.4),
    ]


def test_found_again_and_again_and_never_cited() -> None:
    lights, fuel = make_chunk(LIGHTS, section="4-3-13"), make_chunk(FUEL, section="91.151")
    rows = [make_log("fuel", lights, fuel) for _ in range(3)]
    assert count_week(None, MONDAY).uncited == []  # nothing was cited: nothing can be said
    note_cited(rows[0].pk, [str(fuel.pk)])
    note_cited(rows[0].pk, [str(fuel.pk)])
    rows[0].refresh_from_db()
    assert rows[0].cited == [str(fuel.pk)]
    week = count_week(None, MONDAY)
    assert [(one["chunk"], one["times"]) for one in week.uncited] == [(str(lights.pk), 3)]
    assert week.cited == 1


def test_sparse_kinds_and_elements_without_support() -> None:
    load_standard(small_standard())
    make_chunk(FUEL)
    week = count_week(None, MONDAY)
    kinds = {one["kind"]: one for one in week.categories}
    assert (kinds["cfr"]["documents"], kinds["cfr"]["passages"], kinds["cfr"]["sparse"]) == (1, 1, True)
    assert kinds["aim"]["passages"] == 0
    assert any("PA.I.E.K1" in one["elements"] for one in week.unsupported)


def test_each_school_has_its_own(client: Client) -> None:
    school = make_tenant("school")
    make_log("only ours", quality="none", top=None, tenant=school, at=datetime.now(UTC))
    today = datetime.now(UTC).date()
    assert count_week(None, monday_of(today)).searches == 0
    keep_weeks(datetime.now(UTC))
    client.force_login(make_user("olga", Role.OPERATOR))
    assert "only ours" not in client.get("/operations/searches/").content.decode()
    client.force_login(operator_of(school))
    assert "only ours" in client.get("/operations/searches/").content.decode()


def test_the_job_keeps_each_week_once_and_the_last_as_it_ended() -> None:
    make_tenant("school")
    make_log(at=NOW - timedelta(days=7))
    assert keep_weeks(NOW) == 4
    keep_weeks(NOW)
    assert RetrievalReport.objects.count() == 2 * (1 + Tenant.objects.count())
    row = RetrievalReport.objects.get(tenant=None, week=MONDAY - timedelta(days=7))
    assert week_from(row.body) == count_week(None, MONDAY - timedelta(days=7))
    RetrievalLog.objects.all().delete()
    row.refresh_from_db()
    assert week_from(row.body).searches == 1


def test_beat_runs_it(settings: Any) -> None:
    assert settings.CELERY_BEAT_SCHEDULE["report-searches"]["task"] == report_searches.name
    report_searches()
    assert RetrievalReport.objects.filter(tenant=None, week=monday_of(datetime.now(UTC).date())).exists()


def test_the_command_says_the_same() -> None:
    make_log("seaplane", quality="none", top=None, at=datetime.now(UTC))
    stdout = io.StringIO()
    call_command("retrieval_report", "--json", stdout=stdout)
    assert json.loads(stdout.getvalue())["searches"] == 1
    call_command("kb_report", stdout=stdout)
    assert "weak, 1 times" in stdout.getvalue()


@pytest.mark.long
def test_it_counts_the_last_days_and_names_documents_that_no_search_found() -> None:
    now = datetime.now(UTC)
    make_log("seaplane", at=now - timedelta(days=2))
    make_log("long ago", at=now - timedelta(days=20))
    make_chunk(FUEL, make_document("Never found"))

    def report(*given: str) -> Any:
        stdout = io.StringIO()
        call_command("kb_report", *given, "--json", stdout=stdout)
        return json.loads(stdout.getvalue())

    assert [report(*given)["searches"] for given in [(), ("--days", "2"), ("--days", "30")]] == [1, 0, 2]
    assert [row["title"] for row in report()["unused"]] == ["Never found"]


@pytest.mark.parametrize("given", [("--days", "0"), ("--tenant", "nobody")])
def test_wrong_days_or_school_are_refused(given: tuple[str, ...]) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("kb_report", *given)
    assert refused.value.returncode == 2


def test_the_page_asks_a_worker_to_count_and_never_counts_itself(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[Any]] = []
    monkeypatch.setattr(current_app, "send_task", lambda _name, args, **_: asked.append(args))
    make_log("seaplane", quality="none", top=None, at=datetime.now(UTC))
    school = make_tenant("school")
    client.force_login(operator_of(school))
    page = client.get("/operations/searches/").content.decode()
    assert "A worker counts the week when it runs." in page
    this = monday_of(datetime.now(UTC).date())
    client.get("/operations/searches/")
    assert asked == [[str(school.pk), this.isoformat()]]  # once, however often the page is loaded
    count_week_again(*asked.pop())
    page = client.get("/operations/searches/").content.decode()
    assert "Counted at" in page
    assert "counting it again" not in page
    assert not asked
    RetrievalReport.objects.update(created_at=datetime.now(UTC) - timedelta(minutes=6))
    cache.clear()
    page = client.get("/operations/searches/").content.decode()
    assert "No worker is running, so it is not counted again" in page
    assert len(asked) == 1
    monkeypatch.setattr("desk.views.searches.worker_away", lambda: "")
    assert "a worker is counting it again" in client.get("/operations/searches/").content.decode()


@pytest.mark.long
def test_a_week_that_ended_after_its_count_is_counted_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[Any]] = []
    monkeypatch.setattr(current_app, "send_task", lambda _name, args, **_: asked.append(args))
    last, later = MONDAY - timedelta(days=7), NOW + timedelta(days=90)
    keep_week(None, last)
    for counted, due in ((MONDAY - timedelta(days=2), True), (MONDAY, False)):
        RetrievalReport.objects.update(created_at=datetime.combine(counted, time(1), UTC))
        cache.clear()
        assert request_week(None, last, later)[1] is due
    assert asked == [[None, last.isoformat()]]


@pytest.mark.parametrize("week", ["soon", "2999-01-01", "2026-13-45", "0001-01-01", "<script>", "-1"])
def test_a_wrong_week_on_the_page_is_said(client: Client, week: str) -> None:
    client.force_login(make_user("olga", Role.OPERATOR))
    answer = client.get("/operations/searches/", {"week": week})
    assert answer.status_code == 200
    assert "Write the week as a past day" in answer.content.decode()


@pytest.mark.parametrize("searches", [0, 1])
def test_earlier_weeks_are_drawn_if_one_has_a_search(client: Client, searches: int) -> None:
    now = datetime.now(UTC)
    for _ in range(searches):
        make_log("seaplane", at=now - timedelta(days=7))
    keep_weeks(now)
    client.force_login(make_user("olga", Role.OPERATOR))
    assert ("Previous weeks" in client.get("/operations/searches/").content.decode()) is bool(searches)


def test_what_a_query_says_is_escaped(client: Client) -> None:
    make_log("<img src=x onerror=alert(1)>", quality="none", top=None, at=datetime.now(UTC))
    keep_weeks(datetime.now(UTC))
    client.force_login(make_user("olga", Role.OPERATOR))
    assert "<img src=x" not in client.get("/operations/searches/").content.decode()


@pytest.mark.parametrize("path", ["search", "searches", "costs"])
def test_students_do_not_get_in(client: Client, path: str) -> None:
    client.force_login(make_user("stu", Role.STUDENT))
    assert client.get(f"/operations/{path}/").status_code == 403


def test_a_question_writes_down_what_it_cites(demo: Demo) -> None:
    exam = new_exam(demo.student)
    work = session.open_connection(exam.pk, demo.student.pk).work
    assert work is not None
    function, key = work
    function(key)
    turn = Turn.objects.get(exam=exam)
    row = RetrievalLog.objects.get(pk=turn.context["retrieval"])
    assert row.element == turn.element
    assert set(row.cited) == {one["chunk_id"] for one in turn.citations}
