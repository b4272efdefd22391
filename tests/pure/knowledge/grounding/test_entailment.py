"""A claim is supported by a passage if facts agree, numbers are stated and the words are there."""

import pytest

from knowledge.grounding.entailment import check_entailment

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
        "During the day a member must keep a reserve of 40 minutes.",
        "At night the reserve is one hour.",
        "Club airplanes must be fuelled before the last flight of the day.",
        "To fly a club airplane at night a member must have flown three hours at night with an instructor.",
        "Members are allowed to park on the grass.",
    ],
)
def test_supported(claim: str) -> None:
    assert check_entailment(claim, PASSAGE).supported


@pytest.mark.parametrize(
    "claim",
    [
        "During the day a member must keep a reserve of 30 minutes.",
        "During the day a member must keep a reserve of 60 minutes.",
        "At night the reserve is 60 hours.",
        "Members may not park on the grass.",
        "Club airplanes need not be fuelled before the last flight of the day.",
        "Members must park on the grass within 20 meters of the fence.",
        "The instructor pays for the fuel.",
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


def test_a_near_meaning_may_stand_in_for_words_but_not_for_a_number() -> None:
    said = "Leave your machine on the lawn if you like."
    assert not check_entailment(said, PASSAGE).supported
    assert check_entailment(said, PASSAGE, similarity=0.9).supported
    assert not check_entailment("Keep 90 minutes on the lawn.", PASSAGE, similarity=0.95).supported
