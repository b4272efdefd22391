"""Whatever is asked of the API and the pages in a wrong way gets a 4xx that says what is wrong, never a 500."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from tests.doubles.demo_library import Demo
from tests.sampling import sample_of

pytestmark = pytest.mark.django_db
UNKNOWN = "00000000-0000-0000-0000-000000000000"
LONG = "x" * 5000
BAD = ["", "\x00", "%00", LONG, "-1", "0", "1e9", "null", "'; --", "\u202e", "é" * 300, "../../etc"]
QUERIES = [
    ("/api/v1/search/", "q"),
    ("/api/v1/search/", "k"),
    ("/api/v1/search/", "element"),
    ("/api/v1/search/", "type"),
    ("/api/v1/elements/", "prefix"),
    ("/api/v1/elements/", "page"),
    ("/api/v1/elements/PA.I.A.K1/bundle/", "depth"),
    ("/api/v1/claims/", "status"),
    ("/api/v1/claims/", "page"),
    ("/api/v1/documents/", "page"),
    ("/api/v1/jobs/", "page"),
    ("/api/v1/exams/", "page"),
]


@pytest.fixture
def api(demo: Demo) -> APIClient:
    demo.operator.is_superuser = True
    demo.operator.save()
    client = APIClient()
    client.force_authenticate(demo.operator)
    return client


@pytest.mark.parametrize(("path", "name"), sample_of([*QUERIES], 3))
def test_a_bad_value_in_an_address_is_no_fault_of_ours(api: APIClient, path: str, name: str) -> None:
    for value in BAD:
        given = {"q": "fuel", name: value} if "search" in path else {name: value}
        answer = api.get(path, given)
        assert answer.status_code in (200, 400, 404), (value[:20], answer.content[:200])
        if answer.status_code != 200:
            assert set(answer.json()) >= {"code", "message", "fields"}


@pytest.mark.parametrize(
    "path",
    [
        f"/api/v1/exams/{UNKNOWN}/",
        "/api/v1/exams/not-an-id/",
        f"/api/v1/documents/{UNKNOWN}/",
        "/api/v1/documents/7/",
        f"/api/v1/jobs/{UNKNOWN}/",
        f"/api/v1/claims/{UNKNOWN}/",
        "/api/v1/elements/PA.I.A.K99/bundle/",
        "/api/v1/nothing/",
    ],
)
def test_what_is_not_there_is_a_404_in_the_same_words(api: APIClient, path: str) -> None:
    answer = api.get(path)
    assert answer.status_code == 404
    assert set(answer.json()) >= {"code", "message", "fields"}


@pytest.mark.parametrize(
    "path",
    [
        "token/",
        "documents/",
        f"documents/{UNKNOWN}/publish/",
        f"documents/{UNKNOWN}/deprecate/",
        f"jobs/{UNKNOWN}/cancel/",
        f"claims/{UNKNOWN}/approve/",
        f"claims/{UNKNOWN}/edit/",
        f"claims/{UNKNOWN}/reject/",
        f"exams/{UNKNOWN}/end/",
    ],
)
@pytest.mark.parametrize(
    "body", sample_of(["", "{", "[]", "7", "null", '{"version": null}', '{"version": "\\u0000"}'], 3)
)
def test_a_bad_body_is_refused(api: APIClient, path: str, body: str) -> None:
    answer = api.post(f"/api/v1/{path}", body, content_type="application/json")
    assert 400 <= answer.status_code < 500
    assert set(answer.json()) >= {"code", "message", "fields"}


@pytest.mark.parametrize("value", ["\x00", LONG, "'"])
def test_a_bad_sign_in_is_said_on_the_page(api: APIClient, value: str) -> None:
    api.force_authenticate(None)
    answer = api.post(reverse("desk:login"), {"username": value, "password": value}, format="multipart")
    assert answer.status_code == 200


@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize(
    ("path", "status"),
    [
        (f"/exams/{UNKNOWN}/", 404),
        (f"/exams/{UNKNOWN}/report/", 404),
        ("/exams/?q=a%00b", 400),
        ("/operations/documents/?q=a%00b", 400),
    ],
)
def test_a_page_of_ours_says_so_with_debug_too(
    demo: Demo, client: Client, settings: Any, path: str, status: int, debug: bool
) -> None:
    settings.DEBUG = debug
    client.force_login(demo.student)
    answer = client.get(path)
    assert answer.status_code == status
    assert "error.html" in [template.name for template in answer.templates]
    assert "Back to the home page" in answer.content.decode()


@pytest.mark.parametrize("path", ["/about/", "/nothing/"])
def test_a_page_for_nobody_asks_the_database_nothing(
    client: Client, path: str, django_assert_num_queries: Any
) -> None:
    """So that pages of errors stand when the database does not."""
    with django_assert_num_queries(0):
        client.get(path)
