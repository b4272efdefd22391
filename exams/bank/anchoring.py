"""Find the passages of a library that support key points, and store them as evidence. Nothing here approves.

A point's sources are tried in order: the section or chapter, the paragraph in it, the heading, the words. Where the
library has none of them, the documents that the Task refers to are searched. Evidence that is still in force is left
alone, and a point that nothing bore is looked for again once something that was read for it has changed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from typing import Any, Final

import numpy as np
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from numpy.typing import NDArray

from exams import conf
from exams.bank.quote_candidates import Candidate, candidates_in, forms_said_in
from exams.bank.quote_selection import CLEAN, Bearing, best_bearing
from exams.bank.sources import CHAPTERED, Source, parse_source
from knowledge.db.connections import give_connection_back
from knowledge.grounding.citations import GLOSSARY
from knowledge.grounding.highlight import rectangles_for_quote
from knowledge.library_version import library_changed
from knowledge.models import (
    AcsTask,
    AnchorState,
    Chunk,
    Concept,
    ConceptChunkEvidence,
    Document,
    Item,
    KeyPoint,
)
from knowledge.models.graph import EvidenceType, ValidationStatus
from knowledge.retrieval.glossary import glossary_for
from knowledge.retrieval.search import search
from knowledge.retrieval.searchable import Scope, searchable_chunks
from knowledge.retrieval.values import SearchRequest
from knowledge.standards.references import Cited, Reference, names_document
from knowledge.text.tokens import plain_words, share_covered
from llm.local.text_cache import TextCache
from llm.registry import embedding_model

CREATED_BY: Final = "anchor"
_VERSION: Final = 2
"""Raised with each change of how a quote is found, so that points that nothing bore are looked for again."""
VECTOR_BYTES: Final = 96 * 1024 * 1024
"""Bytes of candidates' vectors kept during one run: 60,000 vectors of 384 floats."""
SEARCHED: Final = 8
"""Passages searched for a point whose documents the library does not hold."""
WORDS_SHARED: Final = 0.4
"""Share of a statement's words from which a quote at its source is shown beside it, unread."""
ELSEWHERE_BAR: Final = 0.1
"""Additional score that a quote from outside the named heading or document needs to be clean."""

Progress = Callable[[int, Counter[str]], None]


def points_to_anchor(tenant: int | None) -> list[KeyPoint]:
    """Points that wait, that no passage supports yet, or whose passage is no longer in force, without those for which
    the same was read before.

    Points that rest on an artifact of their own item need no passage.
    """
    scope = Scope(tenant=tenant, model=embedding_model().name, standards=False)
    standing = ConceptChunkEvidence.objects.filter(
        concept=OuterRef("concept"), evidence_type=EvidenceType.PRIMARY, chunk__in=searchable_chunks(scope)
    )
    points = (
        KeyPoint.objects.filter(item__tenant=tenant, item__withdrawn=False)
        .exclude(anchor=AnchorState.TABLE)
        .filter(~Exists(standing) | ~Q(anchor=AnchorState.CLEAN))
        .select_related("concept", "item__tenant")
        .order_by("item__task", "item__key", "order")
    )
    library = _Library(tenant)
    tried = (AnchorState.DOUBTFUL, AnchorState.MISSING)
    return [one for one in points if one.anchor not in tried or one.looked_in != library.state_for(one)]


def anchor_points(
    points: Iterable[KeyPoint], *, tenant: int | None, progress: Progress = lambda done, states: None
) -> Counter[str]:
    """Look for the passage of each point and store it. Returns how many points came out in each state.

    `progress` is told after each point how many are done, and the states so far.
    """
    give_connection_back()
    library = _Library(tenant)
    states = Counter[str]()
    for point in points:
        looked_in = library.state_for(
            point
        )  # first, so that what is published meanwhile is read the next time
        found, missing = _find_bearing(point, library)
        state = AnchorState.MISSING
        if found is not None:
            state = AnchorState.CLEAN if found.clean else AnchorState.DOUBTFUL
        with transaction.atomic():
            KeyPoint.objects.filter(pk=point.pk).update(
                anchor=state,
                missing_document="" if found else missing[:120],
                looked_in=looked_in,
            )
            if point.concept:
                _store_evidence(point.concept, found, library)
        states[state] += 1
        progress(states.total(), states)
    if states:
        library_changed(tenant)
    return states


def find_quote_of(statement: str, named: str, *, tenant: int | None) -> tuple[str, str] | None:
    """The id of the passage and the words in it that support a statement, at the source that is named, or its lead-in
    where that says more of it; None where the library has none that do so cleanly."""
    source, library = parse_source(named), _Library(tenant)
    for candidates in library.candidates_of(source):
        found = best_bearing(
            statement, candidates, library.similarities, paragraph=source.paragraph, words=source.words
        )
        if found is not None and found.clean:
            words = plain_words(statement).split()
            quotes = reversed(found.candidate.quotes)
            said = max(quotes, key=lambda one: share_covered(words, plain_words(one).split()))
            return found.candidate.chunk, said
    return None


