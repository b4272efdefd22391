"""A claim whose quote is gone: the reviewer sees why beside what is said now, and places, rewords or retires it."""

from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client

from curation.models import Claim, ReviewDecision
from curation.reading.reanchoring import Lost, lost_for
from curation.review import StaleDecision, reanchor_claim, reject_claim, retire_claim
from curation.selectors import WrongDecision
from knowledge.models import ConceptChunkEvidence, Document
from knowledge.models.graph import EvidenceType
from knowledge.models.tenancy import Role
from tests.doubles import editions
from tests.doubles.claims import make_user
from tests.doubles.editions import claim_on, document_of, feed, sentence

pytestmark = pytest.mark.django_db
QUEUE = "/admin/curation/claim/queue/"
OLD, NEW = sentence(editions.OXYGEN), sentence(editions.OXYGEN_CHANGED)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def stale(folder: Path) -> Claim:
    """The number of minutes changed in the second edition."""
    first = document_of(feed(editions.pdf(folder / "first.pdf")))
    claim = claim_on(first, OLD)
    feed(editions.pdf(folder / "second.pdf", editions.SECOND))
    return again(claim)


def again(claim: Claim) -> Claim:
    return Claim.objects.get(pk=claim.pk)


def lost_of(claim: Claim) -> Lost:
    found = lost_for(claim)
    assert found is not None
    return found


def placed(claim: Claim, **fields: Any) -> dict[str, Any]:
    found = lost_of(claim)
    offer = found.offers[0]
    return {
        "version": claim.version,
        "evidence": found.evidence.pk,
        "chunk": offer.key,
        "quote": offer.quote,
        "statement": offer.statement,
        **fields,
    }


def send(browser: Client, claim: Claim, decision: str, **fields: Any) -> Any:
    return browser.post(f"{QUEUE}{claim.pk}/", {"decision": decision, "version": claim.version, **fields})


def test_the_page_shows_why_and_what_is_said_now_with_the_words_that_differ(
    browser: Client, stale: Claim
) -> None:
    page = browser.get(f"{QUEUE}{stale.pk}/").content.decode()
    assert "is no longer in" in page
    assert "<del>30</del>" in page
    assert "<ins>20</ins>" in page
    assert page.count('class="lit"') >= 2  # the old page and the new one
    for key in "aer1":
        assert f'data-key="{key}"' in page
    assert "superseded edition" in page


def test_one_press_places_it_and_it_counts_again(browser: Client, stale: Claim, reviewer: Any) -> None:
    answer = send(browser, stale, "reanchor", **placed(stale))
    assert answer.status_code == 302
    claim = again(stale)
    assert (claim.validation_status, claim.stale, claim.name) == ("validated", False, NEW)
    row = claim.evidence.get()
    assert (row.quote, row.reviewer) == (NEW, reviewer)
    assert row.chunk.document == Document.objects.get(superseded_by=None)
    decision = ReviewDecision.objects.get()
    assert (decision.decision, decision.reviewer, decision.version_read) == (
        "reanchor",
        reviewer,
        stale.version,
    )
    assert (decision.before["quote"], decision.after["quote"]) == (OLD, NEW)
    assert "20" in str(claim.key_facts["numbers"])


@pytest.mark.long
def test_the_wording_and_the_quote_may_be_edited_on_the_way(browser: Client, stale: Claim) -> None:
    statement = "Above 12,500 feet of cabin pressure altitude the crew must use oxygen after 20 minutes."
    quote = NEW.removesuffix(".")
    send(browser, stale, "reanchor", **placed(stale, statement=statement, quote=quote, reason="shorter"))
    claim = again(stale)
    assert (claim.name, claim.evidence.get().quote) == (statement, quote)
    assert ReviewDecision.objects.get().reason == "shorter"


