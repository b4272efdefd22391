"""Bodies that no honest client sends: too deep, too long, half a letter, nothing at all. A 4xx each, in our words."""

import json
from itertools import product

import pytest
from rest_framework.test import APIClient

from curation.models import Claim
from knowledge.models import Chunk
from tests.doubles.demo_library import Demo
from tests.sampling import sample_of

pytestmark = pytest.mark.django_db
POSTS = ["exams/", "token/", "documents/", "claims/{claim}/edit/", "claims/{claim}/reject/"]
HALF = "\\ud800"
BODIES = {
    "too deep": "[" * 100_000,
    "too deep inside": '{"codes":' + "[" * 100_000,
    "half a letter as a value": f'{{"mode": "{HALF}", "username": "{HALF}", "doc_type": "{HALF}"}}',
    "half a letter in a list": f'{{"codes": ["{HALF}"], "areas": ["{HALF}"]}}',
    "half a letter as a name": f'{{"{HALF}": 1, "version": 1, "statement": "{HALF}", "priority": "{HALF}"}}',
    "a very large number": '{"questions": 1' + "0" * 5000 + ', "version": 1' + "0" * 5000 + "}",
    "a large number": '{"questions": 99999999999999999999, "version": 99999999999999999999, "reason": "x", '
    '"statement": "x"}',
    "no number": '{"questions": NaN, "version": Infinity}',
    "too long": json.dumps({"codes": ["x" * 6_000_000], "reason": "x" * 6_000_000}),
    "not UTF-8": b'{"mode": "\xff\xfe"}',
}


@pytest.fixture
def api(demo: Demo) -> APIClient:
    demo.operator.is_superuser = True
    demo.operator.save()
    client = APIClient(raise_request_exception=False)
    client.force_authenticate(demo.operator)
    return client


@pytest.mark.parametrize(("path", "what"), sample_of([*product(POSTS, BODIES)], 7))
def test_a_hostile_body_is_refused(api: APIClient, path: str, what: str) -> None:
    path = path.format(claim=Claim.objects.values_list("pk", flat=True)[0])
    answer = api.post(f"/api/v1/{path}", BODIES[what], content_type="application/json")
    assert 400 <= answer.status_code < 500, answer.content[:300]
    assert set(answer.json()) >= {"code", "message", "fields"}


def test_what_is_too_long_is_a_413(api: APIClient) -> None:
    answer = api.post("/api/v1/exams/", BODIES["too long"], content_type="application/json")
    assert answer.status_code == 413
    assert "MB" in answer.json()["message"]


@pytest.mark.parametrize(
    "quote", sample_of(["", " ", "\u202e", "a" * 5000, "((((", "\ud7ff", "%", "\\", "[" * 3000], 3)
)
def test_any_words_may_be_asked_to_be_lit(api: APIClient, quote: str, demo: Demo) -> None:
    api.force_authenticate(None)
    api.force_login(demo.student)
    chunk = Chunk.objects.first()
    assert chunk is not None
    answer = api.get(f"/library/passages/{chunk.pk}/", {"quote": quote, "page": "²"})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "fields",
    sample_of(
        [
            {"questions": "²"},
            {"questions": "9" * 5000},
            {"areas": ["x" * 99]},
            {"codes": "\ud7ff"},
            {"mode": "\x00"},
            {"certificate": "x" * 99},
        ],
        3,
    ),
)
def test_a_bad_order_from_the_page_is_said_on_the_page(
    api: APIClient, demo: Demo, fields: dict[str, str]
) -> None:
    api.force_authenticate(None)
    api.force_login(demo.student)
    answer = api.post("/exams/begin/", fields, format="multipart")
    assert answer.status_code == 400


def test_a_written_address_does_not_get_round_the_throttle(demo: Demo) -> None:
    client = APIClient()
    answers = [
        client.post(
            "/api/v1/token/",
            {"username": "student", "password": "guess"},
            headers={"X-Forwarded-For": f"10.0.0.{n}"},
        )
        for n in range(12)
    ]
    assert answers[-1].status_code == 429
