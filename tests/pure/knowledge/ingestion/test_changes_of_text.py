"""How much of a text changed, and what asks for chunking it anew."""

import pytest

from knowledge.ingestion.chunking.diff import Chunking, changed_share, reason_to_rechunk

NOW = Chunking(strategy="fixed-800-100", model="small")
SENTENCES = [f"Rule number {number} asks for {number + 20} feet of room." for number in range(10, 20)]


def edited(count: int) -> list[str]:
    return [text.replace("feet", "yards") if at < count else text for at, text in enumerate(SENTENCES)]


@pytest.mark.parametrize("count", [0, 1, 3, 5, 10])
def test_the_share_is_that_of_the_sentences(count: int) -> None:
    share = changed_share([" ".join(SENTENCES)], [" ".join(edited(count))])
    assert share == pytest.approx(count / 10, abs=0.02)


def test_order_white_space_and_the_borders_of_passages_are_no_change() -> None:
    assert changed_share([" ".join(SENTENCES)], list(reversed(SENTENCES))) == 0.0
    assert changed_share(["A rule\nof two lines."], ["A rule of  two lines."]) == 0.0


def test_nothing_is_not_changed_and_something_new_is() -> None:
    assert changed_share([], []) == 0.0
    assert changed_share([], SENTENCES) == 1.0


@pytest.mark.parametrize(
    ("before", "changed", "reason"),
    [
        (NOW, 0.0, ""),
        (NOW, 0.30, ""),
        (NOW, 0.31, "31% of it changed"),
        (Chunking(strategy="fixed-512-50", model="small"), 0.0, "divided by fixed-512-50"),
        (Chunking(strategy="semantic-0.35", model="small"), 0.0, "divided by semantic-0.35"),
        (Chunking(strategy="fixed-800-100", model="large"), 0.0, "counted in tokens of large"),
        (Chunking(strategy="", model=""), 0.0, "it was never divided"),
    ],
)
def test_only_these_ask_for_chunking_anew(before: Chunking, changed: float, reason: str) -> None:
    told = reason_to_rechunk(before, NOW, changed)
    assert told.startswith(reason)
    assert bool(told) == bool(reason)
