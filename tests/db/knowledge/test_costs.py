"""What vendors' models were asked is summed by day, model and purpose, with its price."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from knowledge.models import Membership, ModelUse
from knowledge.models.tenancy import Role
from knowledge.usage import cost_of_use, record_use, spent_between
from llm import metering
from llm.metering import Use, keep_books
from tests.doubles.claims import make_user
from tests.doubles.library import make_tenant
from tests.doubles.vector_models import openai_at
from tests.doubles.vendors import Vectors, VendorServer

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


def test_a_schools_operator_does_not_see_the_houses_costs(client: Client) -> None:
    user = make_user("otto", Role.OPERATOR)
    Membership.objects.filter(user=user).update(tenant=make_tenant())
    client.force_login(user)
    assert client.get("/operations/costs/").status_code == 403
    assert "/operations/costs/" not in client.get("/operations/").content.decode()
