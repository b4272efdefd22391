"""Computes answers from approved claims: each cell of a decision table with its claims, citations and exceptions.

Only claims that are approved, in force and supported by a passage that can be shown count. Claims that wait for a
reviewer are counted where they would fill an empty cell, and not shown.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q

from knowledge import conf
from knowledge.decision_tables.placement import Claim, FactValue, FilledCell, changes_cells, fill_cells
from knowledge.decision_tables.table_data import Table, Where, find_cell, tables_for_element
from knowledge.grounding.citations import Citation, QuoteNotFound, cite_quote
from knowledge.grounding.context import Passage
from knowledge.grounding.outline import outline_of
from knowledge.models import Concept, ConceptChunkEvidence
from knowledge.models.graph import ConceptCategory, ValidationStatus
from knowledge.retrieval.results import passages_of, read_passages
from knowledge.retrieval.searchable import Scope, searchable_chunks
from knowledge.retrieval.values import Ranked
from knowledge.text.conditions import conditions_in
from llm.registry import embedding_model


@dataclass(frozen=True, slots=True)
class CitedClaim:
    """An approved claim and the quote that it rests on."""

    id: str
    statement: str
    citation: Citation

    def to_dict(self) -> dict[str, Any]:
        return {"id": self.id, "statement": self.statement, "citation": self.citation.to_dict()}


@dataclass(frozen=True, slots=True)
class CitedException:
    """What changes a cell. `claims` are approved; without one, `citation` is the paragraph itself, if the library has
    it."""

    text: str
    reference: str = ""
    claims: tuple[CitedClaim, ...] = ()
    citation: Citation | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "reference": self.reference,
            "claims": [claim.to_dict() for claim in self.claims],
            "citation": self.citation.to_dict() if self.citation else None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputedCell:
    """A cell for people and programs. `values` has each fact in every way in which its claims say it; an empty cell
    says in `missing` what it lacks."""

    table: Table
    where: Where
    values: dict[str, tuple[FactValue, ...]]
    claims: tuple[CitedClaim, ...]
    exceptions: tuple[CitedException, ...]
    conflicts: tuple[str, ...]
    missing: str

    @property
    def titles(self) -> list[tuple[str, str]]:
        """Each dimension and its value in words, "" where that makes no difference."""
        given = self.where
        return [
            (one.title, one.values[given[name]].title if name in given else "")
            for name, one in self.table.dimensions.items()
        ]

    @property
    def words(self) -> list[tuple[str, list[str]]]:
        """Each fact that it holds, in every way in which its claims say it."""
        return [
            (fact.title, [way.words for way in self.values[name]])
            for name, fact in self.table.facts.items()
            if name in self.values
        ]

    @property
    def facts(self) -> dict[str, Any]:
        """Each fact on which its claims agree."""
        return {name: ways[0].value for name, ways in self.values.items() if len(ways) == 1}

    def to_dict(self) -> dict[str, Any]:
        return {
            "domain": self.table.domain,
            "cell": self.where,
            "facts": self.facts,
            "words": dict(self.words),
            "conflicts": list(self.conflicts),
            "exceptions": [one.to_dict() for one in self.exceptions],
            "claims": [claim.to_dict() for claim in self.claims],
            "citation": self.claims[0].citation.to_dict() if self.claims else None,
            "missing": self.missing,
        }


@dataclass(frozen=True, slots=True)
class ComputedTable:
    table: Table
    cells: tuple[ComputedCell, ...]

    @property
    def filled(self) -> int:
        return sum(bool(cell.claims) for cell in self.cells)

    @property
    def exceptions(self) -> list[CitedException]:
        """Those of all cells, each once."""
        return list(dict.fromkeys(one for cell in self.cells for one in cell.exceptions))

    def cell_at(self, asked: Where) -> ComputedCell:
        """Raises UnknownCell."""
        wanted = find_cell(self.table, asked).where
        return next(cell for cell in self.cells if cell.where == wanted)

    def to_dict(self) -> dict[str, Any]:
        return {
            "domain": self.table.domain,
            "title": self.table.title,
            "cells": [cell.to_dict() for cell in self.cells],
        }


def compute_tables(tables: Sequence[Table], tenant: int | None) -> list[ComputedTable]:
    """The tables as the shared library and this school's own fill them, by four queries."""
    sources = _read_sources(tables, tenant)
    computed = []
    for table in tables:
        cells = [
            ComputedCell(
                table=table,
                where=filled.cell.where,
                values=filled.values,
                claims=tuple(sources.cited[claim.id] for claim in filled.claims),
                exceptions=tuple(_exceptions_of(table, filled, sources)),
                conflicts=filled.conflicts,
                missing="" if filled.claims else _what_is_missing(would_fill, sources),
            )
            for filled, would_fill in zip(
                fill_cells(table, sources.approved), fill_cells(table, sources.pending), strict=True
            )
        ]
        computed.append(ComputedTable(table, tuple(cells)))
    return computed


