"""What every answer carries, and who is let in where."""

import re
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from exams.models import Exam
from knowledge.models import Chunk, Document, Image
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import new_exam

pytestmark = pytest.mark.django_db

# Without signing in. /metrics is for the operator's own network: the proxy does not pass it on (running.md).
OPEN = {
    "/accounts/login/",
    "/about/",
    "/accounts/reset/",
    "/favicon.ico",
    "/healthz/",
    "/readyz/",
    "/metrics",
    "/api/v1/schema/",
    "/api/v1/frames/",
}
# Ways in and out, by POST alone, and links in mails, which say so when they do not work.
DOORS = {
    "/accounts/demo/",
    "/accounts/logout/",
    "/api/v1/token/",
    "/accounts/invitation/no-such-secret/",
    "/accounts/reset/MQ/no-such-token/",
}
IDS: dict[str, Callable[[Demo], object]] = {
    "exam_id": lambda demo: (Exam.objects.filter(student=demo.student).first() or new_exam(demo.student)).pk,
    "document_id": lambda demo: Document.objects.get().pk,
    "chunk_id": lambda demo: Chunk.objects.all()[0].pk,
    "image_id": lambda demo: Image.objects.all()[0].pk,
    "job_id": lambda demo: UUID(int=1),
    "number": lambda demo: 1,
    "pk": lambda demo: UUID(int=1),
    "what": lambda demo: "checked",
    "code": lambda demo: "PA.I.A.K1",
    "format": lambda demo: "json",
    "turn_id": lambda demo: UUID(int=1),
    "conversation_id": lambda demo: UUID(int=1),
    "answer_id": lambda demo: UUID(int=1),
    "node_id": lambda demo: UUID(int=1),
    "uidb64": lambda demo: "MQ",
    "token": lambda demo: "no-such-token",
    "secret": lambda demo: "no-such-secret",
    "domain": lambda demo: "weather_minimums",
}


def patterns(
    urls: list[URLPattern | URLResolver] | None = None, prefix: str = "/"
) -> list[tuple[str, URLPattern]]:
    found: list[tuple[str, URLPattern]] = []
    for one in get_resolver().url_patterns if urls is None else urls:
        place = prefix + str(one.pattern)
        found += patterns(one.url_patterns, place) if isinstance(one, URLResolver) else [(place, one)]
    return found


def address(route: str, demo: Demo) -> str:
    """A route with its parameters filled in."""
    route = re.sub(r"[\^$\\]|/\?$", "", route)
    route = re.sub(r"\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)", r"<\1>", route).replace(".<format>/?", ".json")
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda match: str(IDS[match[1]](demo)), route)


def every_address(demo: Demo) -> list[str]:
    return sorted({address(route, demo) for route, _ in patterns() if not route.startswith("/admin/")})


def test_every_page_but_the_open_ones_asks_for_signing_in(demo: Demo, client: Client) -> None:
    addresses = set(every_address(demo))
    assert addresses >= OPEN - {"/metrics"}
    for path in addresses - OPEN - DOORS:
        answer = client.get(path)
        if path.startswith("/api/"):
            assert answer.status_code in (401, 404, 405), path
        else:
            assert answer.status_code in (302, 405), path
            assert answer.status_code == 405 or answer["Location"].startswith("/accounts/login/"), path


@pytest.mark.parametrize("path", sorted(OPEN - {"/favicon.ico", "/metrics", "/readyz/"}))
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


def test_a_students_pages_hold_nothing_that_the_policy_would_stop(demo: Demo) -> None:
    client = signed_in(demo.student)
    for path in pages_of_the_student(demo):
        page = client.get(path).content.decode()
        assert not re.search(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)", page), path
        assert not re.search(r"<style|\sstyle=|\son\w+=\"|javascript:", page), path
        assert not re.search(r"(?:src|href)=\"(?:https?:)?//(?!www\.faa\.gov|www\.ecfr\.gov)", page), path


def test_every_answer_is_marked_against_sniffing_and_framing(demo: Demo) -> None:
    client = signed_in(demo.student)
    for path in [*pages_of_the_student(demo), "/accounts/login/", "/api/v1/exams/", "/healthz/"]:
        answer = client.get(path)
        assert answer["X-Content-Type-Options"] == "nosniff", path
        assert answer["X-Frame-Options"] == "DENY", path
        assert answer["Referrer-Policy"] == "same-origin", path


def test_the_admin_is_not_framed_either(demo: Demo) -> None:
    assert signed_in(demo.reviewer).get("/admin/")["X-Frame-Options"] == "DENY"


FOR_OTHERS = [
    ("get", "/operations/"),
    ("get", "/operations/jobs/"),
    ("get", "/operations/documents/"),
    ("post", "/operations/upload/"),
    ("get", "/admin/"),
    ("get", "/api/v1/claims/"),
    ("get", "/api/v1/jobs/"),
    ("post", "/api/v1/documents/"),
    ("post", f"/api/v1/claims/{UUID(int=1)}/approve/"),
    ("post", f"/api/v1/documents/{UUID(int=1)}/publish/"),
]


@pytest.mark.parametrize(("method", "path"), FOR_OTHERS)
def test_a_student_is_not_let_into_the_others_rooms(demo: Demo, method: str, path: str) -> None:
    answer = getattr(signed_in(demo.student), method)(path)
    assert answer.status_code in (302, 403)
    assert answer.status_code == 403 or "login" in answer.url


@pytest.mark.parametrize(("method", "path"), [one for one in FOR_OTHERS if "claims" in one[1]])
def test_an_operator_decides_on_no_claims(demo: Demo, method: str, path: str) -> None:
    assert getattr(signed_in(demo.operator), method)(path).status_code == 403


@pytest.mark.parametrize(("method", "path"), [one for one in FOR_OTHERS if "operations" in one[1]])
def test_a_reviewer_does_not_operate(demo: Demo, method: str, path: str) -> None:
    assert getattr(signed_in(demo.reviewer), method)(path).status_code == 403


@pytest.mark.parametrize("name", ["room", "report", "download"])
def test_another_students_exam_is_not_there(demo: Demo, name: str) -> None:
    exam = new_exam(demo.student)
    for other in (demo.reviewer, demo.operator):
        assert signed_in(other).get(reverse(f"exams:{name}", args=[exam.pk])).status_code == 404


def test_another_students_exam_cannot_be_deleted(demo: Demo) -> None:
    exam = new_exam(demo.student)
    assert signed_in(demo.operator).post(reverse("exams:delete", args=[exam.pk])).status_code == 404
    assert Exam.objects.filter(pk=exam.pk).exists()


@pytest.mark.parametrize("path", ["/exams/begin/", "/operations/upload/", "/accounts/logout/"])
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
