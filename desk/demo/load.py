"""Load the demo: accounts, a standard, a library of one handbook, claims, items, and a table of European rules.

Everything takes the real path: the handbook through the ingestion pipeline, claims and items through a reviewer's
decision. Running it again adds only what is missing and leaves a reviewer's later decisions alone.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction

from curation.intake import store_claims
from curation.item_review import accept_clean_points
from curation.review import approve_claim
from curation.values import ClaimFound, ExtractionResult
from desk.demo.accounts import create_accounts, demo_reviewer
from desk.demo.content import HANDBOOK, ITEMS, RULES_FILE, DemoClaim, demo_claims, demo_standard
from exams.bank.anchoring import anchor_points, points_to_anchor
from exams.bank.loading import load_item_files
from knowledge.graph.claim_links import Match, link_claim
from knowledge.graph.identity import node_key
from knowledge.graph.skeleton import load_standard
from knowledge.ingestion.jobs.jobs import submit_file
from knowledge.ingestion.pipeline import run_job
from knowledge.models import (
    Chunk,
    Concept,
    Document,
    IngestionJob,
    Item,
    Standard,
)
from knowledge.models.documents import DocType, DocumentStatus
from knowledge.models.graph import ConceptCategory, ValidationStatus
from knowledge.models.telemetry import JobState
from llm.registry import embedding_model
from rules.countries import KNOWN_COUNTRIES
from rules.data.load import load_rules
from rules.data.parse import read_rules
from rules.models import Origin, RuleAnswerChange, RuleQuestion

CREATED_BY = "demo"
CERTAIN = 1.0  # confidence of a link: the claim was written for its elements
REASON = "Approved with the demo: the statement is a sentence of the handbook, and its facts were checked."
HANDBOOK_OPTIONS: Mapping[str, object] = {
    "title": "HeyDPE Demo Handbook",
    "abbreviation": "HeyDPE Handbook",
    "doc_type": DocType.HANDBOOK.value,
    "edition": "First edition",
    "edition_date": "2026-11-01",
    "category": "handbooks",
    "tags": ["demo"],
    "status": DocumentStatus.PUBLISHED.value,
}

Say = Callable[[str], None]


class DemoFailed(Exception):
    """The demo could not be loaded; the message says why and what to do."""


class DemoNotHere(DemoFailed):
    """Everybody knows the demo's password, so the demo is not loaded without DEBUG."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoLoaded:
    """What is loaded now. `new` is false if there was nothing to do."""

    accounts: tuple[str, ...]
    elements: int
    chunks: int
    approved: int
    pending: int
    items: int
    rules: int
    new: bool


def load_demo(say: Say = lambda line: None) -> DemoLoaded:
    """Load what is missing of the demo. Raises DemoFailed, and DemoNotHere without DEBUG."""
    if not settings.DEBUG:
        raise DemoNotHere("the demo has accounts with a known password, so it is loaded with DEBUG=1 only")
    created = create_accounts(settings.DEMO_PASSWORD)
    if created:
        say(f"accounts {', '.join(created)}")
    claims = {_claim_key(claim): claim for claim in demo_claims()}
    content_hash = hashlib.sha256(HANDBOOK.read_bytes()).hexdigest()
    handbook = Document.objects.filter(tenant=None, content_hash=content_hash, demo=True).first()
    new = bool(created)
    if not Standard.objects.filter(current=True, demo=False).exists():  # else the FAA's own is there
        known = Concept.objects.filter(tenant=None, key__in=claims).values_list("key", flat=True)
        missing = [claims[key] for key in claims.keys() - set(known)]
        new = bool(new or missing or handbook is None)
        _load_elements(say)
        handbook = handbook or _read_handbook(say)
        if missing:
            _load_claims(missing, handbook, say)
        new = _load_items(say) or new
    new = _load_rules(say) or new
    concepts = Concept.objects.filter(tenant=None, key__in=claims)
    status = list(concepts.values_list("validation_status", flat=True))
    return DemoLoaded(
        accounts=created,
        elements=len(demo_standard().elements),
        chunks=Chunk.objects.filter(document=handbook).count(),
        approved=status.count(ValidationStatus.VALIDATED),
        pending=status.count(ValidationStatus.PENDING),
        items=Item.objects.filter(withdrawn=False, key__contains=".demo-").count(),
        rules=RuleQuestion.objects.filter(tenant=None, origin=Origin.DEMO).count(),
        new=new,
    )