@pytest.mark.long
@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"quote": "Oxygen is good for everybody."}, "word for word"),
        ({"statement": OLD}, "no longer agrees with its quote"),
        ({"evidence": 999_999}, "does not wait for a new place"),
        ({"chunk": "00000000-0000-0000-0000-000000000000"}, "no longer in force"),
        ({"chunk": ""}, "Choose the passage"),
    ],
)
def test_what_cannot_be_is_refused_and_kept(
    browser: Client, stale: Claim, fields: dict[str, Any], said: str
) -> None:
    answer = send(browser, stale, "reanchor", **placed(stale, **fields))
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert (again(stale).stale, again(stale).evidence.get().quote) == (True, OLD)
    assert not ReviewDecision.objects.exists()


def test_a_decision_on_an_older_reading_is_refused_and_the_text_is_kept(
    browser: Client, stale: Claim
) -> None:
    fields = placed(stale, reason="Twenty is right.")
    Claim.objects.filter(pk=stale.pk).update(version=stale.version + 1)
    answer = send(browser, stale, "reanchor", **fields)
    assert answer.status_code == 409
    assert "Twenty is right." in answer.content.decode()
    assert again(stale).evidence.get().quote == OLD


@pytest.mark.long
def test_retiring_says_why_and_leaves_a_row(browser: Client, stale: Claim) -> None:
    send(browser, stale, "retire", reason="The club gave the rule up.")
    claim = again(stale)
    assert (claim.validation_status, claim.stale) == ("rejected", False)
    assert (ReviewDecision.objects.get().decision, ReviewDecision.objects.get().reason) == (
        "retire",
        "The club gave the rule up.",
    )


@pytest.mark.long
def test_only_what_is_stale_can_be_retired_and_only_once(stale: Claim, reviewer: Any) -> None:
    retire_claim(stale.pk, reviewer, version=stale.version)
    assert ReviewDecision.objects.get().reason == stale.stale_reason
    with pytest.raises(StaleDecision):
        retire_claim(stale.pk, reviewer, version=stale.version)
    with pytest.raises(StaleDecision):
        retire_claim(stale.pk, reviewer, version=again(stale).version)


@pytest.mark.long
def test_a_claim_with_two_lost_quotes_waits_until_both_have_a_place(folder: Path, reviewer: Any) -> None:
    first = document_of(feed(editions.pdf(folder / "first.pdf")))
    claim = claim_on(first, OLD)
    lost = sentence(editions.LOGBOOK)
    chunk = next(one for one in first.chunks.all() if "Each flight is entered" in one.text)
    ConceptChunkEvidence.objects.create(
        concept=claim, chunk=chunk, quote=lost, evidence_type=EvidenceType.SECONDARY
    )
    feed(editions.pdf(folder / "second.pdf", editions.SECOND))
    claim = again(claim)
    fields = placed(claim)
    claim = reanchor_claim(claim.pk, reviewer, **fields)
    assert claim.stale
    assert "Another of its quotes" in claim.stale_reason
    assert lost_of(claim).evidence.quote == lost


@pytest.mark.long
def test_where_no_passage_is_similar_none_is_offered(browser: Client, folder: Path) -> None:
    first = document_of(feed(editions.pdf(folder / "first.pdf")))
    claim = claim_on(first, "Hours are written in tenths, landings as figures.")
    rest = tuple(section for section in editions.SECOND if section[0] != "4.7")
    feed(editions.pdf(folder / "second.pdf", rest))
    page = browser.get(f"{QUEUE}{claim.pk}/").content.decode()
    assert "is similar. Retire the claim" in page
    assert 'data-key="a"' not in page
    assert 'data-key="r"' in page


def test_others_decide_nothing(stale: Claim) -> None:
    for role in (Role.STUDENT, Role.OPERATOR):
        with pytest.raises(PermissionDenied):
            reanchor_claim(stale.pk, make_user(role, role), **placed(stale))
        with pytest.raises(PermissionDenied):
            retire_claim(stale.pk, make_user(f"other-{role}", role), version=stale.version)


@pytest.mark.long
def test_a_rejected_claim_is_placed_nowhere(stale: Claim, reviewer: Any) -> None:
    fields = placed(stale)
    reject_claim(stale.pk, reviewer, version=stale.version, reason="Wrong from the start.")
    with pytest.raises((StaleDecision, WrongDecision)):
        reanchor_claim(stale.pk, reviewer, **{**fields, "version": again(stale).version})
