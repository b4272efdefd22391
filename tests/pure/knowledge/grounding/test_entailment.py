"""A claim is supported by a passage if the model is sure enough of it and no fact disagrees."""

import pytest

from benchmarks.entailment import FAA, read_pairs
from knowledge.grounding.entailment import check_entailment
from knowledge.text.sentences import Sentence, sentences_in

PASSAGE = (
    "The club's airplanes must be fuelled before the last flight of the day. No member may fly a "
    "club airplane at "
    "night unless the member has flown at least three hours at night with an instructor within "
    "the preceding 12 "
    "calendar months. During the day, each member must keep a reserve of at least 40 minutes; at "
    "night the reserve is "
    "60 minutes. Members may park on the grass."
)


@pytest.mark.parametrize(
    "claim",
    [
        "By day each member has to keep at least 40 minutes in reserve.",
        "Club airplanes must be fuelled before the last flight of the day.",
        "Members are allowed to park on the grass.",
        "Leave your machine on the grass if you like.",
    ],
)
def test_supported(claim: str) -> None:
    assert check_entailment(claim, PASSAGE).supported


@pytest.mark.parametrize("sentence", sentences_in(PASSAGE), ids=lambda one: one.text[:20])
def test_sentence_of_the_passage_is_supported(sentence: Sentence) -> None:
    assert check_entailment(sentence.text, PASSAGE).supported


@pytest.mark.parametrize(
    "claim",
    [
        "During the day a member must keep a reserve of 30 minutes.",
        "During the day a member must keep a reserve of 60 minutes.",
        "At night the reserve is 60 hours.",
        "Members may not park on the grass.",
        "Club airplanes need not be fuelled before the last flight of the day.",
        "Members must park on the grass within 20 meters of the fence.",
        "The airplanes must be fuelled after the last flight of the day.",
        "Landing fees are paid at the office.",
        "",
    ],
)
def test_not_supported(claim: str) -> None:
    result = check_entailment(claim, PASSAGE)
    assert not result.supported
    assert result.reasons


def test_every_sentence_of_a_claim_wants_support() -> None:
    assert not check_entailment(
        "Members may park on the grass. The grass is cut on Mondays.", PASSAGE
    ).supported


def test_a_fact_that_disagrees_is_final() -> None:
    result = check_entailment("At night the reserve is 60 hours.", PASSAGE)
    assert not result.supported
    assert "unit" in result.reasons[0]


def test_a_claim_of_very_many_sentences_is_refused() -> None:
    result = check_entailment("Members may park on the grass. " * 21, PASSAGE)
    assert not result.supported
    assert result.reasons == ("a claim of more than 20 sentences is not checked",)


def test_a_long_passage_is_read_to_its_end() -> None:
    filler = "The clubhouse has a kitchen, a briefing room, and a terrace with a view of the runway. " * 30
    claim = "Members are allowed to park on the grass."
    assert check_entailment(claim, f"{filler} {PASSAGE}").supported
    assert not check_entailment(claim, filler).supported


@pytest.mark.long  # it reads ten documents
@pytest.mark.shared
@pytest.mark.skipif(not FAA.is_dir(), reason="../shared/data/faa is not there")
def test_free_text_is_judged_better_than_by_chance() -> None:
    """A sample of the pairs that `python -m benchmarks entailment` measures; words and facts alone get 0.58."""
    right: dict[bool, list[bool]] = {True: [], False: []}
    for pair in read_pairs()[False][::8]:
        found = check_entailment(pair.claim, pair.passage).supported
        right[pair.supported].append(found == pair.supported)
    assert sum(sum(some) / len(some) for some in right.values()) / 2 > 0.65
