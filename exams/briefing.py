"""An element becomes a briefing: what examiner and assessor may rely on, and what an answer is expected to
convey.

Expectations come from claims that a reviewer approved and that are linked to the element. Where there is
none, whole sentences of published passages above the quality bar stand in and the briefing says why it is
degraded. Where there is neither, `NoSupport`: the element is not asked. Pending and rejected claims never
count. With the flag `graph.enhanced_retrieval` off there are no claims at all: pure retrieval, said to be
degraded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, Final
from uuid import UUID

from django.db import connection
from prometheus_client import Counter

from exams import at_hand, conf
from exams.expecting import (
    RISK_KINDS,
    Basis,
    Candidate,
    candidates_in,
    expectations_from,
    importance_of,
    is_whole,
    kind_of,
    knowledge_bases,
    one_of_each_risk,
    ordered,
    risk_bases,
)
from exams.offline.matching import cosine
from exams.offline.vectors import KeptVectors
from exams.ranking import arm_of_exams
from exams.values import ElementKind, Expectation
from knowledge import conf as knowledge_conf
from knowledge.connections import give_connection_back
from knowledge.flags import ENHANCED, Switched, flags_for
from knowledge.generations import generations_of
from knowledge.graph.bundle import bundle_for_element
from knowledge.graph.identity import node_key
from knowledge.graph.traversal import Node
from knowledge.grounding.citations import Citation, QuoteNotFound, cite
from knowledge.grounding.context import NO_SOURCES, GroundedContext
from knowledge.grounding.sentences import sentences_in
from knowledge.grounding.words import content_words, coverage
from knowledge.models import AcsElement, Document, Tenant
from knowledge.models.graph import ConceptCategory, ConceptRelation, RelationType, ValidationStatus
from knowledge.retrieval.passages import context_from, found_from, new_among, passages_of
from knowledge.retrieval.search import search
from knowledge.retrieval.searchable import FROM_CHUNKS, Scope, searchable, searchable_chunks
from knowledge.retrieval.values import Found, Ranked, SearchRequest, SearchResponse
from knowledge.standards.elements import UnknownElement, element_named
from knowledge.standards.references import Cited, Reference, names_document
from llm.registry import embedding_model

BRIEFINGS: Final = Counter(
    "heydpe_briefings_total",
    "Briefings, found in the memory of the process or made from the library",
    ["tier"],
)


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
    """The citation with number n is what the expectation with citation n rests on; `bases` tell where each came
    from.
    """

    element: ElementFacts
    context: GroundedContext
    expectations: tuple[Expectation, ...]
    citations: tuple[Citation, ...]
    bases: tuple[Basis, ...]
    images: tuple[dict[str, Any], ...] = ()
    degraded: str | None = None
    retrieval: int | None = None  # the logged search that it was made from

    @property
    def versions(self) -> dict[str, str]:
        """The versions of the evidence, to be stored with whatever is said on its strength."""
        return {one.key: one.version or "sentence" for one in self.bases}

    def only(self, keys: Iterable[str]) -> Briefing:
        """The same briefing with these expectations alone and what they rest on; citations keep their numbers."""
        wanted = frozenset(keys)
        kept = tuple(one for one in self.expectations if one.key in wanted)
        numbers = {one.citation for one in kept}
        return replace(self, expectations=kept, citations=tuple(c for c in self.citations if c.n in numbers))


@dataclass(frozen=True, slots=True)
class Support:
    """Whether an element can be asked, and if not, which reference of its Task the library lacks. `claimed` says that
    approved claims bear it, not sentences that stand in for them.
    """

    askable: bool
    missing_reference: str = ""
    claimed: bool = False


# --- one element ----------------------------------------------------------------------------------------------


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


def briefing_for_element(
    code: str,
    *,
    tenant: Tenant | int | None,
    exam: UUID | None = None,
    flags: Switched | None = None,
    recorded: bool = True,
) -> Briefing:
    """All that the library bears of an element; `focus_of` picks what one question is about. `flags` are those that are
    on for whom it is made; None: those that are on for everyone. What is not `recorded` is searched without cache and
    log.

    Raises NoSupport, and UnknownElement for a code that no standard has.
    """
    row = element_named(code)
    element = _facts(row)
    scope = Scope(tenant=tenant.pk if isinstance(tenant, Tenant) else tenant, model=embedding_model().name)
    flags = flags_for(None) if flags is None else flags
    claims = _claim_bases(row, scope) if ENHANCED in flags else ()
    request = SearchRequest(
        element=code,
        tenant=scope.tenant,
        k=conf.BRIEFING_PASSAGES,
        arm=arm_of_exams(),
        exam=exam,
        flags=flags,
        recorded=recorded,
    )
    found = search(request, element=row)
    bases, degraded = _bases(element, claims, found)
    if not bases:
        raise NoSupport(f"{code}: {_missing(row, _documents(scope)) or 'the library says nothing of it'}")
    return _briefing(element, bases, found, scope, degraded)


def briefing_at_hand(code: str, *, library: LibraryState, exam: UUID | None = None) -> Briefing:
    """The same, made once by a process for each state of the library (`library_state`): many exams ask the same. The
    look-up is logged for the exam that came first; `note_cited` adds the others."""
    kept = at_hand.find(Briefing, (code, library))
    BRIEFINGS.labels("memory" if kept else "library").inc()
    if kept:
        return kept
    briefing = briefing_for_element(code, tenant=library.tenant, exam=exam, flags=library.flags)
    at_hand.keep((code, library), briefing)
    return briefing


def library_state(tenant: int | None, student: int | None) -> LibraryState:
    """As it is now, for this student; without one as it is for everyone."""
    return LibraryState(
        tenant=tenant,
        generations=generations_of(tenant),
        flags=flags_for(student),
        model=embedding_model().name,
    )


def _facts(row: AcsElement) -> ElementFacts:
    task = row.task
    return ElementFacts(
        code=row.code,
        kind=row.kind,  # type: ignore[arg-type]  # the column's choices are ElementKind
        text=row.text,
        parent=row.parent.text if row.parent else "",
        task=task.code,
        task_title=task.title,
        area=task.area.numeral,
        area_title=task.area.title,
    )


def _claim_bases(row: AcsElement, scope: Scope) -> tuple[Basis, ...]:
    """The approved claims that are linked to the element itself, with the passage of each that is surest."""
    bundle = bundle_for_element(row, tenant=scope.tenant, depth=1, model=scope.model)
    return ordered(_claim_basis(node, _facts(row).kind) for node in bundle.requirements)


def _claim_basis(node: Node, element: ElementKind) -> Basis:
    evidence = node.evidence[0]
    kind = kind_of(node.name, str(node.key_facts.get("role", "")), element)
    return Basis(
        key=node.key,
        statement=node.name,
        chunk_id=evidence.chunk_id,
        quote=evidence.quote,
        kind=kind,
        importance=importance_of(node.name, str(node.key_facts.get("importance", "")), kind),
        p0=node.priority == "P0",
        key_facts=node.key_facts,
        version=f"claim {node.id}",
    )


def _bases(
    element: ElementFacts, claims: tuple[Basis, ...], found: SearchResponse
) -> tuple[tuple[Basis, ...], str | None]:
    """What is expected, and why it is less than approved claims; nothing where the library does not bear it."""
    if element.kind == "risk":
        return _risk(element, claims, found)
    if claims:
        return claims, None
    bases = knowledge_bases(_candidates(element, found), element.kind)
    return (
        bases,
        "No approved claim covers this element; sentences of the library stand in." if bases else None,
    )


def _risk(
    element: ElementFacts, claims: tuple[Basis, ...], found: SearchResponse
) -> tuple[tuple[Basis, ...], str | None]:
    approved = one_of_each_risk(claims)
    if approved:
        return approved, None
    filled = one_of_each_risk((*claims, *risk_bases(_candidates(element, found))))
    return (
        filled or (),
        "Approved claims do not cover hazard, assessment and mitigation; sentences of the library stand in.",
    )


def _candidates(element: ElementFacts, found: SearchResponse) -> tuple[Candidate, ...]:
    """Sentences of what a search found, if it is above the quality bar."""
    good = [one for one in found.results if one.score >= conf.SENTENCE_PASSAGE]
    sentences = (sentence.text for one in good for sentence in sentences_in(one.text))
    vectors = _vectors_of(embedding_model().name)
    give_connection_back()
    vectors.learn((element.text, *filter(is_whole, sentences)))  # all in one request
    return candidates_in(
        ((str(one.chunk_id), one.text) for one in good), element.text, partial(_near, vectors)
    )


@cache
def _vectors_of(model: str) -> KeptVectors:
    """The vectors of sentences by one model, which `learn` asks for."""
    return KeptVectors(lambda texts: embedding_model(model).embed_passages(texts), conf.KEPT_SENTENCES)


def _near(vectors: KeptVectors, one: str, other: str) -> float:
    return cosine(vectors(one), vectors(other))


def _briefing(
    element: ElementFacts, bases: tuple[Basis, ...], found: SearchResponse, scope: Scope, degraded: str | None
) -> Briefing:
    context, results = _context(bases, found, scope)
    kept, citations = _cited(bases, context)
    if not kept or (element.kind == "risk" and len(kept) < len(RISK_KINDS)):
        raise NoSupport(f"{element.code}: its evidence no longer stands in the library")
    return Briefing(
        element=element,
        context=context,
        expectations=expectations_from(kept),
        citations=citations,
        bases=kept,
        images=_images(results, {one.chunk_id for one in kept}),
        degraded=degraded,
        retrieval=found.log,
    )


def _context(
    bases: Sequence[Basis], found: SearchResponse, scope: Scope
) -> tuple[GroundedContext, tuple[Found, ...]]:
    """The passages that expectations rest on, then what the search found; nothing twice."""
    ids = list(dict.fromkeys(UUID(one.chunk_id) for one in bases))
    evidence = found_from([Ranked(one, 1.0, 1.0, 0.0) for one in ids], scope)
    known = {one.chunk_id for one in evidence}
    further = new_among([one for one in found.results if one.chunk_id not in known], said=evidence)
    results = (*evidence, *further)
    if not results:
        return NO_SOURCES, ()
    return context_from(
        replace(found, results=results, quality="strong" if evidence else found.quality)
    ), results


def _cited(
    bases: Sequence[Basis], context: GroundedContext
) -> tuple[tuple[Basis, ...], tuple[Citation, ...]]:
    """Each basis whose quote stands in its passage, with its citation."""
    passages = {passage.chunk_id: passage for passage in context.passages}
    kept: list[Basis] = []
    citations: list[Citation] = []
    for one in bases:
        passage = passages.get(one.chunk_id)
        if passage is None:
            continue
        try:
            citations.append(cite(passage, one.quote, n=len(citations) + 1))
        except QuoteNotFound:
            continue
        kept.append(one)
    return tuple(kept), tuple(citations)


def _images(results: Iterable[Found], rested_on: set[str]) -> tuple[dict[str, Any], ...]:
    """Figures of the passages that expectations rest on; one that merely shares the page is no evidence."""
    figures = [
        f for found in results if str(found.chunk_id) in rested_on for f in found.images if f.is_evidence
    ]
    return tuple(figure.to_dict() for figure in figures[: conf.BRIEFING_IMAGES])


# --- where an element is to be read ---------------------------------------------------------------------------


def source_of_element(code: str, *, tenant: Tenant | None, student: int | None = None) -> Citation | None:
    """The first that the library says of an element: an approved claim's quote, else the sentence of a passage that
    holds every word of it. Rows are read and nothing else: no search, no model, no log. None if there is nothing.
    """
    try:
        row = element_named(code)
    except UnknownElement:
        return None
    scope = Scope(tenant=tenant.pk if tenant else None, model=embedding_model().name)
    claims = _claim_bases(row, scope) if ENHANCED in flags_for(student) else ()
    quotes = [(one.chunk_id, one.quote) for one in claims] or _spoken_quotes(_facts(row), scope)
    found = found_from([Ranked(UUID(chunk_id), 1.0, 1.0, 0.0) for chunk_id, _ in quotes[:1]], scope)
    try:
        return next((cite(passage, quotes[0][1], n=1) for passage in passages_of(found)), None)
    except QuoteNotFound:
        return None


def _spoken_quotes(element: ElementFacts, scope: Scope) -> list[tuple[str, str]]:
    """Whole sentences of passages that hold every word of the element, those with most of the words first."""
    words = content_words(element.text)
    allowed = searchable(replace(scope, standards=False))
    statement = f"""
        SELECT c.id::text, c.text FROM {FROM_CHUNKS}
        WHERE {allowed.sql} AND c.search_vector @@ plainto_tsquery('english', %(words)s)
        ORDER BY ts_rank(c.search_vector, plainto_tsquery('english', %(words)s)) DESC, c.id LIMIT %(most)s"""
    with connection.cursor() as cursor:
        cursor.execute(
            statement, {**allowed.values, "words": " ".join(words), "most": conf.BRIEFING_PASSAGES}
        )
        passages = cursor.fetchall()
    quotes = [
        (chunk_id, sentence.text)
        for chunk_id, text in passages
        for sentence in sentences_in(text)
        if is_whole(sentence.text)
    ]
    return sorted(quotes, key=lambda quote: -coverage(words, content_words(quote[1])))


# --- all elements of a certificate ----------------------------------------------------------------------------


def supported_elements(
    certificate: str, *, tenant: Tenant | None, flags: Switched | None = None
) -> dict[str, Support]:
    """Which elements of the current standard can be asked with the library at hand. A few queries for all of them.

    By approved claims exactly; by sentences only where one passage holds every word of a knowledge element. An element
    that then turns out to have nothing is left out when it is its turn.
    """
    rows = list(
        AcsElement.objects.filter(
            task__area__standard__certificate=certificate, task__area__standard__current=True
        ).select_related("task__area", "parent")
    )
    scope = Scope(tenant=tenant.pk if tenant else None, model=embedding_model().name)
    flags = flags_for(None) if flags is None else flags
    claimed = _claimed(rows, scope) if ENHANCED in flags else {}
    spoken = _spoken_of([row for row in rows if row.code not in claimed and row.kind == "knowledge"], scope)
    documents = _documents(scope)
    return {row.code: _support(row, claimed, spoken, documents) for row in rows}


def _support(
    row: AcsElement, claimed: Mapping[str, set[str]], spoken: set[str], documents: Sequence[Cited]
) -> Support:
    kinds = claimed.get(row.code, set())
    askable = set(RISK_KINDS) <= kinds if row.kind == "risk" else bool(kinds) or row.code in spoken
    return Support(True, claimed=bool(kinds)) if askable else Support(False, _missing(row, documents))


def _claimed(rows: Sequence[AcsElement], scope: Scope) -> dict[str, set[str]]:
    """The kinds of the approved claims of each element, as its briefing would have them."""
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
    kinds: defaultdict[str, set[str]] = defaultdict(set)
    for key, statement, facts, owner in edges.distinct():
        if owner in (None, scope.tenant):
            row = by_key[key]
            kinds[row.code].add(kind_of(statement, str(facts.get("role", "")), row.kind))  # type: ignore[arg-type]
    return dict(kinds)


def _spoken_of(rows: Sequence[AcsElement], scope: Scope) -> set[str]:
    """Elements all of whose words stand in one passage that may be found, other than where a standard prints them."""
    asked = {row.code: " ".join(content_words(row.text)) for row in rows}
    asked = {code: words for code, words in asked.items() if len(words.split()) >= 2}
    allowed = searchable(replace(scope, standards=False))
    statement = f"""
        SELECT asked.code FROM unnest(%(codes)s::text[], %(words)s::text[]) AS asked(code, words)
        WHERE EXISTS (SELECT 1 FROM {FROM_CHUNKS}
                      WHERE {allowed.sql} AND c.search_vector @@ plainto_tsquery('english', asked.words))"""
    with connection.cursor() as cursor:
        cursor.execute(statement, {**allowed.values, "codes": list(asked), "words": list(asked.values())})
        return {code for (code,) in cursor.fetchall()}


def _documents(scope: Scope) -> list[Cited]:
    """What the library holds for this tenant, as a Task's references would name it."""
    rows = Document.objects.filter(status="published", deprecated_at__isnull=True, superseded_by__isnull=True)
    return [
        Cited(doc_type=row.doc_type, abbreviation=row.abbreviation, title=row.title, edition=row.edition)
        for row in rows
        if row.tenant_id in (None, scope.tenant)
    ]


def _missing(row: AcsElement, documents: Sequence[Cited]) -> str:
    """The references of the Task that the library does not hold; all of them if it holds each but says
    nothing.
    """
    references = [Reference(one["document"], one["section"]) for one in row.task.references]
    lacking = [one for one in references if not any(names_document(one, cited) for cited in documents)]
    return ", ".join(str(one) for one in lacking or references)
