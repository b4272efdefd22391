"""Numbers and codes in addresses and forms that are none: a clear 4xx or the usual page, never a 500."""

from urllib.parse import quote

import pytest
from django.test import Client

from knowledge.models import Chunk, Document
from tests.doubles.demo_library import Demo
from tests.sampling import sample_of

pytestmark = pytest.mark.django_db

NO_NUMBERS = ["²", "9" * 5000, "-1", "1.5", "x", "\x00", "٣²"]


@pytest.fixture
def student(demo: Demo, client: Client) -> Client:
    client.raise_request_exception = False
    client.force_login(demo.student)
    return client


@pytest.mark.parametrize("value", sample_of([*NO_NUMBERS], 3))
def test_what_is_no_number_is_answered_in_words(student: Client, value: str) -> None:
    chunk, asked = Chunk.objects.all()[0], quote(value)
    assert student.get(f"/library/passages/{chunk.pk}/?page={asked}").status_code in (200, 400)
    assert student.get(f"/api/v1/search/?q=fuel&k={asked}").status_code == 400
    assert student.get(f"/api/v1/elements/PA.I.A.K1/bundle/?depth={asked}").status_code == 400
    page = student.post("/exams/begin/", {"questions": value})
    assert page.status_code == 400
    assert "questions" in page.content.decode()


@pytest.mark.parametrize(
    "code", sample_of(["PA.I.A.K99", "XX.I.A.K1", "PA", "pa.i.a.k99", "PA.I.A.K1.", "K1"], 3)
)
def test_an_element_that_is_not_there_is_named(student: Client, code: str) -> None:
    found = student.get("/api/v1/search/", {"q": "fuel", "element": code})
    assert (found.status_code, code.upper() in found.json()["message"].upper()) == (400, True)
    bundle = student.get(f"/api/v1/elements/{code}/bundle/")
    assert bundle.status_code == 404
    ordered = student.post("/api/v1/exams/", {"codes": [code]}, content_type="application/json")
    assert ordered.status_code == 400
    assert "codes" in ordered.json()["fields"]


def test_a_passage_whose_quote_is_not_there_lights_nothing(student: Client) -> None:
    chunk = Chunk.objects.all()[0]
    for words in ("not in the passage", "<script>alert(1)</script>", "\x00", "x" * 10_000):
        page = student.get(f"/library/passages/{chunk.pk}/", {"quote": words})
        assert page.status_code == (400 if "\x00" in words else 200)
        assert 'class="lit"' not in page.content.decode()
        assert "<script>alert" not in page.content.decode()


def test_pages_that_a_document_does_not_have(student: Client) -> None:
    document = Document.objects.get(paged=True)
    for number in ("0", "9999", "9" * 30, "x"):
        assert student.get(f"/library/{document.pk}/pages/{number}/").status_code == 404


def test_pages_of_reviewers_and_operators_are_not_for_students(student: Client) -> None:
    for path in ("/operations/", "/operations/jobs/"):
        assert student.get(path).status_code == 403
    for path in ("/admin/", "/admin/curation/claim/queue/", "/admin/exams/dispute/"):
        assert student.get(path).status_code in (302, 403)
        assert student.get(path, follow=True).status_code in (200, 403)


def test_the_address_of_a_form_says_so_when_it_is_opened(student: Client) -> None:
    page = student.get("/exams/begin/")
    assert (page.status_code, page["Allow"]) == (405, "POST")
    assert "takes only what a form sends" in page.content.decode()
