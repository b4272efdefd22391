"""Reads were capped at 1,000 rows by a default nobody knew. What an operator's page does not show, it counts."""

import re

import pytest
from django.test import Client

from knowledge.models import Concept, IngestionJob
from knowledge.models.tenancy import Role
from tests.doubles.claims import make_user
from tests.doubles.library import make_document, make_node

pytestmark = pytest.mark.django_db
MANY = 73


@pytest.fixture
def page(client: Client) -> str:
    client.force_login(make_user("olga", Role.OPERATOR))
    for number in range(MANY):
        make_node(f"Rule {number} changed.", stale=True, stale_reason="Its quote is gone.")
        make_document(f"Book {number}", superseded_by=make_document(f"Newer book {number}"))
        IngestionJob.objects.create(
            source_name=f"bad-{number}.pdf", content_hash="", state="failed", error="It is locked."
        )
    return client.get("/operations/editions/").content.decode()


def test_lesson_33_every_refusal_and_every_former_edition_is_listed(page: str) -> None:
    assert len(re.findall(r"bad-\d+\.pdf", page)) == MANY
    assert len(re.findall(r"Restore Book \d+", page)) == MANY


def test_lesson_33_a_list_that_is_cut_says_how_much_is_missing(page: str) -> None:
    shown = page.count("Its quote is gone.")
    assert f"<b>{MANY}</b> claims" in page
    assert 0 < shown < MANY == Concept.objects.filter(stale=True).count()
    assert f"And {MANY - shown} more" in page
