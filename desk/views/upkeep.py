"""Library maintenance: editions due for a check, superseded documents, missing references, refused uploads."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_POST

from curation.models import Claim
from desk.operations.job_results import why_draft, why_drafts
from knowledge.access.people import acts_for, school_for
from knowledge.access.throttling import charge_page, job_cost
from knowledge.documents.chapters import chapters_of
from knowledge.documents.edition_checks import in_force, overdue_editions
from knowledge.documents.lifecycle import (
    archive_document,
    bring_back_document,
    confirm_edition,
    deprecate_document,
    describe_document,
    label_document,
    publish_document,
    reinstate_document,
    supersede_document,
    trash_document,
)
from knowledge.documents.maintenance_report import incomplete_documents, missing_references, refused_files
from knowledge.documents.queries import documents_of_operator, jobs_of_operator
from knowledge.ingestion.chunking.strategies import strategy_named
from knowledge.ingestion.editions.editions import WrongEdition, editions_of
from knowledge.ingestion.editions.overlaps import overlaps_of
from knowledge.ingestion.editions.replacement import replacement_by
from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.reread_jobs import (
    documents_to_rechunk,
    rechunk_document,
    rechunk_reason_for,
    recognise_document,
)
from knowledge.models import CurrencyReport, Document
from knowledge.models.documents import DocType, DocumentStatus
from knowledge.models.graph import ValidationStatus
from knowledge.models.tenancy import Role
from llm.registry import embedding_model

from .operations import operators_only

EVENTS = 20  # of the document's history, the latest first
SHOWN = 50  # rows of each list; the page says how many more there are, and where all of them are
REASON_LENGTH = 300


class WrongRequest(ValueError):
    """The change cannot be made; the text is for the operator."""


@dataclass(frozen=True, slots=True)
class FirstRows:
    """The first rows of a list, and how many it has."""

    rows: Sequence[Any]
    count: int

    @property
    def more(self) -> int:
        return self.count - len(self.rows)


def first_rows(found: QuerySet[Any] | Sequence[Any]) -> FirstRows:
    rows = list(found[: SHOWN + 1])
    if len(rows) <= SHOWN:
        return FirstRows(rows, len(rows))
    return FirstRows(rows[:SHOWN], found.count() if isinstance(found, QuerySet) else len(found))


@operators_only
@require_GET
def upkeep_page(request: HttpRequest) -> HttpResponse:
    own = documents_of_operator(request.user).filter(trashed_at=None)
    today = timezone.now().date()
    school, model = school_for(request, Role.OPERATOR), embedding_model().name
    stale = Claim.objects.filter(acts_for(request.user, Role.OPERATOR, Role.REVIEWER), stale=True)
    stale = stale.exclude(validation_status=ValidationStatus.REJECTED).order_by("priority", "name")
    own = own.defer("body")
    files = in_force(own.exclude(file="")).order_by("title")
    superseded = own.filter(superseded_by__isnull=False).select_related("superseded_by")
    drafts = first_rows(own.filter(status=DocumentStatus.DRAFT).order_by("title"))
    report = CurrencyReport.objects.first()
    reported = [row["document"] for row in report.overdue] if report else []
    context = {
        "section": "operations",
        "today": today,
        "reported": documents_of_operator(request.user).filter(pk__in=reported).count(),
        "overdue": first_rows(overdue_editions(own, today)),
        "undated": first_rows(in_force(own).filter(check_by=None).order_by("title")),
        "report": report,
        "stale": first_rows(stale),
        "superseded": first_rows(superseded.order_by("title")),
        "deprecated": first_rows(own.filter(deprecated_at__isnull=False).order_by("title")),
        "drafts": drafts,
        "why_drafts": why_drafts(drafts.rows),
        "rechunk": first_rows(documents_to_rechunk(files, model)),
        "gaps": missing_references(school.pk if school else None),
        "refusals": first_rows(refused_files(jobs_of_operator(request.user))),
        "left_out": first_rows(incomplete_documents(own)),
    }
    return render(request, "operations/upkeep.html", context)


@operators_only
@require_GET
def document_page(request: HttpRequest, document_id: UUID) -> HttpResponse:
    own = documents_of_operator(request.user)
    found = get_object_or_404(own, pk=document_id)
    editions = editions_of(found)
    context = {
        "section": "operations",
        "today": timezone.now().date(),
        "document": found,
        "editions": [row for row in editions if row.tenant_id == found.tenant_id],
        "others": in_force(own.filter(tenant=found.tenant))
        .exclude(pk__in={row.pk for row in editions})
        .order_by("title"),
        "chapters": chapters_of(found),
        "events": found.events.select_related("made_by")[:EVENTS],
        "jobs": found.jobs.order_by("-created_at")[:5],
        "counts": {"own": found.chunks.count(), "shared": found.places.count()},
        "rechunk": rechunk_reason_for(found, embedding_model().name) if found.file else "",
        "scans": found.pages.filter(needs_ocr=True).count(),
        "doc_types": DocType.choices,
        "divided": strategy_named(found.chunking).words if found.chunking else "",
        "replaces": replacement_by(found),
        "overlaps": overlaps_of(found),
        "shown": SHOWN,
        "why_draft": why_draft(found) if found.status == DocumentStatus.DRAFT else "",
    }
    return render(request, "operations/document.html", context)


@operators_only
@require_POST
@charge_page(job_cost)
def change_document(request: HttpRequest, document_id: UUID, what: str) -> HttpResponse:
    """Make one of CHANGES to a document; the next page says what happened."""
    found = get_object_or_404(documents_of_operator(request.user), pk=document_id)
    if what not in CHANGES:
        raise Http404("There is no such change.")
    try:
        messages.success(request, CHANGES[what](request, found))
    except (WrongRequest, WrongEdition, IngestionError) as error:
        messages.error(request, str(error))
    back = request.POST.get("back", "")
    if back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        return redirect(back)
    return redirect("desk:upkeep_document", document_id)


# --- the changes: each does one thing and says what happened ---


def _publish_document(request: HttpRequest, found: Document) -> str:
    published = publish_document(found, by=request.user)
    if published.superseded_by is not None:
        return f"{published} is kept as an older edition of {published.superseded_by}."
    return f"{published} is published; searches now find it."


def _deprecate_document(request: HttpRequest, found: Document) -> str:
    reason = request.POST.get("reason", "").strip()[:REASON_LENGTH]
    if not reason:
        raise WrongRequest("Give the reason why the document is deprecated.")
    document = deprecate_document(found, reason, timezone.now(), by=request.user)
    return f"{document} is deprecated: searches no longer find it."


def _bring_back(request: HttpRequest, found: Document) -> str:
    served = bring_back_document(found, by=request.user)
    claims = served.claims
    return (
        f"{found} is in force again: {served.kept} passages are the same in both editions, {served.new} are its own. "
        f"Of its claims, {claims.restored} count again and {claims.stale} wait for reviewers."
    )


def _confirm_edition(request: HttpRequest, found: Document) -> str:
    day = _parse_day(request.POST.get("check_by", ""))
    confirmed = confirm_edition(found, timezone.now().date(), day)
    return f"{confirmed} is to be checked again by {confirmed.check_by:%B %-d, %Y}."


def _parse_day(text: str) -> date | None:
    """None for an empty text. Raises WrongRequest."""
    if not text.strip():
        return None
    try:
        day = parse_date(text.strip())
    except ValueError:
        day = None
    if day is None:
        raise WrongRequest("Write the day as 2027-05-31.")
    return day


def _recognize_text(request: HttpRequest, found: Document) -> str:
    recognise_document(found, created_by=request.user)
    return f"OCR of {found} has been queued; its job is on the operations page."


def _label_document(request: HttpRequest, found: Document) -> str:
    tags = request.POST.get("tags", "").split(",")
    label_document(
        found, category=request.POST.get("category", "")[:60], tags=[tag[:60] for tag in tags][:50]
    )
    return "Category and tags are saved."


def _describe_document(request: HttpRequest, found: Document) -> str:
    names = ("doc_type", "title", "abbreviation", "edition")
    given = {name: request.POST.get(name, "").strip() for name in names}
    if given["doc_type"] not in DocType.values:
        raise WrongRequest("Choose the kind of document.")
    if not given["title"]:
        raise WrongRequest("Enter the title.")
    edition_date = _parse_day(request.POST.get("edition_date", ""))
    described = describe_document(found, **given, edition_date=edition_date)
    if request.POST.get("then") == "publish":
        return _publish_document(request, described)
    return f"Saved as {described}."


def _supersede_edition(request: HttpRequest, found: Document) -> str:
    own = documents_of_operator(request.user)
    try:
        before = own.get(pk=UUID(request.POST.get("before", "")))
    except (ValueError, Document.DoesNotExist) as error:
        raise WrongRequest("Choose the document that this is a new edition of.") from error
    served = supersede_document(found, before, by=request.user)
    if served.superseded is None:
        return f"{found} will supersede {before} when it is published."
    return f"{found} {served.in_words()}."


def _rechunk_document(request: HttpRequest, found: Document) -> str:
    if not found.file:
        raise WrongRequest("This document has no file to read again.")
    rechunk_document(found, created_by=request.user)
    return f"{found} is queued to be divided into passages again; unchanged passages keep their claims and vectors."


def _keep_edition_in_force(request: HttpRequest, found: Document) -> str:
    trash_document(found, timezone.now(), by=request.user)
    return f"{found} is in the trash. The edition in force stays as it was."


CHANGES: Mapping[str, Callable[[HttpRequest, Document], str]] = {
    "publish": _publish_document,
    "archive": lambda request, found: (
        f"{archive_document(found, by=request.user)} is archived: searches no longer find it; its citations still open."
    ),
    "deprecate": _deprecate_document,
    "reinstate": lambda request, found: (
        f"{reinstate_document(found, by=request.user)} is no longer deprecated."
    ),
    "bring-back": _bring_back,
    "checked": _confirm_edition,
    "label": _label_document,
    "describe": _describe_document,
    "edition-of": _supersede_edition,
    "rechunk": _rechunk_document,
    "recognise": _recognize_text,
    "keep-old": _keep_edition_in_force,
}
