"""A claim finds the elements that it belongs to.

Where a person has read which elements a section belongs to, those are it. Elsewhere what speaks for each element is
weighed (`link_features`), with weights fitted to labeled claims. A document that no Task of a standard names leads to
none of its elements.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from knowledge import conf
from knowledge.models import AcsElement, Chunk, Concept, ConceptRelation
from knowledge.models.graph import ConceptCategory, RelationType
from knowledge.standards.ask_location import SKILL, where_asked
from knowledge.standards.certificate_data import elements_of_section
from knowledge.standards.elements import elements_known
from knowledge.standards.references import Cited
from llm.interfaces import EmbeddingModel

from .identity import node_key
from .link_features import ClaimSource, features_of, is_referenced, reason_of, weigh

__all__ = ["ClaimSource", "Match", "elements_for_claim", "link_claim", "source_of"]
CREATED_BY = "likeness"
READ_REASON = "its section was read for this element"


@dataclass(frozen=True, slots=True)
class Match:
    """An element, how likely the claim belongs to it, in [0, 1], and why in words for a reviewer."""

    code: str
    score: float
    reason: str = ""


def elements_for_claim(
    statement: str, source: ClaimSource, model: EmbeddingModel | None = None, most: int = conf.CLAIM_LINKS
) -> tuple[Match, ...]:
    """The elements that a claim belongs to, `most` of each standard, the likeliest first."""
    found: list[Match] = []
    for elements in _by_standard(elements_known().filter(archived=False)):
        found += _matches(statement, source, elements, model)[:most]
    return tuple(sorted(found, key=lambda match: (-match.score, match.code)))


def source_of(chunk: Chunk) -> ClaimSource:
    """The place of a claim that rests on this passage."""
    document = chunk.document
    return ClaimSource(
        cited=Cited(
            doc_type=document.doc_type,
            abbreviation=document.abbreviation,
            title=document.title,
            edition=document.edition,
        ),
        section=chunk.section,
        heading=chunk.heading,
        chapter=" ".join((document.title, *(str(part) for part in chunk.section_path[1:-1]))),
        passage=chunk.text,
        document=document.pk,
        index=chunk.index,
    )


def _by_standard(elements: Iterable[AcsElement]) -> Iterable[list[AcsElement]]:
    """Elements of each standard together, without those that only a flight shows: the private pilot's do not crowd
    out the commercial pilot's."""
    found: dict[str, list[AcsElement]] = {}
    for element in elements:
        if element.kind != SKILL or where_asked(element.code, element.kind) != "airplane":
            found.setdefault(element.code.partition(".")[0], []).append(element)
    return found.values()


def _matches(
    statement: str, source: ClaimSource, elements: Sequence[AcsElement], model: EmbeddingModel | None
) -> list[Match]:
    if not any(is_referenced(element, source) for element in elements):
        return []
    features = features_of(statement, source, elements, model)
    likely = {code: likelihood(weigh(one)) for code, one in features.items()}
    read = [code for code in elements_of_section(source.section) if code in likely]
    if read:
        return [Match(code, _read_score(place, likely[code]), READ_REASON) for place, code in enumerate(read)]
    return [Match(code, likely[code], reason_of(features[code])) for code in _likeliest(likely)]


def _read_score(place: int, likely: float) -> float:
    """What a person read stands above all likeness, in the person's order; likeness tells its claims apart."""
    return round(1 - conf.CLAIM_READ_STEP * (place + 1 - likely), 4)


def _likeliest(likely: Mapping[str, float]) -> list[str]:
    """Those above the floor that are not far behind the best."""
    floor = max(conf.CLAIM_LINK_FLOOR, conf.CLAIM_LINK_NEAR * max(likely.values(), default=0.0))
    return sorted((code for code, score in likely.items() if score >= floor), key=lambda code: -likely[code])


def likelihood(weight: float) -> float:
    """Weight as a probability: how often such a link was right among labeled claims."""
    return 1 / (1 + math.exp(conf.CLAIM_LINK_EVEN - conf.CLAIM_LINK_SLOPE * weight))


def link_claim(claim: Concept, matches: Sequence[Match], created_by: str = CREATED_BY) -> int:
    """Edges `applies_in_scenario` from the claim to these elements, as far as they are missing; how many."""
    by_key = {node_key(ConceptCategory.ACS_ELEMENT, match.code): match for match in matches}
    nodes = Concept.objects.filter(tenant=None, key__in=by_key)
    edges = [
        ConceptRelation(
            source=claim,
            target=node,
            relation_type=RelationType.APPLIES_IN_SCENARIO,
            confidence=_confidence(by_key[node.key].score),
            created_by=created_by,
            reason=by_key[node.key].reason,
        )
        for node in nodes
    ]
    before = claim.relations_out.count()
    ConceptRelation.objects.bulk_create(edges, ignore_conflicts=True)
    return claim.relations_out.count() - before


def _confidence(score: float) -> float:
    """An edge that was made is followed: half for being made, the rest by likelihood."""
    return round(0.5 + 0.5 * min(1.0, score), 4)
