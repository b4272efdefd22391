"""A sample of exchanges is checked again in a worker: statements against the sources that they cite."""

from typing import Any, Final
from uuid import UUID

import pytest
from django.test import Client
from django.utils import timezone
from waffle.testutils import override_flag

from exams import conf
from exams.domain.planner import start_oral
from exams.models import Assessment, CheckedExchange, Dispute, Exam, Turn
from exams.oversight.sample_check import check_sample, sampled_turns
from exams.report import export_of
from exams.tasks import check_sample as task
from knowledge.flags import SAMPLE_BY_MODEL
from llm.errors import Unreachable
from tests.doubles.chats import SaysInTurn
from tests.doubles.library import make_chunk, make_evidence, make_node, make_tenant
from tests.doubles.schools import Schools

pytestmark = pytest.mark.django_db
QUOTE = "No person may park an aircraft on the grass from sunset to sunrise."
TRUE = "From sunset to sunrise nobody may park an aircraft on the grass."
FALSE = "At night an aircraft may be parked on the grass for 3 hours."
CHUNK = str(UUID(int=1))
SECRET = "my own words about the apron"
CITATION: Final[dict[str, Any]] = {
    **{"n": 1, "label": "Handbook ch. 1", "quote": QUOTE, "url": "/library/passages/1/", "chunk_id": CHUNK},
    **{"document": "Handbook", "section": ""},
}


def exchange(student: Any, *expectations: str, tenant: Any = None, **point: Any) -> Turn:
    """One question with its final verdict; each point cites the quote."""
    scope = {"certificate": "private", "aircraft_class": "ASEL", "mode": "full", "questions": 1}
    exam = Exam.objects.create(
        student=student,
        tenant=tenant,
        certificate="private",
        standard="x",
        scope=scope | {"tasks": [], "all_tasks": []},
    )
    exam.planner = start_oral(exam.read_scope(), "coach").to_dict()
    exam.save(update_fields=["planner"])
    turn = Turn.objects.create(
        exam=exam,
        number=1,
        element="PA.I.A.K1",
        task="PA.I.A",
        kind="knowledge",
        text="May you park?",
        item="pa.i.a.k1.parking",
        context={"passages": [{"chunk_id": CHUNK, "text": f"Members park on concrete. {QUOTE}"}]},
        citations=[CITATION],
    )
    points = [
        {"key": str(n), "expectation": text, "met": "missing", "why": "Not said.", "citations": [1], **point}
        for n, text in enumerate(expectations)
    ]
    answer = exam.answers.create(turn=turn, client_id="1", text=SECRET)
    Assessment.objects.create(
        answer=answer,
        turn=turn,
        element=turn.element,
        final=True,
        verdict="unsatisfactory",
        points=points,
        citations=[CITATION],
    )
    return turn


@pytest.fixture(autouse=True)
def everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conf, "SAMPLE_SHARE", 1.0)


@pytest.fixture
def student(schools: Schools) -> Any:
    return schools.people["stranger"]


