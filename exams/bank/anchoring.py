"""A key point is true of a library where a passage of it bears the point: anchors are looked for and stored here.

A point's sources are tried in their order: the section or chapter that the library holds, the paragraph in it if one is
named, the heading if one is given. Where the library holds none of them, what the Task refers to is searched. What is
found is stored as evidence of the point's concept and waits for a reviewer; nothing here approves. The same run again
leaves what still stands, so it may run after every change of the library.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from exams.bank.kept_vectors import KeptVectors
from exams.bank.quote_candidates import Candidate, candidates_in
from exams.bank.quote_selection import CLEAN, Bearing, best_bearing
from exams.bank.sources import CHAPTERED, Source, parse_source
from knowledge.db.connections import give_connection_back
from knowledge.grounding.highlight import rectangles_for_quote
from knowledge.grounding.labels import GLOSSARY
from knowledge.library_version import library_changed
from knowledge.models import AcsTask, AnchorState, Chunk, Concept, ConceptChunkEvidence, KeyPoint
from knowledge.models.graph import EvidenceType, ValidationStatus
from knowledge.retrieval.glossary import glossary_for
from knowledge.retrieval.search import search
from knowledge.retrieval.searchable import Scope, searchable_chunks
from knowledge.retrieval.values import SearchRequest
from knowledge.standards.references import Cited, Reference, names_document
from llm.registry import embedding_model

CREATED_BY: Final = "anchor"
KEPT: Final = 60_000
"""Vectors of candidates kept during one run: 384 floats of four bytes and the text, 150 MB at most."""
SEARCHED: Final = 8
"""Passages searched for a point whose documents the library does not hold."""
ELSEWHERE_BAR: Final = 0.1
"""What a quote from elsewhere than the heading or document that is named must score beyond a named one to be clean."""

Progress = Callable[[int, Counter[str]], None]


@dataclass(slots=True)
class Anchored:
    """What a run found, by state."""

    points: int = 0
    states: Counter[str] = field(default_factory=Counter)


def points_to_anchor(tenant: int | None) -> QuerySet[KeyPoint]:
    """Points that wait, that no passage bears yet, or whose passage is no longer in force; not those on the table."""
    scope = Scope(tenant=tenant, model=embedding_model().name, standards=False)
    standing = ConceptChunkEvidence.objects.filter(
        concept=OuterRef("concept"), evidence_type=EvidenceType.PRIMARY, chunk__in=searchable_chunks(scope)
    )
    return (
        KeyPoint.objects.filter(item__tenant=tenant, item__withdrawn=False)
        .exclude(anchor=AnchorState.TABLE)
        .filter(~Exists(standing) | ~Q(anchor=AnchorState.CLEAN))
        .select_related("concept", "item__tenant")
        .order_by("item__task", "item__key", "order")
    )


def anchor_points(
    points: Iterable[KeyPoint], *, tenant: int | None, progress: Progress = lambda done, states: None
) -> Anchored:
    """Look for the passages of these points. `progress` is told after each how many are done, and the states so far."""
    give_connection_back()
    library = _Library(tenant)
    done = Anchored()
    for point in points:
        done.states[_anchor(point, library)] += 1
        done.points += 1
        progress(done.points, done.states)
    if done.points:
        library_changed(tenant)
    return done


def _anchor(point: KeyPoint, library: _Library) -> str:
    """Find, store, and say what came of it."""
    found, missing = _find(point, library)
    state = AnchorState.MISSING
    if found is not None:
        state = AnchorState.CLEAN if found.clean else AnchorState.DOUBTFUL
    with transaction.atomic():
        KeyPoint.objects.filter(pk=point.pk).update(
            anchor=state, missing_document="" if found else missing[:120]
        )
        if point.concept:
            _store_evidence(point.concept, found, library)
    return state


def _find(point: KeyPoint, library: _Library) -> tuple[Bearing | None, str]:
    """The best of the first source that bears the point cleanly, else the best of all; and the document that the
    library lacks, if it lacks one."""
    best: Bearing | None = None
    missing = ""
    givens = _givens(point)
    for named in point.sources:
        source = parse_source(named)
        missing = missing or ("" if library.holds(source) else lacking(source))
        for wider, candidates in enumerate(library.candidates_of(source)):
            found = best_bearing(
                point.text, candidates, library.near, paragraph=source.paragraph, givens=givens
            )
            sure = found is not None and found.clean and found.score >= CLEAN + wider * ELSEWHERE_BAR
            if found and (best is None or sure or (not wider and found.score > best.score)):
                best = found if sure or not wider else replace(found, clean=False)
            if sure:
                return best, ""
    if best is None and missing:
        found = best_bearing(point.text, library.searched(point), library.near, givens=givens)
        if found and found.clean and found.score >= CLEAN + ELSEWHERE_BAR:
            best = found
    return best, missing


def _givens(point: KeyPoint) -> str:
    """What the question itself says, with every value that its slots may have."""
    item = point.item
    values = [str(value) for values in item.slots.values() for value in values]
    values += [str(value) for case in item.cases for value in case.values()]
    return " ".join((item.stem, item.again, *values))


def _store_evidence(concept: Concept, found: Bearing | None, library: _Library) -> None:
    """What was found is the concept's evidence; a decision stands as long as its quote does."""
    kept = concept.evidence.filter(created_by=CREATED_BY)
    if found is None:
        kept.delete()
        if concept.validation_status == ValidationStatus.VALIDATED and not concept.evidence.exists():
            _doubt(concept, "No passage in force bears it any more.")
        return
    chunk = library.chunk(found.candidate.chunk)
    *lead_ins, quote = found.candidate.quotes
    rows = [(EvidenceType.PRIMARY, quote)] + [(EvidenceType.SECONDARY, one) for one in lead_ins[-1:]]
    before = list(kept.filter(evidence_type=EvidenceType.PRIMARY).values_list("quote", flat=True))
    kept.delete()
    ConceptChunkEvidence.objects.filter(concept=concept, chunk=chunk).delete()
    ConceptChunkEvidence.objects.bulk_create(
        ConceptChunkEvidence(
            concept=concept,
            chunk=chunk,
            evidence_type=kind,
            quote=words,
            page=_page(chunk, words),
            confidence=min(1.0, found.score) if found.clean else 0.5,
            created_by=CREATED_BY,
        )
        for kind, words in rows
    )
    if before and before != [quote] and concept.validation_status == ValidationStatus.VALIDATED:
        _doubt(concept, "Another passage bears it now; look at its quote again.")


