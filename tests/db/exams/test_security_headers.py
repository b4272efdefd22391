"""What every answer carries. Who is let in where: `tests/db/heydpe/test_doors.py`."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.utils import quote
from django.contrib.auth import get_user_model
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from knowledge.models import Chunk, Document
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import new_exam
from tests.sampling import sample_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "path", sample_of(["/accounts/login/", "/about/", "/accounts/reset/", "/api/v1/schema/"], 2)
)
def test_the_open_pages_are_open(client: Client, demo: Demo, path: str) -> None:
    assert client.get(path).status_code == 200


def test_a_browser_finds_the_icon_where_it_asks_for_one(client: Client) -> None:
    place = client.get("/favicon.ico").headers["Location"]
    assert finders.find(place.removeprefix(settings.STATIC_URL)), place


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def pages_of_the_student(demo: Demo) -> list[str]:
    exam = new_exam(demo.student)
    chunk = Chunk.objects.all()[0]
    document = Document.objects.get()
    return [
        reverse("exams:desk"),
        reverse("exams:room", args=[exam.pk]),
        reverse("exams:report", args=[exam.pk]),
        reverse("library:index"),
        reverse("library:page", args=[document.pk, 3]),
        reverse("library:passage", args=[chunk.pk]),
        reverse("rules:index"),
        reverse("rules:compare"),
        reverse("rules:overview"),
        reverse("desk:about"),
        "/nothing-here/",
    ]


def test_a_students_pages_run_no_script_or_style_but_the_houses_files(demo: Demo) -> None:
    client = signed_in(demo.student)
    for path in pages_of_the_student(demo):
        policy = policy_of(client.get(path))
        assert policy["default-src"] == ["'none'"], path
        assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == ["'self'"], path
        assert policy["frame-ancestors"] == policy["base-uri"] == ["'none'"], path
        assert "unsafe" not in str(policy), path


def policy_of(answer: Any) -> dict[str, list[str]]:
    parts = (part.split() for part in answer["Content-Security-Policy"].split(";"))
    return {name: values for name, *values in parts}


STOPPED = re.compile(
    r"<script(?![^>]*\bsrc=)(?![^>]*application/json)|<style|\sstyle=|\son\w+=\"|javascript:"
)
"""What the policy stops in a page's text."""


def test_a_students_pages_hold_nothing_that_the_policy_would_stop(demo: Demo) -> None:
    client = signed_in(demo.student)
    for path in pages_of_the_student(demo):
        page = client.get(path).content.decode()
        assert not STOPPED.search(page), path
        assert not re.search(r"(?:src|href)=\"(?:https?:)?//(?!www\.faa\.gov|www\.ecfr\.gov)", page), path


def pages_of_the_admin(client: Client) -> Iterator[str]:
    """Each list, the forms of its first row, and the form for a new one."""
    yield from ("/admin/", "/admin/login/?next=/admin/")
    for model in sample_of([*admin.site._registry], 4):
        place = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        rows = client.get(place).context["cl"].result_list
        pages = [f"{quote(row.pk)}/{name}/" for row in rows[:1] for name in ("change", "history", "delete")]
        yield from (place, *(f"{place}{page}" for page in [*pages, "add/"]))


def test_the_admins_pages_have_the_same_policy_and_hold_nothing_that_it_would_stop(demo: Demo) -> None:
    client = signed_in(get_user_model().objects.create_superuser("root"))
    seen = 0
    for path in pages_of_the_admin(client):
        answer = client.get(path, follow=True)
        page = answer.content.decode()
        assert "unsafe" not in answer["Content-Security-Policy"], path
        assert (found := STOPPED.search(page)) is None, f"{path}: {page[found.start() :][:200]}"
        seen += answer.status_code == 200
    assert seen > 2 * len(sample_of([*admin.site._registry], 4))


def test_every_answer_is_marked_against_sniffing_and_framing(demo: Demo) -> None:
    client = signed_in(demo.student)
    for path in [*pages_of_the_student(demo), "/accounts/login/", "/api/v1/exams/", "/healthz/"]:
        answer = client.get(path)
        assert answer["X-Content-Type-Options"] == "nosniff", path
        assert answer["X-Frame-Options"] == "DENY", path
        assert answer["Referrer-Policy"] == "same-origin", path


def test_the_admin_is_not_framed_either(demo: Demo) -> None:
    assert signed_in(demo.reviewer).get("/admin/")["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("path", sample_of(["/exams/begin/", "/operations/upload/", "/accounts/logout/"], 2))
def test_a_form_from_elsewhere_is_refused(demo: Demo, path: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(demo.operator)
    assert client.post(path).status_code == 403


def test_signing_in_leads_back_but_never_away(demo: Demo, client: Client) -> None:
    form = {"username": "student", "password": "demo", "next": "https://elsewhere.example/"}
    assert client.post("/accounts/login/", form)["Location"] == "/"


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(demo: Demo, client: Client) -> None:
    client.post("/accounts/login/", {"username": "student", "password": "demo"})
    cookie = client.cookies["sessionid"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
