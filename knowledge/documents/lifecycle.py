"""Change the state of a document, one function for each change; every change invalidates cached searches.

A document is a draft, published or archived; deprecated with a reason or not; superseded by another edition or in
force; in the trash or not. `by` is the operator, for the document's history."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from django.db import transaction

from knowledge.ingestion.editions.editions import (
    EditionChange,
    bring_back,
    join_editions,
    prepare_edition,
    publish_edition,
    share_passages,
)
from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.jobs.jobs import OPEN_STATES
from knowledge.library_version import library_changed
from knowledge.models import Document
from knowledge.models.documents import DocumentAct, DocumentStatus, check_by_for, next_check
from llm.registry import embedding_model


class InUse(IngestionError):
    """This change cannot be made now; the message says why and what to do."""

    code = "document_in_use"


def publish_document(document: Document, by: Any = None) -> Document:
    """Publish a draft or archived document. A deprecated one stays deprecated; a new edition supersedes the one
    before. Raises InUse for one in the trash."""
    if document.trashed_at:
        raise InUse("It is in the trash. Bring it back first.")
    if document.places.exists():
        prepare_edition(document, embedding_model())
    publish_edition(document, by)
    document.refresh_from_db()
    return document


def bring_back_document(document: Document, by: Any = None) -> EditionChange:
    """Serve a superseded edition again, in place of the one in force. Raises WrongEdition."""
    return bring_back(document, embedding_model(), by)


def supersede_document(document: Document, before: Document, by: Any = None) -> EditionChange:
    """Make `document` the next edition of the work of `before`. A draft stays a draft; a published document takes its
    place at once. Raises WrongEdition."""
    with transaction.atomic():
        join_editions(document, before)
        if document.status == DocumentStatus.DRAFT:
            share_passages(document)
            return EditionChange()
        return publish_edition(document, by)


def archive_document(document: Document, by: Any = None) -> Document:
    return _update(document, DocumentAct.ARCHIVED, by, status=DocumentStatus.ARCHIVED)


def deprecate_document(document: Document, reason: str, now: datetime, by: Any = None) -> Document:
    """Take it out of searches; passages that old verdicts cite can still be opened."""
    return _update(document, DocumentAct.DEPRECATED, by, deprecated_at=now, deprecated_reason=reason)


def reinstate_document(document: Document, by: Any = None) -> Document:
    """End its deprecation."""
    return _update(document, DocumentAct.REINSTATED, by, deprecated_at=None, deprecated_reason="")


def trash_document(document: Document, now: datetime, by: Any = None) -> Document:
    """Archive it and take it off all lists. Raises InUse while a job works on it."""
    if document.jobs.filter(state__in=OPEN_STATES).exists():
        raise InUse("A job works on it. Cancel that job, or wait until it ends.")
    return _update(document, DocumentAct.TRASHED, by, status=DocumentStatus.ARCHIVED, trashed_at=now)


def restore_document(document: Document, by: Any = None) -> Document:
    """Bring it back from the trash with the status that it had before. Raises InUse if it is not in the trash."""
    if document.trashed_at is None:
        raise InUse("It is not in the trash.")
    event = document.events.filter(act=DocumentAct.TRASHED).first()
    was = event.was if event else DocumentStatus.ARCHIVED
    return _update(document, DocumentAct.RESTORED, by, status=was, trashed_at=None)


def label_document(document: Document, *, category: str, tags: Sequence[str]) -> Document:
    """Set category and tags, which searches can filter by."""
    named = list(dict.fromkeys(tag.strip() for tag in tags if tag.strip()))
    return _update(document, category=category.strip(), tags=named)


def describe_document(
    document: Document,
    *,
    doc_type: str,
    title: str,
    abbreviation: str,
    edition: str,
    edition_date: date | None,
) -> Document:
    """Set what an operator says the document is. Another type or date sets the day of its next check."""
    same = (document.doc_type, document.edition_date) == (doc_type, edition_date)
    due = document.check_by if same else check_by_for(doc_type, edition_date, document.created_at.date())
    return _update(
        document,
        doc_type=doc_type,
        title=title[:300],
        abbreviation=abbreviation[:60],
        edition=edition[:60],
        edition_date=edition_date,
        check_by=due,
    )


def confirm_edition(document: Document, today: date, check_by: date | None = None) -> Document:
    """Record that this is still the edition in force. `check_by` is the next day to look, by default that of its
    type."""
    return _update(document, check_by=check_by or next_check(document.doc_type, today))


@transaction.atomic
def _update(document: Document, act: DocumentAct | None = None, by: Any = None, /, **values: Any) -> Document:
    if act is not None:
        document.events.create(act=act, was=document.status, made_by=by)
    for name, value in values.items():
        setattr(document, name, value)
    document.save(update_fields=[*values, "updated_at"])
    library_changed(document.tenant_id)
    return document