def _page(chunk: Chunk, quote: str) -> int | None:
    lit = rectangles_for_quote(chunk.text, chunk.lines, quote)
    return lit[0].page if lit else chunk.page_start


def _doubt(concept: Concept, why: str) -> None:
    Concept.objects.filter(pk=concept.pk).update(stale=True, stale_reason=why)


# --- the library, as one run reads it -----------------------------------------------------------------------------


class _Library:
    """Passages in force by source, cut into candidates once, with their vectors kept."""

    def __init__(self, tenant: int | None) -> None:
        model = embedding_model()
        scope = Scope(tenant=tenant, model=model.name, standards=False)
        self._tenant = tenant
        self._vectors = KeptVectors(lambda texts: model.embed_passages(texts), KEPT)
        self._in_force = (
            searchable_chunks(scope).exclude(kind__in=("toc", "index")).select_related("document")
        )
        self._names = glossary_for(tenant).names
        self._chunks: dict[str, Chunk] = {}
        self._candidates: dict[str, tuple[Candidate, ...]] = {}
        self._by_source: dict[tuple[str, str, str], tuple[tuple[Candidate, ...], ...]] = {}
        self._references: dict[str, list[Reference]] = {}

    def near(self, text: str, others: Sequence[str]) -> list[float]:
        self._vectors.learn((text, *others))
        one = self._vectors(text)
        return [float(np.dot(one, self._vectors(other))) for other in others]

    def chunk(self, key: str) -> Chunk:
        return self._chunks[key]

    def holds(self, source: Source) -> bool:
        return bool(self.candidates_of(source))

    def candidates_of(self, source: Source) -> tuple[tuple[Candidate, ...], ...]:
        """All that may be quoted of a source: what stands under its heading, then the whole place, since a page break
        may have put the words under another. Empty where the library does not hold it."""
        key = (source.document, source.place, source.heading)
        if key not in self._by_source:
            chunks = list(_chunks_of(source, self._in_force))
            under = [chunk for chunk in chunks if source.heading and _stands_under(chunk, source.heading)]
            ways = [under, chunks] if under and len(under) < len(chunks) else [chunks]
            self._by_source[key] = tuple(self._cut(way) for way in ways if way)
        return self._by_source[key]

    def searched(self, point: KeyPoint) -> tuple[Candidate, ...]:
        """What a search finds in the documents that the item's Task refers to."""
        request = SearchRequest(
            query=point.text, tenant=self._tenant, k=SEARCHED, threshold=0.0, recorded=False, flags=()
        )
        found = [str(one.chunk_id) for one in search(request).results]
        chunks = [chunk for chunk in self._in_force.filter(pk__in=found) if self._may_bear(point, chunk)]
        return self._cut(chunks)

    def _may_bear(self, point: KeyPoint, chunk: Chunk) -> bool:
        task = point.item.task
        if task not in self._references:
            row = AcsTask.objects.filter(code=task, area__standard__current=True).first()
            self._references[task] = [
                Reference(one["document"], one["section"]) for one in (row.references if row else ())
            ]
        document = chunk.document
        cited = Cited(
            doc_type=document.doc_type,
            abbreviation=document.abbreviation,
            title=document.title,
            edition=document.edition,
        )
        return any(names_document(one, cited, chunk.section) for one in self._references[task])

    def _cut(self, chunks: Sequence[Chunk]) -> tuple[Candidate, ...]:
        for chunk in chunks:
            key = str(chunk.pk)
            if key not in self._chunks:
                self._chunks[key] = chunk
                self._candidates[key] = tuple(candidates_in(key, chunk.text, chunk.heading, self._names))
        return tuple(one for chunk in chunks for one in self._candidates[str(chunk.pk)])


