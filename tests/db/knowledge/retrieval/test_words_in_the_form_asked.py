"""The index holds stems; of two passages with a word, the one that has it in the form that was asked comes first."""

import pytest

from knowledge.retrieval.search import search
from knowledge.retrieval.values import SearchRequest
from tests.doubles.library import MODEL, make_chunk

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("is_narrow", [True, False])
def test_the_form_that_was_asked_comes_first(is_narrow: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not is_narrow:
        monkeypatch.setattr("knowledge.conf.EXACT_ROWS", 0)
    make_chunk("The operation is recorded.")
    asked = make_chunk("The OPERATOR is recorded.")
    heading = make_chunk("It is recorded.", heading="Operator")
    request = SearchRequest(query="operator", arm="lexical", threshold=0.0, recorded=False)
    found = search(request, MODEL).results
    assert len(found) == 3
    assert {one.chunk_id for one in found[:2]} == {asked.pk, heading.pk}


def test_where_several_things_are_asked_any_form_will_do() -> None:
    for text in ("The operation is recorded.", "The operator is recorded."):
        make_chunk(text)
    query = "Who is an operator? It was late. Where does he keep it?"
    found = search(SearchRequest(query=query, arm="lexical", threshold=0.0, recorded=False), MODEL).results
    assert len({one.score for one in found}) == 1
    assert len(found) == 2
