"""Why a passage was found, and why another was not: each condition has its own sentence."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest.mock import ANY

import numpy as np
import pytest
from django.utils import timezone

from knowledge import conf
from knowledge.models import Chunk, ChunkEmbedding, RetrievalLog
from knowledge.retrieval.explain import Place, Row, WhyNot, explain_missing, explain_search
from knowledge.retrieval.search import search
from knowledge.retrieval.searchable import Scope, searchable_chunks
from knowledge.retrieval.values import Filters, SearchRequest
from llm.errors import Unreachable
from tests.db.knowledge.retrieval.test_search_without_its_model import Failing
from tests.doubles.library import FUEL, LIGHTS, MODEL, WEATHER, make_chunk, make_document, make_tenant

pytestmark = [pytest.mark.long, pytest.mark.django_db]


@pytest.fixture
def weather() -> Chunk:
    return make_chunk(WEATHER, section="91.155", heading="Basic VFR weather minimums")


@pytest.fixture
def lights(weather: Chunk) -> Chunk:
    manual = make_document("Aeronautical Information Manual", abbreviation="AIM", doc_type="aim")
    make_chunk(FUEL, section="91.151", heading="Fuel requirements")
    return make_chunk(LIGHTS, manual, section="4-3-13", heading="Light signals")


def ask(query: str, **options: Any) -> SearchRequest:
    return SearchRequest(query=query, **options)


def reasons(request: SearchRequest, chunk: Chunk) -> str:
    chunk = Chunk.every.select_related("document").get(pk=chunk.pk)
    return " ".join(explain_missing(request, chunk, MODEL).reasons)


def test_it_shows_what_the_search_gives_in_its_order(lights: Chunk) -> None:
    request = ask("green light signal from the tower by day")
    found = explain_search(request, MODEL)
    given = [row.found.chunk_id for row in found.rows if row.given]
    assert given == [one.chunk_id for one in search(request, MODEL).results]
    best = found.rows[0]
    assert (best.given, best.vector and best.vector.rank, best.lexical and best.lexical.rank) == (1, 1, 1)
    assert best.found.text == LIGHTS
    assert all(row.given or row.why for row in found.rows)


def test_explaining_writes_no_log(lights: Chunk) -> None:
    explain_search(ask("green light"), MODEL)
    explain_missing(ask("green light"), lights, MODEL)
    assert not RetrievalLog.objects.exists()


def test_a_fall_back_shows_its_first_try(lights: Chunk) -> None:
    found = explain_search(ask("What does the PHAK say of fuel for 30 minutes?"), MODEL)
    assert found.first_try is not None
    assert found.first_try.filters["abbreviation"] == "PHAK"
    assert found.first_try.results == 0
    assert found.filters == {}


def test_a_section_by_its_number_is_marked(lights: Chunk) -> None:
    found = explain_search(ask("§ 91.155"), MODEL)
    assert [row.found.section for row in found.rows if row.exact] == ["91.155"]
    assert found.numbers == ("91.155",)


def test_without_a_vector_the_words_are_shown_alone(lights: Chunk) -> None:
    found = explain_search(ask("green light"), Failing(Unreachable))
    assert "words alone" in found.degraded
    assert found.rows[0].vector is None
    assert found.rows[0].given == 1


def test_a_passage_that_is_given_has_no_reason(lights: Chunk) -> None:
    told = explain_missing(ask("green light signal"), lights, MODEL)
    assert (told.given, told.reasons) == (1, ())
    assert "green" in told.has


def _draft(chunk: Chunk) -> None:
    _document(chunk, status="draft")


def _document(chunk: Chunk, **fields: Any) -> None:
    type(chunk.document).objects.filter(pk=chunk.document_id).update(**fields)


def _retire(chunk: Chunk) -> None:
    Chunk.every.filter(pk=chunk.pk).update(retired_at=timezone.now())
    ChunkEmbedding.objects.filter(chunk=chunk).delete()


HIDDEN: list[tuple[str, Callable[[Chunk], object]]] = [
    ("not published (it is a draft)", _draft),
    ("not published (it is archived)", lambda chunk: _document(chunk, status="archived")),
    (
        "deprecated: Wrong.",
        lambda chunk: _document(chunk, deprecated_at=timezone.now(), deprecated_reason="Wrong"),
    ),
    ("superseded", lambda chunk: _document(chunk, superseded_by=make_document("Newer"))),
    ("another school", lambda chunk: _document(chunk, tenant=make_tenant("other"))),
    ("table of contents", lambda chunk: Chunk.objects.filter(pk=chunk.pk).update(kind="toc")),
    ("no vector of", lambda chunk: ChunkEmbedding.objects.filter(chunk=chunk).delete()),
    ("no vector of", lambda chunk: ChunkEmbedding.objects.filter(chunk=chunk).update(model="another")),
    ("no vector of", lambda chunk: ChunkEmbedding.objects.filter(chunk=chunk).update(state="stale")),
    ("divided into passages again", _retire),
]


@pytest.mark.parametrize(("said", "hide"), HIDDEN)
def test_each_condition_of_the_one_predicate_has_its_sentence(
    lights: Chunk, said: str, hide: Callable[[Chunk], object]
) -> None:
    hide(lights)
    assert lights not in searchable_chunks(Scope(tenant=None, model=MODEL.name))
    assert said in reasons(ask("green light signal"), lights)


@pytest.mark.parametrize(
    ("filters", "said"),
    [
        (Filters(doc_types=("cfr",)), "kind of document"),
        (Filters(sections=("91.*",)), "section"),
        (Filters(abbreviation="AC 90-66"), "document"),
        (Filters(category="weather"), "category"),
    ],
)
def test_a_filter_says_what_it_asked_for(lights: Chunk, filters: Filters, said: str) -> None:
    told = reasons(ask("green light signal", filters=filters), lights)
    assert f"The filter by {said} leaves it out" in told


def test_below_the_floor(weather: Chunk, lights: Chunk) -> None:
    assert "below the floor of 0.99" in reasons(ask("green light", threshold=0.99), lights)


def test_a_rank_that_is_too_low(lights: Chunk) -> None:
    for number in range(4):
        make_chunk(f"A steady green light signal, number {number}.", section=f"9.{number}")
    told = reasons(ask("steady green light signal number", k=2, threshold=0.0), lights)
    assert "in the vector leg" in told
    assert "2 are given" in told


def _placed(text: str, vector: np.ndarray) -> Chunk:
    chunk = make_chunk(text, embed=False)
    ChunkEmbedding.objects.create(
        chunk=chunk, model=MODEL.name, vector=(vector / np.linalg.norm(vector)).tolist(), state="current"
    )
    return chunk


def test_a_passage_that_no_leg_brings_is_not_said_to_be_left_out_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The second of both legs would be the best of both; a search for one takes only the first of each."""
    for name, most in (("NEAREST", 1), ("TELLING", 1), ("SPARE_RESULTS", 0)):
        monkeypatch.setattr(conf, name, most)
    asked = np.asarray(MODEL.embed_query("steady green light signal"))
    aside = np.where(asked == 0, 1.0, 0.0)
    aside /= np.linalg.norm(aside)
    _placed("Oil keeps the engine cool.", asked)
    second = _placed("A light signal, green.", asked + 0.3 * aside)
    _placed("A steady green light signal.", aside)
    request = ask("steady green light signal", k=1, threshold=0.0)
    rows = {row.found.chunk_id: row for row in explain_search(request, MODEL).rows}
    assert (rows[second.pk].fused, rows[second.pk].given) == (Place(1, ANY, ANY), None)
    assert "not in the ranking of the search itself" in rows[second.pk].why
    assert rows[second.pk].why in reasons(request, second)
    read_again = replace(request, arm="hybrid+rerank")
    assert "closer reading" not in reasons(read_again, second)  # by nobody: RERANKER is none


