"""A story is searched by what it asks, an answer by what it claims; chatter moves nothing."""

import pytest

from knowledge.graph.skeleton import load_standard
from knowledge.retrieval.cache import embed_texts
from knowledge.retrieval.candidates import part_similarities
from knowledge.retrieval.search import asked_from, fuse_vectors, prepare_search, search
from knowledge.retrieval.searchable import Scope
from knowledge.retrieval.values import Filters, SearchRequest, SearchResponse
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.library import FUEL, LIGHTS, MODEL, WEATHER, make_chunk, make_document, make_tenant
from tests.doubles.standards import small_standard

pytestmark = pytest.mark.django_db
SCOPE = Scope(tenant=None, model=MODEL.name)
QUESTION = "What does a steady green light signal from the tower mean to an aircraft in flight?"
CHATTER = "Pancakes were burnt. My cousin hummed songs. Everybody laughed loudly."


@pytest.fixture(autouse=True)
def library() -> None:
    make_chunk(WEATHER, section="91.155", heading="Basic VFR weather minimums")
    make_chunk(FUEL, section="91.151", heading="Fuel requirements")
    manual = make_document("Aeronautical Information Manual", abbreviation="AIM", doc_type="aim")
    make_chunk(LIGHTS, manual, section="4-3-13", heading="Light signals")


def ask(**fields: object) -> SearchResponse:
    return search(SearchRequest(threshold=0.0, recorded=False, **fields), MODEL)  # type: ignore[arg-type]


def told(response: SearchResponse) -> list[tuple[str, float]]:
    return [(found.section, round(found.score, 6)) for found in response.results]


def embedded(**fields: object) -> str:
    request = SearchRequest(**fields)  # type: ignore[arg-type]
    return prepare_search(request, asked_from(request), SCOPE, MODEL).query.semantic


def test_chatter_around_a_question_moves_nothing() -> None:
    assert told(ask(query=f"{CHATTER} {QUESTION} {CHATTER}")) == told(ask(query=QUESTION))


def test_chatter_instead_of_an_answer_moves_nothing() -> None:
    assert told(ask(question=QUESTION, answer=CHATTER)) == told(ask(question=QUESTION))


def test_of_a_question_something_always_stays() -> None:
    assert embedded(query=CHATTER)


def test_an_answer_of_five_thousand_letters_is_its_claim() -> None:
    load_standard(small_standard())
    claim = "By day the airplane carries fuel for 30 minutes."
    long = f"{CHATTER} " * 35 + claim + f" {CHATTER}" * 35
    assert len(long) > 4900
    asked = {"element": "PA.III.A.K5", "question": QUESTION}
    assert told(ask(**asked, answer=long)) == told(ask(**asked, answer=claim))
    assert claim in embedded(**asked, answer=long)


def test_an_answer_of_four_letters_stands_with_its_question() -> None:
    assert embedded(question="What visibility do you need?", answer="1 SM").endswith("you need? 1 SM")


def test_a_wrong_answer_brings_its_passage_and_does_not_lead() -> None:
    found = [section for section, _ in told(ask(question=QUESTION, answer=FUEL))]
    assert found[:2] == ["4-3-13", "91.151"]


def test_the_element_is_always_in() -> None:
    load_standard(small_standard())
    without = ask(question="Anything else?", answer=CHATTER)
    element = ask(element="PA.III.A.K5", question="Anything else?", answer=CHATTER)
    assert told(element)[0][0] == "4-3-13"
    assert told(element) != told(without)


def test_a_part_is_as_near_as_the_passages_of_the_own_library() -> None:
    school, other = make_tenant("school"), make_tenant("other")
    make_chunk(CHATTER, make_document("House rules", doc_type="sop", tenant=school), section="H1")
    vectors = embed_texts([CHATTER], MODEL)
    own = part_similarities(vectors, Scope(tenant=school.pk, model=MODEL.name))
    assert own[CHATTER] > 0.3
    assert part_similarities(vectors, Scope(tenant=other.pk, model=MODEL.name))[CHATTER] < 0.1


def test_nothing_in_the_library_is_near_to_nothing() -> None:
    nobody = Scope(tenant=None, model=MODEL.name, shared=False)
    assert part_similarities(embed_texts([QUESTION], MODEL), nobody) == {QUESTION: 0.0}


def test_a_search_of_one_sentence_embeds_one_text() -> None:
    model = HashingEmbedding()
    search(SearchRequest(query=QUESTION), model)
    assert model.queries == [QUESTION]


def test_the_sum_of_searches_is_a_search_by_the_sum() -> None:
    one, other = MODEL.embed_query(QUESTION), MODEL.embed_query(FUEL)
    both = fuse_vectors([one, other], [0.7, 0.3])
    for text in (LIGHTS, WEATHER, FUEL):
        passage = MODEL.embed_query(text)
        fused = 0.7 * _cosine(one, passage) + 0.3 * _cosine(other, passage)
        length = sum((0.7 * a + 0.3 * b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5
        assert _cosine(both, passage) == pytest.approx(fused / length)


def test_filters_hold_for_stories_too() -> None:
    response = ask(query=f"{CHATTER} {QUESTION}", filters=Filters(doc_types=("cfr",)))
    assert {found.doc_type for found in response.results} == {"cfr"}


def _cosine(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))
