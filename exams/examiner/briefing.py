"""Builds the briefing of an element: the sources of examiner and assessor, and what an answer is expected to convey.

The expectations are the approved key points of an item of the bank. With the flag `exams.free_questions`, a vendor's
examiner may also ask about an element without an item, from approved claims linked to it. Without either, the element
is not asked (`NoSupport`). Pending and rejected points and claims never count.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast
from uuid import UUID

from prometheus_client import Counter

from exams import conf
from exams.bank.anchoring import find_quote_of, find_words_at
from exams.bank.beliefs.belief import Belief
from exams.bank.items_in_force import Bank, read_bank
from exams.bank.selection import ItemInForce, MixUpKnown, OnTheTable, Values
from exams.domain.values import ElementKind, Expectation
from exams.examiner import process_cache
from exams.examiner.expectations import (
    Basis,
    expectations_from,
    importance_of,
    in_asking_order,
    kind_of,
    one_of_each_risk,
)
from knowledge.flags import ENHANCED, FREE_QUESTIONS, Switched, flags_for
from knowledge.graph.bundle import Bundle, bundle_for_element
from knowledge.grounding.citations import Citation, QuoteNotFound, cite_quote
from knowledge.grounding.context import NO_SOURCES, GroundedContext
from knowledge.library_version import generations_of
from knowledge.models import AcsElement, Tenant
from knowledge.retrieval.rerank import configured_reranker
from knowledge.retrieval.results import context_from, new_among, passages_of, read_results
from knowledge.retrieval.search import search
from knowledge.retrieval.searchable import Scope
from knowledge.retrieval.values import Arm, Found, Ranked, SearchRequest, SearchResponse
from knowledge.standards.elements import element_named
from knowledge.text.slots import fill_slots
from llm.registry import chat_model, embedding_model

BRIEFINGS: Final = Counter(
    "heydpe_briefings_total",
    "Briefings, found in the memory of the process or made from the library",
    ["tier"],
)
EXAMINER: Final = "examiner"
"""The role whose model words questions."""


class NoSupport(LookupError):
    """The library holds nothing to ask and judge this element by; the message names what is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefedElement:
    """The element as the examiner needs it."""

    code: str
    kind: ElementKind
    text: str
    task: str = ""
    task_title: str = ""
    area: str = ""
    area_title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Briefing:
    """The material to ask and judge one question.

    The citation with number n supports the expectation with citation n; `bases` say where each came from. `item` and
    the `values` of its slots give the question; both are None where claims alone are at hand. `retrieval` is the logged
    search that the context was made from.
    """

    element: BriefedElement
    context: GroundedContext
    expectations: tuple[Expectation, ...]
    citations: tuple[Citation, ...]
    bases: tuple[Basis, ...]
    item: ItemInForce | None = None
    values: Values | None = None
    images: tuple[dict[str, Any], ...] = ()
    retrieval: int | None = None

    @property
    def versions(self) -> dict[str, str]:
        """The versions of the evidence, stored with everything that is said on its basis."""
        return {one.expectation.key: one.version for one in self.bases}

    @property
    def artifacts(self) -> tuple[OnTheTable, ...]:
        return self.item.artifacts if self.item else ()

    @property
    def mixups(self) -> tuple[MixUpKnown, ...]:
        return self.item.mixups if self.item else ()

    def narrowed_to(self, keys: Iterable[str]) -> Briefing:
        """The same briefing with only these expectations and their citations, which keep their numbers."""
        wanted = frozenset(keys)
        kept = tuple(one for one in self.expectations if one.key in wanted)
        numbers = {n for one in kept for n in one.citations}
        return replace(self, expectations=kept, citations=tuple(c for c in self.citations if c.n in numbers))


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryState:
    """Everything a briefing depends on, except the element.

    That is whose library it is, its generations, the flags that are on for the student, and the embedding model.
    """

    tenant: int | None
    generations: tuple[tuple[int, int], ...]
    flags: Switched
    model: str

    @property
    def scope(self) -> Scope:
        return Scope(tenant=self.tenant, model=self.model)

    def __str__(self) -> str:
        generations = "-".join(f"{key}.{number}" for key, number in self.generations)
        return f"{self.tenant}:{generations}:{','.join(self.flags)}:{self.model}"


def library_state(tenant: int | None, student: int | None) -> LibraryState:
    """The library as it is now for this student; without a student as it is for everyone."""
    return LibraryState(
        tenant=tenant,
        generations=generations_of(tenant),
        flags=flags_for(student),
        model=embedding_model().name,
    )


# --- what can be asked ------------------------------------------------------------------------------------------