def facts_for_element(code: str, tenant: int | None) -> list[str]:
    """What the tables of an element tell, a line for each cell on which its claims agree, with its source and what
    changes it."""
    lines = []
    for computed in compute_tables(tables, tenant) if (tables := tables_for_element(code)) else ():
        for cell in computed.cells:
            if cell.claims and not cell.conflicts:
                at = ", ".join(value for _, value in cell.titles if value)
                told = "; ".join(f"{title}: {ways[0]}" for title, ways in cell.words)
                changed = [
                    f"{one.text} ({one.reference})" if one.reference else one.text for one in cell.exceptions
                ]
                line = f"{computed.table.title}, {at}: {told} ({cell.claims[0].citation.label})"
                lines.append(f"{line}; except: {', '.join(changed)}" if changed else line)
    return lines


# --- what is read -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Sources:
    """Claims with their citations, claims that wait for a reviewer, and the passages of the sections."""

    approved: tuple[Claim, ...]
    cited: dict[str, CitedClaim]
    pending: tuple[Claim, ...]
    passages: dict[str, list[Passage]]


def _read_sources(tables: Sequence[Table], tenant: int | None) -> _Sources:
    references = {
        one for table in tables for one in (*table.references, *(r.reference for r in table.exceptions))
    }
    cited_so = Q()
    for reference in sorted(references):
        cited_so |= Q(key_facts__cfr_reference=reference)
        cited_so |= Q(key_facts__cfr_reference__startswith=f"{reference}(")
    rows = list(
        Concept.objects.filter(
            cited_so,
            Q(tenant__isnull=True) | Q(tenant=tenant),
            category=ConceptCategory.REGULATORY_CLAIM,
            validation_status__in=(ValidationStatus.VALIDATED, ValidationStatus.PENDING),
            stale=False,
        )
        .order_by("key_facts__cfr_reference", "created_at", "key")
        .only("name", "key_facts", "validation_status")
    )
    claims = {
        row.pk: Claim(
            id=str(row.pk),
            statement=row.name,
            reference=str(row.key_facts.get("cfr_reference", "")),
            exceptions=_exceptions_said(row.name, row.key_facts.get("exceptions", ())),
        )
        for row in rows
    }
    approved = [row.pk for row in rows if row.validation_status == ValidationStatus.VALIDATED]
    evidence = list(
        ConceptChunkEvidence.objects.filter(concept__in=approved, confidence__gte=conf.BUNDLE_CONFIDENCE)
        .order_by("evidence_type", "id")
        .values_list("concept_id", "chunk_id", "quote")
    )
    scope = Scope(tenant=tenant, model=embedding_model().name)
    sections = {_section_of(reference) for reference in references}
    in_sections = searchable_chunks(scope).filter(section__in=sections, document__doc_type="cfr")
    wanted: list[UUID] = [*in_sections.order_by("document_id", "index").values_list("pk", flat=True)]
    wanted = list(dict.fromkeys([*wanted, *(chunk for _, chunk, _ in evidence)]))
    read = passages_of(read_passages([Ranked(chunk, 1.0, 0.0, 0.0) for chunk in wanted], scope))
    by_chunk = {passage.chunk_id: passage for passage in read}
    cited: dict[str, CitedClaim] = {}
    for concept, chunk, quote in evidence:
        claim = claims[concept]
        if claim.id not in cited and (passage := by_chunk.get(str(chunk))):
            with suppress(QuoteNotFound):
                cited[claim.id] = CitedClaim(claim.id, claim.statement, cite_quote(passage, quote, 1))
    passages: dict[str, list[Passage]] = defaultdict(list)
    for passage in read:
        if passage.doc_type == "cfr":
            passages[passage.section].append(passage)
    return _Sources(
        approved=tuple(claims[pk] for pk in approved if str(pk) in cited),
        cited=cited,
        pending=tuple(claim for pk, claim in claims.items() if pk not in approved),
        passages=passages,
    )


