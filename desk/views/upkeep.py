"""What keeps a library right: editions that are due, what was superseded, what is missing, what was refused."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.views.decorators.http import require_GET, require_POST

from curation.models import Claim
from desk.operations.job_status import why_draft
from knowledge.access.people import acts_for, school_for
from knowledge.documents.edition_checks import in_force, overdue
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
)
from knowledge.documents.maintenance_report import left_out, missing_references, refusals
from knowledge.documents.queries import documents_of_operator, jobs_of_operator
from knowledge.ingestion.editions.editions import WrongEdition, editions_of
from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.reread_jobs import reason_for, rechunk_document, recognise_document
from knowledge.models import CurrencyReport, Document
from knowledge.models.documents import DocType, DocumentStatus
from knowledge.models.graph import ValidationStatus
from knowledge.models.tenancy import Role
from llm.registry import embedding_model

from .operations import operators_only

SHOWN = 50  # claims of the list; the page says how many more there are
REASON_LENGTH = 300


class WrongRequest(ValueError):
    """What was asked cannot be done; the text is for the operator."""


@operators_only
@require_GET
def index(request: HttpRequest) -> HttpResponse:
    own, today = documents_of_operator(request.user), timezone.now().date()
    stale, school = _stale_claims(request.user), school_for(request, Role.OPERATOR)
    context = {
        "section": "operations",
        "today": today,
        "overdue": overdue(own, today),
        "undated": in_force(own).filter(check_by=None),
        "report": CurrencyReport.objects.first(),
        "stale": stale[:SHOWN],
        "stale_number": stale.count(),
        "stale_more": max(0, stale.count() - SHOWN),
        "superseded": own.filter(superseded_by__isnull=False)
        .select_related("superseded_by")
        .order_by("title"),
        "deprecated": own.filter(deprecated_at__isnull=False).order_by("title"),
        "drafts": [(row, why_draft(row)) for row in own.filter(status="draft").order_by("title")],
        "rechunk": _to_rechunk(own),
        "gaps": missing_references(school.pk if school else None),
        "refusals": refusals(jobs_of_operator(request.user)),
        "left_out": left_out(own),
    }
    return render(request, "operations/upkeep.html", context)


def _stale_claims(user: Any) -> QuerySet[Claim]:
    own = acts_for(user, Role.OPERATOR, Role.REVIEWER)
    found = Claim.objects.filter(own, stale=True).exclude(validation_status=ValidationStatus.REJECTED)
    return found.order_by("priority", "name")


def _to_rechunk(documents: Any) -> list[tuple[Document, str]]:
    model = embedding_model().name
    found = [(row, reason_for(row, model)) for row in in_force(documents.exclude(file="")).order_by("title")]
    return [(row, reason) for row, reason in found if reason]


@operators_only
@require_GET
def document(request: HttpRequest, document_id: UUID) -> HttpResponse:
    found = _document(request, document_id)
    own = documents_of_operator(request.user)
    works = {row.pk for row in editions_of(found)}
    context = {
        "section": "operations",
        "today": timezone.now().date(),
        "document": found,
        "editions": [row for row in editions_of(found) if row.tenant_id == found.tenant_id],
        "others": in_force(own.filter(tenant=found.tenant)).exclude(pk__in=works).order_by("title"),
        "jobs": found.jobs.order_by("-created_at")[:5],
        "counts": {"own": found.chunks.count(), "shared": found.places.count()},
        "rechunk": reason_for(found, embedding_model().name) if found.file else "",
        "scans": found.pages.filter(needs_ocr=True).count(),
        "doc_types": DocType.choices,
        "why_draft": why_draft(found) if found.status == DocumentStatus.DRAFT else "",
    }
    return render(request, "operations/document.html", context)


@operators_only
@require_POST
def change(request: HttpRequest, document_id: UUID, what: str) -> HttpResponse:
    """One change of one document; what became of it is said on the next page."""
    found = _document(request, document_id)
    if what not in CHANGES:
        raise Http404("There is no such change.")
    try:
        messages.success(request, CHANGES[what](request, found))
    except (WrongRequest, WrongEdition, IngestionError) as error:
        messages.error(request, str(error))
    if request.POST.get("back") == "upkeep":
        return redirect("desk:upkeep")
    return redirect("desk:upkeep_document", document_id)


def _document(request: HttpRequest, document_id: UUID) -> Document:
    return get_object_or_404(documents_of_operator(request.user), pk=document_id)


# --- the changes: each does one thing and says what came of it --------------------------------------


def _publish(request: HttpRequest, found: Document) -> str:
    published = publish_document(found)
    if published.superseded_by is not None:
        return f"{published} is kept as an older edition of {published.superseded_by}."
    return f"{published} can be found now."


def _archive(request: HttpRequest, found: Document) -> str:
    return f"{archive_document(found)} is archived: no longer searched, and its citations still open."


def _deprecate(request: HttpRequest, found: Document) -> str:
    reason = request.POST.get("reason", "").strip()[:REASON_LENGTH]
    if not reason:
        raise WrongRequest("Say why the document is deprecated.")
    return f"{deprecate_document(found, reason, timezone.now())} is deprecated: no longer searched."


def _reinstate(request: HttpRequest, found: Document) -> str:
    return f"{reinstate_document(found)} is no longer deprecated."


def _bring_back(request: HttpRequest, found: Document) -> str:
    served = bring_back_document(found)
    claims = served.claims
    return (
        f"{found} is served again: {served.kept} passages are the same in both editions, {served.new} are its own. "
        f"Of its claims {claims.restored} count again and {claims.stale} wait for reviewers."
    )


def _checked(request: HttpRequest, found: Document) -> str:
    day = _day(request.POST.get("check_by", "").strip())
    confirmed = confirm_edition(found, timezone.now().date(), day)
    return f"{confirmed} is to be checked again by {confirmed.check_by:%d %B %Y}."


def _day(told: str) -> date | None:
    try:
        day = parse_date(told) if told else None
    except ValueError:
        day = None
    if told and day is None:
        raise WrongRequest("Write the day as 2027-05-31.")
    return day


def _recognise(request: HttpRequest, found: Document) -> str:
    recognise_document(found, created_by=request.user)
    return f"The text of {found} is being recognised; its job is on the operations page."


def _label(request: HttpRequest, found: Document) -> str:
    tags = request.POST.get("tags", "").split(",")
    label_document(
        found, category=request.POST.get("category", "")[:60], tags=[tag[:60] for tag in tags][:50]
    )
    return "Category and tags are set."


def _describe(request: HttpRequest, found: Document) -> str:
    said = {
        name: request.POST.get(name, "").strip() for name in ("doc_type", "title", "abbreviation", "edition")
    }
    if said["doc_type"] not in DocType.values:
        raise WrongRequest("Choose what kind of document it is.")
    if not said["title"]:
        raise WrongRequest("Say its title.")
    told = request.POST.get("edition_date", "").strip()
    described = describe_document(found, **said, edition_date=_day(told))
    if request.POST.get("then") == "publish":
        return _publish(request, described)
    return f"It is known as {described} now."


def _edition_of(request: HttpRequest, found: Document) -> str:
    own = documents_of_operator(request.user)
    try:
        before = own.get(pk=UUID(request.POST.get("before", "")))
    except (ValueError, Document.DoesNotExist) as error:
        raise WrongRequest("Choose the document that it is the next edition of.") from error
    served = supersede_document(found, before)
    if served.superseded is None:
        return f"{found} will supersede {before} when it is published."
    return f"{found} {served.told()}."


def _rechunk(request: HttpRequest, found: Document) -> str:
    if not found.file:
        raise WrongRequest("This document has no file to read again.")
    rechunk_document(found, created_by=request.user)
    return f"{found} is queued to be chunked again; what stays the same keeps its claims and vectors."


CHANGES: Mapping[str, Callable[[HttpRequest, Document], str]] = {
    "publish": _publish,
    "archive": _archive,
    "deprecate": _deprecate,
    "reinstate": _reinstate,
    "bring-back": _bring_back,
    "checked": _checked,
    "label": _label,
    "describe": _describe,
    "edition-of": _edition_of,
    "rechunk": _rechunk,
    "recognise": _recognise,
}
