"""Sentences that cannot be a claim by themselves are refused with the reason."""

import pytest

from curation.offline.claim_filters import refusal_for


@pytest.mark.parametrize(
    "sentence",
    [
        "The operator must ensure that this aircraft is inspected before flight.",
        "Pilots should advise that such equipment is available.",
        "The pilot must verify that these instruments work.",
        "A pilot must wait, except for those in that class.",
        "The procedure must be followed.",
        "The following phrase may be used by a guide.",
        "The pilot must depart within 5 minutes, except for (d) below.",
        "The guide must be able to perform those duties.",
        "Each guide must mark each such excerpt in the logbook.",
    ],
)
def test_a_sentence_that_points_at_a_thing_outside_is_refused(sentence: str) -> None:
    assert refusal_for(sentence) == "points at something outside the sentence"


@pytest.mark.parametrize(
    "sentence",
    [
        "The pilot's certificate must be signed.",
        "The 2-day training must be completed.",
        "A person must land within that 120-day period.",
        "A pilot must be present during this 100-hour inspection.",
    ],
)
def test_whose_certificate_or_which_period_it_is_names_the_thing(sentence: str) -> None:
    assert refusal_for(sentence) == ""


@pytest.mark.parametrize(
    "sentence",
    [
        "No guest may fly the club's glider unless has been signed by a guide.",
        "No guest may fly below if no height is marked on the chart, a height of 500 feet.",
        "A guide must show a plan that names each member of the club, except.",
    ],
)
def test_a_sentence_that_lacks_words_is_cut_off(sentence: str) -> None:
    assert refusal_for(sentence) == "cut off"


def test_a_rule_for_controllers_is_none_for_pilots() -> None:
    assert refusal_for("Controllers must always repeat the whole clearance.").startswith(
        "speaks of the authority"
    )
    assert refusal_for("If a member is ill, then the Administrator may limit the card.").startswith(
        "speaks of the authority"
    )
    assert refusal_for("The controller should be advised of it by the pilot at once.") == ""
