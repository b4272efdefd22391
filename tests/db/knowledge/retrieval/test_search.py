"""A search through its one door: what it finds, what it says of itself, what it writes down."""

import pytest
from waffle.testutils import override_flag

from knowledge.graph.skeleton import load_standard
from knowledge.models import RetrievalLog
from knowledge.retrieval.results import context_from
from knowledge.retrieval.search import search
from knowledge.retrieval.values import Filters, SearchRequest, SearchResponse
from knowledge.standards.elements import UnknownElement
from tests.doubles.library import FUEL, LIGHTS, MODEL, WEATHER, make_chunk, make_document, make_tenant
from tests.doubles.standards import small_standard

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def library() -> None:
    make_chunk(WEATHER, section="91.155", heading="Basic VFR weather minimums")
    make_chunk(FUEL, section="91.151", heading="Fuel requirements")
    manual = make_document("Aeronautical Information Manual", abbreviation="AIM", doc_type="aim")
    make_chunk(LIGHTS, manual, section="4-3-13", heading="Light signals", page_start=7, page_label="4-3-13")


def ask(query: str = "", **options: object) -> SearchResponse:
    return search(SearchRequest(query=query, **options), MODEL)  # type: ignore[arg-type]


def sections(response: SearchResponse) -> list[str]:
    return [found.section for found in response.results]


def test_the_right_passage_comes_first_with_its_place() -> None:
    best = ask("green light signal from the tower").results[0]
    assert (best.section, best.label, best.page_start) == ("4-3-13", "AIM 4-3-13", 7)
    assert 0 < best.score <= 1
    assert 0 <= best.similarity <= 1


def test_an_abbreviation_finds_the_spelled_out_words() -> None:
    assert sections(ask("1 SM"))[0] == "91.155"


def test_nothing_is_an_answer_too() -> None:
    response = ask("chocolate cake")
    assert (response.results, response.quality, response.top) == ((), "none", None)
    assert context_from(response).is_empty


def test_k_and_threshold_are_kept() -> None:
    assert len(ask("pilot by day night tower airplane", k=1, threshold=0.0).results) == 1
    assert ask("pilot by day", threshold=0.99).results == ()


def test_a_search_without_words_finds_nothing_and_does_not_fail() -> None:
    assert ask("").results == ()
    assert ask("?!").quality == "none"


@pytest.mark.parametrize("arm", ["lexical", "vector", "hybrid", "hybrid+rerank"])
def test_every_arm_ranks(arm: str) -> None:
    assert sections(ask("fuel for 30 minutes beyond the landing", arm=arm))[0] == "91.151"


def test_what_is_asked_for_is_kept_to() -> None:
    response = ask("by day", threshold=0.0, filters=Filters(doc_types=("aim",)))
    assert sections(response) == ["4-3-13"]


def test_a_poor_result_is_tried_without_what_was_inferred() -> None:
    response = ask("What does the PHAK say of fuel for 30 minutes?")
    assert response.fallback
    assert sections(response)[0] == "91.151"


def test_a_filter_that_was_asked_for_survives_the_second_try() -> None:
    response = ask("What does the PHAK say of fuel?", filters=Filters(doc_types=("aim",)), threshold=0.0)
    assert set(sections(response)) <= {"4-3-13"}


def test_the_element_leads_the_search() -> None:
    load_standard(small_standard())
    assert sections(ask("", element="PA.III.A.K5"))[0] == "4-3-13"


def test_an_unknown_element_is_refused() -> None:
    with pytest.raises(UnknownElement):
        ask("fuel", element="PA.I.Z.K1")


def test_a_school_finds_its_own_and_the_shared_library() -> None:
    school, other = make_tenant("school"), make_tenant("other")
    house = make_document("House rules", doc_type="sop", abbreviation="SOP", tenant=school)
    make_chunk("Solo students carry fuel for 90 minutes.", house, section="H1")
    question = "fuel for minutes"
    assert set(sections(ask(question, tenant=school.pk))) == {"H1", "91.151"}
    assert set(sections(ask(question, tenant=other.pk))) == {"91.151"}
    assert set(sections(ask(question))) == {"91.151"}
    assert set(sections(ask(question, tenant=school.pk, shared=False))) == {"H1"}


def test_every_search_is_written_down() -> None:
    response = ask("green light signal")
    row = RetrievalLog.objects.get()
    assert (row.query, row.quality, row.arm, row.model) == (
        response.query,
        response.quality,
        "hybrid",
        MODEL.name,
    )
    assert [one["chunk_id"] for one in row.results] == [str(found.chunk_id) for found in response.results]


def test_passages_become_the_only_context() -> None:
    context = context_from(ask("green light signal"))
    first = context.passages[0]
    assert first is not None
    assert (first.text, first.label, first.page) == (LIGHTS, "AIM 4-3-13", 7)


def test_the_filter_flag_is_seen() -> None:
    assert ask("§ 91.155").filters
    with override_flag("rag.metadata_filter", active=False):
        off = ask("§ 91.155")
    assert off.filters == {}
    assert sections(off)[0] == "91.155"