def find_words_at(named: str, statement: str, *, tenant: int | None) -> tuple[str, str] | None:
    """The id of the passage at a source, and the words in it, that share most words with a statement; None where the
    library does not have the source, or too few are shared. It reads no vectors, so that a turn has time for it."""
    words = plain_words(statement).split()
    shared: list[tuple[float, int, str, str]] = []
    for candidates in _Library(tenant).candidates_of(parse_source(named))[:1]:
        for one in candidates:
            quote = one.quotes[-1]
            share = share_covered(words, plain_words(quote).split())
            shared.append((share, -len(quote), one.chunk, quote))
    share, _, chunk, quote = max(shared, default=(0.0, 0, "", ""))
    return (chunk, quote) if share >= WORDS_SHARED else None


def _find_bearing(point: KeyPoint, library: _Library) -> tuple[Bearing | None, str]:
    """The quote of the first source that supports the point cleanly, else the best of all; and the first document that
    the library lacks, if any."""
    givens = _givens_of(point.item)
    best: Bearing | None = None
    missing = ""
    for named in point.sources:
        source = parse_source(named)
        places = library.candidates_of(source)
        missing = missing or ("" if places else missing_document_of(source))
        for wider, candidates in enumerate(places):
            found = best_bearing(
                point.text,
                candidates,
                library.similarities,
                paragraph=source.paragraph,
                words=source.words,
                givens=givens,
            )
            least = 0.0 if source.words else CLEAN + wider * ELSEWHERE_BAR
            sure = found is not None and found.clean and found.score >= least
            if found and (best is None or sure or (not wider and found.score > best.score)):
                best = found if sure or not wider else replace(found, clean=False)
            if sure:
                return best, ""
    if best is None and missing:
        candidates = library.search_candidates(point)
        found = best_bearing(point.text, candidates, library.similarities, givens=givens)
        if found and found.clean and found.score >= CLEAN + ELSEWHERE_BAR:
            best = found
    return best, missing


def _givens_of(item: Item) -> str:
    """What the question itself says."""
    values = [value for options in item.slots.values() for value in options]
    values += [value for case in item.cases for value in case.values()]
    return " ".join((item.stem, item.again, *map(str, values)))


def _store_evidence(concept: Concept, found: Bearing | None, library: _Library) -> None:
    """Replace the concept's evidence by what was found. A decision is valid as long as its quote is."""
    kept = concept.evidence.filter(created_by=CREATED_BY)
    before = list(kept.filter(evidence_type=EvidenceType.PRIMARY).values_list("quote", flat=True))
    kept.delete()
    stale_reason = ""
    if found is None:
        if not concept.evidence.exists():
            stale_reason = "No passage in force supports it any more."
    else:
        chunk = library.chunks[found.candidate.chunk]
        *lead_ins, quote = found.candidate.quotes
        rows = [(EvidenceType.PRIMARY, quote)] + [(EvidenceType.SECONDARY, one) for one in lead_ins[-1:]]
        ConceptChunkEvidence.objects.filter(concept=concept, chunk=chunk).delete()
        for kind, words in rows:
            lit = rectangles_for_quote(chunk.text, chunk.lines, words)
            ConceptChunkEvidence.objects.create(
                concept=concept,
                chunk=chunk,
                evidence_type=kind,
                quote=words,
                page=lit[0].page if lit else chunk.page_start,
                confidence=min(1.0, max(CLEAN, found.score)) if found.clean else 0.5,
                created_by=CREATED_BY,
            )
        if before and before != [quote]:
            stale_reason = "Another passage supports it now. Look at its quote again."
    changes: dict[str, Any] = {}
    if stale_reason and concept.validation_status == ValidationStatus.VALIDATED:
        changes |= {"stale": True, "stale_reason": stale_reason}
    if stale_reason and before:  # so that no decision of who read the quote before counts for this one
        changes["version"] = F("version") + 1
    if changes:
        Concept.objects.filter(pk=concept.pk).update(**changes)


# --- the library, as one run reads it -----------------------------------------------------------------------------


