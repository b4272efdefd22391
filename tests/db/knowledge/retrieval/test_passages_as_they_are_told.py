"""What is told of a passage: where its pages begin."""

from typing import Any

import pytest

from knowledge.models import Page
from knowledge.retrieval.results import read_passages
from knowledge.retrieval.searchable import Scope
from knowledge.retrieval.values import Ranked
from tests.doubles.library import MODEL, WEATHER, make_chunk

pytestmark = pytest.mark.django_db


def line(page: int, start: int, end: int) -> dict[str, Any]:
    return {"page": page, "start": start, "end": end, "bbox": [72, 72, 300, 84]}


def test_a_passage_over_several_pages_tells_where_each_begins() -> None:
    chunk = make_chunk(
        WEATHER,
        page_start=3,
        page_end=5,
        lines=[line(3, 0, 10), line(3, 11, 20), line(4, 21, 30), line(5, 31, 40)],
    )
    Page.objects.create(document=chunk.document, number=4, label="15-2", width=612, height=792)
    Page.objects.create(document=chunk.document, number=9, label="15-7", width=612, height=792)
    (found,) = read_passages([Ranked(chunk.pk, 1.0, 1.0, 0.0)], Scope(tenant=None, model=MODEL.name))
    assert found.page_starts == ((0, 3, ""), (21, 4, "15-2"), (31, 5, ""))


def test_a_passage_of_one_page_needs_no_beginnings() -> None:
    chunk = make_chunk(WEATHER, page_start=3, page_end=3, lines=[line(3, 0, 10)])
    (found,) = read_passages([Ranked(chunk.pk, 1.0, 1.0, 0.0)], Scope(tenant=None, model=MODEL.name))
    assert (found.page_start, found.page_starts) == (3, ())
