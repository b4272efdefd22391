"""Sentences that cannot be a claim by themselves are refused with the reason."""

import pytest

from curation.offline.claim_filters import refusal_for


@pytest.mark.parametrize(
    "sentence",
    [
        "The operator must ensure that this aircraft is inspected before flight.",
        "Pilots should advise that such equipment is available.",
        "The pilot must verify that these instruments work.",
    ],
)
def test_a_sentence_that_points_at_a_thing_outside_is_refused(sentence: str) -> None:
    assert refusal_for(sentence) == "points at something outside the sentence"
