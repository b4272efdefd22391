"""What is asked again is not embedded again; what a student says is said once and is not kept."""

import pytest
from django.core.cache import cache
from django.test import override_settings

from knowledge.library_version import library_changed
from knowledge.retrieval.cache import FAILURES, VECTOR_HITS, vectors_for_texts
from knowledge.retrieval.search import search
from knowledge.retrieval.values import SearchRequest, SearchResponse
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.library import FUEL, WEATHER, make_chunk
from tests.lessons.test_lesson_24_cache import AWAY, counted

pytestmark = pytest.mark.django_db
QUESTION = "Which visibility does a pilot need by day in Class G?"
ANSWER = "I need 1 statute mile of visibility there by day. By night it is 3 statute miles."


@pytest.fixture(autouse=True)
def library() -> None:
    make_chunk(WEATHER, section="91.155")
    make_chunk(FUEL, section="91.151")


@pytest.fixture
def model() -> HashingEmbedding:
    return HashingEmbedding()


def ask(
    model: HashingEmbedding, question: str = QUESTION, answer: str = "", **more: object
) -> SearchResponse:
    library_changed(None)  # so that no ranking is found
    return search(SearchRequest(question=question, answer=answer, **more), model)  # type: ignore[arg-type]


def test_the_same_question_again_is_not_embedded_and_finds_the_same(model: HashingEmbedding) -> None:
    hits = counted(VECTOR_HITS)
    first = ask(model)
    asked = list(model.queries)
    second = ask(model)
    assert model.queries == asked != []
    assert [one.score for one in second.results] == [one.score for one in first.results]
    assert counted(VECTOR_HITS) > hits


def test_an_answer_is_embedded_each_time_and_kept_nowhere(model: HashingEmbedding) -> None:
    ask(model, answer=ANSWER)
    first = list(model.queries)
    model.queries.clear()
    ask(model, answer=ANSWER)
    assert set(model.queries) < set(first)
    assert all("statute mile" in text for text in model.queries)


def test_another_model_has_vectors_of_its_own(model: HashingEmbedding) -> None:
    ask(model)
    other = HashingEmbedding()
    object.__setattr__(other, "name", "another")
    ask(other)
    assert other.queries


def test_what_is_not_recorded_is_made_anew(model: HashingEmbedding) -> None:
    ask(model)
    model.queries.clear()
    ask(model, recorded=False)
    assert model.queries


def test_a_cache_that_is_away_costs_no_answer_and_is_left_alone(model: HashingEmbedding) -> None:
    with override_settings(CACHES=AWAY):
        reads = counted(FAILURES.labels("read", "vector"))
        assert ask(model).results
        assert counted(FAILURES.labels("read", "vector")) == reads  # the ranking's read had just failed


def test_a_write_that_is_refused_is_counted(model: HashingEmbedding) -> None:
    writes = counted(FAILURES.labels("write", "vector"))
    broken = {"BACKEND": "tests.doubles.caches.Unwritable", "LOCATION": "unwritable"}
    with override_settings(CACHES={**AWAY, "default": broken}):
        assert vectors_for_texts([QUESTION], model)
    assert counted(FAILURES.labels("write", "vector")) == writes + 1
    assert cache.get("nothing") is None