def lacking(source: Source) -> str:
    """The document that would hold the source, as a reader would look for it: "PHAK ch. 13", "14 CFR part 39"."""
    if source.document.endswith("CFR"):
        number = source.place.removeprefix("part ").partition(".")[0]
        return f"{source.document} part {number}"
    if source.document == "AIM":
        return f"AIM chapter {source.place.partition('-')[0]}"
    if source.document in CHAPTERED and source.place:
        return f"{source.document} ch. {source.place}"
    return source.document


def _chunks_of(source: Source, chunks: QuerySet[Chunk]) -> QuerySet[Chunk]:
    """The passages of the document and place that a source names."""
    place = source.place
    if source.document.endswith("CFR"):
        if place.startswith("part "):
            named = rf"^{re.escape(source.document)}\s+(part\s+)?{place.removeprefix('part ')}$"
            return chunks.filter(document__doc_type="cfr", document__abbreviation__iregex=named)
        return chunks.filter(document__doc_type="cfr", section=place)
    if source.document == "AIM":
        return chunks.filter(document__doc_type="aim", section=place)
    if source.document == "POH/AFM":
        return chunks.filter(document__doc_type="poh")
    found = chunks.filter(document__abbreviation__iregex=_of_any_edition(source.document))
    if source.document == GLOSSARY and source.heading:
        terms = set(found.values_list("heading", flat=True).order_by())
        under = headings_of_term(source.heading, terms)
        return found.filter(heading__in=under) if under else found
    if source.document in CHAPTERED and place:
        chapter = Q(document__title__iregex=rf"chapter {place}(\D|$)")
        return found.filter(chapter | Q(page_label__startswith=f"{place}-"))
    if place:
        return found.filter(Q(section=place) | Q(section__startswith=f"{place}."))
    return found


def headings_of_term(term: str, headings: Iterable[str]) -> set[str]:
    """The glossary's headings for a term: the term itself, else the one that it abbreviates ("AIRMET" stands in
    brackets behind its words), else the term with what stands behind it in brackets."""
    wanted = _plain(term)
    exact: set[str] = set()
    abbreviated: set[str] = set()
    begun: set[str] = set()
    for heading in headings:
        words, *asides = re.split(r"[(\[]", heading)
        if _plain(heading) == wanted:
            exact.add(heading)
        elif _plain(words) == wanted:
            begun.add(heading)
        elif any(_plain(aside) == wanted for aside in asides):
            abbreviated.add(heading)
    return exact or abbreviated or begun


def _of_any_edition(document: str) -> str:
    """A later edition of a circular answers for the one that is named: "AC 90-66C" is found as AC 90-66D."""
    name = re.sub(r"(?<=\d)[A-Z]$", "", document)
    return rf"^{re.escape(name)}[A-Z]?(\W|$)"


def _stands_under(chunk: Chunk, heading: str) -> bool:
    wanted = _plain(heading)
    return any(wanted in _plain(str(one)) for one in (chunk.heading, *chunk.section_path)) or any(
        _plain(line).startswith(wanted)
        for line in chunk.text.splitlines()
        if len(line) < 2 * len(heading) + 40
    )


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", " ", text.lower()).strip()