def bank_at_hand(library: LibraryState) -> Bank:
    """The items in force, read once by a process for each state of the library."""
    kept = process_cache.find_kept(Bank, library)
    if kept is None:
        kept = read_bank(library.scope)
        process_cache.keep_value(library, kept)
    return kept


def may_ask_freely(flags: Switched) -> bool:
    """Whether a vendor's examiner may ask about elements that no item covers."""
    return FREE_QUESTIONS in flags and ENHANCED in flags and chat_model(EXAMINER).external


def source_of_element(code: str, *, tenant: Tenant | None, student: int | None = None) -> Citation | None:
    """What the first must point of the element's items rests on; None if the library has nothing.

    It only reads rows: no search, no model, no log.
    """
    library = library_state(tenant.pk if tenant else None, student)
    items = bank_at_hand(library).by_element.get(code, ())
    points = [point for item in items for point in item.points if point.quotes]
    point = min(points, key=lambda one: not one.must, default=None)
    if point is None:
        return None
    return _cite(point.chunk_id, point.quotes[0], scope=library.scope)


def citation_of_rule(statement: str, rule: str, *, tenant: int | None) -> Citation | None:
    """The words of the library at a rule ("14 CFR 61.39(a)(1)") that say the statement; None where it has none."""
    quote = find_quote_of(statement, rule, tenant=tenant)
    return _cite(*quote, scope=library_state(tenant, None).scope) if quote else None


def citation_at_source(belief: Belief, tenant: int | None) -> Citation | None:
    """The words of the library at a belief's source that are nearest to what is true; None where it has none."""
    quote = find_words_at(belief.source, belief.answer, tenant=tenant)
    return _cite(*quote, scope=library_state(tenant, None).scope) if quote else None


def _cite(chunk_id: str, quote: str, *, scope: Scope) -> Citation | None:
    """The citation of a passage's words by themselves; None where they no longer stand there."""
    found = read_results([Ranked(UUID(chunk_id), 1.0, 1.0, 0.0)], scope)
    try:
        return next((cite_quote(passage, quote, n=1) for passage in passages_of(found)), None)
    except QuoteNotFound:
        return None


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
    """What one item expects with these givens, and the passages it rests on.

    Made once by a process for each state of the library, unless it is not `recorded`. Raises UnknownElement, and
    NoSupport where an approved quote no longer stands.
    """
    ground = (code, item.key, item.version, library)
    whole = process_cache.find_kept(Briefing, ground) if recorded else None
    BRIEFINGS.labels("memory" if whole else "library").inc()
    if whole is None:
        row = element_named(code)
        bases = [
            Basis(
                expectation=Expectation(
                    key=point.key,
                    text=point.text,
                    importance="must" if point.must else "should",
                    kind=point.role,
                    p0=point.p0,
                    also=point.accept,
                    reject=point.reject,
                    keywords=point.keywords,
                    ask=point.ask,
                    then=point.then,
                    hint=point.hint,
                ),
                chunk_id=point.chunk_id,
                quotes=point.quotes,
                version=f"point {point.concept} v{point.version}",
            )
            for point in item.points
        ]
        found = search(_search_request(code, item.stem, library, exam, recorded), element=row)
        bundle = bundle_of(row, library)
        whole = replace(_briefing_from(row, bases, found, library, bundle), item=item)
        if recorded:
            process_cache.keep_value(ground, whole)
    asked = whole.narrowed_to(point.key for point in item.expected_with(values))
    filled = (
        replace(one, ask=fill_slots(one.ask, values), hint=fill_slots(one.hint, values))
        for one in asked.expectations
    )
    return replace(asked, expectations=tuple(filled), values=values)


def briefing_from_claims(
    code: str, *, library: LibraryState, exam: UUID | None = None, recorded: bool = True
) -> Briefing:
    """What the approved claims that are linked to an element say, where no item covers it.

    Raises NoSupport, and UnknownElement for a code that no standard has.
    """
    row = element_named(code)
    bases = []
    bundle = bundle_of(row, library)
    for node in bundle.requirements if bundle else ():
        if node.depth > 1:
            continue
        kind = kind_of(node.name, str(node.key_facts.get("role", "")), cast(ElementKind, row.kind))
        importance = importance_of(node.name, str(node.key_facts.get("importance", "")), kind)
        expectation = Expectation(
            key=node.key, text=node.name, importance=importance, kind=kind, p0=node.priority == "P0"
        )
        surest = node.evidence[0]
        bases.append(
            Basis(
                expectation=expectation,
                chunk_id=surest.chunk_id,
                quotes=(surest.quote,),
                version=f"claim {node.id}",
            )
        )
    claims: Sequence[Basis] = in_asking_order(bases)
    if row.kind == "risk":
        claims = one_of_each_risk(claims) or ()
    if not claims:
        raise NoSupport(f"{code}: no item of the bank can be asked, and no approved claim supports it")
    found = search(_search_request(code, "", library, exam, recorded), element=row)
    return _briefing_from(row, claims, found, library, bundle)


