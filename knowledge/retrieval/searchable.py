"""The condition for passages that a search may find. Every search, count, and page about the library uses it.

A passage is searchable if it is in force (`knowledge.db.visibility_filter`), belongs to the shared library or to the
tenant, and has a vector of the embedding model in use. Filters narrow it further.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet
from django.db.models.expressions import RawSQL
from psycopg.sql import Literal

from knowledge.db.visibility_filter import IN_FORCE
from knowledge.models import Chunk
from knowledge.models.graph import SUPPORT

from .values import Filters

FROM_CHUNKS = (
    "knowledge_chunk c JOIN knowledge_document d ON d.id = c.document_id"
    " JOIN knowledge_chunkembedding e ON e.chunk_id = c.id"
)
_TASKS_OF_PASSAGE = "SELECT FROM knowledge_chunktask t WHERE t.chunk_id = c.id"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Whose library is searched, and by which embedding model. `standards` includes certification standards, which say
    what is asked and not what is right."""

    tenant: int | None
    model: str
    shared: bool = True
    standards: bool = True


@dataclass(frozen=True, slots=True)
class Condition:
    """SQL over c(hunk), d(ocument) and e(mbedding), with its parameters by name; also a whole statement."""

    sql: str
    values: dict[str, Any] = field(default_factory=dict)

    def __and__(self, other: "Condition") -> "Condition":
        return Condition(f"{self.sql} AND {other.sql}", {**self.values, **other.values})


ALWAYS = Condition("TRUE")


def searchable_condition(scope: Scope) -> Condition:
    """The one condition. Nothing else in the project may decide what a search finds; what a person may read in
    full is `documents.queries.documents_for`."""
    owners = ["d.tenant_id IS NULL"] * scope.shared + ["d.tenant_id = %(tenant)s"] * (
        scope.tenant is not None
    )
    # The model's name stands in the statement itself, so that a generic plan knows which vector index serves it.
    model = Literal(scope.model).as_string().replace("%", "%%")
    kinds = "" if scope.standards else " AND d.doc_type <> 'acs'"
    return Condition(
        f"{IN_FORCE} AND e.model = {model} AND e.state = 'current' AND ({' OR '.join(owners) or 'FALSE'}){kinds}",
        {"tenant": scope.tenant},
    )


def searchable_chunks(scope: Scope) -> QuerySet[Chunk]:
    """The chunks that this scope can find, for reading and counting."""
    condition = searchable_condition(scope)
    parameter = r"(?<!%)%\((\w+)\)s"  # "%%(" is no parameter: it may stand in a model's name
    values = [condition.values[name] for name in re.findall(parameter, condition.sql)]
    sql = re.sub(parameter, "%s", condition.sql)  # Django's expressions take parameters by position
    return Chunk.objects.filter(id__in=RawSQL(f"SELECT c.id FROM {FROM_CHUNKS} WHERE {sql}", values))


def filter_condition(filters: Filters, tenant: int | None = None) -> Condition:
    """All filters as one condition; `ALWAYS` where none is set. `tenant` is the school whose statements count beside
    the shared ones."""
    return document_condition(filters) & passage_condition(filters, tenant)


def document_condition(filters: Filters) -> Condition:
    """The filters that a document passes or fails as a whole."""
    found = ALWAYS
    if filters.doc_types:
        found &= Condition("d.doc_type = ANY(%(doc_types)s)", {"doc_types": list(filters.doc_types)})
    if filters.abbreviation:  # of any edition: "AC 90-66" finds AC 90-66C and not AC 90-6
        name = rf"^{re.escape(filters.abbreviation)}[A-Z]?(\W|$)"
        found &= Condition("d.abbreviation ~* %(named)s", {"named": name})
    if filters.category:
        found &= Condition("d.category = %(category)s", {"category": filters.category})
    return found