def _exceptions_said(statement: str, stored: Iterable[Any]) -> tuple[str, ...]:
    """The exceptions in the words of a claim, and those that its key facts have besides."""
    besides = [one for one in map(str, stored) if one.lower() not in statement.lower()]
    return tuple(dict.fromkeys([*conditions_in(statement).exceptions, *besides]))


def _section_of(reference: str) -> str:
    """The section's number, "91.155", of "14 CFR 91.155(b)(2)"."""
    return reference.split()[-1].partition("(")[0]


# --- what is shown ----------------------------------------------------------------------------------------------


def _what_is_missing(would_fill: FilledCell, sources: _Sources) -> str:
    """What an empty cell lacks: a reviewer's decision, a claim, or a passage."""
    if pending := len(would_fill.claims):
        waiting = (
            "1 claim that would fill this waits"
            if pending == 1
            else f"{pending} claims that would fill this wait"
        )
        return f"Nothing approved: {waiting} for a reviewer."
    reference = would_fill.cell.references[0]
    if sources.passages.get(_section_of(reference)):
        return f"Nothing approved: the library has {reference}, but no claim from it says this."
    return f"Nothing approved: no claim says this, and the library does not have {reference}."


def _exceptions_of(table: Table, filled: FilledCell, sources: _Sources) -> Iterable[CitedException]:
    """The table's own that matter in the cell, then those that its claims name."""
    listed = [rule for rule in table.exceptions if rule.matters_in(filled.cell.where)]
    said = dict.fromkeys(text for claim in filled.claims for text in claim.exceptions)
    others = []
    for text in {text.lower(): text for text in said}.values():
        named = [f"14 CFR {one}" for one in re.findall(r"\b\d+\.\d+[a-z]?(?:\([A-Za-z0-9]+\))*", text)]
        ours = [rule for rule in table.exceptions if any(_overlap(rule.reference, one) for one in named)]
        listed += [rule for rule in ours if rule not in listed and rule.reference in named]
        if not any(rule in listed for rule in ours):
            paragraph = _cite_paragraph(named[0], sources) if named else None
            others.append(CitedException(text, named[0] if named else "", (), paragraph))
    for rule in listed:
        claims = tuple(sources.cited[one.id] for one in sources.approved if changes_cells(rule, one))
        paragraph = None if claims else _cite_paragraph(rule.reference, sources)
        yield CitedException(rule.title, rule.reference, claims, paragraph)
    yield from others


def _overlap(one: str, other: str) -> bool:
    """Whether one paragraph is the other, or stands within it."""
    return f"{one}(".startswith(f"{other}(") or f"{other}(".startswith(f"{one}(")


def _cite_paragraph(reference: str, sources: _Sources) -> Citation | None:
    """The paragraph in the library, quoted from its beginning; None where the library does not have it."""
    _, bracket, labels = reference.partition("(")
    for passage in sources.passages.get(_section_of(reference), ()):
        for node in outline_of(passage.text, passage.heading):
            if node.path == bracket + labels and (node.text or node.children):
                last = node
                while last.children:
                    last = last.children[-1]
                quote = passage.text[node.start : last.end].strip()
                if len(quote) > conf.PARAGRAPH_QUOTED:
                    quote = quote[: conf.PARAGRAPH_QUOTED].rsplit(maxsplit=1)[0]
                return cite_quote(passage, quote, 1)
    return None
