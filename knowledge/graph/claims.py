"""An approved claim finds the elements that it belongs to.

The ACS says for each Task which documents bound what may be asked; a claim from elsewhere cannot belong to
it. Among the elements that are left, likeness decides: of words, weighed by how rare they are among elements,
and of meaning where an embedding model is at hand.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from knowledge import conf
from knowledge.grounding.words import content_words
from knowledge.models import AcsElement, Concept, ConceptRelation
from knowledge.models.graph import ConceptCategory, RelationType
from knowledge.standards.elements import elements_known
from knowledge.standards.references import Cited, Reference, names_document
from knowledge.standards.sections import elements_of_section
from knowledge.standards.where import SKILL, where_asked
from llm.interfaces import EmbeddingModel

from .identity import node_key

CREATED_BY = "likeness"
READ = 1.0  # likeness of an element that a person has read for the section


@dataclass(frozen=True, slots=True)
class Match:
    """An element and how alike it is, in [0, 1]."""

    code: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimSource:
    """Where a claim stands: its document as it is cited, and the section of it."""

    cited: Cited
    section: str = ""
    heading: str = ""


def elements_for_claim(
    statement: str, source: ClaimSource, model: EmbeddingModel | None = None, most: int = conf.CLAIM_LINKS
) -> tuple[Match, ...]:
    """The elements that a claim belongs to, `most` of each standard, the most alike first; empty where no Task names
    its document. Where a person has read the section's elements, those are it and likeness adds none.
    """
    candidates = [
        element for element in elements_known().filter(archived=False) if _may_belong(element, source)
    ]
    texts = {element.code: _text(element) for element in candidates}
    read = [code for code in elements_of_section(source.section) if code in texts]
    if read:
        return tuple(Match(code, READ) for inside in _by_standard(read) for code in inside[:most])
    asked = f"{source.heading} {statement}"
    alike = (
        _most_alike(_likeness(asked, {code: texts[code] for code in inside}, model))[:most]
        for inside in _by_standard(texts)
    )
    return tuple(sorted(chain.from_iterable(alike), key=lambda match: (-match.score, match.code)))


def _by_standard(codes: Iterable[str]) -> Iterable[list[str]]:
    """Codes of each standard together: the private pilot's do not crowd out the commercial pilot's."""
    found: dict[str, list[str]] = {}
    for code in codes:
        found.setdefault(code.partition(".")[0], []).append(code)
    return found.values()


def _most_alike(likeness: Mapping[str, float]) -> tuple[Match, ...]:
    """Those above the floor that are nearly as alike as the best; what is far behind it only shares a word."""
    floor = max(conf.CLAIM_LINK_FLOOR, conf.CLAIM_LINK_NEAR * max(likeness.values(), default=0.0))
    matches = (Match(code, score) for code, score in likeness.items() if score >= floor)
    return tuple(sorted(matches, key=lambda match: (-match.score, match.code)))


def link_claim(claim: Concept, matches: Sequence[Match], created_by: str = CREATED_BY) -> int:
    """Edges `applies_in_scenario` from the claim to these elements, as far as they are missing; how many."""
    keys = {node_key(ConceptCategory.ACS_ELEMENT, match.code): match.score for match in matches}
    nodes = Concept.objects.filter(tenant=None, key__in=keys)
    edges = [
        ConceptRelation(
            source=claim,
            target=node,
            relation_type=RelationType.APPLIES_IN_SCENARIO,
            confidence=_confidence(keys[node.key]),
            created_by=created_by,
        )
        for node in nodes
    ]
    before = claim.relations_out.count()
    ConceptRelation.objects.bulk_create(edges, ignore_conflicts=True)
    return claim.relations_out.count() - before


def _confidence(score: float) -> float:
    """An edge that was made is followed: half for being made, the rest by likeness."""
    return round(0.5 + 0.5 * min(1.0, score), 3)


def _may_belong(element: AcsElement, source: ClaimSource) -> bool:
    """Not a flown skill, and bounded by the Task's references.

    An element that speaks of regulations itself ("Regulations regarding use of alcohol and drugs") may rest
    on one even where its Task's references list none.
    """
    if element.kind == SKILL and where_asked(element.code, element.kind) == "airplane":
        return False
    if source.cited.doc_type == "cfr" and "regulation" in element.text.lower():
        return True
    references = (Reference(one["document"], one["section"]) for one in element.task.references)
    return any(names_document(reference, source.cited, source.section) for reference in references)


def _text(element: AcsElement) -> str:
    parent = element.parent.text if element.parent else ""
    return f"{element.task.title}. {parent} {element.text}"


# Likeness


def _likeness(statement: str, texts: Mapping[str, str], model: EmbeddingModel | None) -> dict[str, float]:
    by_words = word_likeness(statement, texts)
    if model is None or not texts:
        return by_words
    near = sorted(by_words, key=lambda code: (-by_words[code], code))[: conf.CLAIM_CANDIDATES]
    asked, *vectors = model.embed_passages([statement, *(texts[code] for code in near)])
    meaning = {code: _dot(asked, vector) for code, vector in zip(near, vectors, strict=True)}
    share = conf.CLAIM_MEANING_SHARE
    return {code: share * max(0.0, meaning[code]) + (1 - share) * by_words[code] for code in near}


def word_likeness(statement: str, texts: Mapping[str, str]) -> dict[str, float]:
    """The cosine between statement and each text over their words; a word that few texts have counts more.
    Pure.
    """
    words = {code: Counter(content_words(text)) for code, text in texts.items()}
    spread = Counter(word for counted in words.values() for word in counted)
    rarity = {word: math.log(1 + len(texts) / count) for word, count in spread.items()}
    asked = _weighed(Counter(content_words(statement)), rarity)
    return {code: _cosine(asked, _weighed(counted, rarity)) for code, counted in words.items()}


def _weighed(counted: Counter[str], rarity: Mapping[str, float]) -> dict[str, float]:
    return {word: (1 + math.log(count)) * rarity.get(word, 1.0) for word, count in counted.items()}


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    product = sum(weight * other.get(word, 0.0) for word, weight in one.items())
    lengths = math.hypot(*one.values()) * math.hypot(*other.values())
    return product / lengths if lengths else 0.0


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))
