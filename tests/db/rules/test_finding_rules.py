"""A question finds the rules that speak of it: each question once, within the countries, filters and owner."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from knowledge.models import Tenant
from llm import registry
from llm.errors import Unreachable
from llm.interfaces import ChatRequest
from llm.providers.cohere import CohereReranker
from rules.models import QuestionVector, RuleQuestion
from rules.query.query_preparation import Unanswerable
from rules.search.search import NoRules, RulesFound, RulesSearch, find_rules
from tests.doubles.chats import SaysInTurn
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.rules_desk import (
    CIRCUIT,
    DANGER,
    FIS,
    NOTICE,
    PLAN,
    QUESTIONS,
    SCHENGEN,
    _question,
    load_desk,
    rules_desk,
)
from tests.doubles.vendors import Fails, Ranks, VendorServer
from tests.pure.llm.cast import policy

__all__ = ["rules_desk"]

pytestmark = pytest.mark.django_db


def found(question: str, *countries: str, **asked: Any) -> RulesFound:
    return find_rules(RulesSearch(question=question, countries=countries, **{"threshold": 0.0, **asked}))


def keys(response: RulesFound) -> list[str]:
    return [one.key for one in response.results]


def test_the_best_question_comes_first_with_what_each_country_answers(rules_desk: HashingEmbedding) -> None:
    best = found("is a flight plan required for VFR", "FR", "IE").results[0]
    assert best.key == PLAN
    assert {country: answer.text for country, answer in best.answers.items()} == {"FR": "no", "IE": "Yes"}


def test_without_a_country_every_answer_is_given(rules_desk: HashingEmbedding) -> None:
    best = found("is a flight plan required for VFR").results[0]
    assert set(best.answers) == {"FR", "DE", "IE", "BE", "MT"}
    assert not any(answer.missing for answer in best.answers.values())


def test_a_country_without_an_answer_is_said_to_have_none(rules_desk: HashingEmbedding) -> None:
    best = found("joining a visual circuit", "FR", "DE").results[0]
    assert best.key == CIRCUIT
    assert best.answers["DE"].missing
    assert best.answers["DE"].text == ""
    assert not best.answers["FR"].missing


def test_a_question_that_no_named_country_answers_is_not_a_result_but_is_told(
    rules_desk: HashingEmbedding,
) -> None:
    response = found("joining a visual circuit", "DE")
    assert CIRCUIT not in keys(response)
    assert [one.key for one in response.unanswered][:1] == [CIRCUIT]
    assert response.unanswered[0].answers["DE"].missing


def test_the_country_filter_is_inside_the_search(rules_desk: HashingEmbedding) -> None:
    """With room for one, it is the best that the country answers, and not nothing because another stood first."""
    assert keys(found("joining a visual circuit", "DE", k=1)) != []


def test_a_country_that_nobody_answered_for_is_named(rules_desk: HashingEmbedding) -> None:
    response = found("flight plan for VFR", "ES")
    assert response.missing_countries == ("ES",)
    assert response.results == ()


@pytest.mark.long
def test_a_missing_country_beside_one_that_answers(rules_desk: HashingEmbedding) -> None:
    response = found("flight plan for VFR", "FR", "ES")
    assert response.missing_countries == ("ES",)
    assert response.results[0].answers["ES"].missing


@pytest.mark.long
def test_links_are_kept(rules_desk: HashingEmbedding) -> None:
    best = found("customs when arriving", "FR").results[0]
    assert best.key == SCHENGEN
    assert best.answers["FR"].links == ("https://example.org/ports",)


def test_category_and_tags_filter_in_any_spelling(rules_desk: HashingEmbedding) -> None:
    assert keys(found("required", category="airspace")) == [DANGER]
    assert keys(found("required", tags=("Flight_Plan",))) == [PLAN]
    assert set(keys(found("required", tags=("flight plan", "join")))) == {PLAN, CIRCUIT}


def test_an_unknown_filter_names_those_there_are(rules_desk: HashingEmbedding) -> None:
    with pytest.raises(Unanswerable, match=r"no category 'Cooking': one of Airfields, Airspace"):
        found("anything", category="Cooking")
    with pytest.raises(Unanswerable, match=r"no tag 'cakes': one of"):
        found("anything", tags=("cakes",))


def test_colloquial_words_are_looked_for_in_the_words_of_rules(rules_desk: HashingEmbedding) -> None:
    response = found("where do I clear customs?")
    assert response.wording.by == "dictionary"
    assert "Non-Schengen" in response.wording.formal
    assert keys(response)[0] == SCHENGEN


def test_the_question_is_embedded_once(rules_desk: HashingEmbedding) -> None:
    rules_desk.queries.clear()
    found("where do I clear customs?", "FR", "BE")
    assert len(rules_desk.queries) == 1


def test_one_statement_ranks_whatever_the_number_of_countries(rules_desk: HashingEmbedding) -> None:
    def statements(*countries: str) -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            found("flight plan", *countries)
        return len(captured)

    assert statements("FR") == statements("FR", "DE", "IE", "BE", "MT")


def test_a_school_reads_its_own_rules_beside_the_shared_ones(rules_desk: HashingEmbedding) -> None:
    school, other = Tenant.objects.create(slug="one"), Tenant.objects.create(slug="other")
    own = _question("Is a flight plan required for the training area?", "VFR", "flight plan", FR="Ask us")
    load_desk(own, tenant=school, model=rules_desk)
    asked = "flight plan required for the training area"
    assert keys(found(asked, tenant=school.pk))[0] == own.key
    assert own.key not in keys(found(asked, tenant=other.pk))
    assert own.key not in keys(found(asked))


def test_words_find_what_has_no_vector_and_it_is_said(rules_desk: HashingEmbedding) -> None:
    QuestionVector.objects.all().delete()
    response = find_rules(RulesSearch(question="is a flight plan required for VFR"))
    assert keys(response)[0] == PLAN
    assert "found by words alone" in response.degraded


@pytest.mark.long
def test_a_vector_of_another_text_is_not_used(rules_desk: HashingEmbedding) -> None:
    RuleQuestion.objects.filter(key=PLAN).update(text="Is a hangar needed?")
    row = next(one for one in found("is a hangar needed").results if one.key == PLAN)
    assert row.similarity == 0


def test_without_the_embedding_model_words_are_searched_and_it_is_said(rules_desk: HashingEmbedding) -> None:
    class Away(HashingEmbedding):
        def embed_query(self, text: str) -> list[float]:
            raise Unreachable("away")

    response = find_rules(RulesSearch(question="is a flight plan required for VFR"), Away())
    assert keys(response)[0] == PLAN
    assert "by words alone" in response.degraded


class External(SaysInTurn):
    external = True


def test_a_model_reformulates_where_one_is_wired(rules_desk: HashingEmbedding) -> None:
    chat = External({"formal": "arriving Non-Schengen, practicality"})
    response = find_rules(RulesSearch(question="the boys with the stamps?", threshold=0.0), chat=chat)
    assert response.wording.by == "says-in-turn"
    assert keys(response)[0] == SCHENGEN
    asked: ChatRequest = chat.asked[0]
    assert "the boys with the stamps?" in asked.system


def test_a_model_that_fails_leaves_the_dictionary(rules_desk: HashingEmbedding) -> None:
    response = find_rules(
        RulesSearch(question="where do I clear customs?"), chat=External(Unreachable("away"))
    )
    assert response.wording.by == "dictionary"
    assert "did not reformulate" in response.degraded
    assert keys(response)[0] == SCHENGEN


class Backwards:
    """A vendor's reranker that likes the last best."""

    name = "backwards"
    external = True

    def __init__(self, fails: Exception | None = None) -> None:
        self.fails = fails

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        if self.fails:
            raise self.fails
        return [float(place) for place in range(len(texts))]