def passage_condition(filters: Filters, tenant: int | None = None) -> Condition:
    """The filters that some passages of a document may pass and others not."""
    found = ALWAYS
    if filters.chapter:  # by the printed page number ("15-3"), or by the chapter in the document's title
        title = rf"chapter {re.escape(filters.chapter)}(\D|$)"
        found &= Condition(
            "(c.page_label LIKE %(chapter_pages)s OR d.title ~* %(chapter)s)",
            {"chapter_pages": f"{filters.chapter}-%", "chapter": title},
        )
    if filters.sections:  # by number; "91.*" is every section of the part
        exact = [one for one in filters.sections if "*" not in one]
        patterns = {
            f"section_like_{at}": re.sub(r"([\\%_])", r"\\\1", one).replace("*", "%")
            for at, one in enumerate(filters.sections)
            if "*" in one
        }
        # One LIKE each, since no index serves LIKE ANY.
        asked = [f"c.section LIKE %({name})s" for name in patterns]
        asked += ["c.section = ANY(%(in_sections)s)"] * bool(exact)
        found &= Condition(f"({' OR '.join(asked)})", {**patterns, "in_sections": exact})
    if filters.certificate or filters.aircraft_class:
        found &= _standard_condition(filters)
    if filters.task:  # no references line names a school's own papers, so these serve every Task
        tagged = f"EXISTS ({_TASKS_OF_PASSAGE} AND t.task_code = %(task)s)"
        found &= Condition(f"({tagged} OR d.tenant_id IS NOT NULL)", {"task": filters.task})
    if filters.serves:
        found &= _serving_condition(filters.serves, tenant)
    return found


def _serving_condition(code: str, tenant: int | None) -> Condition:
    """Passages that an approved statement rests on which the graph applies to this element or a part of it; of a Task,
    to any of its elements."""
    # An array, so that the passages are looked up once, whatever joins the planner may use.
    serving = """
        SELECT v.chunk_id FROM knowledge_concept element
        JOIN knowledge_conceptrelation r ON r.target_id = element.id AND r.status = 'validated'
          AND r.relation_type IN ('applies_in_scenario', 'mitigates_risk_of')
        JOIN knowledge_concept n ON n.id = r.source_id AND n.validation_status = 'validated' AND NOT n.stale
          AND (n.tenant_id IS NULL OR n.tenant_id = %(statements_of)s)
        JOIN knowledge_conceptchunkevidence v ON v.concept_id = n.id AND v.evidence_type = ANY(%(support)s)
        WHERE element.category = 'acs_element' AND (element.key_facts ->> 'task_code' = %(serves)s
              OR element.key_facts ->> 'element_code' ~ %(part_of)s)"""
    return Condition(
        f"c.id = ANY(ARRAY({serving}))",
        {
            "serves": code,
            "part_of": f"^{re.escape(code)}[a-z]?$",
            "statements_of": tenant,
            "support": list(SUPPORT),
        },
    )


def _standard_condition(filters: Filters) -> Condition:
    """Passages tagged with a Task of the certificate and the class; a passage without a Task serves all of them."""
    tasks = "knowledge_acstask task JOIN knowledge_acsarea area ON area.id = task.area_id"
    asked = ["task.code = t.task_code"]
    if filters.certificate:
        tasks += " JOIN knowledge_standard standard ON standard.id = area.standard_id"
        asked.append("standard.certificate = %(certificate)s")
    if filters.aircraft_class:  # a Task without classes is for all of them
        asked.append("(task.classes = '[]' OR task.classes ? %(aircraft_class)s)")
    is_of_standard = f"EXISTS (SELECT FROM {tasks} WHERE {' AND '.join(asked)})"
    return Condition(
        f"(NOT EXISTS ({_TASKS_OF_PASSAGE}) OR EXISTS ({_TASKS_OF_PASSAGE} AND {is_of_standard}))",
        {"certificate": filters.certificate, "aircraft_class": filters.aircraft_class},
    )
