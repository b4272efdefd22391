"""Where what was asked finds too little, a reformulated question is searched, and the better of the two is given."""

import pytest

from knowledge.models import RetrievalLog
from knowledge.retrieval.explain import explain_search
from knowledge.retrieval.query.builder import Asked, reformulate_query
from knowledge.retrieval.search import search
from knowledge.retrieval.values import Arm, SearchRequest, SearchResponse
from tests.doubles.library import FUEL, LIGHTS, MODEL, make_chunk

pytestmark = pytest.mark.django_db
ELEMENT = "Light signals. Steady green light signal from the tower to an aircraft in flight"
STORY = (
    "A pilot of an aircraft in flight told that grandfather carried lanterns through winter storms. "
    "What does a steady green light signal from the tower to an aircraft in flight mean?"
)


@pytest.fixture(autouse=True)
def library() -> None:
    make_chunk(LIGHTS, section="4-3-13")
    make_chunk(FUEL, section="91.151")


def ask(query: str, arm: Arm = "hybrid") -> SearchResponse:
    return search(SearchRequest(query=query, arm=arm), MODEL)


def test_a_strong_search_is_made_once() -> None:
    assert ask("A steady green light signal from the tower means cleared to land.").reformulated == ""


def test_a_weak_one_is_made_again_and_says_so() -> None:
    make_chunk("A pilot report tells of icing.", section="7-1-18")
    response = ask("when to give a PIREP")
    assert response.reformulated == "when to give a pilot report"
    assert response.to_dict()["reformulated"] == response.reformulated
    assert response.quality == "strong"


def test_what_is_no_better_is_not_taken() -> None:
    assert ask("zebra giraffe PIREP").reformulated == ""


def test_a_leg_by_itself_is_made_once() -> None:
    assert ask("zebra PIREP", arm="lexical").reformulated == ""


def test_the_cache_knows_it_too() -> None:
    first, second = ask(STORY), ask(STORY)
    assert second.cached
    assert (second.quality, second.reformulated) == (first.quality, first.reformulated)
    assert RetrievalLog.objects.count() == 2


def test_the_laboratory_says_what_the_search_says() -> None:
    for query in (STORY, "PIREP", "chocolate cake"):
        request = SearchRequest(query=query)
        explanation, response = explain_search(request, MODEL), search(request, MODEL)
        assert (explanation.quality, explanation.reformulated) == (response.quality, response.reformulated)
        assert [row.found.chunk_id for row in explanation.rows if row.given] == [
            found.chunk_id for found in response.results
        ]


def test_an_element_is_searched_without_what_was_said_about_it() -> None:
    asked = Asked(element=ELEMENT, question="And by night?", answer="I do not know.", task="Airport lights")
    assert reformulate_query(asked) == Asked(element=ELEMENT)


def test_a_question_is_searched_without_its_answer() -> None:
    assert reformulate_query(Asked(question="How much fuel?", answer="None.")) == Asked(text="How much fuel?")


@pytest.mark.parametrize(
    "asked", [Asked(element=ELEMENT), Asked(text="How much fuel?"), Asked(answer="None.")]
)
def test_what_has_no_other_form_is_searched_once(asked: Asked) -> None:
    assert reformulate_query(asked) is None


def test_a_plain_question_is_spelled_out() -> None:
    other = reformulate_query(Asked(text="VFR in the ADIZ?"))
    assert other == Asked(text="visual flight rules in the air defense identification zone?")
