"""A document is chunked again, from its own file, where that is needed: seed 004's reasons, or because somebody
wants it. The job is one like any other: what stays the same keeps its row."""

from typing import Any

from django.conf import settings

from knowledge.ingestion.chunking.diff import Chunking, chunking_label, reason_to_rechunk
from knowledge.ingestion.jobs.jobs import read_again
from knowledge.models import Document, IngestionJob

ASKED_FOR = "asked for"


def reason_for(document: Document, model_name: str, strategy: str = "") -> str:
    """Why this document is to be chunked anew with this strategy and embedding model, or ""."""
    return reason_to_rechunk(
        Chunking(strategy=document.chunking, model=model_of(document)),
        Chunking(
            strategy=chunking_label(strategy or chosen_for(document) or settings.CHUNKING, model_name),
            model=model_name,
        ),
    )


def chosen_for(document: Document) -> str:
    """The strategy that its last job asked for; empty where that was the one set for all."""
    job = IngestionJob.objects.filter(document=document).order_by("-created_at").first()
    return str(job.options.get("chunking", "")) if job else ""


def model_of(document: Document) -> str:
    """The embedding model in whose tokens its passages were counted."""
    return document.counted_by


def rechunk_document(
    document: Document, *, strategy: str = "", created_by: Any = None, wake: bool = True
) -> IngestionJob:
    """A job that reads the document's file again. Raises BadOption for a strategy that is not known."""
    options = {"chunking": strategy or chosen_for(document), "anew": True}
    return read_again(document, options, created_by=created_by, wake=wake)
