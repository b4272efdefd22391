"""An element becomes a briefing: what examiner and assessor may rely on, and what an answer is expected to convey.

What is expected are the approved key points of an item of the bank. Where the flag `exams.free_questions` is on, a
vendor's examiner may also ask about an element that no item covers, from approved claims linked to it. Without either,
`NoSupport`: the element is not asked. Pending and rejected never count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast
from uuid import UUID

from prometheus_client import Counter

from exams import conf
from exams.bank.items_in_force import Bank, read_bank
from exams.bank.selection import ItemInForce, MixUpKnown, OnTheTable, PointInForce, Values
from exams.domain.values import ElementKind, Expectation
from exams.examiner import process_cache
from exams.examiner.expectations import (
    RISK_KINDS,
    Basis,
    expectations_from,
    importance_of,
    kind_of,
    one_of_each_risk,
    ordered,
)
from exams.examiner.search_arm import arm_of_exams
from knowledge import conf as knowledge_conf
from knowledge.flags import ENHANCED, FREE_QUESTIONS, Switched, flags_for
from knowledge.graph.bundle import bundle_for_element
from knowledge.graph.identity import node_key
from knowledge.graph.traversal import Node
from knowledge.grounding.citations import Citation, QuoteNotFound, cite
from knowledge.grounding.context import NO_SOURCES, GroundedContext
from knowledge.library_version import generations_of
from knowledge.models import AcsElement, Tenant
from knowledge.models.graph import ConceptCategory, ConceptRelation, RelationType, ValidationStatus
from knowledge.retrieval.results import context_from, found_from, new_among, passages_of
from knowledge.retrieval.search import search
from knowledge.retrieval.searchable import Scope, searchable_chunks
from knowledge.retrieval.values import Found, Ranked, SearchRequest, SearchResponse
from knowledge.standards.elements import UnknownElement, element_named
from llm.registry import chat_model, embedding_model

BRIEFINGS: Final = Counter(
    "heydpe_briefings_total",
    "Briefings, found in the memory of the process or made from the library",
    ["tier"],
)
EXAMINER: Final = "examiner"
"""The role whose model words questions."""


class NoSupport(LookupError):
    """The library holds nothing that this element could be asked and judged by; the message names what is
    missing.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementFacts:
    """The element as the examiner needs it."""

    code: str
    kind: ElementKind
    text: str
    parent: str = ""
    task: str = ""
    task_title: str = ""
    area: str = ""
    area_title: str = ""

    @property
    def topic(self) -> str:
        """What the element is about, in its own words; a sub-element with the element it belongs to."""
        return f"{self.parent.rstrip(':. ')}: {self.text}" if self.parent else self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Briefing:
    """The citation with number n is what the expectation with citation n rests on; `bases` tell where each came from.
    `item` and the `values` of its slots are what the question is made of; None where claims alone are at hand.
    """

    element: ElementFacts
    context: GroundedContext
    expectations: tuple[Expectation, ...]
    citations: tuple[Citation, ...]
    bases: tuple[Basis, ...]
    item: ItemInForce | None = None
    values: Values | None = None
    images: tuple[dict[str, Any], ...] = ()
    retrieval: int | None = None  # the logged search that it was made from

    @property
    def versions(self) -> dict[str, str]:
        """The versions of the evidence, to be stored with whatever is said on its strength."""
        return {one.key: one.version for one in self.bases}

    @property
    def artifacts(self) -> tuple[OnTheTable, ...]:
        return self.item.artifacts if self.item else ()

    @property
    def mixups(self) -> tuple[MixUpKnown, ...]:
        return self.item.mixups if self.item else ()

    def only(self, keys: Iterable[str]) -> Briefing:
        """The same briefing with these expectations alone and what they rest on; citations keep their numbers."""
        wanted = frozenset(keys)
        kept = tuple(one for one in self.expectations if one.key in wanted)
        numbers = {n for one in kept for n in one.citations}
        return replace(self, expectations=kept, citations=tuple(c for c in self.citations if c.n in numbers))


