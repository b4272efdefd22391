"""The operator's library: documents searched and filtered, what each holds and serves, and changes of many at once."""

from collections.abc import Callable, Collection, Mapping
from datetime import date
from typing import Any, Final

from django.db import connection, models, transaction
from django.db.models import Count, F, Func, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Lower
from django.http import QueryDict
from django.utils import timezone

from curation.intake import request_claims
from desk.operations.tables import SHARED, Outcome, change_each, of_school, rows_chosen
from knowledge.documents.edition_checks import in_force, overdue_editions
from knowledge.documents.lifecycle import (
    InUse,
    archive_document,
    confirm_edition,
    publish_document,
    restore_document,
    trash_document,
)
from knowledge.documents.queries import documents_of_operator
from knowledge.ingestion.editions.replacement import replacement_by
from knowledge.ingestion.jobs.jobs import PENDING_STATES
from knowledge.ingestion.reread_jobs import rechunk_document
from knowledge.library_version import words_indexed_once
from knowledge.models import (
    Chunk,
    ConceptChunkEvidence,
    ConceptRelation,
    Document,
    EditionPlace,
    Image,
    IngestionJob,
)
from knowledge.models.documents import DocType, DocumentStatus
from knowledge.models.graph import CLAIMED, ConceptCategory, ValidationStatus
from knowledge.models.telemetry import JobKind

HOLDINGS: Final = ("passages", "figures", "claims", "elements")
SORTS: Final[Mapping[str, F | Func]] = {
    "title": Lower("title"),
    "kind": F("doc_type"),
    "status": F("status"),
    "edition": F("edition_date"),
    "check": F("check_by"),
    "added": F("created_at"),
    **{name: F(name) for name in HOLDINGS},
}
STATUSES: Final = [
    *DocumentStatus.choices,
    ("superseded", "superseded"),
    ("deprecated", "deprecated"),
    ("trash", "in the trash"),
]
EDITIONS: Final = [("overdue", "overdue for a check"), ("undated", "without a date")]


def documents_found(user: Any, asked: QueryDict, today: date) -> QuerySet[Document]:
    """The operator's documents that fit what the page was asked for; values that mean nothing are passed over."""
    rows = documents_of_operator(user).select_related("tenant", "superseded_by")
    status = asked.get("status", "")
    rows = rows.filter(trashed_at__isnull=status != "trash")
    if words := asked.get("q", "").strip():
        names = ("title", "abbreviation", "source_name", "edition")
        for word in words.split():
            rows = rows.filter(Q(*[(f"{name}__icontains", word) for name in names], _connector=Q.OR))
    if status in DocumentStatus:
        rows = rows.filter(status=status)
    elif status == "superseded":
        rows = rows.filter(superseded_by__isnull=False)
    elif status == "deprecated":
        rows = rows.filter(deprecated_at__isnull=False)
    if (kind := asked.get("kind", "")) in DocType:
        rows = rows.filter(doc_type=kind)
    if category := asked.get("category", ""):
        rows = rows.filter(category=category)
    if tag := asked.get("tag", ""):
        rows = rows.filter(tags__contains=[tag])
    rows = of_school(rows, asked)
    match asked.get("edition", ""):
        case "overdue":
            rows = rows.filter(pk__in=overdue_editions(Document.objects.all(), today).order_by())
        case "undated":
            rows = rows.filter(pk__in=in_force(Document.objects.filter(edition_date=None)))
    return rows


def filter_choices(user: Any) -> dict[str, Any]:
    """The categories, tags and schools of the operator's documents."""
    found = documents_of_operator(user).values_list("category", "tags", "tenant", "tenant__name")
    categories, tags, schools = set(), set(), {}
    for category, own, school, name in found:
        categories.add(category)
        tags.update(own)
        schools[str(school or SHARED)] = name or "Shared library"
    return {
        "categories": sorted(categories - {""}),
        "tags": sorted(map(str, tags)),
        "schools": sorted(schools.items(), key=lambda one: one[1]) if len(schools) > 1 else [],
    }


