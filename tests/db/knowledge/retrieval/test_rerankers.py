"""A ranking is read again by what is configured; whatever it does, there is an order, and the answer says whose."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

import pytest

from knowledge.retrieval.search import search
from knowledge.retrieval.values import SearchRequest, SearchResponse
from llm import registry
from llm.errors import LocalModelUnavailable, TimedOut
from tests.doubles.library import FUEL, LIGHTS, MODEL, WEATHER, make_chunk, make_document

pytestmark = pytest.mark.django_db

TEXTS = (WEATHER, LIGHTS, FUEL)


@pytest.fixture(autouse=True)
def library() -> None:
    for number, text in enumerate(TEXTS):
        make_chunk(text, section=f"91.15{number}")


class Scripted:
    name, external = "scripted", True

    def __init__(self, says: Callable[[Sequence[str]], Any]) -> None:
        self.says = says
        self.asked = 0

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        self.asked += 1
        return self.says(texts)  # type: ignore[no-any-return]


def ask(arm: str = "hybrid+rerank", query: str = "fuel by day", **options: Any) -> SearchResponse:
    return search(SearchRequest(query=query, arm=arm, threshold=0.0, **options), MODEL)  # type: ignore[arg-type]


def texts(response: SearchResponse) -> list[str]:
    return [one.text for one in response.results]


def wire(reranker: Any, name: str = "cohere", settings: Any = None) -> None:
    settings.RERANKER = name
    registry.configure_models(
        chat={}, embedding=lambda: MODEL, reranker=(lambda: reranker) if reranker else None
    )


def test_a_vendor_says_its_own_order(settings: Any) -> None:
    wire(Scripted(lambda some: [float(LIGHTS in text) for text in some]), settings=settings)
    response = ask()
    assert texts(response)[0] == LIGHTS
    assert (response.reranked, response.degraded) == ("scripted", "")
    assert response.to_dict()["reranked"] == "scripted"


def test_scores_stay_those_of_the_search(settings: Any) -> None:
    plain = {one.chunk_id: one.score for one in ask("hybrid").results}
    wire(Scripted(lambda some: [float(LIGHTS in text) for text in some]), settings=settings)
    assert {one.chunk_id: one.score for one in ask().results} == plain


def too_late(some: Sequence[str]) -> list[float]:
    raise TimedOut("it took too long")


def breaks(some: Sequence[str]) -> list[float]:
    raise KeyError("a fault of its own")


@pytest.mark.parametrize(
    ("says", "why"),
    [
        (too_late, "model_timed_out"),
        (breaks, "KeyError"),
        (lambda some: [1.0], "ValueError"),
        (lambda some: [1.0] * (len(some) + 1), "ValueError"),
        (lambda some: [float("nan")] * len(some), "ValueError"),
        (lambda some: [float("inf")] * len(some), "ValueError"),
        (lambda some: ["high"] * len(some), "TypeError"),
        (lambda some: None, "TypeError"),
    ],
)
def test_one_that_fails_leaves_the_order_and_says_so(settings: Any, says: Any, why: str) -> None:
    plain = texts(ask("hybrid"))
    wire(Scripted(says), settings=settings)
    response = ask()
    assert texts(response) == plain
    assert why in response.degraded
    assert response.reranked == ""


def test_one_that_cannot_be_built_leaves_the_order_and_says_so(settings: Any) -> None:
    def build() -> Any:
        raise LocalModelUnavailable("its weights are gone")

    settings.RERANKER = "late"
    registry.configure_models(chat={}, embedding=lambda: MODEL, reranker=build)
    response = ask()
    assert len(response.results) == 3
    assert "model_local_unavailable" in response.degraded


def test_a_failure_is_not_remembered(settings: Any) -> None:
    reranker = Scripted(too_late)
    wire(reranker, settings=settings)
    ask()
    ask()
    assert reranker.asked == 2
    reranker.says = lambda some: [0.5] * len(some)
    assert ask().degraded == ""
    assert ask().cached
    assert ask().reranked == "scripted"


def test_none_leaves_the_order(settings: Any) -> None:
    reranker = Scripted(lambda some: [float(LIGHTS in text) for text in some])
    wire(reranker, "none", settings)
    assert texts(ask()) == texts(ask("hybrid"))
    assert reranker.asked == 0


def test_a_section_that_was_asked_for_stays_first(settings: Any) -> None:
    wire(Scripted(lambda some: [float(FUEL in text) for text in some]), settings=settings)
    assert ask(query="91.151 lights and fuel").results[0].section == "91.151"


def test_keyword_likes_the_newer_edition(settings: Any) -> None:
    for year in (2012, 2024):
        manual = make_document(f"Manual {year}", doc_type="handbook", edition_date=date(year, 1, 1))
        make_chunk(f"A flight plan for {year} is filed before departure with a briefer.", manual)
    wire(None, "keyword", settings)
    response = ask(query="flight plan filed before departure with a briefer")
    assert [one.document for one in response.results[:2]] == ["Manual 2024", "Manual 2012"]
    assert response.reranked == "keyword"


def test_another_reranker_is_not_answered_from_the_cache(settings: Any) -> None:
    wire(Scripted(lambda some: [float(LIGHTS in text) for text in some]), settings=settings)
    assert texts(ask())[0] == LIGHTS
    wire(None, "keyword", settings)
    assert not ask().cached
    assert texts(ask())[0] == FUEL
