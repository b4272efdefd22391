"""A document's state changes, each by one function; every one of them makes earlier searches stale."""

from datetime import datetime

from django.db import transaction

from .generations import library_changed
from .models import Document
from .models.documents import DocumentStatus


@transaction.atomic
def publish_document(document: Document) -> Document:
    """Back from draft or archive; a deprecated document stays deprecated."""
    return _set_status(document, DocumentStatus.PUBLISHED)


@transaction.atomic
def archive_document(document: Document) -> Document:
    return _set_status(document, DocumentStatus.ARCHIVED)


@transaction.atomic
def deprecate_document(document: Document, reason: str, now: datetime) -> Document:
    """No longer searched; the passages that old verdicts cite can still be opened."""
    document.deprecated_at, document.deprecated_reason = now, reason
    document.save(update_fields=["deprecated_at", "deprecated_reason", "updated_at"])
    library_changed(document.tenant_id)
    return document


def _set_status(document: Document, status: DocumentStatus) -> Document:
    document.status = status
    document.save(update_fields=["status", "updated_at"])
    library_changed(document.tenant_id)
    return document