def test_a_tenth_of_turns_belongs_to_the_sample_always_the_same(
    student: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = exchange(student)
    rows = [
        Turn(exam=first.exam, number=n, element="x", task="x", kind="x", text="?") for n in range(2, 1002)
    ]
    Turn.objects.bulk_create(rows)
    monkeypatch.setattr(conf, "SAMPLE_SHARE", 0.1)
    sampled = set(sampled_turns().values_list("pk", flat=True))
    assert 80 <= len(sampled) <= 120
    monkeypatch.setattr(conf, "SAMPLE_SHARE", 0.2)
    assert sampled < set(sampled_turns().values_list("pk", flat=True))


def test_a_true_statement_is_supported_and_a_false_one_goes_to_the_reviewers(student: Any) -> None:
    turn = exchange(student, TRUE, FALSE)
    assert check_sample() == 1
    row = CheckedExchange.objects.get(turn=turn)
    assert [(one["text"], one["supported"]) for one in row.statements] == [(TRUE, True), (FALSE, False)]
    assert row.statements[1]["sources"] == [{name: CITATION[name] for name in ("label", "quote", "url")}]
    assert row.statements[1]["reasons"]
    assert row.checker["check"]
    dispute = Dispute.objects.get(turn=turn)
    assert (dispute.by_sample, FALSE in dispute.note, TRUE in dispute.note) == (True, True, False)


def test_a_task_that_is_delivered_again_doubles_nothing(student: Any) -> None:
    exchange(student, FALSE)
    task()
    task()
    assert (check_sample(), CheckedExchange.objects.count(), Dispute.objects.count()) == (0, 1, 1)


def test_the_same_statement_is_raised_once_in_a_school(student: Any) -> None:
    exchange(student, FALSE)
    check_sample()
    again, elsewhere = exchange(student, FALSE), exchange(student, FALSE, tenant=make_tenant("third"))
    assert check_sample() == 2
    assert not Dispute.objects.filter(turn=again).exists()
    assert Dispute.objects.filter(turn=elsewhere).exists()


def test_what_a_reviewer_has_approved_is_disputed_only_by_a_model(student: Any) -> None:
    """Also if the local check had refused it before, beside something else that was disputed then."""
    rule = make_node(FALSE, "regulatory_claim", "validated")
    make_evidence(rule, make_chunk(QUOTE), QUOTE)
    turn = exchange(student, FALSE, f"{FALSE} Everybody knows it.")
    check_sample()
    assert len(CheckedExchange.objects.get(turn=turn).refused) == 2
    assert f"“{FALSE}”" not in Dispute.objects.get(turn=turn).note
    read = exchange(student, FALSE)
    check_sample(SaysInTurn({"findings": [{"n": 1, "supported": False}]}, external=True))
    assert FALSE in Dispute.objects.get(turn=read).note


@pytest.mark.parametrize(("quote", "stale"), [("Words of another rule.", False), (QUOTE, True)])
def test_an_approval_counts_beside_its_own_evidence_alone(student: Any, quote: str, stale: bool) -> None:
    rule = make_node(FALSE, "regulatory_claim", "validated", stale=stale)
    make_evidence(rule, make_chunk(quote), quote)
    turn = exchange(student, FALSE)
    check_sample()
    assert Dispute.objects.get().turn == turn


def test_an_exchange_that_is_not_over_is_left_for_later(student: Any) -> None:
    turn = exchange(student, FALSE)
    Assessment.objects.update(final=False)
    assert check_sample() == 0
    Turn.objects.create(exam=turn.exam, number=2, element="x", task="x", kind="x", text="?", form="probe")
    assert check_sample() == 1
    assert CheckedExchange.objects.get().statements == []  # nothing is told before a verdict is final


def test_follow_ups_reasons_and_quotes_are_statements_and_the_students_words_are_not(student: Any) -> None:
    turn = exchange(student, TRUE, why=f"You said “{SECRET}”; expected was 7 feet.")
    said = f"You said: “{SECRET}”. You must keep 9 miles away. What else?"
    Turn.objects.filter(pk=turn.pk).update(form="probe", text=said)
    Assessment.objects.update(near=[{**CITATION, "quote": "Nobody wrote this."}])
    check_sample()
    row = CheckedExchange.objects.get()
    found = {one["kind"]: (one["text"], one["supported"]) for one in row.statements}
    assert found == {
        "question": ("You must keep 9 miles away.", False),
        "point": (TRUE, True),
        "reason": ("You said “…”; expected was 7 feet.", False),
        "quote": ("Nobody wrote this.", False),
    }
    assert SECRET not in str(row.statements)
    assert SECRET not in Dispute.objects.get().note


def test_a_point_without_a_source_is_refused_unless_it_is_read_from_the_table(student: Any) -> None:
    exchange(student, TRUE, citations=[])
    exchange(student, TRUE, citations=[], kind="read")
    check_sample()
    assert [len(one.refused) for one in CheckedExchange.objects.order_by("pk")] == [1, 0]


def test_a_model_reads_with_it_where_the_flag_is_on(student: Any) -> None:
    reply = {"findings": [{"n": 1, "supported": False, "lacks": "grass"}, {"n": 2, "supported": True}]}
    model = SaysInTurn(reply, external=True)
    exchange(student, TRUE, FALSE)
    check_sample(model)
    row = CheckedExchange.objects.get()
    assert [(one["local"], one["model"], one["supported"]) for one in row.statements] == [
        (True, False, False),
        (False, True, True),
    ]
    assert (row.checker["provider"], row.checker["model"]) == ("double", "says-in-turn")
    assert row.checker["prompt_version"]
    asked = model.asked[0].system
    assert (TRUE in asked, QUOTE in asked, SECRET in asked) == (True, True, False)


def test_a_model_that_is_away_or_local_leaves_the_local_check(student: Any) -> None:
    exchange(student, FALSE)
    check_sample(SaysInTurn(Unreachable("away"), external=True))
    row = CheckedExchange.objects.get()
    assert (len(row.refused), row.checker["model_failed"]) == (1, Unreachable("away").code)
    exchange(student, TRUE)
    with override_flag(SAMPLE_BY_MODEL, active=True):
        assert check_sample() == 1  # the model that is wired here is no vendor's
    assert "model" not in CheckedExchange.objects.order_by("-pk")[0].checker


@pytest.mark.long
def test_one_that_fails_holds_up_no_other(student: Any) -> None:
    broken, whole = exchange(student, TRUE), exchange(student, TRUE)
    Turn.objects.filter(pk=broken.pk).update(context=[7])
    assert check_sample() == 1
    assert CheckedExchange.objects.get().turn == whole


def test_a_students_own_word_comes_before_the_samples(student: Any) -> None:
    turn = exchange(student, FALSE)
    check_sample()
    Exam.objects.update(status="ended", finished_at=timezone.now())
    browser = Client()
    browser.force_login(student)
    assert export_of(turn.exam)["disputes"] == []
    assert "You disagreed" not in browser.get(f"/exams/{turn.exam_id}/report/").content.decode()
    browser.post(f"/exams/{turn.exam_id}/dispute/", {"turn": 1, "note": "I said it!"})
    dispute = Dispute.objects.get()
    assert (dispute.by_sample, dispute.note) == (False, "I said it!")


def test_an_operator_sees_the_trend_and_the_refused_of_the_own_school(schools: Schools) -> None:
    for school in (schools.first, schools.second):
        member = schools.people[f"student-of-{school.slug}"]
        exchange(member, TRUE, f"{FALSE} So it is at {school.slug}.", tenant=school)
    check_sample()
    page = schools.client("operator-of-first").get("/operations/sample/").content.decode()
    assert "So it is at first." in page
    assert "So it is at second." not in page
    assert (QUOTE in page, CITATION["url"] in page, SECRET in page) == (True, True, False)
    assert "<b>1</b> refused" in page
    assert "Waits for a reviewer." in page
    for stranger in ("reviewer-of-first", "student-of-first", "stranger"):
        assert schools.client(stranger).get("/operations/sample/").status_code == 403


@pytest.mark.long
def test_a_page_of_many_takes_as_many_queries_as_one_of_few(
    schools: Schools, django_assert_num_queries: Any
) -> None:
    member, client = schools.people["student-of-first"], schools.client("operator-of-first")
    exchange(member, FALSE, tenant=schools.first)
    check_sample()
    client.get("/operations/sample/")
    with django_assert_num_queries(8):
        client.get("/operations/sample/")
    for n in range(5):
        exchange(member, f"{FALSE} This is number {n}.", tenant=schools.first)
    check_sample()
    with django_assert_num_queries(8):
        assert client.get("/operations/sample/").content.decode().count("Waits for a reviewer") == 6


def test_a_reviewer_reads_what_was_refused_beside_the_exchange_and_decides_once(schools: Schools) -> None:
    member, reviewer = schools.people["student-of-first"], schools.client("reviewer-of-first")
    exchange(member, FALSE, tenant=schools.first)
    check_sample()
    home = reviewer.get("/").content.decode()
    assert "sampled exchange to check" in home
    dispute = Dispute.objects.get()
    page = reviewer.get(f"/admin/exams/dispute/{dispute.pk}/regrade/").content.decode()
    assert "Statements that the sample check refused" in page
    assert "The student disagrees" not in page
    assert schools.client("reviewer-of-second").get(
        f"/admin/exams/dispute/{dispute.pk}/regrade/"
    ).status_code in (302, 403, 404)


def test_the_metrics_count_what_was_refused_and_what_waits(student: Any) -> None:
    exchange(student, TRUE, FALSE)
    check_sample()
    told = Client().get("/metrics").content.decode()
    for outcome, count in (("checked", 2), ("refused", 1), ("waiting", 1)):
        assert f'heydpe_sampled_statements{{outcome="{outcome}"}} {count}.0' in told