class _Library:
    """The passages in force, by source. Each is cut into candidates once, and the vectors of these are kept."""

    def __init__(self, tenant: int | None) -> None:
        self._model = embedding_model()
        scope = Scope(tenant=tenant, model=self._model.name, standards=False)
        self._tenant = tenant
        self._vectors = TextCache[NDArray[Any]](VECTOR_BYTES, lambda vector: vector.nbytes)
        self._in_force = (
            searchable_chunks(scope).exclude(kind__in=("toc", "index")).select_related("document")
        )
        self._names = glossary_for(tenant).names
        self.chunks: dict[str, Chunk] = {}
        self._candidates: dict[str, tuple[Candidate, ...]] = {}
        self._by_source: dict[tuple[str, str, str], tuple[tuple[Candidate, ...], ...]] = {}
        self._states: dict[tuple[str, str, str], list[Any]] = {}
        self._references: dict[str, list[Reference]] = {}

    def state_for(self, point: KeyPoint) -> str:
        """A fingerprint of what looking for the point's passage reads. Of a search, these are the documents in which it
        may find something; which passages rank above them is not part of it."""
        sources = [self._state_of(parse_source(named)) for named in point.sources]
        read = (
            (_VERSION, self._model.name, point.text, point.sources, _givens_of(point.item)),
            forms_said_in(point.text, self._names),
            sources,
            () if all(sources) else self._state_elsewhere(point.item.task),
        )
        return sha256(repr(read).encode()).hexdigest()

    def _state_of(self, source: Source) -> list[Any]:
        key = (source.document, source.place, source.heading)
        if key not in self._states:
            chunks = _chunks_of(source, self._in_force).order_by("pk")
            self._states[key] = list(chunks.values_list("pk", "content_hash", "heading", "section_path"))
        return self._states[key]

    def _state_elsewhere(self, task: str) -> list[Any]:
        return [
            (document.pk, document.chunking, document.updated_at)
            for document in self._documents
            if self._refers_to(task, document)
        ]

    @cached_property
    def _documents(self) -> list[Document]:
        return list(Document.objects.filter(pk__in=self._in_force.values("document")).order_by("pk"))

    def _refers_to(self, task: str, document: Document, section: str = "") -> bool:
        if task not in self._references:
            row = AcsTask.objects.filter(code=task, area__standard__current=True).first()
            self._references[task] = [
                Reference(one["document"], one["section"]) for one in (row.references if row else ())
            ]
        cited = Cited(
            doc_type=document.doc_type,
            abbreviation=document.abbreviation,
            title=document.title,
            edition=document.edition,
        )
        return any(names_document(one, cited, section) for one in self._references[task])

    def similarities(self, text: str, others: Sequence[str]) -> list[float]:
        """How near each of the other texts is to one, -1 to 1. Only the beginning of a long text is read."""
        read = []
        for part in (text, *others):
            word = re.search(r"\w", part) if len(part) > conf.MEANING_CHARACTERS else None
            start = word.start() if word else 0
            read.append(part[start : start + conf.MEANING_CHARACTERS])
        one, *rest = self._vectors.get_all(read, self._embed)
        return [float(np.dot(one, other)) for other in rest]

    def _embed(self, texts: list[str]) -> list[NDArray[Any]]:
        return [np.asarray(vector, dtype=np.float32) for vector in self._model.embed_passages(texts)]

    def candidates_of(self, source: Source) -> tuple[tuple[Candidate, ...], ...]:
        """Candidates of a source: those under its heading, then the whole place, since a page break may have put the
        words under another heading; only the first of both that has the words that are meant, if one does. Empty if the
        library does not have the source."""
        key = (source.document, source.place, source.heading)
        if key not in self._by_source:
            chunks = list(_chunks_of(source, self._in_force))
            wanted = _plain_words(source.heading)
            under = []
            for chunk in chunks if source.heading else ():
                above = (chunk.heading, *chunk.section_path)
                short = (line for line in chunk.text.splitlines() if len(line) < 2 * len(source.heading) + 40)
                if any(wanted in _plain_words(str(one)) for one in above) or any(
                    _plain_words(line).startswith(wanted) for line in short
                ):
                    under.append(chunk)
            ways = [under, chunks] if under and len(under) < len(chunks) else [chunks]
            self._by_source[key] = tuple(self._candidates_in(way) for way in ways if way)
        found = self._by_source[key]
        if not source.words:
            return found
        return tuple(way for way in found if any(one.says(source.words) for one in way))[:1] or found

    def search_candidates(self, point: KeyPoint) -> tuple[Candidate, ...]:
        """What a search finds in the documents that the item's Task refers to."""
        request = SearchRequest(
            query=point.text, tenant=self._tenant, k=SEARCHED, threshold=0.0, recorded=False, flags=()
        )
        found = [str(one.chunk_id) for one in search(request).results]
        task = point.item.task
        return self._candidates_in(
            [
                chunk
                for chunk in self._in_force.filter(pk__in=found)
                if self._refers_to(task, chunk.document, chunk.section)
            ]
        )

    def _candidates_in(self, chunks: Sequence[Chunk]) -> tuple[Candidate, ...]:
        for chunk in chunks:
            key = str(chunk.pk)
            if key not in self.chunks:
                self.chunks[key] = chunk
                self._candidates[key] = tuple(candidates_in(key, chunk.text, chunk.heading, self._names))
        return tuple(one for chunk in chunks for one in self._candidates[str(chunk.pk)])


def missing_document_of(source: Source) -> str:
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
    # A later edition of a circular stands for the one that is named: "AC 90-66C" is found as AC 90-66D.
    name = re.escape(re.sub(r"(?<=\d)[A-Z]$", "", source.document))
    found = chunks.filter(document__abbreviation__iregex=rf"^{name}[A-Z]?(\W|$)")
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
    wanted = _plain_words(term)
    parts = {heading: [_plain_words(one) for one in re.split(r"[(\[]", heading)] for heading in headings}
    exact = {heading for heading in parts if _plain_words(heading) == wanted}
    abbreviated = {
        heading for heading, (words, *asides) in parts.items() if words != wanted and wanted in asides
    }
    return exact or abbreviated or {heading for heading, (words, *_) in parts.items() if words == wanted}


def _plain_words(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", " ", text.lower()).strip()