def bundle_of(row: AcsElement, library: LibraryState) -> Bundle | None:
    """What the graph holds around the element; None for students who are examined without it."""
    if ENHANCED not in library.flags:
        return None
    return bundle_for_element(row, tenant=library.tenant, model=library.model)


def passages_found(
    code: str, item: ItemInForce, *, library: LibraryState, hidden: Collection[str] = ()
) -> tuple[str, ...]:
    """The passages that are found for an item's question beside those that its points rest on, the first
    BRIEFING_PASSAGES. `hidden` are ids of concepts that the graph does not tell of. Raises UnknownElement."""
    row = element_named(code)
    bundle = bundle_of(row, library)
    related = _related_passages(bundle, hidden) if bundle else ()
    found = search(_search_request(code, item.stem, library, None, recorded=False), element=row)
    passages = dict.fromkeys((*related, *(str(one.chunk_id) for one in found.results)))
    return tuple(passages)[: conf.BRIEFING_PASSAGES]


def _related_passages(bundle: Bundle, hidden: Collection[str] = ()) -> tuple[str, ...]:
    """Passages of the approved points and claims beside the element in the graph, the surest first."""
    beside = [node for node in bundle.nodes if node.is_verified and node.depth <= 1 and node.id not in hidden]
    evidence = [one for node in beside for one in node.evidence]
    surest = sorted(evidence, key=lambda one: -one.confidence)
    return tuple(dict.fromkeys(one.chunk_id for one in surest))[: conf.BRIEFING_PASSAGES]


def _search_request(
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


def arm_of_exams() -> Arm:
    """The search arm for what an element is asked by: reranked where the reranker costs this machine little.

    `late` reads some twenty passages word by word, half a second for an element, and no student should wait for that.
    A student's answer is looked up without reranking: the verdict would wait for it, and the words would go to a vendor
    whom no page names.
    """
    return "hybrid" if configured_reranker() in ("none", "late") else "hybrid+rerank"


def _briefing_from(
    row: AcsElement,
    bases: Sequence[Basis],
    found: SearchResponse,
    library: LibraryState,
    bundle: Bundle | None = None,
) -> Briefing:
    related = _related_passages(bundle) if bundle else ()
    context, results = _context_for(bases, related, found, library.scope)
    if bundle:
        expected = {one.expectation.text for one in bases}
        context = replace(context, around=bundle.surroundings(conf.BRIEFING_AROUND_TOKENS, expected))
    expectations, citations = expectations_from(bases, context)
    standing = {one.key for one in expectations}
    lost = [one.expectation for one in bases if one.expectation.key not in standing]
    if not expectations or any(one.importance == "must" for one in lost):
        raise NoSupport(f"{row.code}: its evidence is no longer in the library")
    kept = tuple(one for one in bases if one.expectation.key in standing)
    # Only figures of the passages that expectations rest on: one that merely shares the page is no evidence.
    rested_on = {one.chunk_id for one in kept}
    figures = [
        figure
        for one in results
        if str(one.chunk_id) in rested_on
        for figure in one.images
        if figure.is_evidence
    ]
    return Briefing(
        element=BriefedElement(
            code=row.code,
            kind=cast(ElementKind, row.kind),
            text=row.text,
            task=row.task.code,
            task_title=row.task.title,
            area=row.task.area.numeral,
            area_title=row.task.area.title,
        ),
        context=context,
        expectations=expectations,
        citations=citations,
        bases=kept,
        images=tuple(figure.to_dict() for figure in figures[: conf.BRIEFING_IMAGES]),
        retrieval=found.log,
    )


def _context_for(
    bases: Sequence[Basis], related: Sequence[str], found: SearchResponse, scope: Scope
) -> tuple[GroundedContext, tuple[Found, ...]]:
    """The passages that expectations rest on, those around them in the graph, then what the search found; each once."""
    rests_on = [one.chunk_id for one in bases if one.chunk_id]
    ids = [UUID(one) for one in dict.fromkeys((*rests_on, *related))]
    evidence = read_results([Ranked(one, 1.0, 1.0, 0.0) for one in ids], scope)
    known = {one.chunk_id for one in evidence}
    further = new_among([one for one in found.results if one.chunk_id not in known], said=evidence)
    results = (*evidence, *further)
    if not results:
        return NO_SOURCES, ()
    quality = "strong" if evidence else found.quality
    return context_from(replace(found, results=results, quality=quality)), results
