"""Whoever acts for several schools chooses one in the header of every page, and every page reads the one chosen."""

from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client

from knowledge.models import Membership
from knowledge.models.tenancy import Role
from rules.answers.coverage import coverage_for
from tests.doubles.claims import make_user
from tests.doubles.library import make_document
from tests.doubles.schools import Schools
from tests.sampling import sample_of

SCHOOLS = {"*": "The shared library", "first": "first", "second": "second"}


class SchoolForm(HTMLParser):
    """The choices of the header's form, and the one that it shows as chosen."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.inside, self.choices, self.chosen = False, list[str](), list[str]()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "select":
            self.inside = given.get("id") == "school"
        elif tag == "option" and self.inside:
            self.choices.append(given["value"] or "")
            self.chosen += [given["value"] or ""] if "selected" in given else []


@pytest.fixture
def keeper(schools: Schools) -> Any:
    """An operator of the shared library who added both schools."""
    user = make_user("keeper", None)
    Membership.objects.bulk_create(
        Membership(user=user, tenant=school, role=Role.OPERATOR)
        for school in (None, schools.first, schools.second)
    )
    for school in (None, schools.first, schools.second):
        make_document(f"Rules of {school}", tenant=school, doc_type="sop")
    return user


def client_of(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def pages_of(client: Client) -> list[str]:
    """The addresses of the navigation."""
    sections = client.get("/operations/").context["here"].sections
    return [link.url for section in sections for link in (*section.pages, *section.tables)]


def test_the_form_of_every_page_switches_to_each_school(keeper: Any) -> None:
    client = client_of(keeper)
    client.post("/school/", {"school": "first"})
    pages = pages_of(client)
    assert len(pages) > 30
    for page in sample_of(pages, 4):
        form = SchoolForm(client.get(page).content.decode())
        assert set(form.choices) == SCHOOLS.keys(), page
        for choice in form.choices:
            assert client.post("/school/", {"school": choice}).status_code == 302, page


@pytest.mark.long
def test_whoever_acts_for_the_shared_library_reads_it_alone_on_every_page(keeper: Any) -> None:
    client = client_of(keeper)  # the shared library, since nothing was ever chosen
    for page in pages_of(client):
        answer = client.get(page)
        assert answer.status_code == 200, page
        assert "Which school do you act for?" not in answer.content.decode(), page
        assert SchoolForm(answer.content.decode()).chosen == ["*"], page
    assert client.get("/rules/overview/").context["coverage"] == coverage_for(None)


def test_the_school_chosen_last_is_kept_for_the_next_session(keeper: Any, schools: Schools) -> None:
    client_of(keeper).post("/school/", {"school": "second"})
    client_of(keeper).post("/school/", {"school": "first"})
    client = client_of(keeper)
    assert SchoolForm(client.get("/").content.decode()).chosen == ["first"]
    assert client.get("/operations/searches/").context["school"] == schools.first
    Membership.objects.filter(user=keeper, tenant=schools.first).delete()
    assert client_of(keeper).get("/operations/searches/").context["school"] == schools.second


def test_the_header_asks_for_a_school_while_none_is_chosen(schools: Schools) -> None:
    client = schools.client("operator-of-two")
    asked = client.get("/operations/")
    assert asked.status_code == 200
    form = SchoolForm(asked.content.decode())
    assert (form.choices, form.chosen) == (["", "first", "second"], [])
    client.post("/school/", {"school": "second"})
    form = SchoolForm(client.get("/operations/").content.decode())
    assert (form.choices, form.chosen) == (["first", "second"], ["second"])


def test_a_student_of_a_school_starts_there_whatever_their_roles_in_the_shared_library(
    schools: Schools,
) -> None:
    client = schools.client("operator-of-shared")
    assert client.get("/exams/coverage/").status_code == 200
    assert SchoolForm(client.get("/").content.decode()).chosen == []
