"""A document's state changes, each by one function; every one of them makes earlier searches stale.

Draft, published, archived; deprecated, with a reason, or not; superseded by another edition, or in force.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from django.db import transaction

from knowledge.due_dates import check_by_for, next_check
from knowledge.ingestion.editions.editions import (
    Served,
    bring_back,
    join_editions,
    prepare_edition,
    publish_edition,
    share_passages,
)
from knowledge.library_version import library_changed
from knowledge.models import Document
from knowledge.models.documents import DocumentStatus
from llm.registry import embedding_model


def publish_document(document: Document) -> Document:
    """From draft or archive; a deprecated document stays deprecated. A new edition supersedes the one before it."""
    if document.places.exists():
        prepare_edition(document, embedding_model())
    publish_edition(document)
    document.refresh_from_db()
    return document


def bring_back_document(document: Document) -> Served:
    """A superseded edition is served again, in place of the one in force. Raises WrongEdition."""
    return bring_back(document, embedding_model())


def supersede_document(document: Document, before: Document) -> Served:
    """Somebody says that `document` is the next edition of the work that `before` belongs to. A draft stays one until
    it is published; a published one takes its place at once. Raises WrongEdition."""
    with transaction.atomic():
        join_editions(document, before)
        if document.status == DocumentStatus.DRAFT:
            share_passages(document)
            return Served()
        return publish_edition(document)


def archive_document(document: Document) -> Document:
    return _changed(document, status=DocumentStatus.ARCHIVED)


def deprecate_document(document: Document, reason: str, now: datetime) -> Document:
    """No longer searched; the passages that old verdicts cite can still be opened."""
    return _changed(document, deprecated_at=now, deprecated_reason=reason)


def reinstate_document(document: Document) -> Document:
    """No longer deprecated."""
    return _changed(document, deprecated_at=None, deprecated_reason="")


def label_document(document: Document, *, category: str, tags: Sequence[str]) -> Document:
    """Category and tags, which searches may ask for."""
    named = list(dict.fromkeys(tag.strip() for tag in tags if tag.strip()))
    return _changed(document, category=category.strip(), tags=named)


def describe_document(
    document: Document,
    *,
    doc_type: str,
    title: str,
    abbreviation: str,
    edition: str,
    edition_date: date | None,
) -> Document:
    """What the document is, as somebody who knows says it. Another kind or date sets the day of its next check."""
    same = (document.doc_type, document.edition_date) == (doc_type, edition_date)
    due = document.check_by if same else check_by_for(doc_type, edition_date, document.created_at.date())
    return _changed(
        document,
        doc_type=doc_type,
        title=title[:300],
        abbreviation=abbreviation[:60],
        edition=edition[:60],
        edition_date=edition_date,
        check_by=due,
    )


def confirm_edition(document: Document, today: date, check_by: date | None = None) -> Document:
    """Somebody has looked: this is the edition in force. `check_by` is the next day to look, by default that of its
    kind."""
    return _changed(document, check_by=check_by or next_check(document.doc_type, today))


@transaction.atomic
def _changed(document: Document, **values: Any) -> Document:
    for name, value in values.items():
        setattr(document, name, value)
    document.save(update_fields=[*values, "updated_at"])
    library_changed(document.tenant_id)
    return document
