"""Which figures a text names, and what a caption calls its own."""

import pytest

from knowledge.ingestion.layout.figure_labels import CAPTION, key_of, label_of, mentions_in, without_label


def figures_named(text: str) -> set[str]:
    return {key for mention in mentions_in(text) for key in mention.keys}


NAMED = [
    ("See Figure 15-1.", {"f15-1"}),
    ("Figures 15-1 and 15-2", {"f15-1", "f15-2"}),
    ("Figures 4-1, 4-2, and 4-3", {"f4-1", "f4-2", "f4-3"}),
    ("Figures 4-1 through 4-4", {"f4-1", "f4-2", "f4-3", "f4-4"}),
    ("Figures 9 to 11", {"f9", "f10", "f11"}),
    ("(See FIG 3-2-1.) TBL 3-1-1", {"f3-2-1", "t3-1-1"}),
    ("[Figures 12-3 and Figure 12-4]", {"f12-3", "f12-4"}),
    ("Fig. 3-4, Fig. 3-5", {"f3-4", "f3-5"}),
    ("Figure 15–2", {"f15-2"}),
    ("figure 4-5A or table A-1", {"f4-5a", "ta-1"}),
    ("Table 3.1 shows", {"t3.1"}),
    ("Figure 15-10 is not 15-1", {"f15-10"}),
    ("Figure 3 and 4 knots", {"f3"}),
    ("Figure 1 to 5 knots", {"f1"}),
    ("14 CFR 91.155", set()),
    ("the figure shows 12 configurations", set()),
]


@pytest.mark.parametrize(("text", "keys"), NAMED)
def test_each_mention_names_its_figures(text: str, keys: set[str]) -> None:
    assert figures_named(text) == keys


FOREIGN = [
    "(Refer to FAA-CT-8080-2H, Figure 26, area 4.)",
    "Figure 5-4 of the Airplane Flying Handbook",
    "see figure 6 in the PHAK.",
    "AIM Figure 3-2-1",
    "The Pilot’s Handbook of Aeronautical Knowledge, Figure 4-4",
    "AC 90-66C, Appendix A, Figure 1",
    "Figure 20, area 3, of the Testing Supplement",
]


@pytest.mark.parametrize("text", FOREIGN)
def test_figures_of_another_publication_are_not_ours(text: str) -> None:
    assert figures_named(text) == set()


OURS = [
    "as the AIM says (Figure 3-1)",
    "It is in the AIM. Figure 3-1 shows it.",
    "Figure 3-1 of this Handbook",
]


@pytest.mark.parametrize("text", OURS)
def test_a_publication_nearby_takes_no_figure_away(text: str) -> None:
    assert figures_named(text) == {"f3-1"}


CAPTIONS = [
    ("Figure 20.—Sectional Chart Excerpt.", "Figure 20", "Sectional Chart Excerpt."),
    ("FIG 3-2-1\nAirspace", "Figure 3-2-1", "Airspace"),
    ("Table A-1: Limits", "Table A-1", "Limits"),
    ("Figure 4-5A. Left wing", "Figure 4-5A", "Left wing"),
    ("Airspace profile", "", "Airspace profile"),
]


@pytest.mark.parametrize(("text", "label", "rest"), CAPTIONS)
def test_what_a_caption_calls_its_figure(text: str, label: str, rest: str) -> None:
    assert (label_of(text), without_label(text)) == (label, rest)


@pytest.mark.parametrize(
    ("text", "is_caption"),
    [
        ("Figure 15-1. A", True),
        ("Table A-1: B", True),
        ("Figure 2-1 shows", False),
        ("Figure 2 shows", False),
        ("Figure 2 - Lift", True),
    ],
)
def test_a_caption_is_told_from_a_sentence(text: str, is_caption: bool) -> None:
    assert bool(CAPTION.match(text)) is is_caption


def test_names_are_compared_without_their_print() -> None:
    assert key_of("Figure 15-2") == "f15-2"
