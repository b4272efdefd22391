"""Pages of the library: which edition is shown, whether it is in force, and the same words in another one."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from knowledge.models import Chunk, Document
from tests.doubles import editions
from tests.doubles.claims import make_user
from tests.doubles.editions import document_of, feed, sentence
from tests.doubles.library import make_chunk, make_document

pytestmark = [pytest.mark.long, pytest.mark.django_db]


@pytest.fixture
def student(client: Client) -> Client:
    client.force_login(make_user("stu", None))
    return client


def text_of(client: Client, place: str) -> str:
    answer = client.get(place, follow=True)
    assert answer.status_code == 200, place
    return answer.content.decode()


@pytest.fixture
def two(tmp_path: Path) -> tuple[Document, Document]:
    first = document_of(feed(editions.pdf(tmp_path / "a.pdf"), edition="A", edition_date="2026-01-01"))
    path = editions.pdf(tmp_path / "b.pdf", editions.SECOND, front=2)
    second = document_of(feed(path, edition="B", edition_date="2026-06-01"))
    return Document.objects.get(pk=first.pk), second


def test_a_passage_that_did_not_change_opens_in_either_edition(
    student: Client, two: tuple[Document, Document]
) -> None:
    first, second = two
    chunk = Chunk.objects.get(document=second, text__contains=sentence(editions.LIGHTS))
    now = text_of(student, f"/library/passages/{chunk.pk}/")
    assert "data-superseded" not in now
    assert f"/library/{second.pk}/pages/6.webp" in now
    assert f"edition={first.pk}" in now
    then = text_of(student, f"/library/passages/{chunk.pk}/?edition={first.pk}")
    assert "data-superseded" in then
    assert f"/library/{first.pk}/pages/4.webp" in then
    for wrong in ("nobody", str(make_document("Else").pk), ""):
        assert text_of(student, f"/library/passages/{chunk.pk}/?edition={wrong}")


def test_the_old_edition_still_lists_and_shows_all_its_passages(
    student: Client, two: tuple[Document, Document]
) -> None:
    first, second = two
    for number in range(1, 7):
        page = text_of(student, f"/library/{first.pk}/pages/{number}/")
        assert "data-superseded" in page
        assert "Searches do not cover this page" not in page
        assert str(second.pk) in page
    listed = text_of(student, "/library/")
    assert listed.index(str(second.pk)) < listed.index(str(first.pk))
    assert "1 former edition" in listed


def test_a_passage_that_was_retired_still_opens(student: Client) -> None:
    chunk = make_chunk(editions.FUEL)
    Chunk.objects.filter(pk=chunk.pk).update(retired_at="2026-01-01T00:00Z")
    assert "rechunked after" in text_of(student, f"/library/passages/{chunk.pk}/")


@pytest.mark.parametrize(
    ("fields", "mark"),
    [
        ({"check_by": date(2020, 1, 1)}, "data-due"),
        ({"check_by": date(2999, 1, 1)}, ""),
        ({}, ""),
        ({"deprecated_at": "2026-01-01T00:00Z", "deprecated_reason": "Withdrawn."}, "Withdrawn."),
    ],
)
def test_amber_where_an_edition_is_past_its_day(student: Client, fields: dict[str, Any], mark: str) -> None:
    document = make_document(paged=False, **fields)
    chunk = make_chunk(editions.FUEL, document, page_start=None, page_end=None)
    for place in (f"/library/passages/{chunk.pk}/", f"/library/{document.pk}/"):
        page = text_of(student, place)
        assert ('class="amber"' in page) is bool(mark)
        assert mark in page


def test_a_large_library_is_paged_and_searched(student: Client, django_assert_max_num_queries: Any) -> None:
    for number in range(120):
        make_document(f"Book {number:03}", abbreviation=f"B{number}")
    make_document("Old book", superseded_by=Document.objects.get(title="Book 000"))
    with django_assert_max_num_queries(12):
        first = text_of(student, "/library/")
    assert "1–50 of 120" in first
    assert "1 former edition" in first
    assert "Book 119" in text_of(student, "/library/?page=3")
    assert "Book 119" in text_of(student, "/library/?page=999999")
    found = text_of(student, "/library/?q=book+077")
    assert "Book 077" in found
    assert "Book 078" not in found
    assert "No document has “&lt;b&gt;”" in text_of(student, "/library/?q=<b>")
