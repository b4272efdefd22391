"""Repetitions and clashes among what is found: given once, told to whoever relies on it, with the one that holds."""

from dataclasses import replace
from typing import Any

import pytest

from exams.examiner.source_quality import how_good, listed_disagreements
from knowledge.grounding.context import NO_SOURCES
from knowledge.retrieval.explain import explain_search
from knowledge.retrieval.results import context_from
from knowledge.retrieval.search import search
from knowledge.retrieval.values import SearchRequest, SearchResponse
from tests.doubles.library import FUEL, LIGHTS, MODEL, make_chunk, make_document, make_figure, make_tenant

pytestmark = pytest.mark.django_db

RULE = "By day the airplane carries fuel for at least 30 minutes beyond the first point of intended landing."
SCHOOLS = RULE.replace("30", "45")


def request(query: str = "fuel by day beyond the first point of landing", **options: Any) -> SearchRequest:
    return SearchRequest(**{"query": query, "threshold": 0.0, **options})


def ask(query: str = "fuel by day beyond the first point of landing", **options: Any) -> SearchResponse:
    return search(request(query, **options), MODEL)


def test_a_text_of_two_documents_is_given_once_from_the_better_source() -> None:
    handbook = make_document("Handbook", abbreviation="PHAK", doc_type="handbook")
    make_chunk(FUEL, handbook)
    rule = make_chunk(FUEL, make_document())
    other = make_chunk(LIGHTS)
    assert [one.chunk_id for one in ask(k=2).results] == [rule.id, other.id]


def test_among_nearly_equal_passages_the_regulation_goes_first() -> None:
    backwards = " ".join(reversed(FUEL.split()))
    handbook, rule = (
        make_chunk(text, make_document(kind, abbreviation=kind, doc_type=kind))
        for kind, text in (("handbook", FUEL), ("cfr", backwards))
    )
    assert [one.chunk_id for one in ask("landing fuel day", k=2).results] == [rule.id, handbook.id]


def test_a_clash_is_on_the_answer_and_in_the_context() -> None:
    school = make_tenant()
    rule = make_chunk(RULE, make_document(), section="91.151")
    own = make_chunk(SCHOOLS, make_document("Our rules", abbreviation="SOP", doc_type="sop", tenant=school))
    response = ask(tenant=school.pk)
    (told,) = response.to_dict()["conflicts"]
    assert {*told["chunks"]} == {str(rule.id), str(own.id)}
    assert told["holds"] == str(rule.id)
    context = context_from(response)
    assert [one.doc_type for one in context.passages] == ["cfr", "sop"]
    said = listed_disagreements(context)
    assert RULE in said
    assert SCHOOLS in said
    assert said.endswith("91.151 holds.")
    assert [one.holds for one in explain_search(request(tenant=school.pk), MODEL).conflicts] == [str(rule.id)]


def test_another_school_sees_no_clash_with_what_it_cannot_read() -> None:
    make_chunk(RULE, make_document(), section="91.151")
    make_chunk(SCHOOLS, make_document("Our rules", doc_type="sop", tenant=make_tenant()))
    assert ask(tenant=make_tenant("other").pk).conflicts == ()


def test_the_laboratory_shows_what_the_search_gives() -> None:
    for name in ("One", "Two"):
        make_chunk(FUEL, make_document(name, doc_type="handbook"))
    make_chunk(LIGHTS)
    given = [row for row in explain_search(request(k=2), MODEL).rows if row.given]
    assert [row.found.chunk_id for row in given] == [one.chunk_id for one in ask(k=2).results]


def test_a_passage_that_hardly_fits_brings_no_figure() -> None:
    near, far = make_chunk(FUEL), make_chunk(LIGHTS)
    make_figure(near, "Figure 1", "figure_ref")
    make_figure(far, "Figure 2", "figure_ref")
    shown = {one.chunk_id: [figure.figure_label for figure in one.images] for one in ask(FUEL).results}
    assert shown == {near.id: ["Figure 1"], far.id: []}


@pytest.mark.parametrize(
    ("quality", "words"), [("strong", "speak of this"), ("weak", "leave it open"), ("none", "State no fact")]
)
def test_each_verdict_says_what_to_do(quality: Any, words: str) -> None:
    make_chunk(FUEL)
    response = ask()
    context = context_from(response)
    assert words in how_good(replace(context, quality=quality))
    assert "State no fact" in how_good(NO_SOURCES)
