"""The references lines of the standards become Task codes on chunks: what a passage may be asked for.

A chunk serves a Task whose references name its document, or its part or section of the regulations. Codes
that people or evidence gave stay as they are; these alone are written anew, with the same result however often.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import connection, transaction

from knowledge.models import AcsTask, Document

from .references import Cited, Reference, names_document

REFERENCES = "references"  # the origin of these codes

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


def tasks_naming(
    references: Mapping[str, Iterable[Reference]], cited: Cited, sections: Iterable[str]
) -> set[tuple[str, str]]:
    """Each section with the codes of the Tasks whose references speak of it. Pure."""
    named: dict[tuple[Reference, str], bool] = {}
    found = set()
    for section in set(sections):
        for code, listed in references.items():
            for reference in listed:
                key = (reference, section)
                if key not in named:
                    named[key] = names_document(reference, cited, section)
                if named[key]:
                    found.add((section, code))
                    break
    return found


def mark_tasks(document: Document) -> None:
    """Write on the chunks of a document the Tasks of the current standards that its references name."""
    _mark(document, _references())


@transaction.atomic
def mark_library() -> None:
    """The same for every document: a standard was loaded."""
    references = _references()
    for document in Document.objects.all().iterator():
        _mark(document, references)


def _references() -> dict[str, tuple[Reference, ...]]:
    rows = AcsTask.objects.filter(area__standard__current=True).values_list("code", "references")
    return {
        code: tuple(Reference(one["document"], one["section"]) for one in listed) for code, listed in rows
    }


def _mark(document: Document, references: Mapping[str, Iterable[Reference]]) -> None:
    cited = Cited(
        doc_type=document.doc_type,
        abbreviation=document.abbreviation,
        title=document.title,
        edition=document.edition,
    )
    sections = document.chunks.values_list("section", flat=True).distinct().order_by("section")
    pairs = sorted(tasks_naming(references, cited, sections))
    values: dict[str, Any] = {
        "document": document.pk,
        "origin": REFERENCES,
        "sections": [section for section, _ in pairs],
        "codes": [code for _, code in pairs],
    }
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_DELETE, values)
        cursor.execute(_INSERT, values)