def _left_out(request: SearchRequest, text: str) -> list[Row]:
    """Of passages that begin so those that were not given; which of two alike is given hangs on their ids."""
    rows = [row for row in explain_search(request, MODEL).rows if row.found.text.startswith(text)]
    return [row for row in rows if row.given is None]


def test_a_passage_that_says_the_same_is_left_out_later(lights: Chunk) -> None:
    for number in range(2):
        make_chunk(LIGHTS, section=f"9.{number}", heading="Light signals")
    request = ask("steady green light signal", k=3, threshold=0.0)
    same = _left_out(request, LIGHTS)
    assert len(same) == 2
    for row in same:
        assert "says what another passage says" in row.why
        assert row.why in reasons(request, Chunk.objects.get(pk=row.found.chunk_id))


def test_words_alone_are_held_against_the_floor_as_the_search_does_it(weather: Chunk, lights: Chunk) -> None:
    """Their share of the weight is scaled to a score before that."""
    for number in range(2):
        make_chunk(f"A steady beacon, number {number}.", section=f"9.{number}")
    request = ask("steady beacon glare", arm="lexical", k=1, threshold=0.5)
    (row,) = _left_out(request, "A steady beacon")
    assert row.lexical is not None
    assert row.lexical.value < 0.5 < row.lexical.score
    assert row.why == "place 2; 1 are given"


def test_no_word_of_the_query(weather: Chunk, lights: Chunk) -> None:
    told: WhyNot = explain_missing(ask("statute mile visibility", threshold=0.9), lights, MODEL)
    assert "It has no word of the query." in told.reasons
    assert {"visibility"} <= set(told.lacks)
    assert told.has == ()


@pytest.mark.parametrize("query", ["?!", "…", "​"])
def test_a_question_without_words(lights: Chunk, query: str) -> None:
    assert explain_search(ask(query), MODEL).rows == ()
    assert reasons(ask(query), lights)


def test_rows_are_bounded(weather: Chunk) -> None:
    for number in range(conf.EXPLAINED_ROWS + 5):
        make_chunk(f"Fuel rule number {number} for pilots.", section=f"8.{number}")
    assert len(explain_search(ask("fuel rule", threshold=0.0), MODEL).rows) == conf.EXPLAINED_ROWS