@pytest.mark.long
@pytest.mark.parametrize(
    ("provider", "turned"), [(None, True), ("cohere", True), ("none", False), ("keyword", False)]
)
def test_the_wired_reranker_orders_unless_another_is_chosen(
    rules_desk: HashingEmbedding, settings: LazySettings, provider: str | None, turned: bool
) -> None:
    settings.RULES = {"reranking": {"enabled": False}}
    plain = keys(found("flight plan required", k=6))
    registry.configure_models(chat={}, embedding=lambda: rules_desk, reranker=Backwards)
    settings.RULES = {"reranking": {"provider": provider}}
    assert (keys(found("flight plan required", k=6)) != plain) is turned


def test_a_reranker_over_the_wire_has_its_say(rules_desk: HashingEmbedding, settings: LazySettings) -> None:
    settings.RULES = {"reranking": {"enabled": False}}
    plain = keys(found("flight plan required", k=3))
    last_first = Ranks(results=((2, 0.9), (0, 0.1), (1, 0.0)))
    settings.RULES = {"rag": {"retrieval": {"rerank_candidates_multiplier": 1}}}
    with VendorServer(last_first) as vendor:
        wired = CohereReranker(api_key="k", base_url=vendor.cohere_url)
        registry.configure_models(chat={}, embedding=lambda: rules_desk, reranker=lambda: wired)
        again = found("flight plan required", k=3)
    assert (sorted(keys(again)), keys(again) == plain, again.degraded) == (sorted(plain), False, "")
    assert len(vendor.received[0].body["documents"]) == 3


