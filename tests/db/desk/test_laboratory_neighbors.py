"""The laboratory shows what stands beside a found passage, and whether an answer is split across two."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from desk.views.laboratory import compare_words, neighbors_of
from knowledge.models.tenancy import Role
from knowledge.retrieval.explain import explain_search
from knowledge.retrieval.query.builder import Term
from knowledge.retrieval.values import SearchRequest
from tests.doubles.claims import make_user
from tests.doubles.library import MODEL, make_chunk, make_document

pytestmark = pytest.mark.django_db
FIRST = "The oxygen rule says at which cabin altitude the crew"
SECOND = "uses supplemental oxygen, and when passengers are provided with it."


@pytest.fixture(autouse=True)
def _library() -> None:
    document = make_document("Oxygen")
    for text in ("Parachutes are repacked.", FIRST, SECOND, "Nothing else stands here."):
        make_chunk(text, document)


def test_neighbors_are_read_in_two_queries_with_what_they_add() -> None:
    explanation = explain_search(SearchRequest(query="cabin altitude and passengers", threshold=0.0), MODEL)
    with CaptureQueriesContext(connection) as queries:
        found = neighbors_of(explanation)
    assert len(queries) == 2
    pk = next(row.found.chunk_id for row in explanation.rows if row.found.text == FIRST)
    before, after = found[pk]
    assert (before.side, before.adds, before.splits) == ("before", (), False)
    assert (after.side, after.chunk.text, after.splits) == ("after", SECOND, True)
    assert after.adds == ("passengers",)


def test_the_page_says_that_an_answer_may_be_split(client: Client) -> None:
    client.force_login(make_user("olga", Role.OPERATOR))
    page = client.get("/operations/search/", {"q": "cabin altitude and passengers"}).content.decode()
    assert "the answer may be split across two passages" in page


@pytest.mark.parametrize(
    ("text", "beside", "expected"),
    [
        ("a b", "", ((), False)),
        ("a", "b", (("b",), True)),
        ("a", "a", ((), False)),
        ("", "a b", (("a", "b"), False)),
    ],
)
def test_a_split_needs_both(text: str, beside: str, expected: tuple[tuple[str, ...], bool]) -> None:
    assert compare_words([Term(("a",)), Term(("b",))], text, beside) == expected
