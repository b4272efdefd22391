"""What vendors' models were asked is summed by day, model and purpose, with its price."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from exams.models import Exam
from knowledge.models import ModelCallCount, ModelUse, Tenant
from knowledge.models.tenancy import Role
from knowledge.usage import (
    cost_of_use,
    record_failure,
    record_use,
    reserve_call,
    spending_by,
    spent_between,
)
from llm import metering
from llm.errors import ModelError
from llm.metering import Failure, Payer, Use, keep_books
from llm.structured import ask_model
from tests.doubles.claims import make_user
from tests.doubles.library import make_tenant
from tests.doubles.schools import Schools
from tests.doubles.vector_models import openai_at
from tests.doubles.vendor_orals import openai_at as chat_at
from tests.doubles.vendors import Fails, Vectors, VendorServer
from tests.pure.llm.cast import grade_request

pytestmark = pytest.mark.django_db
CHAT = Use(
    provider="openai", model="gpt-x", purpose="assessor", input_tokens=1_000_000, output_tokens=100_000
)
EMBEDDING = Use(provider="openai", model="text-embedding-3-small", purpose="embedding", input_tokens=500_000)


def test_uses_of_a_day_are_one_row(settings: Any) -> None:
    settings.CHAT_PRICE = (3.0, 15.0)
    for _ in range(2):
        record_use(CHAT)
    record_use(EMBEDDING)
    today = timezone.now().date()
    rows = {one.purpose: one for one in spent_between(today, today)}
    assert (rows["assessor"].calls, rows["assessor"].input_tokens) == (2, 2_000_000)
    assert rows["assessor"].cost == pytest.approx(9.0)
    assert rows["embedding"].cost == pytest.approx(0.01)


def test_an_unknown_price_is_not_nothing(settings: Any) -> None:
    assert cost_of_use(CHAT) is None
    record_use(CHAT)
    settings.CHAT_PRICE = (3.0, 15.0)
    record_use(CHAT)
    assert ModelUse.objects.get().cost is None


def test_what_a_vendor_bills_reaches_the_books_over_the_wire() -> None:
    told: list[Use] = []
    before = metering._books.book
    keep_books(told.append)
    try:
        with VendorServer(Vectors()) as vendor:
            openai_at(vendor).embed_query("fuel by day")
    finally:
        keep_books(before)
    assert [(one.purpose, one.model) for one in told] == [("embedding", "text-embedding-3-small")]
    assert told[0].input_tokens > 0


def test_a_use_that_cannot_be_written_costs_nobody_an_answer() -> None:
    record_use(Use(provider="x", model="y", purpose="z", input_tokens=10**30))
    assert not ModelUse.objects.exists()


def test_the_page_shows_days_and_models(client: Client, settings: Any) -> None:
    settings.CHAT_PRICE = (3.0, 15.0)
    record_use(CHAT)
    record_use(EMBEDDING)
    ModelUse.objects.create(
        day=timezone.now().date() - timedelta(days=40), provider="x", model="long ago", purpose="y"
    )
    client.force_login(make_user("olga", Role.OPERATOR))
    page = client.get("/operations/costs/").content.decode()
    assert "4.5100" in page
    assert "gpt-x" in page
    assert "long ago" not in page
    assert page.count("<svg") == 2


def test_without_a_price_the_page_says_what_to_set(client: Client) -> None:
    record_use(CHAT)
    client.force_login(make_user("olga", Role.OPERATOR))
    assert "CHAT_PRICE" in client.get("/operations/costs/").content.decode()


def test_a_schools_operator_sees_what_the_own_school_spent_and_nothing_else(schools: Schools) -> None:
    begun = timezone.now()
    Tenant.objects.filter(pk=schools.first.pk).update(model_calls=1234)
    Tenant.objects.filter(pk=schools.second.pk).update(model_calls=777)
    for name, school in (("student-of-first", schools.first), ("student-of-second", schools.second)):
        student = schools.people[name]
        oral = Exam.objects.create(
            student=student, tenant=school, certificate="private", standard="6C", mode="mock"
        )
        record_use(replace(CHAT, payer=Payer(student.pk, school.pk, oral.pk)))
        record_use(replace(CHAT, payer=Payer(student.pk, school.pk, uuid4())))
    record_use(replace(CHAT, model="gpt-secret"))
    record_failure(
        Failure(provider="openai", model="x", purpose="assessor", code="away", message="of another")
    )
    page = schools.client("operator-of-first").get("/operations/costs/").content.decode()
    assert f"student-of-first, mock oral, {begun:%b} {begun.day}, {begun.year}" in page
    assert "an oral that its student deleted" in page
    assert "By day" in page
    assert f"{schools.first} 1,234" in page
    for hidden in ("student-of-second", "second", "gpt-secret", "of another", "OPENAI_API_KEY", "777"):
        assert hidden not in page
    assert (
        "student-of-second, mock oral"
        in schools.client("operator-of-two").get("/operations/costs/").content.decode()
    )
    assert "gpt-secret" in schools.client("operator-of-shared").get("/operations/costs/").content.decode()
    assert schools.client("reviewer-of-first").get("/operations/costs/").status_code == 403


def test_an_operator_sees_who_has_no_calls_left_today(schools: Schools, settings: Any) -> None:
    settings.MODEL_CALLS_PER_STUDENT = 2
    Tenant.objects.filter(pk=schools.first.pk).update(model_calls=3)
    payers = [
        Payer(schools.people[f"student-of-{school.slug}"].pk, school.pk)
        for school in (schools.first, schools.second)
    ]
    for payer in (payers[0], payers[0], payers[1]):
        reserve_call(payer)

    def told(name: str) -> list[str]:
        return list(schools.client(name).get("/operations/costs/").context["budgets"]["used_up"])

    assert told("operator-of-shared") == told("operator-of-first") == ["student-of-first"]
    assert told("operator-of-second") == []
    reserve_call(Payer(schools.people["both"].pk, schools.first.pk))
    assert told("operator-of-first") == [str(schools.first), "student-of-first"]
    ModelCallCount.objects.update(day=timezone.now().date() - timedelta(days=1))
    assert told("operator-of-shared") == []


def test_what_is_spent_is_known_by_student_school_and_oral(settings: Any) -> None:
    settings.CHAT_PRICE = (3.0, 15.0)
    student, school, oral = make_user("student", Role.STUDENT), make_tenant("north"), uuid4()
    for payer in (
        Payer(student.pk, school.pk, oral),
        Payer(student.pk, school.pk, oral),
        Payer(student.pk, None),
    ):
        record_use(replace(CHAT, payer=payer))
    record_use(CHAT)  # an operator's
    today = timezone.now().date()
    (by_student,) = spending_by("student", today, today, 9)
    assert (by_student["shown"], by_student["calls"]) == ("student", 3)
    assert by_student["cost"] == pytest.approx(13.5)
    (by_oral,) = spending_by("exam", today, today, 9)
    assert (by_oral["exam"], by_oral["calls"], by_oral["tokens"]) == (oral, 2, 2_200_000)
    assert [row["calls"] for row in spending_by("tenant", today, today, 9)] == [2]
    student.delete()
    assert spending_by("student", today, today, 9) == []
    assert ModelUse.objects.get().calls == 4


def test_the_page_shows_roles_the_last_failure_and_no_key(client: Client, settings: Any) -> None:
    settings.ENV = replace(settings.ENV, openai_api_key="sk-very-secret")
    for code in ("rate_limited", "unavailable"):
        failed = Failure(
            provider="openai", model="gpt-x", purpose="assessor", code=code, message="<b>away</b>"
        )
        record_failure(failed)
    client.force_login(make_user("operator", Role.OPERATOR))
    page = client.get("/operations/costs/").content.decode()
    assert "judges answers" in page
    assert page.count(">Assessor</td>") == 2  # its role, and what failed
    for code in ("grapher", "sample_check", "rules-router"):
        assert code not in page
    assert "OPENAI_API_KEY: set" in page
    assert "COHERE_API_KEY: not set" in page
    assert "sk-very-secret" not in page
    assert "unavailable: &lt;b&gt;away&lt;/b&gt;" in page
    assert "rate_limited" not in page


def test_a_vendor_that_fails_is_in_the_books() -> None:
    told: list[Failure] = []
    before = metering._books
    kept = before.book, before.failures
    keep_books(None, told.append)
    try:
        with VendorServer(Fails(503)) as vendor, pytest.raises(ModelError):
            ask_model(chat_at(vendor), grade_request(role="assessor"))
    finally:
        keep_books(*kept)
    assert [(one.provider, one.purpose) for one in told] == [("openai", "assessor")]
