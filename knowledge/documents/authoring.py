"""Write a short document in the admin and publish it as a file, which is then ingested like any other.

A draft may be edited. A published document stays as it is; its next edition is another draft.
"""

import hashlib
from datetime import date
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.text import slugify

from knowledge import conf
from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.jobs.content_storage import store_once
from knowledge.ingestion.jobs.jobs import wake_worker
from knowledge.ingestion.source_files import checked_options
from knowledge.models import Document, IngestionJob
from knowledge.models.documents import DocumentStatus, Origin


class CannotPublish(IngestionError):
    """The draft cannot be published; the message says what is missing."""

    code = "cannot_publish"


def begin_written(document: Document) -> Document:
    """Make a new row a draft that is written here. No search finds it."""
    document.origin, document.status, document.paged = Origin.WRITTEN, DocumentStatus.DRAFT, False
    document.content_hash = hashlib.sha256(f"draft {document.pk}".encode()).hexdigest()
    return document


def may_be_edited(document: Document) -> bool:
    return document.origin == Origin.WRITTEN and document.status == DocumentStatus.DRAFT


def publish_written(document: Document, today: date, created_by: Any = None) -> IngestionJob:
    """Queue the job that ingests the text and publishes it. Raises CannotPublish."""
    if not may_be_edited(document):
        raise CannotPublish("Only a draft that was written here can be published from here.")
    if not document.body.strip():
        raise CannotPublish("The document has no text yet.")
    if len(document.body) > conf.WRITTEN_LENGTH:
        raise CannotPublish(
            f"The text is longer than {conf.WRITTEN_LENGTH:,} characters: feed it in as a file."
        )
    body = document.body.replace("\r\n", "\n").strip()
    data = f"# {' '.join(document.title.split())}\n\n{body}\n".encode()
    document.content_hash = hashlib.sha256(data).hexdigest()
    document.source_name = f"{slugify(document.title)[:80] or 'document'}.md"
    document.edition_date = document.edition_date or today
    document.file.name = store_once(f"library/{document.content_hash}.md", len(data), [data])
    names = ("title", "doc_type", "abbreviation", "category", "tags")
    told = {name: getattr(document, name) for name in names}
    try:
        with transaction.atomic():
            document.save()
            job = IngestionJob.objects.create(
                tenant=document.tenant,
                document=document,
                file=document.file.name,
                source_name=document.source_name,
                content_hash=document.content_hash,
                options=checked_options({**told, "status": DocumentStatus.PUBLISHED}),
                created_by=created_by,
            )
            transaction.on_commit(lambda: wake_worker(job))
    except IntegrityError as error:
        raise CannotPublish("A document with exactly this text is in the library already.") from error
    return job