def _load_elements(say: Say) -> None:
    standard = demo_standard()
    if Standard.objects.filter(number=standard.number).exists():
        return
    loaded = load_standard(standard, demo=True)
    say(f"{loaded.elements} elements of {loaded.tasks} Tasks")


def _read_handbook(say: Say) -> Document:
    """Ingest the handbook, and archive the demo's earlier ones."""
    job = submit_file(HANDBOOK, options=HANDBOOK_OPTIONS, wake=False)
    run_job(job.pk)
    job = IngestionJob.objects.select_related("document").get(pk=job.pk)
    handbook = job.document
    if job.state != JobState.SUCCEEDED or handbook is None:
        raise DemoFailed(
            job.error or "another worker is reading the handbook; run `manage.py demo` again in a minute"
        )
    demo = Document.objects.filter(tenant=None, demo=True).exclude(pk=handbook.pk)
    demo.update(status=DocumentStatus.ARCHIVED, superseded_by=handbook)
    Document.objects.filter(pk=handbook.pk).update(demo=True)
    counts = job.counts
    say(
        f"handbook: {counts.get('pages')} pages, {counts.get('chunks')} chunks, {counts.get('images')} figures"
    )
    return handbook


@transaction.atomic
def _load_claims(claims: Iterable[DemoClaim], handbook: Document, say: Say) -> None:
    """Propose each claim with its evidence and its elements; approve those that the demo's reviewer approved."""
    chunks = list(handbook.chunks.select_related("document").order_by("index"))
    reviewer = demo_reviewer()
    decided: Counter[str] = Counter()
    for claim in claims:
        chunk = next((one for one in chunks if claim.quote in one.text), None)
        if chunk is None:
            raise DemoFailed(f"this sentence is not in the handbook as it was read: {claim.quote!r}")
        facts = {**claim.key_facts, "role": claim.role, "importance": claim.importance}
        found = ClaimFound(
            statement=claim.statement, quotes=(claim.quote,), key_facts=facts, priority=claim.priority
        )
        store_claims(ExtractionResult(claims=(found,), provider="demo", model="handbook"), chunk)
        concept = Concept.objects.get(tenant=None, key=_claim_key(claim))
        link_claim(concept, [Match(code, CERTAIN) for code in claim.elements], created_by=CREATED_BY)
        if claim.status == "approved":
            approve_claim(concept.pk, reviewer, version=concept.version, reason=REASON)
        decided[claim.status] += 1
    say(f"claims: {decided['approved']} approved, {decided['pending']} waiting for the reviewer")


def _claim_key(claim: DemoClaim) -> str:
    """The key of the claim's node in the graph."""
    return node_key(ConceptCategory.REGULATORY_CLAIM, claim.statement)


def _load_items(say: Say) -> bool:
    """Load the questions about the handbook and accept them as a batch; whether any was new."""
    loaded = load_item_files([ITEMS])
    if loaded.faults:
        raise DemoFailed(f"an item of the demo is broken: {loaded.faults[0]}")
    if not loaded.changed:
        return False
    changed = [point for point in points_to_anchor(None) if point.item.key in loaded.changed]
    anchor_points(changed, tenant=None)
    accepted = accept_clean_points(demo_reviewer(), note="The demo's own items.")
    say(f"items: {loaded.items} questions, {accepted.accepted} key points approved")
    return True


def _load_rules(say: Say) -> bool:
    """Load the table of rules unless the shared library has, or had, rules; whether it was loaded."""
    if (
        RuleQuestion.objects.filter(tenant=None).exists()
        or RuleAnswerChange.objects.filter(tenant=None).exists()
    ):
        return False
    file = read_rules(RULES_FILE.read_bytes(), KNOWN_COUNTRIES)
    loaded = load_rules(file, embedding_model(), origin=Origin.DEMO)
    say(f"European rules: {len(file.questions)} questions, {loaded.counts['added']} answers")
    return True
