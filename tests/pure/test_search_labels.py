"""How a pilot cites a passage."""

import pytest

from knowledge.retrieval.labels import label_of


@pytest.mark.parametrize(
    ("place", "label"),
    [
        ({"doc_type": "cfr", "abbreviation": "14 CFR 91", "title": "", "section": "91.155"}, "14 CFR 91.155"),
        ({"doc_type": "cfr", "abbreviation": "14 CFR 91", "title": ""}, "14 CFR 91"),
        ({"doc_type": "aim", "abbreviation": "AIM", "title": "", "section": "3-2-6"}, "AIM 3-2-6"),
        (
            {
                "doc_type": "handbook",
                "abbreviation": "PHAK",
                "title": "Pilot’s Handbook, chapter 15: Airspace",
                "page_label": "15-3",
                "page": 3,
            },
            "PHAK ch. 15, p. 15-3",
        ),
        (
            {"doc_type": "handbook", "abbreviation": "PHAK", "title": "x", "page_label": "4-2"},
            "PHAK ch. 4, p. 4-2",
        ),
        (
            {"doc_type": "ac", "abbreviation": "AC 90-66C", "title": "", "section": "10.1", "page": 9},
            "AC 90-66C 10.1, p. 9",
        ),
        ({"doc_type": "other", "abbreviation": "", "title": "House rules"}, "House rules"),
    ],
)
def test_labels(place: dict[str, object], label: str) -> None:
    assert label_of(**place) == label  # type: ignore[arg-type]
