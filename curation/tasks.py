"""Celery tasks of curation: fetch by id, call one function. Running one twice adds nothing."""

from celery import shared_task

from curation.intake import take_in_documents
from curation.reading.served_elements import find_missing_elements
from knowledge.models import Document


@shared_task(name="curation.extract_document")  # type: ignore[untyped-decorator]
def extract_document(document_id: str) -> None:
    take_in_documents(Document.objects.filter(pk=document_id))


@shared_task(name="curation.find_elements")  # type: ignore[untyped-decorator]
def find_elements() -> int:
    """Look up which elements waiting claims will serve, so that the queue need not."""
    return find_missing_elements()
