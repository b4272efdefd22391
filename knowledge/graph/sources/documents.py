"""Read the documents in force into the graph: headings as topics, sections as artifacts, and what a section refers to.

A topic is part of the one above it, a section part of its document. A section that names another one leads to it; where
it says "except as provided in", the two contrast. A section that a person read for an element applies to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from itertools import groupby
from typing import Final
from uuid import UUID

from django.utils.text import Truncator

from knowledge.graph.identity import node_key
from knowledge.graph.writing import GraphPart, GraphSource, NewEdge, NewNode, NodeId, Passage
from knowledge.models import Chunk, Concept, Document
from knowledge.models.documents import DocumentStatus
from knowledge.models.graph import ConceptCategory, RelationType
from knowledge.standards.certificate_data import elements_of_section
from knowledge.standards.references import GLOSSARY, Cited
from knowledge.text.sentences import sentences_in

from .outline import Outline, Paper, Spot, outline_of, plain_title

READ: Final = "its section was read for this element"
VERSION: Final = 1
"""Rises when these rules change, so that every library is read again."""
_QUOTE: Final = 300  # characters of a passage that a topic is shown with
_READ_FOR_QUOTE: Final = 2000  # characters of a passage in which its first sentence stands
_REASON: Final = 160  # characters of a sentence that is the reason of an edge
_SECTION: Final = re.compile(
    r"(?:§+|\b14 CFR (?:Sections?|§+|Part \d+, (?:Section|§))|\b(?:and|or|through|to)) ?(?P<rule>\d{1,3}\.\d+[a-z]?)\b"
    r"|\b(?:Paragraph|Paragraphs) (?P<aim>\d{1,2}-\d{1,2}-\d{1,2})\b"
)
"""A section named in running text: "§ 91.157", "and 91.159", "Paragraph 3-2-1"."""
_EXCEPT: Final = re.compile(
    r"\b[Ee]xcept (?:as )?(?:otherwise )?(?:provided|authorized|specified|prescribed|permitted)"
    r" (?:in|under|by)\b[^.;]{0,60}$"
)
"""What stands before a section that is an exception to this one."""


def papers_in_force() -> dict[UUID, Paper]:
    """The documents that anybody can find, but for standards, which `standards` reads."""
    rows = Document.objects.filter(
        status=DocumentStatus.PUBLISHED, deprecated_at__isnull=True, superseded_by__isnull=True
    ).exclude(doc_type="acs")
    papers = {}
    for row in rows.order_by("pk"):
        regulation = re.fullmatch(r"(\d+ CFR)(?: [Pp]art)? (\d+)", row.abbreviation)
        papers[row.pk] = Paper(
            id=row.pk,
            tenant=row.tenant_id,
            name=f"{regulation[1]} part {regulation[2]}" if regulation else row.title,
            title=row.title,
            cite=regulation[1] if regulation else row.abbreviation or row.title,
            cited=Cited(
                doc_type=row.doc_type, abbreviation=row.abbreviation, title=row.title, edition=row.edition
            ),
        )
    return papers


def spots_of(papers: dict[UUID, Paper]) -> list[Spot]:
    """All passages of these documents, in order."""
    rows = (
        Chunk.objects.filter(document__in=papers)
        .exclude(kind__in=("toc", "index"))
        .order_by("document", "index")
        .values_list("pk", "document", "section", "section_path", "page_start")
    )
    return [
        Spot(
            chunk=pk,
            paper=papers[document],
            section=section,
            path=tuple(str(one) for one in path),
            page=page,
        )
        for pk, document, section, path, page in rows
    ]


def place_of(spot: Spot, outline: Outline) -> NodeId:
    """The node that a passage belongs to: its section, else its topic, else its document."""
    if label := outline.label[spot.chunk]:
        return spot.paper.tenant, node_key(ConceptCategory.ARTIFACT, label)
    if chain := outline.chain[spot.chunk]:
        return spot.paper.tenant, node_key(chain[-1].category, chain[-1].identity)
    return spot.paper.tenant, node_key(ConceptCategory.ARTIFACT, spot.paper.name)


def is_glossary(paper: Paper) -> bool:
    """The headings of a glossary are its terms, which are definitions and no topics."""
    return paper.cite == GLOSSARY


def read_documents() -> GraphPart:
    papers = papers_in_force()
    spots = spots_of({key: paper for key, paper in papers.items() if not is_glossary(paper)})
    outline = outline_of(spots)
    sections = {(spot.paper.tenant, outline.label[spot.chunk]) for spot in spots}
    part = GraphPart()
    for paper in papers.values():
        part.add_node(_document_node(paper))
    for _, group in groupby(spots, key=lambda spot: spot.paper.id):
        of_one = list(group)
        texts = dict(Chunk.objects.filter(document=of_one[0].paper.id).values_list("pk", "text"))
        for spot in of_one:
            text = texts.get(spot.chunk, "")
            _add_headings(part, spot, outline, text)
            for edge in _citations_in(spot, outline, text, sections):
                part.add_edge(edge)
    return part


def _document_node(paper: Paper) -> NewNode:
    return NewNode(
        category=ConceptCategory.ARTIFACT,
        identity=paper.name,
        name=paper.title,
        tenant=paper.tenant,
        facts={"document": str(paper.id)},
    )


def _add_headings(part: GraphPart, spot: Spot, outline: Outline, text: str) -> None:
    """The topics above a passage, each part of the one above it, and the section that it stands in."""
    paper, label, chain = spot.paper, outline.label[spot.chunk], outline.chain[spot.chunk]
    passage = _first_words(spot, text)
    whole = _document_node(paper).id
    above = whole
    for heading in chain:
        topic = part.add_node(
            NewNode(
                category=heading.category,
                identity=heading.identity,
                name=heading.identity,
                tenant=paper.tenant,
                passage=passage if heading is chain[-1] else None,
            )
        )
        why = f"a heading of {paper.title}"
        part.add_edge(_edge(topic, RelationType.IS_COMPONENT_OF, above, why, spot.chunk))
        above = topic
    if not label:
        return
    title = plain_title(spot.path[-1]) if spot.path else ""
    section = part.add_node(
        NewNode(
            category=ConceptCategory.ARTIFACT,
            identity=label,
            name=f"{label}, {title}" if title and title != paper.title else label,
            tenant=paper.tenant,
            facts={"section": spot.section, "document": str(paper.id)},
            passage=passage,
        )
    )
    part.add_edge(
        _edge(section, RelationType.IS_COMPONENT_OF, whole, f"a section of {paper.title}", spot.chunk)
    )
    if chain and plain_title(spot.path[-1]) in chain[-1].identity:
        part.add_edge(
            _edge(section, RelationType.APPLIES_IN_SCENARIO, above, "the section's title", spot.chunk)
        )
    for code in elements_of_section(spot.section):
        element = (None, node_key(ConceptCategory.ACS_ELEMENT, code))
        part.add_edge(_edge(section, RelationType.APPLIES_IN_SCENARIO, element, READ, spot.chunk))


def _edge(source: NodeId, relation: RelationType, target: NodeId, reason: str, chunk: UUID) -> NewEdge:
    return NewEdge(source=source, relation=relation, target=target, reason=reason, chunk=chunk)


def _first_words(spot: Spot, text: str) -> Passage | None:
    """The first sentence under the headings, to show beside a topic."""
    headings = {plain_title(one) for one in spot.path}
    for sentence in sentences_in(text[:_READ_FOR_QUOTE]):
        if len(sentence.text.split()) > 3 and plain_title(sentence.text) not in headings:
            return Passage(chunk=spot.chunk, quote=sentence.text[:_QUOTE].strip(), page=spot.page)
    return None


def _citations_in(
    spot: Spot, outline: Outline, text: str, sections: set[tuple[int | None, str]]
) -> Iterator[NewEdge]:
    """To each section of the library that a section names: it is an exception to this one, or the talk leads there."""
    label = outline.label[spot.chunk]
    if not label:
        return
    here = (spot.paper.tenant, node_key(ConceptCategory.ARTIFACT, label))
    for sentence in sentences_in(text):
        for found in _SECTION.finditer(sentence.text):
            named = f"14 CFR {found['rule']}" if found["rule"] else f"AIM {found['aim']}"
            owner = next((one for one in (spot.paper.tenant, None) if (one, named) in sections), ...)
            if owner is ... or named == label:
                continue
            is_exception = bool(_EXCEPT.search(sentence.text[: found.start()]))
            relation = RelationType.CONTRASTS_WITH if is_exception else RelationType.LEADS_TO_DISCUSSION_OF
            words = " ".join(sentence.text.split())
            yield _edge(
                here,
                relation,
                (owner, node_key(ConceptCategory.ARTIFACT, named)),
                f"{label}: “{Truncator(words).chars(_REASON)}”",
                spot.chunk,
            )


def _state() -> str:
    rows = papers_in_force()
    stored = (
        Document.objects.filter(pk__in=rows).order_by("pk").values_list("pk", "content_hash", "updated_at")
    )
    elements = Concept.objects.filter(category=ConceptCategory.ACS_ELEMENT).count()
    return sha256(repr((VERSION, list(stored), elements)).encode()).hexdigest()


DOCUMENTS: Final = GraphSource(origin="documents", state=_state, read=read_documents)
