"""Tag chunks with the Tasks whose references line names their document, or their part or section of the regulations.

Only the tags of this origin are rewritten, with the same result however often; those from people or from evidence stay.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from django.db import connection, transaction

from knowledge.models import AcsTask, Document

from .references import Cited, Reference, names_document

REFERENCES = "references"  # the origin of these tags

_PAIRS = "unnest(%(sections)s::text[], %(codes)s::text[]) AS served(section, code)"
_DELETE = f"""
    DELETE FROM knowledge_chunktask t USING knowledge_chunk c
    WHERE t.chunk_id = c.id AND c.document_id = %(document)s AND t.origin = %(origin)s
      AND NOT EXISTS (SELECT 1 FROM {_PAIRS} WHERE served.section = c.section AND served.code = t.task_code)"""
_INSERT = f"""
    INSERT INTO knowledge_chunktask (chunk_id, task_code, origin)
    SELECT c.id, served.code, %(origin)s FROM knowledge_chunk c JOIN {_PAIRS} ON served.section = c.section
    WHERE c.document_id = %(document)s AND c.retired_at IS NULL
    ON CONFLICT (chunk_id, task_code, origin) DO NOTHING"""


def mark_tasks(document: Document) -> None:
    """Tag the chunks of a document by the current standards."""
    _tag_chunks(document, _references_by_task())


@transaction.atomic
def mark_library() -> None:
    """Tag the chunks of every document, after a standard was loaded."""
    references = _references_by_task()
    for document in Document.objects.all().iterator():
        _tag_chunks(document, references)


def _references_by_task() -> dict[str, tuple[Reference, ...]]:
    rows = AcsTask.objects.filter(area__standard__current=True).values_list("code", "references")
    return {
        code: tuple(Reference(one["document"], one["section"]) for one in listed) for code, listed in rows
    }


def _tag_chunks(document: Document, references: Mapping[str, Iterable[Reference]]) -> None:
    cited = Cited(
        doc_type=document.doc_type,
        abbreviation=document.abbreviation,
        title=document.title,
        edition=document.edition,
    )
    is_named = cache(lambda reference, section: names_document(reference, cited, section))
    pairs = sorted(
        (section, code)
        for section in document.chunks.values_list("section", flat=True).distinct().order_by("section")
        for code, listed in references.items()
        if any(is_named(reference, section) for reference in listed)
    )
    values: dict[str, Any] = {
        "document": document.pk,
        "origin": REFERENCES,
        "sections": [section for section, _ in pairs],
        "codes": [code for _, code in pairs],
    }
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_DELETE, values)
        cursor.execute(_INSERT, values)
