"""Definitions are drawn as definitions: "means" sentences, lists below a term, and the entries of a glossary."""

from typing import Any

import pytest

from curation.extraction import extract_from
from curation.offline.definitions import is_definition, term_of
from curation.offline.extractor import extract_drafts
from curation.values import ClaimFound, Material
from llm.offline import OfflineChatModel


def drawn(text: str, **fields: str) -> dict[str, ClaimFound]:
    values: dict[str, Any] = {"section": "7.1", "doc_type": "cfr", **fields}
    material = Material(text=text, **values)
    found = extract_from(material, OfflineChatModel({"extractor": extract_drafts})).claims
    return {claim.statement: claim for claim in found}


@pytest.mark.parametrize(
    ("sentence", "term"),
    [
        ("Night means the time between dusk and dawn.", "Night"),
        ("The term “solo flight” means that flight time during which a student is alone.", "solo flight"),
        ("A VFR corridor is defined as airspace through Class B airspace.", "VFR corridor"),
        ("Category, as used with respect to airmen, means a broad classification of aircraft.", "Category"),
        ("“Trip,” as used in § 7.3, means a flight and the way back.", "Trip"),
        ("By means of a checklist the pilot verifies the flaps.", ""),
        ("This means that the pilot must land.", ""),
        ("The following means may be used to secure the load.", ""),
        ("The approved means is a placard in view of the pilot.", ""),
        ("Other means: a radio or a light signal.", ""),
        ("The following means: a radio or a light signal.", ""),
        ("Unmanned means not carrying a person.", "Unmanned"),
        ("Any attempt to take off below that speed means that the airplane could stall.", ""),
        ("For further limitations, refer to the handbook.", ""),
        ("Each pilot must know what a red light means to an aircraft on the ground.", ""),
    ],
)
def test_a_definition_names_its_term(sentence: str, term: str) -> None:
    assert is_definition(sentence) == bool(term)
    assert term_of(sentence) == term


def test_definitions_are_claims_of_their_own_category() -> None:
    found = drawn("Night means the time between dusk and dawn.\nEach member must wave at every guest.")
    assert {claim.category for claim in found.values()} == {"definition", "regulatory_claim"}


def test_a_list_below_a_term_is_one_definition() -> None:
    found = drawn(
        "(b) For this part:\n\nClub rocket means a rocket that:\n\n(1) Is unmanned; and\n(2) Stays low."
    )
    (claim,) = found.values()
    assert claim.statement == "Club rocket means a rocket that is unmanned; and stays low."
    assert claim.key_facts["cfr_reference"] == "14 CFR 7.1(b)"


GLOSSARY = {"doc_type": "other", "document": "P/CG", "section": ""}
ABEAM = "An aircraft is “abeam” a fix when that fix is approximately 90 degrees from its track."


@pytest.mark.parametrize("text", [ABEAM, f"ABEAM\n\n{ABEAM}\n\n(See FIX.)"])
def test_a_glossary_s_term_becomes_a_definition(text: str) -> None:
    (claim,) = drawn(text, **GLOSSARY, heading="ABEAM").values()
    assert (claim.key_facts["term"], claim.category) == ("ABEAM", "definition")
    assert claim.statement == f"ABEAM: {ABEAM}"
    assert claim.quotes == (ABEAM,)


@pytest.mark.parametrize(
    ("heading", "text"),
    [("AAI", "AAI\n\n(See ARRIVAL AIRCRAFT INTERVAL.)"), ("Letter A", ABEAM), ("AAI", "AAI")],
)
def test_what_says_nothing_of_a_term_is_none(heading: str, text: str) -> None:
    found = drawn(text, **GLOSSARY, heading=heading)
    assert not [claim for claim in found.values() if claim.statement.startswith(heading)]