@dataclass(frozen=True, slots=True)
class Support:
    """Whether an element can be asked, and if not, which document the library lacks for it; empty where it only waits
    for a reviewer. `items` is how many items can be asked about it.
    """

    askable: bool
    missing_reference: str = ""
    items: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryState:
    """All but the element that a briefing is made from: whose library it is, its generations, the flags that are on for
    whom it is made, the embedding model."""

    tenant: int | None
    generations: tuple[tuple[int, int], ...]
    flags: Switched
    model: str

    def __str__(self) -> str:
        generations = "-".join(f"{key}.{number}" for key, number in self.generations)
        return f"{self.tenant}:{generations}:{','.join(self.flags)}:{self.model}"


def library_state(tenant: int | None, student: int | None) -> LibraryState:
    """As it is now, for this student; without one as it is for everyone."""
    return LibraryState(
        tenant=tenant,
        generations=generations_of(tenant),
        flags=flags_for(student),
        model=embedding_model().name,
    )


# --- what can be asked ------------------------------------------------------------------------------------------


def bank_at_hand(library: LibraryState) -> Bank:
    """The items in force, read once by a process for each state of the library."""
    kept = process_cache.find(Bank, library)
    if kept is None:
        kept = read_bank(Scope(tenant=library.tenant, model=library.model))
        process_cache.keep(library, kept)
    return kept


def supported_elements(certificate: str, *, library: LibraryState) -> dict[str, Support]:
    """Which elements of the current standard can be asked with the library at hand."""
    rows = list(
        AcsElement.objects.filter(
            task__area__standard__certificate=certificate, task__area__standard__current=True
        ).select_related("task__area", "parent")
    )
    bank = bank_at_hand(library)
    claimed = _claimed(rows, _scope(library)) if may_ask_freely(library.flags) else set()
    return {row.code: _support(row, bank, claimed) for row in rows}


def _support(row: AcsElement, bank: Bank, claimed: set[str]) -> Support:
    items = len(bank.by_element.get(row.code, ()))
    if items or row.code in claimed:
        return Support(True, items=items)
    missing = [lack.missing_document for lack in bank.waiting.get(row.code, ())]
    return Support(False, "" if "" in missing else min(missing, default=""))


def may_ask_freely(flags: Switched) -> bool:
    """Whether a vendor's examiner may ask about elements that no item covers."""
    return FREE_QUESTIONS in flags and ENHANCED in flags and chat_model(EXAMINER).external


def _scope(library: LibraryState) -> Scope:
    return Scope(tenant=library.tenant, model=library.model)


# --- briefings --------------------------------------------------------------------------------------------------


def briefing_for_item(
    code: str,
    item: ItemInForce,
    values: Values,
    *,
    library: LibraryState,
    exam: UUID | None = None,
    recorded: bool = True,
) -> Briefing:
    """What one item expects with these givens, and the passages it stands on, made once by a process for each state of
    the library unless it is not `recorded`. Raises UnknownElement, and NoSupport where an approved quote no longer
    stands."""
    ground = (code, item.key, item.version, library)
    whole = process_cache.find(Briefing, ground) if recorded else None
    BRIEFINGS.labels("memory" if whole else "library").inc()
    if whole is None:
        element = element_named(code)
        bases = tuple(_point_basis(point) for point in item.points)
        found = search(_request(code, item.stem, library, exam, recorded), element=element)
        related = _related_passages(element, library) if ENHANCED in library.flags else ()
        whole = replace(_briefing(_facts(element), bases, found, library, related), item=item)
        if recorded:
            process_cache.keep(ground, whole)
    expected = {point.key for point in item.expected_with(values)}
    return replace(whole.only(expected), values=values)