@pytest.mark.long
def test_a_reranker_that_answers_nonsense_is_left_out_and_it_is_said(
    rules_desk: HashingEmbedding, settings: LazySettings
) -> None:
    settings.RULES = {"reranking": {"enabled": False}}
    plain = keys(found("flight plan required", k=6))
    settings.RULES = {}
    with VendorServer(Fails(status=500)) as vendor:
        wired = CohereReranker(api_key="k", base_url=vendor.cohere_url, retry=policy(attempts=1))
        registry.configure_models(chat={}, embedding=lambda: rules_desk, reranker=lambda: wired)
        again = found("flight plan required", k=6)
    assert keys(again) == plain
    assert "the reranker rerank-v3.5 failed" in again.degraded


@pytest.mark.long
def test_a_reranker_that_fails_leaves_the_order_that_was_there(
    rules_desk: HashingEmbedding, settings: LazySettings
) -> None:
    settings.RULES = {"reranking": {"enabled": False}}
    plain = keys(found("flight plan required", k=6))
    registry.configure_models(
        chat={}, embedding=lambda: rules_desk, reranker=lambda: Backwards(Unreachable("away"))
    )
    settings.RULES = {}
    assert keys(found("flight plan required", k=6)) == plain


@pytest.mark.long
def test_without_reformulation_nothing_is_added(rules_desk: HashingEmbedding, settings: LazySettings) -> None:
    settings.RULES = {"query_reformulation": {"enabled": False}}
    assert found("where do I clear customs?").wording.formal == ""


def test_the_number_of_questions_and_the_threshold_can_be_set(
    rules_desk: HashingEmbedding, settings: LazySettings
) -> None:
    settings.RULES = {"rag": {"retrieval": {"top_k": 2, "similarity_threshold": 0.0}}}
    assert len(find_rules(RulesSearch(question="rules")).results) == 2
    settings.RULES = {"rag": {"retrieval": {"similarity_threshold": 1.0}}}
    assert find_rules(RulesSearch(question="cake recipes and rules for bakers")).results == ()


def test_nothing_that_fits_is_no_result_and_no_error(rules_desk: HashingEmbedding) -> None:
    response = find_rules(RulesSearch(question="chocolate cake recipe"))
    assert (response.results, response.quality, response.top) == ((), "none", None)


def test_no_rules_loaded_says_what_to_do(rules_desk: HashingEmbedding) -> None:
    RuleQuestion.objects.all().delete()
    with pytest.raises(NoRules, match=r"manage\.py load_rules"):
        found("anything")


@pytest.mark.parametrize(
    "question",
    ["'; DROP TABLE rules_rulequestion; --", "航空規則", "????", "a & | ! ( ' :*", "%s %(x)s", "x " * 1500],
)
def test_any_text_can_be_looked_for(rules_desk: HashingEmbedding, question: str) -> None:
    assert len(found(question, "FR").results) <= len(QUESTIONS)
    assert RuleQuestion.objects.count() == len(QUESTIONS)


def test_the_shape_is_the_contracts(rules_desk: HashingEmbedding) -> None:
    told = found("initial call for FIS", "FR", "DE").to_dict()
    assert set(told) >= {"countries", "quality", "results"}
    best = told["results"][0]
    assert set(best) >= {"question", "category", "tags", "score", "answers"}
    assert best["question"] == FIS
    assert set(best["answers"]["FR"]) >= {"text", "links", "missing"}
    assert best["answers"]["DE"]["missing"] is True
    assert replace(found("x"), results=()).to_dict()["quality"]["top"] is None
    assert NOTICE
