"""Searches for a certificate or an aircraft class give passages that serve one of its Tasks, or no Task at all."""

import io
import json

import pytest
from django.core.management import call_command

from knowledge.models import AcsArea, AcsTask, Chunk, ChunkTask, Standard
from knowledge.retrieval.explain import explain_missing
from knowledge.retrieval.search import search
from knowledge.retrieval.searchable import ALWAYS, filter_condition
from knowledge.retrieval.values import Filters, SearchRequest
from llm import registry
from tests.doubles.library import MODEL, make_chunk

pytestmark = pytest.mark.django_db

EVERYTHING = {"untagged", "private", "private multi", "instrument", "commercial land", "two", "unknown"}


def make_task(certificate: str, code: str, classes: tuple[str, ...] = ()) -> None:
    standard, _ = Standard.objects.get_or_create(
        number=f"ACS {certificate}", defaults={"certificate": certificate, "title": certificate}
    )
    area, _ = AcsArea.objects.get_or_create(
        standard=standard, numeral="I", defaults={"title": "I", "order": 1}
    )
    AcsTask.objects.create(
        area=area, code=code, letter=code.split(".")[-1], title=code, classes=list(classes)
    )


@pytest.fixture(autouse=True)
def library() -> dict[str, Chunk]:
    """Passages by heading; each has the word that is searched, and serves the Tasks that its heading suggests."""
    make_task("private", "PA.I.A")
    make_task("private", "PA.I.B", ("AMEL", "AMES"))
    make_task("instrument", "IR.I.A")
    make_task("commercial", "CA.I.A", ("ASEL", "AMEL"))
    tags: dict[str, tuple[str, ...]] = {
        "untagged": (),
        "private": ("PA.I.A",),
        "private multi": ("PA.I.B",),
        "instrument": ("IR.I.A",),
        "commercial land": ("CA.I.A",),
        "two": ("PA.I.B", "IR.I.A"),
        "unknown": ("XX.I.A",),
    }
    chunks: dict[str, Chunk] = {}
    for heading, codes in tags.items():
        chunks[heading] = make_chunk(f"Magneto check number {len(chunks)}.", heading=heading)
        for code in codes:
            ChunkTask.objects.create(chunk=chunks[heading], task_code=code, origin="references")
    return chunks


def found(filters: Filters) -> set[str]:
    request = SearchRequest(query="magneto check", filters=filters, k=20, threshold=0.0, recorded=False)
    return {one.heading for one in search(request, MODEL).results}


@pytest.mark.parametrize(
    ("filters", "given"),
    [
        (Filters(), EVERYTHING),
        (Filters(certificate="private"), {"untagged", "private", "private multi", "two"}),
        (Filters(certificate="instrument"), {"untagged", "instrument", "two"}),
        (Filters(certificate="glider"), {"untagged"}),
        (Filters(aircraft_class="AMEL"), EVERYTHING - {"unknown"}),
        (Filters(aircraft_class="ASEL"), {"untagged", "private", "instrument", "commercial land", "two"}),
        (Filters(aircraft_class="ASES"), {"untagged", "private", "instrument", "two"}),
        # One Task has to be of both: the private Task of "two" is for other classes.
        (Filters(certificate="private", aircraft_class="ASEL"), {"untagged", "private"}),
        (Filters(certificate="commercial", aircraft_class="ASES"), {"untagged"}),
    ],
)
@pytest.mark.parametrize("is_narrow", [True, False])
def test_passages_of_the_standard_and_of_no_task_are_given(
    filters: Filters, given: set[str], is_narrow: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not is_narrow:
        monkeypatch.setattr("knowledge.conf.EXACT_ROWS", 0)
    assert found(filters) == given


def test_command_filters_by_certificate_and_class() -> None:
    stdout = io.StringIO()
    registry.configure_models(chat={}, embedding=lambda: MODEL)
    try:
        options = ("--certificate", "private", "--class", "AMEL", "--threshold", "0", "--json")
        call_command("search", "magneto check", *options, stdout=stdout)
    finally:
        registry.reset_models()
    answer = json.loads(stdout.getvalue())
    assert answer["filters"] == {"certificate": "private", "aircraft_class": "AMEL"}
    assert {one["heading"] for one in answer["results"]} == {"untagged", "private", "private multi", "two"}


def test_search_without_these_filters_asks_for_no_task() -> None:
    assert filter_condition(Filters()).sql == f"{ALWAYS.sql} AND {ALWAYS.sql}"
    assert "chunktask" not in filter_condition(Filters(doc_types=("cfr",), sections=("91.*",))).sql


@pytest.mark.parametrize(
    ("filters", "heading", "said"),
    [
        (Filters(certificate="private"), "instrument", "by certificate leaves it out: asked for private"),
        (Filters(aircraft_class="ASEL"), "private multi", "by aircraft class leaves it out: asked for ASEL"),
        (Filters(certificate="private", aircraft_class="ASEL"), "two", "no one Task"),
    ],
)
def test_explanation_names_the_filter(
    library: dict[str, Chunk], filters: Filters, heading: str, said: str
) -> None:
    request = SearchRequest(query="magneto check", filters=filters, threshold=0.0)
    (reason,) = explain_missing(request, library[heading], MODEL).reasons
    assert said in reason
