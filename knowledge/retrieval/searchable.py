"""What may be found, decided in one place: every search, count and page that speaks of the library asks here.

In force (`knowledge.db.visibility_filter`), of the shared library or of this tenant, and with a current vector of the
model in use.
"""

import re
from dataclasses import dataclass, field
from functools import reduce
from operator import and_
from typing import Any

from django.db.models import QuerySet
from django.db.models.expressions import RawSQL
from psycopg.sql import Literal

from knowledge.db.visibility_filter import IN_FORCE
from knowledge.models import Chunk

from .values import Filters

_PARAMETER = re.compile(r"(?<!%)%\((\w+)\)s")
FROM_CHUNKS = (
    "knowledge_chunk c JOIN knowledge_document d ON d.id = c.document_id"
    " JOIN knowledge_chunkembedding e ON e.chunk_id = c.id"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Whose search it is, and by which embedding model. `standards` lets certification standards be found: they say
    what is asked, and nothing of what is right."""

    tenant: int | None
    model: str
    shared: bool = True
    standards: bool = True


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on c(hunk), d(ocument) and e(mbedding), with its parameters by name."""

    sql: str
    values: dict[str, Any] = field(default_factory=dict)

    def __and__(self, other: "Condition") -> "Condition":
        return Condition(f"{self.sql} AND {other.sql}", {**self.values, **other.values})


ALWAYS = Condition("TRUE")


def searchable(scope: Scope) -> Condition:
    """The one predicate. Nothing else in the project may decide what can be found."""
    kinds = "" if scope.standards else " AND d.doc_type <> 'acs'"
    return Condition(
        f"{IN_FORCE} AND e.model = {_quoted(scope.model)} AND e.state = 'current' AND ({_owner(scope)}){kinds}",
        {"tenant": scope.tenant},
    )


def _quoted(model: str) -> str:
    """The name in the statement itself: a plan that is made once knows by it which index of vectors is meant."""
    return Literal(model).as_string().replace("%", "%%")


def _owner(scope: Scope) -> str:
    owners = ["d.tenant_id IS NULL"] * scope.shared
    owners += ["d.tenant_id = %(tenant)s"] * (scope.tenant is not None)
    return " OR ".join(owners) or "FALSE"


def searchable_chunks(scope: Scope) -> QuerySet[Chunk]:
    """The chunks that this scope can find, for reading and counting."""
    sql, values = _by_position(searchable(scope))
    return Chunk.objects.filter(id__in=RawSQL(f"SELECT c.id FROM {FROM_CHUNKS} WHERE {sql}", values))


def _by_position(condition: Condition) -> tuple[str, list[Any]]:
    """The condition as Django's expressions take it: parameters without names, in order."""
    values = [condition.values[name] for name in _PARAMETER.findall(condition.sql)]
    return _PARAMETER.sub("%s", condition.sql), values


def belongs(filters: Filters) -> Condition:
    """The filters as a condition; an empty filter is no condition."""
    return of_documents(filters) & of_passages(filters)


def of_documents(filters: Filters) -> Condition:
    """The part of it that a document meets as a whole."""
    types = list(filters.doc_types)
    return _all_of(
        (filters.doc_types, Condition("d.doc_type = ANY(%(doc_types)s)", {"doc_types": types})),
        (filters.abbreviation, _named(filters.abbreviation)),
        (filters.category, Condition("d.category = %(category)s", {"category": filters.category})),
    )


def of_passages(filters: Filters) -> Condition:
    """The part of it that some passages of a document may meet, and others not."""
    return _all_of(
        (filters.chapter, _chapter(filters.chapter)),
        (filters.sections, _sections(filters.sections)),
        (filters.certificate, _certificate(filters.certificate)),
        (filters.aircraft_class, _aircraft_class(filters.aircraft_class)),
        (filters.task, _task(filters.task)),
    )


def _all_of(*asked: tuple[object, Condition]) -> Condition:
    return reduce(and_, (condition for present, condition in asked if present), ALWAYS)


def _named(abbreviation: str) -> Condition:
    """By abbreviation, of whatever edition: "AC 90-66" finds AC 90-66C and not AC 90-6."""
    return Condition("d.abbreviation ~* %(named)s", {"named": rf"^{re.escape(abbreviation)}[A-Z]?(\W|$)"})


def _chapter(number: str) -> Condition:
    """By the printed page number ("15-3"), or by the chapter in the document's title."""
    return Condition(
        "(c.page_label LIKE %(chapter_pages)s OR d.title ~* %(chapter)s)",
        {"chapter_pages": f"{number}-%", "chapter": rf"chapter {re.escape(number)}(\D|$)"},
    )


def _sections(sections: tuple[str, ...]) -> Condition:
    """Sections by number; "91.*" is every section of the part. One by one, since no index serves LIKE ANY."""
    exact = [one for one in sections if "*" not in one]
    likes = {f"section_like_{at}": _like(one) for at, one in enumerate(sections) if "*" in one}
    asked = [f"c.section LIKE %({name})s" for name in likes]
    asked += ["c.section = ANY(%(in_sections)s)"] * bool(exact)
    return Condition(f"({' OR '.join(asked)})", {**likes, "in_sections": exact})


def _like(pattern: str) -> str:
    return re.sub(r"([\\%_])", r"\\\1", pattern).replace("*", "%")


def _certificate(certificate: str) -> Condition:
    """A chunk that names no certificate serves all."""
    return Condition("c.certificate IN ('', %(certificate)s)", {"certificate": certificate})


def _aircraft_class(aircraft_class: str) -> Condition:
    return Condition("c.aircraft_class IN ('', %(aircraft_class)s)", {"aircraft_class": aircraft_class})


def _task(code: str) -> Condition:
    """What somebody or a references line marked for the Task; and a school's own papers, which no line names."""
    marked = "EXISTS (SELECT FROM knowledge_chunktask t WHERE t.chunk_id = c.id AND t.task_code = %(task)s)"
    return Condition(f"({marked} OR d.tenant_id IS NOT NULL)", {"task": code})
