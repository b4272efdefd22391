"""The keyword leg: a rare word outweighs a common one, a second time counts less than the first, a long passage less
than a short one, and a heading more than the text."""

import pytest

from knowledge.retrieval.search import search
from knowledge.retrieval.values import SearchRequest
from tests.doubles.library import MODEL, make_chunk

pytestmark = pytest.mark.django_db


def lexical(query: str) -> dict[str, float]:
    response = search(SearchRequest(query=query, arm="lexical", threshold=0.0, k=20), MODEL)
    return {one.section: one.lexical for one in response.results}


def test_a_rare_word_outweighs_a_common_one() -> None:
    make_chunk("The magneto drops.", section="rare")
    make_chunk("The airplane climbs.", section="common")
    for number in range(6):
        make_chunk(f"An airplane of type{number}.", section=f"other{number}")
    found = lexical("airplane magneto")
    assert found["rare"] > found["common"]


def test_often_counts_for_more_but_less_each_time() -> None:
    for times in (1, 2, 8):
        make_chunk("magneto " * times, section=str(times))
    make_chunk("Nothing of the kind.", section="none")
    found = lexical("magneto")
    assert found["1"] < found["2"] < found["8"] < 4 * found["1"]


def test_a_long_passage_counts_for_less() -> None:
    make_chunk("magneto check", section="short")
    make_chunk("magneto " + " ".join(f"word{number}" for number in range(200)), section="long")
    make_chunk("Nothing of the kind.", section="none")
    found = lexical("magneto")
    assert found["short"] > found["long"] > 0


def test_the_heading_counts_for_more() -> None:
    make_chunk("Switch each off in turn.", section="headed", heading="Magneto")
    make_chunk("Switch each magneto off in turn.", section="plain")
    make_chunk("Nothing of the kind.", section="none")
    found = lexical("magneto")
    assert found["headed"] > found["plain"]


def test_a_word_that_stands_nowhere_makes_a_passage_less_of_an_answer() -> None:
    make_chunk("The magneto drops.", section="rare")
    make_chunk("Nothing of the kind.", section="none")
    assert lexical("magneto zeppelin")["rare"] < lexical("magneto")["rare"]