def briefing_from_claims(
    code: str, *, library: LibraryState, exam: UUID | None = None, recorded: bool = True
) -> Briefing:
    """What approved claims bear of an element that no item covers. Raises NoSupport, and UnknownElement for a code that
    no standard has."""
    row = element_named(code)
    claims = _claim_bases(row, _scope(library)) if ENHANCED in library.flags else ()
    if row.kind == "risk":
        claims = one_of_each_risk(claims) or ()
    if not claims:
        raise NoSupport(f"{code}: no item of the bank can be asked, and no approved claim bears it")
    found = search(_request(code, "", library, exam, recorded), element=row)
    return _briefing(_facts(row), claims, found, library)


def _related_passages(row: AcsElement, library: LibraryState) -> tuple[str, ...]:
    """What the graph holds around the element: passages of its approved points and claims, the surest first."""
    bundle = bundle_for_element(row, tenant=library.tenant, depth=1, model=library.model)
    evidence = [one for node in bundle.nodes if node.is_verified for one in node.evidence]
    surest = sorted(evidence, key=lambda one: -one.confidence)
    return tuple(dict.fromkeys(one.chunk_id for one in surest))[: conf.BRIEFING_PASSAGES]


def _request(
    code: str, question: str, library: LibraryState, exam: UUID | None, recorded: bool
) -> SearchRequest:
    return SearchRequest(
        element=code,
        question=question,
        tenant=library.tenant,
        k=conf.BRIEFING_PASSAGES,
        arm=arm_of_exams(),
        exam=exam,
        flags=library.flags,
        recorded=recorded,
    )


def _facts(row: AcsElement) -> ElementFacts:
    task = row.task
    return ElementFacts(
        code=row.code,
        kind=cast(ElementKind, row.kind),
        text=row.text,
        parent=row.parent.text if row.parent else "",
        task=task.code,
        task_title=task.title,
        area=task.area.numeral,
        area_title=task.area.title,
    )


def _point_basis(point: PointInForce) -> Basis:
    return Basis(
        key=point.key,
        statement=point.text,
        chunk_id=point.chunk_id,
        quotes=point.quotes,
        kind=point.role,
        importance="must" if point.must else "should",
        p0=point.p0,
        also=point.accept,
        ask=point.ask,
        hint=point.hint,
        version=f"point {point.concept} v{point.version}",
    )


def _claim_bases(row: AcsElement, scope: Scope) -> tuple[Basis, ...]:
    """The approved claims that are linked to the element itself, with the passage of each that is surest."""
    bundle = bundle_for_element(row, tenant=scope.tenant, depth=1, model=scope.model)
    return ordered(_claim_basis(node, cast(ElementKind, row.kind)) for node in bundle.requirements)


def _claim_basis(node: Node, element: ElementKind) -> Basis:
    evidence = node.evidence[0]
    kind = kind_of(node.name, str(node.key_facts.get("role", "")), element)
    return Basis(
        key=node.key,
        statement=node.name,
        chunk_id=evidence.chunk_id,
        quotes=(evidence.quote,),
        kind=kind,
        importance=importance_of(node.name, str(node.key_facts.get("importance", "")), kind),
        p0=node.priority == "P0",
        version=f"claim {node.id}",
    )


def _briefing(
    element: ElementFacts,
    bases: Sequence[Basis],
    found: SearchResponse,
    library: LibraryState,
    related: Sequence[str] = (),
) -> Briefing:
    context, results = _context(bases, related, found, _scope(library))
    expectations, citations = expectations_from(bases, context)
    standing = {one.key for one in expectations}
    if any(one.importance == "must" and one.key not in standing for one in bases):
        raise NoSupport(f"{element.code}: its evidence no longer stands in the library")
    kept = tuple(one for one in bases if one.key in standing)
    return Briefing(
        element=element,
        context=context,
        expectations=expectations,
        citations=citations,
        bases=kept,
        images=_images(results, {one.chunk_id for one in kept}),
        retrieval=found.log,
    )


