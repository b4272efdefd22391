"""The home of a school that has nothing yet says what to do first."""

import pytest
from django.test import Client

from tests.doubles.library import make_document
from tests.doubles.schools import Schools

pytestmark = pytest.mark.django_db
FIRST = "There are no documents yet."


def home_of(client: Client) -> str:
    return client.get("/").content.decode()


def test_an_operator_is_led_to_the_first_upload_and_to_the_people(schools: Schools) -> None:
    make_document("Rules of another school", tenant=schools.second, doc_type="sop")
    client = schools.client("operator-of-first")
    page = home_of(client)
    assert FIRST in page
    assert '<a href="/operations/">Upload the first</a>' in page
    assert '<a href="/operations/people/">invite your people</a>' in page
    make_document("Own rules", tenant=schools.first, doc_type="sop")
    assert FIRST not in home_of(client)


def test_a_reviewer_reads_where_claims_come_from(schools: Schools) -> None:
    page = home_of(schools.client("reviewer-of-first"))
    assert "Claims come when an operator extracts them from a document." in page
    assert FIRST not in page


def test_the_header_names_the_school_of_who_belongs_to_one(schools: Schools) -> None:
    assert "<span>First</span>" in home_of(schools.client("operator-of-first"))
    assert "<span>First</span>" not in home_of(schools.client("operator-of-two"))
