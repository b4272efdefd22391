"""Whatever a model answers, a claim is kept only if its quote stands and its facts agree."""

import pytest

from curation.extraction import extract_from
from curation.values import DraftClaim, DraftClaims, ExtractionResult, Material
from llm.offline import OfflineChatModel

TEXT = (
    "(a) Each member must log a flight within 2 days after landing. No member may fly a club "
    "airplane at night."
)
MATERIAL = Material(text=TEXT, section="7.12", heading="Logs", doc_type="cfr", edition_date="2024-05-01")
LOG = "Each member must log a flight within 2 days after landing."
NIGHT = "No member may fly a club airplane at night."


def answered(statement: str, *quotes: str) -> ExtractionResult:
    draft = DraftClaims(claims=[DraftClaim(statement=statement, quotes=list(quotes), path="(a)")])
    return extract_from(MATERIAL, OfflineChatModel({"extractor": lambda material: draft}))


def test_a_true_claim_is_kept_with_facts_read_from_its_words() -> None:
    result = answered(LOG, LOG)
    (claim,) = result.claims
    assert claim.key_facts["numbers"] == ["not more than 2 days"]
    assert claim.key_facts["cfr_reference"] == "14 CFR 7.12(a)"
    assert claim.key_facts["modality"] == "must"
    assert claim.key_facts["effective_date"] == "2024-05-01"
    assert (result.provider, bool(result.prompt_version)) == ("offline", True)


@pytest.mark.parametrize(
    ("statement", "quote", "reason"),
    [
        (LOG, "Each member should log a flight within 2 days after landing.", "a quote that does not stand"),
        ("Each member must log a flight within 3 days after landing.", LOG, "facts differ from the quote"),
        ("Each member must log a flight within 2 hours after landing.", LOG, "facts differ from the quote"),
        ("Each member is not required to log a flight within 2 days after landing.", LOG, "facts differ"),
        ("A member may fly a club airplane at night.", NIGHT, "facts differ from the quote"),
        ("No member may fly a club airplane by day.", NIGHT, "facts differ from the quote"),
        (
            "Each member must log a flight and wash the airplane with 9 gallons of water.",
            LOG,
            "a number that",
        ),
        ("Each member must polish every propeller and window of the hangar.", LOG, "words that the quote"),
        ("It must be logged within 2 days after landing.", LOG, "points at something outside"),
        (
            "Under § 7.12 (pirates), each member must log a flight within 2 days after landing.",
            LOG,
            "headings that",
        ),
    ],
)
def test_what_a_model_makes_up_is_refused_and_counted(statement: str, quote: str, reason: str) -> None:
    result = answered(statement, quote)
    assert result.claims == ()
    assert [found for found in result.refused if found.startswith(reason)], result.refused


def test_the_same_statement_is_one_claim() -> None:
    draft = DraftClaim(statement=LOG, quotes=[LOG])
    model = OfflineChatModel({"extractor": lambda material: DraftClaims(claims=[draft, draft])})
    assert len(extract_from(MATERIAL, model).claims) == 1