def _context(
    bases: Sequence[Basis], related: Sequence[str], found: SearchResponse, scope: Scope
) -> tuple[GroundedContext, tuple[Found, ...]]:
    """The passages that expectations rest on, those around them in the graph, then what the search found; nothing
    twice."""
    rests_on = [one.chunk_id for one in bases if one.chunk_id]
    ids = [UUID(one) for one in dict.fromkeys((*rests_on, *related))]
    evidence = found_from([Ranked(one, 1.0, 1.0, 0.0) for one in ids], scope)
    known = {one.chunk_id for one in evidence}
    further = new_among([one for one in found.results if one.chunk_id not in known], said=evidence)
    results = (*evidence, *further)
    if not results:
        return NO_SOURCES, ()
    return context_from(
        replace(found, results=results, quality="strong" if evidence else found.quality)
    ), results


def _images(results: Iterable[Found], rested_on: set[str]) -> tuple[dict[str, Any], ...]:
    """Figures of the passages that expectations rest on; one that merely shares the page is no evidence."""
    figures = [
        f for found in results if str(found.chunk_id) in rested_on for f in found.images if f.is_evidence
    ]
    return tuple(figure.to_dict() for figure in figures[: conf.BRIEFING_IMAGES])


# --- where an element is to be read ---------------------------------------------------------------------------


def source_of_element(code: str, *, tenant: Tenant | None, student: int | None = None) -> Citation | None:
    """What the first must point of the element's items rests on; None if the library has nothing. Rows are read and
    nothing else: no search, no model, no log.
    """
    library = library_state(tenant.pk if tenant else None, student)
    points = (
        point
        for item in bank_at_hand(library).by_element.get(code, ())
        for point in item.points
        if point.quotes
    )
    point = next(iter(sorted(points, key=lambda one: not one.must)), None)
    if point is None:
        return None
    found = found_from([Ranked(UUID(point.chunk_id), 1.0, 1.0, 0.0)], _scope(library))
    try:
        return next((cite(passage, point.quotes[0], n=1) for passage in passages_of(found)), None)
    except QuoteNotFound:
        return None


# --- claims -----------------------------------------------------------------------------------------------------


def _claimed(rows: Sequence[AcsElement], scope: Scope) -> set[str]:
    """Elements that approved claims bear: one of any kind, for a risk all three."""
    by_key = {node_key(ConceptCategory.ACS_ELEMENT, row.code): row for row in rows}
    edges = ConceptRelation.objects.filter(
        relation_type=RelationType.APPLIES_IN_SCENARIO,
        confidence__gte=knowledge_conf.BUNDLE_CONFIDENCE,
        target__key__in=by_key,
        source__category=ConceptCategory.REGULATORY_CLAIM,
        source__validation_status=ValidationStatus.VALIDATED,
        source__stale=False,
        source__evidence__confidence__gte=knowledge_conf.BUNDLE_CONFIDENCE,
        source__evidence__chunk__in=searchable_chunks(scope),
    ).values_list("target__key", "source__name", "source__key_facts", "source__tenant_id")
    kinds: dict[str, set[str]] = {}
    for key, statement, facts, owner in edges.distinct():
        if owner in (None, scope.tenant):
            row = by_key[key]
            kind = kind_of(statement, str(facts.get("role", "")), cast(ElementKind, row.kind))
            kinds.setdefault(row.code, set()).add(kind)
    risks = {row.code for row in rows if row.kind == "risk"}
    return {code for code, found in kinds.items() if code not in risks or set(RISK_KINDS) <= found}


__all__ = [
    "BRIEFINGS",
    "Briefing",
    "ElementFacts",
    "LibraryState",
    "NoSupport",
    "Support",
    "UnknownElement",
    "bank_at_hand",
    "briefing_for_item",
    "briefing_from_claims",
    "library_state",
    "may_ask_freely",
    "source_of_element",
    "supported_elements",
]