def with_holdings(documents: QuerySet[Document]) -> QuerySet[Document]:
    """The documents with how much each holds, to sort all of them by it: passages, figures, claims that rest on it, and
    ACS elements that these serve."""
    own = {"document": OuterRef("pk")}
    return documents.annotate(
        passages=_number_of(Chunk.objects.filter(**own)) + _number_of(EditionPlace.objects.filter(**own)),
        figures=_number_of(Image.objects.filter(**own)),
        claims=_number_of(
            ConceptChunkEvidence.objects.filter(
                chunk__document=OuterRef("pk"), concept__category__in=CLAIMED
            ),
            "concept",
        ),
        elements=_number_of(
            ConceptRelation.objects.filter(
                target__category=ConceptCategory.ACS_ELEMENT,
                source__in=ConceptChunkEvidence.objects.filter(
                    chunk__document=OuterRef(OuterRef("pk"))
                ).values("concept"),
            ),
            "target",
        ),
    )


def count_holdings(documents: Collection[Document]) -> None:
    """Set the same on each of these documents, by one query for each kind of thing instead of four for each row."""
    ids = [document.pk for document in documents]
    evidence = ConceptChunkEvidence.objects.filter(chunk__document__in=ids)
    claimed = evidence.filter(concept__category__in=CLAIMED)
    serving = evidence.filter(concept__relations_out__target__category=ConceptCategory.ACS_ELEMENT)
    counted = {
        "passages": _grouped(Chunk.objects.filter(document__in=ids)),
        "places": _grouped(EditionPlace.objects.filter(document__in=ids)),
        "figures": _grouped(Image.objects.filter(document__in=ids)),
        "claims": _grouped(claimed, "chunk__document", "concept"),
        "elements": _grouped(serving, "chunk__document", "concept__relations_out__target"),
    }
    for document in documents:
        held = {name: found.get(document.pk, 0) for name, found in counted.items()}
        held["passages"] += held.pop("places")
        vars(document).update(held)


def _grouped(rows: QuerySet[Any], by: str = "document", what: str = "pk") -> dict[Any, int]:
    return dict(rows.order_by().values_list(by).annotate(Count(what, distinct=True)))


def _number_of(rows: QuerySet[Any], what: str = "pk") -> Subquery:
    """A count without groups, so that a document with none has 0."""
    count = Func(
        what, function="COUNT", template="%(function)s(DISTINCT %(expressions)s)", output_field=IntegerField()
    )
    return Subquery(rows.order_by().annotate(number=count).values("number"))


# --- many at once ------------------------------------------------------------


def _publish(document: Document, user: Any) -> None:
    if document.doc_type == DocType.OTHER:
        raise InUse("its kind is unknown. Open it and fill in the document details.")
    replaces = replacement_by(document)
    if replaces is not None and replaces.asks:
        raise InUse(f"it {replaces.in_words()}. Open it to read what would go, and publish it there.")
    publish_document(document, by=user)


def _rechunk(document: Document, user: Any) -> None:
    if not document.file or document.superseded_by_id:
        raise InUse("it has no file to read again." if not document.file else "it is a former edition.")
    rechunk_document(document, created_by=user)


def _extract(document: Document, user: Any) -> None:
    if document not in in_force(Document.objects.filter(pk=document.pk)):
        raise InUse("claims are extracted from documents in force only.")
    request_claims(document, created_by=user)


def _confirm(document: Document, user: Any) -> None:
    if document not in in_force(Document.objects.filter(pk=document.pk)):
        raise InUse("it is not in force.")
    confirm_edition(document, timezone.now().date())


