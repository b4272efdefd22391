"""Everybody searches the text of what their school may find; a result opens its page at the lines that answer."""

import re
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.doubles.library import make_chunk, make_document
from tests.doubles.schools import Schools

pytestmark = pytest.mark.django_db
SEARCH = "/library/search/"
QUERIES = 25


def found(client: Client, words: str) -> str:
    page = client.get(SEARCH, {"q": words})
    assert page.status_code == 200
    return unescape(page.content.decode())


def test_a_student_opens_a_result_at_its_lines(schools: Schools) -> None:
    make_chunk("Chocks come first. Each airplane is tied down with three ropes at night. Then go home.")
    client = schools.client("student-of-first")
    page = found(client, "ropes for the airplane")
    (link,) = re.findall(r'href="(/library/passages/[^"]+)"', page)
    opened = client.get(link).content.decode()
    assert '<mark id="lit">Each airplane is tied down with three ropes at night.</mark>' in opened


def test_only_what_is_published_for_the_school_is_found(schools: Schools) -> None:
    kinds: dict[str, dict[str, Any]] = {
        "Shared": {},
        "Own": {"tenant": schools.first},
        "Foreign": {"tenant": schools.second},
        "Draft": {"tenant": schools.first, "status": "draft"},
        "Archived": {"status": "archived"},
    }
    for title, fields in kinds.items():
        document = make_document(f"Rope rules {title}", abbreviation=f"ROPE {title}", **fields)
        make_chunk(f"{title} ropes hold the airplane at its place number {title}.", document)
    page = found(schools.client("student-of-first"), "ropes hold airplane")
    assert "Shared ropes" in page
    assert "Own ropes" in page
    assert "Foreign" not in page
    assert "Draft" not in page
    assert "Archived ropes" not in page
    page = found(schools.client("student-of-first"), "Rope rules")
    assert ["Rope rules Own" in page, "Rope rules Foreign" in page, "Rope rules Draft" in page] == [
        True,
        False,
        False,
    ]


@pytest.mark.parametrize("words", ["", "   ", "?!"])
def test_nothing_asked_shows_the_form_alone(schools: Schools, words: str) -> None:
    page = schools.client("student-of-first").get(SEARCH, {"q": words})
    assert page.status_code == 200
    assert "found" not in page.context


def test_nothing_found_leads_on(schools: Schools) -> None:
    assert "Nothing fits" in found(schools.client("student-of-first"), "helicopters")


def test_a_search_costs_few_queries(schools: Schools) -> None:
    for number in range(12):
        make_chunk(f"Rope {number} holds airplane {number} at its place on the apron of field {number}.")
    client = schools.client("student-of-first")
    with CaptureQueriesContext(connection) as seen:
        found(client, "rope on the apron")
    assert len(seen) <= QUERIES


def test_the_desk_and_the_library_have_the_form(schools: Schools) -> None:
    client = schools.client("student-of-first")
    make_document()
    for address in ("/exams/", "/library/"):
        assert f'action="{SEARCH}"' in client.get(address).content.decode()
