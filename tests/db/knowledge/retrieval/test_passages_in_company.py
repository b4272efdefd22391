"""Where one thing is asked, a passage that resembles the best ones comes before one that does not."""

import pytest

from knowledge.retrieval.candidates import Search, rank_passages
from knowledge.retrieval.query.builder import Asked, build_query
from knowledge.retrieval.searchable import Scope
from knowledge.retrieval.values import Arm, Filters
from tests.doubles.library import MODEL, make_chunk

pytestmark = pytest.mark.django_db
QUESTION = "minimum fuel reserve"
COMPANY = "airplane cruising landing"


def scores(company: bool, arm: Arm = "hybrid") -> dict[str, float]:
    chunks = {
        name: make_chunk(f"{text}.").pk
        for name, text in {
            "best": f"Minimum fuel reserve {COMPANY}",
            "second": f"Fuel reserve minimum {COMPANY}",
            "third": f"Reserve fuel minimum {COMPANY}",
            "alike": f"Fuel before {COMPANY}",
            "alone": "Fuel before painting wooden fences",
        }.items()
    }
    query = build_query(Asked(text=QUESTION))
    search = Search(
        scope=Scope(tenant=None, model=MODEL.name),
        vector=MODEL.embed_query(query.semantic),
        terms=query.terms,
        numbers=(),
        filters=Filters(),
        arm=arm,
        k=20,
        floor=0.0,
        company=company,
    )
    found = {ranked.chunk_id: ranked.score for ranked in rank_passages(search)}
    return {name: found[pk] for name, pk in chunks.items()}


def test_without_company_both_are_as_good() -> None:
    found = scores(company=False)
    assert found["alike"] == pytest.approx(found["alone"])


def test_with_company_the_one_that_resembles_the_best_is_better() -> None:
    found = scores(company=True)
    assert found["best"] > found["alike"] > found["alone"]


def test_a_leg_by_itself_has_no_company() -> None:
    assert scores(company=True, arm="vector")["alike"] == pytest.approx(
        scores(company=False, arm="vector")["alone"]
    )


def test_one_question_has_company_and_two_have_none() -> None:
    assert build_query(Asked(text="How much fuel by day?")).asks_one
    assert not build_query(Asked(text="How much fuel by day? Who has the right of way?")).asks_one
    assert not build_query(Asked(question="How much fuel by day?", answer="30 minutes.")).asks_one
