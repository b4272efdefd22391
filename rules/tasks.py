"""Celery task of the rules desk."""

from celery import shared_task

from knowledge.library_version import everything_changed
from rules.search.vectors import embed_kept


@shared_task(name="rules.embed_rules")
def embed_rules() -> None:
    """Make the vectors that are missing after a load, an edit or a change of the model."""
    if embed_kept():
        everything_changed()
