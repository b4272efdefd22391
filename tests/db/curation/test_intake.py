"""Claims come in once, with their evidence, and never over a reviewer's decision."""

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from curation.intake import take_in_chunk
from curation.models import Claim
from curation.review import reject_claim
from knowledge.grounding.citations import find_quote
from knowledge.models import Chunk, ConceptChunkEvidence, Document
from tests.doubles.claims import EXTRACTOR, RULES, make_claims, make_rules_chunk, make_user
from tests.doubles.library import make_tenant

pytestmark = pytest.mark.django_db


def test_claims_are_pending_with_quotes_that_stand_in_the_chunk() -> None:
    claims = make_claims()
    assert {claim.validation_status for claim in claims} == {"pending"}
    assert len(claims) == 4
    for row in ConceptChunkEvidence.objects.all():
        assert find_quote(row.chunk.text, row.quote)


def test_an_item_is_primary_evidence_and_its_lead_in_secondary() -> None:
    make_claims()
    claim = Claim.objects.get(name__contains="30 feet")
    kinds = {row.evidence_type: row.quote for row in claim.evidence.all()}
    assert kinds["primary"].startswith("The marshaller has given a signal")
    assert kinds["secondary"].startswith("No member may taxi")


def test_drawing_twice_adds_nothing() -> None:
    make_claims()
    before = (Claim.objects.count(), ConceptChunkEvidence.objects.count())
    assert take_in_chunk(Chunk.objects.get(), EXTRACTOR) == 0
    assert (Claim.objects.count(), ConceptChunkEvidence.objects.count()) == before


def test_another_passage_that_says_the_same_is_further_evidence() -> None:
    chunk = make_rules_chunk()
    take_in_chunk(chunk, EXTRACTOR)
    other = make_rules_chunk(
        "(b) Each member must log a flight within 2 days after landing.", document=chunk.document
    )
    assert take_in_chunk(other, EXTRACTOR) == 0
    assert Claim.objects.get(name__contains="2 days").evidence.count() == 2


def test_a_passage_within_a_numbered_paragraph_of_a_special_regulation_is_cited_by_it() -> None:
    path = ["14 CFR Part 7", "Special Federal Aviation Regulation No. 7—Lamps", "Sections"]
    first = make_rules_chunk(
        "1. Scope.\n2. Lamps.\n1. Scope. Members are bound.\n2. Lamps.\n(a) Lamps hang there."
    )
    second = make_rules_chunk("(b) Each member must light a lamp at dusk.", document=first.document)
    for index, chunk in enumerate((first, second)):
        Chunk.objects.filter(pk=chunk.pk).update(
            section="", heading="Sections", section_path=path, index=index
        )
    second.refresh_from_db()
    take_in_chunk(second, EXTRACTOR)
    reference = Claim.objects.get(name__contains="dusk").key_facts["cfr_reference"]
    assert reference.endswith("Special Federal Aviation Regulation No. 7, paragraph 2(b)")


def test_what_a_reviewer_rejected_stays_rejected() -> None:
    claim = make_claims()[0]
    reject_claim(claim.pk, make_user("reviewer"), version=claim.version, reason="No rule.")
    take_in_chunk(Chunk.objects.get(), EXTRACTOR)
    claim.refresh_from_db()
    assert claim.validation_status == "rejected"


def test_a_school_s_claims_are_its_own() -> None:
    tenant = make_tenant()
    chunk = make_rules_chunk()
    Document.objects.filter(pk=chunk.document_id).update(tenant=tenant)
    chunk.document.refresh_from_db()
    take_in_chunk(chunk, EXTRACTOR)
    assert {claim.tenant for claim in Claim.objects.all()} == {tenant}


def output(*arguments: str) -> Any:
    stdout = io.StringIO()
    call_command(*arguments, "--json", stdout=stdout)
    return json.loads(stdout.getvalue())


def test_the_commands_print_json() -> None:
    chunk = make_rules_chunk(RULES + "\n(d) Badge means a card.\n(e) This must be kept.")
    found = output("extract_claims", "--document", str(chunk.document_id))
    assert (found["chunks"], found["claims"], found["new"]) == (1, 5, 5)
    assert found["refused"] == sum(found["reasons"].values()) == 1
    listed = output("claims", "--status", "pending")
    wanted = {"id", "statement", "priority", "status", "key_facts", "document", "page", "page_label", "quote"}
    assert len(listed) == 5
    assert wanted <= set(listed[0])
    assert output("claims", "--status", "rejected") == []
    assert output("extract_claims")["new"] == 0


@pytest.mark.parametrize(
    "arguments", [("extract_claims", "--document", "nobody"), ("claims", "--status", "maybe")]
)
def test_a_wrong_argument_says_so(arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError):
        output(*arguments)
