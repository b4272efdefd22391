"""Read what the definitions of the library lead to.

An entry of the Pilot/Controller Glossary that says "(See VFR-ON-TOP.)" leads to that entry, and its ICAO term
contrasts with it. Claims, elements and topics that use a defined term require its definition.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet

from knowledge.graph.writing import GraphPart, GraphSource, NewEdge, NodeId
from knowledge.models import Concept, ConceptChunkEvidence
from knowledge.models.graph import ConceptCategory, EvidenceType, RelationType, ValidationStatus
from knowledge.text.clauses import NOUN_MEANS

from .claims import claims_state
from .documents import DOCUMENTS

MEANS: Final = re.compile(
    r"(?:(?:The|A|An) )?(?:term )?[“\"]?(?P<term>[^,;:.“”\"]+?)[”\"]?"
    rf" (?:means{NOUN_MEANS}|is defined as|are defined as|refers to)\b"
)
"""A definition that holds everywhere: one "for the purposes of this section" begins with other words."""
COMMON: Final = 0.02
"""Share of the texts that use a term, above which it is no help to send anybody to its definition."""
COMMON_LEAST: Final = 20
"""Texts that may use any term."""
TERMS_A_TEXT: Final = 3
"""Definitions that one claim or element requires at most: its longest terms."""
VERSION: Final = 1
_TERM_WORDS: Final = 6  # of a defined term; a longer one is a sentence with "means" in it
_BY_WORDS: Final = 0.8  # confidence of an edge that rests on a term alone
_ICAO: Final = " [icao]"
_SEE: Final = re.compile(
    r"\((?:See|Refer to) (?:the )?(?:term )?(?P<icao>ICAO term )?(?P<term>[A-Z][A-Z0-9 ,/()’'–-]+?)\.?\)"
)
_ABBREVIATION: Final = re.compile(r" ?\([A-Z/]{2,}\)")
_WORD: Final = re.compile(r"[a-z0-9]+(?:['’/-][a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Term:
    """A defined term in lower case. A glossary defines plain words, too, so only its longer terms are looked for."""

    words: str
    node: NodeId
    of_glossary: bool

    @property
    def is_distinctive(self) -> bool:
        return " " in self.words or not self.of_glossary


def term_in(statement: str, node: NodeId) -> Term | None:
    """The term that a definition defines: "NIGHT: The time …", "Night means the time …"."""
    before, colon, _ = statement.partition(": ")
    if colon and before == before.upper() and before.lower() != before:
        return Term(_ABBREVIATION.sub("", before).lower(), node, of_glossary=True)
    found = MEANS.match(statement)
    words = " ".join(_WORD.findall(found["term"].lower())) if found else ""
    return Term(words, node, of_glossary=False) if 0 < len(words.split()) <= _TERM_WORDS else None


class TermIndex:
    """The terms that texts are read for; a regulation's definition counts before a glossary's."""

    def __init__(self, terms: Iterable[Term]) -> None:
        self._by_words: dict[str, list[Term]] = {}
        for term in sorted(terms, key=lambda one: (one.of_glossary, one.node[1])):
            self._by_words.setdefault(term.words, []).append(term)
        self._longest = max((len(words.split()) for words in self._by_words), default=0)

    def find(self, words: str, tenant: int | None) -> Term | None:
        """The definition of exactly these words that this school may read."""
        singular = words.removesuffix("s")
        listed = self._by_words.get(words) or self._by_words.get(singular) or ()
        return next((one for one in listed if one.node[0] in (None, tenant)), None)

    def terms_in(self, text: str, tenant: int | None) -> list[Term]:
        """The distinctive terms that the text uses, the longest at each place, each once."""
        words, at, found = _WORD.findall(text.lower()), 0, dict[Term, None]()
        while at < len(words):
            step = 1
            for length in range(min(self._longest, len(words) - at), 0, -1):
                term = self.find(" ".join(words[at : at + length]), tenant)
                if term is not None:
                    if term.is_distinctive:
                        found[term] = None
                    step = length
                    break
            at += step
        return list(found)


def read_terms() -> GraphPart:
    part = GraphPart()
    rows = (
        Concept.objects.exclude(validation_status=ValidationStatus.REJECTED)
        .filter(stale=False)
        .order_by("key")
    )
    defined = rows.filter(category=ConceptCategory.DEFINITION, key_points=None)
    terms = {
        term.node: term
        for tenant, key, name in defined.values_list("tenant", "key", "name")
        if (term := term_in(name, (tenant, key)))
    }
    index = TermIndex(terms.values())
    for edge in _entries_named(terms, index):
        part.add_edge(edge)
    for edge in _terms_used(rows, index):
        part.add_edge(edge)
    for edge in _topics_named(rows, index):
        part.add_edge(edge)
    return part


def _terms_used(rows: QuerySet[Concept], index: TermIndex) -> Iterator[NewEdge]:
    """From a claim or an element to the definitions of the terms that it uses."""
    users = rows.filter(category__in=(ConceptCategory.REGULATORY_CLAIM, ConceptCategory.ACS_ELEMENT))
    used = {
        (tenant, key): index.terms_in(name, tenant)
        for tenant, key, name in users.values_list("tenant", "key", "name")
    }
    often = Counter(term for terms in used.values() for term in terms)
    most = max(COMMON * len(used), COMMON_LEAST)
    for node, terms in used.items():
        telling = [term for term in terms if often[term] <= most]
        for term in sorted(telling, key=lambda one: -len(one.words))[:TERMS_A_TEXT]:
            yield NewEdge(
                source=node,
                relation=RelationType.REQUIRES_KNOWLEDGE_OF,
                target=term.node,
                confidence=_BY_WORDS,
                reason=f"uses the defined term “{term.words}”",
            )


def _topics_named(rows: QuerySet[Concept], index: TermIndex) -> Iterator[NewEdge]:
    """From a definition to the topic that has its term as title, and from a topic to the elements that name it."""
    headings = rows.filter(origin=DOCUMENTS.origin).exclude(category=ConceptCategory.ARTIFACT)
    titles = []
    for tenant, key, name in headings.values_list("tenant", "key", "name"):
        words = " ".join(_WORD.findall(name.lower()))
        titles.append(Term(words, (tenant, key), of_glossary=True))
        if term := index.find(words, tenant):
            yield NewEdge(
                source=term.node,
                relation=RelationType.APPLIES_IN_SCENARIO,
                target=(tenant, key),
                reason="the definition of the topic's title",
            )
    topics = TermIndex(titles)
    for key, name in rows.filter(category=ConceptCategory.ACS_ELEMENT).values_list("key", "name"):
        for topic in topics.terms_in(name, None):
            yield NewEdge(
                source=topic.node,
                relation=RelationType.APPLIES_IN_SCENARIO,
                target=(None, key),
                confidence=_BY_WORDS,
                reason=f"the element names “{topic.words}”",
            )


def _entries_named(terms: Mapping[NodeId, Term], index: TermIndex) -> Iterator[NewEdge]:
    """From an entry of a glossary to those that it tells to see."""
    rows = ConceptChunkEvidence.objects.filter(
        concept__category=ConceptCategory.DEFINITION, evidence_type=EvidenceType.PRIMARY
    ).order_by("pk")
    for tenant, key, chunk, text in rows.values_list(
        "concept__tenant", "concept__key", "chunk", "chunk__text"
    ):
        term = terms.get((tenant, key))
        if term is None or not term.of_glossary:
            continue
        for found in _SEE.finditer(text):
            named = found["term"].lower() + (_ICAO if found["icao"] else "")
            other = index.find(named, tenant)
            if other is None:
                continue
            same = {term.words.removesuffix(_ICAO), other.words.removesuffix(_ICAO)}
            is_contrast = len(same) == 1 and term.words != other.words
            yield NewEdge(
                source=term.node,
                relation=RelationType.CONTRASTS_WITH if is_contrast else RelationType.LEADS_TO_DISCUSSION_OF,
                target=other.node,
                reason=f"its entry says: {found.group()}",
                chunk=chunk,
            )


TERMS: Final = GraphSource(
    origin="definitions", state=lambda: f"{VERSION}{claims_state()}"[:64], read=read_terms
)
