"""Reads were capped at 1,000 rows by a default nobody knew. What an operator's page does not show, it counts."""

import html
import re
from urllib.parse import urljoin

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


def test_lesson_33_a_list_that_is_cut_says_how_much_is_missing(page: str) -> None:
    shown = page.count("Its quote is gone.")
    assert f"<b>{MANY}</b> claims" in page
    assert 0 < shown < MANY == Concept.objects.filter(stale=True).count()
    assert f"And {MANY - shown} more" in page


@pytest.mark.parametrize(
    ("row", "name"), [(r"<b>bad-\d+\.pdf", r"bad-\d+\.pdf"), (r"Restore Book \d+", r">Book \d+")]
)
def test_lesson_33_a_list_that_is_cut_leads_to_all_of_it(
    page: str, client: Client, row: str, name: str
) -> None:
    cut = page.split(re.findall(row, page)[-1])[1]
    told = re.search(r"And (\d+) more[^<]*<a href=\"([^\"]+)", cut)
    assert told is not None
    assert len(re.findall(row, page)) + int(told[1]) == MANY
    found: set[str] = set()
    link: str | None = html.unescape(told[2])
    while link:
        listed = client.get(link).content.decode()
        found |= set(re.findall(name, listed))
        following = re.search(
            r"href=\"(\?[^\"]*)\"[^>]*rel=\"next\"|rel=\"next\"[^>]*href=\"([^\"]*)\"", listed
        )
        link = urljoin(link, html.unescape(following[1] or following[2])) if following else None
    assert len(found) == MANY
