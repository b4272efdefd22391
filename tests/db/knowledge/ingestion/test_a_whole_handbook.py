"""A whole handbook in one file is one document whose chapters are listed with their pages, passages and state."""

import io
import json
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from django.conf import LazySettings
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from knowledge.documents.chapters import chapters_of
from knowledge.grounding.citations import source_label
from knowledge.models import Chapter, Document
from knowledge.models.tenancy import Role
from tests.doubles.claims import make_user

PHAK = Path(__file__).parents[5] / "shared" / "data" / "faa" / "phak"
CHAPTERS = ("02", "04", "15")
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(not PHAK.exists(), reason=f"{PHAK} is not there (../shared/data)"),
]


@pytest.fixture
def handbook(settings: LazySettings, tmp_path: Path) -> Document:
    """The first pages of three chapters, and a chapter of a blank page, as one file."""
    settings.MEDIA_ROOT = tmp_path / "media"
    path = tmp_path / "FAA-H-8083-25C.pdf"
    with pymupdf.open() as whole:
        outline = []
        for number in CHAPTERS:
            with pymupdf.open(PHAK / f"phak_ch{number}.pdf") as chapter:
                outline.append([1, chapter.get_toc()[0][1], len(whole) + 1])
                whole.insert_pdf(chapter, to_page=2)
        whole.new_page()
        outline.append([1, "Chapter 16: Navigation", len(whole)])
        whole.set_toc(outline)
        whole.save(path)
    out = io.StringIO()
    call_command("ingest", str(path), "--json", stdout=out)
    return Document.objects.get(pk=json.loads(out.getvalue())["documents"][0]["id"])


@pytest.mark.long
def test_one_upload_lists_its_chapters_what_is_empty_and_what_is_missing(
    handbook: Document, client: Client, django_assert_max_num_queries: Any
) -> None:
    assert (handbook.title, handbook.abbreviation) == ("Pilot’s Handbook of Aeronautical Knowledge", "PHAK")
    with django_assert_max_num_queries(5):
        found = chapters_of(handbook)
    assert [(str(one.chapter), one.printed, one.state) for one in found.held] == [
        ("Chapter 2: Aeronautical Decision-Making", "2-1 to 2-3", "read"),
        ("Chapter 4: Principles of Flight", "4-1 to 4-3", "read"),
        ("Chapter 15: Airspace", "15-1 to 15-3", "read"),
        ("Chapter 16: Navigation", "", "empty"),
    ]
    assert [(one.chapter.page_start, one.chapter.page_end) for one in found.held] == [
        (1, 3),
        (4, 6),
        (7, 9),
        (10, 10),
    ]
    assert sum(one.passages for one in found.held) == handbook.chunks.count()
    assert found.missing == (1, 3, *range(5, 15))

    client.force_login(make_user("olga", Role.OPERATOR))
    for address in ("library:chapters", "desk:upkeep_document"):
        page = client.get(reverse(address, args=[handbook.pk])).content.decode()
        assert "Chapter 15: Airspace" in page
        assert "15-1 to 15-3" in page
        assert "The file lacks chapters 1, 3, 5" in page
    page = client.get(reverse("library:page", args=[handbook.pk, 8])).content.decode()
    assert "Chapter 15: Airspace" in page

    chunk = handbook.chunks.filter(page_start=8).first()
    assert chunk is not None
    label = source_label(
        doc_type=handbook.doc_type,
        abbreviation=handbook.abbreviation,
        title=handbook.title,
        page_label=chunk.page_label,
    )
    assert label == "PHAK ch. 15, p. 15-2"
    before = set(Chapter.objects.values_list("number", "page_start"))
    call_command("rechunk", "--document", str(handbook.pk), "--force", "--json", stdout=io.StringIO())
    assert set(Chapter.objects.values_list("number", "page_start")) == before


def test_a_document_of_one_chapter_opens_as_before(client: Client) -> None:
    document = Document.objects.create(title="PHAK, chapter 15", content_hash="a", status="published")
    client.force_login(make_user("stella", Role.STUDENT))
    shown = client.get(reverse("library:chapters", args=[document.pk]))
    assert shown.url == reverse("library:document", args=[document.pk])  # type: ignore[attr-defined]
