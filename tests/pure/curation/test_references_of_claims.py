"""A claim's reference is its whole paragraph path: of 40 claims drawn from parts 61 and 91 all are right, as a person
read them. The references are kept by the sha256 of the statement, without the FAA's words."""

import json
from pathlib import Path

import pytest

from curation.extraction import extract_from
from curation.offline.extractor import extract_drafts
from curation.offline.references import resolve_references
from curation.offline.section_text import join_passages
from curation.values import Material
from llm.offline import OfflineChatModel
from tests.doubles.regulation_claims import claims_of_part, part_file, sha

JUDGED: dict[str, str] = json.loads(
    (Path(__file__).resolve().parents[2] / "data" / "claims_references_judged.json").read_text()
)
SEED = "reference: "

PASSAGES = (
    "§ 7.12 Club flying.\n\n(a) Taxi. No member may taxi unless the brakes work.\n(h) Logs. (1) Each member must log a"
    " flight.\n(2) A guest must log a flight who—\n(i) Pays for the fuel; or",
    "(i) Pays for the fuel; or\n(ii) Sits in front.\n(i) Papers. (1) Each member must carry a badge.\n(2) A guest must"
    " carry a letter of the board.",
)


@pytest.mark.long  # it extracts two parts
@pytest.mark.shared
@pytest.mark.skipif(not part_file(91).exists(), reason="../shared/data/faa/cfr is not there")
def test_drawn_claims_have_the_reference_that_a_person_reads() -> None:
    claims = [
        claim
        for part in (61, 91)
        for material, claim in claims_of_part(part)
        if material.section[:1].isdigit()
    ]
    drawn = sorted(claims, key=lambda claim: sha(SEED + claim.statement))[:40]
    known = [claim for claim in drawn if sha(claim.statement) in JUDGED]
    assert len(known) >= 38, "the draw changed: read the new claims and judge their references"
    drawn_references = {sha(claim.statement): claim.key_facts["cfr_reference"] for claim in known}
    assert drawn_references == {digest: JUDGED[digest] for digest in drawn_references}


def references(place: int) -> dict[str, str]:
    whole, starts = join_passages(PASSAGES)
    material = Material(
        text=PASSAGES[place],
        heading="Club flying",
        section="7.12",
        doc_type="cfr",
        section_text=whole,
        start=starts[place],
    )
    found = extract_from(material, OfflineChatModel({"extractor": extract_drafts}))
    return {claim.statement: claim.key_facts["cfr_reference"] for claim in found.claims}


def test_a_paragraph_is_named_whole_though_its_parents_stand_in_another_passage() -> None:
    found = references(1)
    assert found["Each member must carry a badge."] == "14 CFR 7.12(i)(1)"
    assert "14 CFR 7.12(i)(2)" in found.values()


def test_an_item_is_joined_with_a_lead_in_of_another_passage() -> None:
    assert "14 CFR 7.12(h)(2)(ii)" in references(1).values()


def test_passages_are_joined_without_what_stands_in_both() -> None:
    whole, (_, start) = join_passages(PASSAGES)
    assert whole.count("Pays for the fuel") == 1
    assert whole[start:] == PASSAGES[1]


def test_paragraphs_and_subparts_are_named_in_full() -> None:
    said = (
        "Flights of paragraphs (b) (3) and (7) and (c)(1) of this section and of this subpart must be logged."
    )
    assert resolve_references(said, "7.12", "(d)", "Subpart K—Clubs") == (
        "Flights of § 7.12(b)(3) and (7) and (c)(1) and of subpart K of part 7 must be logged."
    )