def _delete(document: Document, user: Any) -> None:
    """Delete a document in the trash for good, unless something cites it."""
    if document.trashed_at is None:
        raise InUse("move it to the trash first.")
    with transaction.atomic():
        Document.objects.select_for_update().get(pk=document.pk)
        if why := citing(document):
            raise InUse(f"it stays in the trash, since {why}.")
        try:
            document.delete()
        except models.ProtectedError as error:
            raise InUse("it stays in the trash, since a decision of a reviewer rests on it.") from error


DOCUMENT_ACTS: Final[Mapping[str, Callable[[Document, Any], Any]]] = {
    "publish": _publish,
    "archive": archive_document,
    "rechunk": _rechunk,
    "extract": _extract,
    "checked": _confirm,
    "trash": lambda document, user: trash_document(document, timezone.now(), user),
    "restore": restore_document,
    "delete": _delete,
}
NEEDLESS: Final[Mapping[str, DocumentStatus]] = {
    "publish": DocumentStatus.PUBLISHED,
    "archive": DocumentStatus.ARCHIVED,
}
ASKED_FOR: Final[Mapping[str, JobKind]] = {"rechunk": JobKind.DOCUMENT, "extract": JobKind.CLAIMS}
"""Acts that make a job; while that waits or runs, the document needs no other."""


def change_documents(act: str, user: Any, sent: QueryDict) -> Outcome:
    """Make one of DOCUMENT_ACTS to each document whose box is ticked, or to all that fit the filter that was sent
    along and need it."""
    today = timezone.now().date()
    rows = rows_chosen(
        sent, documents_of_operator(user), lambda asked: documents_found(user, asked, today)
    ).order_by("title", "pk")
    if "everything" in sent:
        rows = rows.exclude(status=NEEDLESS.get(act))
        if act == "checked":
            rows = rows.filter(pk__in=overdue_editions(Document.objects.all(), today).order_by().values("pk"))
        if act in ASKED_FOR:
            open_jobs = IngestionJob.objects.filter(kind=ASKED_FOR[act], state__in=PENDING_STATES)
            rows = rows.exclude(pk__in=open_jobs.filter(document__isnull=False).values("document"))
    with words_indexed_once():
        return change_each(rows, lambda document: DOCUMENT_ACTS[act](document, user))


# --- what stands in the way of deleting one ---------------------------------------------------------------

# Exams keep their citations as JSON; whatever looks like the id of a passage in them may be one.
_CITED = """
    WITH told AS (
        SELECT citations::text || context::text || images::text AS said FROM exams_turn
        UNION ALL SELECT citations::text || near::text FROM exams_assessment
        UNION ALL SELECT coalesce(result::text, '') || study::text || planner::text FROM exams_exam
    ),
    ids AS (
        SELECT DISTINCT (regexp_matches(said, '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', 'g'))[1]
            AS id FROM told
    )
    SELECT EXISTS (SELECT 1 FROM knowledge_chunk c JOIN ids ON ids.id = c.id::text WHERE c.document_id = %(document)s)
        OR EXISTS (SELECT 1 FROM knowledge_image i JOIN ids ON ids.id = i.id::text WHERE i.document_id = %(document)s)
        OR EXISTS (SELECT 1 FROM ids WHERE ids.id = %(document)s::text)
"""


def citing(document: Document) -> str:
    """What cites the document, in words that follow "since"; empty if nothing does."""
    with connection.cursor() as cursor:
        cursor.execute(_CITED, {"document": document.pk})
        if cursor.fetchone()[0]:
            return "questions or verdicts of exams cite it"
    evidence = ConceptChunkEvidence.every.filter(chunk__document=document)
    if evidence.exclude(concept__validation_status=ValidationStatus.PENDING).exists():
        return "claims that a reviewer decided rest on it"
    if EditionPlace.objects.filter(chunk__document=document).exclude(document=document).exists():
        return "another edition shares its passages"
    if Document.objects.filter(Q(superseded_by=document) | Q(follows=document)).exists():
        return "other editions of the work refer to it"
    return ""
