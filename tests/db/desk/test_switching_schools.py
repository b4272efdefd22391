"""Whoever acts for several schools chooses one in the header of every page, and every page reads the one chosen."""

from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client

from knowledge.models import Membership
from knowledge.models.tenancy import Role
from tests.doubles.claims import make_user
from tests.doubles.library import make_document
from tests.doubles.schools import Schools

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
    for page in pages:
        form = SchoolForm(client.get(page).content.decode())
        assert set(form.choices) == SCHOOLS.keys(), page
        for choice in form.choices:
            assert client.post("/school/", {"school": choice}).status_code == 302, page
