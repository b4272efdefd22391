"""Find the ACS elements that a claim belongs to, and link it to them in the graph.

If a person has read which elements a section belongs to, those are it. Otherwise features of each element are weighed:
words, meaning, items of the bank, and the Task's references, with weights fitted to labeled claims
(`conf.CLAIM_LINK_WEIGHTS`). A document that no Task names leads to no element. Claims are known by text and place only.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import mul
from uuid import UUID

from knowledge import conf
from knowledge.models import AcsElement, Chunk, Concept, ConceptRelation, KeyPoint
from knowledge.models.graph import SUPPORT, ConceptCategory, RelationType
from knowledge.retrieval.cache import vectors_for_texts
from knowledge.standards.ask_location import SKILL, task_set, where_asked
from knowledge.standards.certificate_data import elements_of_section
from knowledge.standards.elements import elements_known
from knowledge.standards.references import Cited, Reference, names_document
from knowledge.text.tokens import content_words
from llm.interfaces import EmbeddingModel

from .identity import node_key

CREATED_BY = "likeness"
READ_REASON = "its section was read for this element"
FEATURES = tuple(conf.CLAIM_LINK_WEIGHTS)
MEANING = ("meaning", "place_meaning")  # the costly ones, computed only for the best by the others
REASONS: Mapping[str, str] = {
    "words": "shared words",
    "item_words": "shared words",
    "passage_words": "its passage shares words",
    "nearby": "passages nearby belong to it",
    "meaning": "close in meaning",
    "place_meaning": "chapter and heading are about it",
    "referenced": "its Task names the document",
}
_NEARBY_NONE = 0.01  # share of what rests nearby that stands for none
_NEARBY_LEAST = 0.05  # of a statement: what is farther away says nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimSource:
    """The place of a claim: its document as it is cited, its section, the headings above it, the text of its passage
    ("" = unknown), and that passage's place in the document."""

    cited: Cited
    section: str = ""
    heading: str = ""
    chapter: str = ""
    passage: str = ""
    document: UUID | None = None
    index: int = 0


@dataclass(frozen=True, slots=True)
class Match:
    """An element, the likelihood in [0, 1] that the claim belongs to it, and why, in words for a reviewer."""

    code: str
    score: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LinkTargets:
    """The elements of one standard that claims may belong to; by code the text of each, and that text with the key
    points of the bank's items for it. Whoever looks up many claims reads them once."""

    elements: tuple[AcsElement, ...]
    texts: Mapping[str, str]
    with_items: Mapping[str, str]


def link_targets(prefix: str = "") -> tuple[LinkTargets, ...]:
    """The targets of each standard in use, of codes that begin with `prefix`. Elements that only a flight shows are
    left out."""
    standards: dict[
        str, list[AcsElement]
    ] = {}  # one by one: the private pilot's elements crowd out no others
    for element in elements_known(prefix).filter(archived=False):
        if element.kind != SKILL or where_asked(element.code, element.kind) != "airplane":
            standards.setdefault(element.code.partition(".")[0], []).append(element)
    points: dict[str, list[str]] = {}  # the texts of the bank's key points
    rows = KeyPoint.objects.filter(item__withdrawn=False, item__tenant=None).order_by("pk")
    for codes, text in rows.values_list("item__elements", "text"):
        for code in codes:
            points.setdefault(code, []).append(text)
    targets = []
    for elements in standards.values():
        texts = {}
        for element in elements:
            parent = element.parent.text if element.parent else ""
            texts[element.code] = f"{element.task.title}. {parent} {element.text}"
        with_items = {code: " ".join((text, *points.get(code, ()))) for code, text in texts.items()}
        targets.append(LinkTargets(tuple(elements), texts, with_items))
    return tuple(targets)


def source_of(chunk: Chunk) -> ClaimSource:
    """The source of a claim that rests on this passage."""
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


def elements_for_claim(
    statement: str,
    source: ClaimSource,
    model: EmbeddingModel | None = None,
    targets: Sequence[LinkTargets] | None = None,
) -> tuple[Match, ...]:
    """The elements that a claim belongs to, at most `conf.CLAIM_LINKS` of each standard, the likeliest first. Without
    `targets` they are read for this claim."""
    standards = link_targets() if targets is None else targets
    found = (_match_elements(statement, source, one, model)[: conf.CLAIM_LINKS] for one in standards)
    return tuple(sorted(chain.from_iterable(found), key=lambda match: (-match.score, match.code)))


def _match_elements(
    statement: str, source: ClaimSource, targets: LinkTargets, model: EmbeddingModel | None
) -> list[Match]:
    if not any(_is_referenced(element, source) for element in targets.elements):
        return []
    features = features_of(statement, source, targets, model)
    # How often a link of this weight was right among labeled claims.
    odds = {
        code: conf.CLAIM_LINK_SLOPE * weigh_features(one) - conf.CLAIM_LINK_EVEN
        for code, one in features.items()
    }
    likely = {code: 1 / (1 + math.exp(-odd)) for code, odd in odds.items()}
    if read := [code for code in elements_of_section(source.section) if code in likely]:
        # In the person's order, above all likeness; likeness tells the claims of one section apart.
        scores = (1 - conf.CLAIM_READ_STEP * (place + 1 - likely[code]) for place, code in enumerate(read))
        return [Match(code, round(score, 4), READ_REASON) for code, score in zip(read, scores, strict=True)]
    floor = max(conf.CLAIM_LINK_FLOOR, conf.CLAIM_LINK_NEAR * max(likely.values(), default=0.0))
    best = sorted((code for code, score in likely.items() if score >= floor), key=lambda code: -likely[code])
    matches = []
    for (
        code
    ) in best:  # with what speaks most for the link, in words for a reviewer, and what speaks against it
        weights = {name: conf.CLAIM_LINK_WEIGHTS[name] * features[code].get(name, 0.0) for name in REASONS}
        strong = sorted((name for name in weights if weights[name] >= 1), key=lambda name: -weights[name])
        said = list(dict.fromkeys(REASONS[name] for name in strong))[:3]
        if not features[code].get("referenced"):
            said.append("though its Task does not name the document")
        matches.append(Match(code, likely[code], ", ".join(said)))
    return matches


def link_claim(claim: Concept, matches: Sequence[Match], created_by: str = CREATED_BY) -> int:
    """Add the missing edges `applies_in_scenario` from the claim to these elements; returns how many."""
    by_key = {node_key(ConceptCategory.ACS_ELEMENT, match.code): match for match in matches}
    edges = [
        ConceptRelation(
            source=claim,
            target=node,
            relation_type=RelationType.APPLIES_IN_SCENARIO,
            # An edge that exists is followed: half for existing, the rest by likelihood.
            confidence=round(0.5 + 0.5 * min(1.0, by_key[node.key].score), 4),
            created_by=created_by,
            reason=by_key[node.key].reason,
        )
        for node in Concept.objects.filter(tenant=None, key__in=by_key)
    ]
    before = claim.relations_out.count()
    ConceptRelation.objects.bulk_create(edges, ignore_conflicts=True)
    return claim.relations_out.count() - before


# --- Features ------------------------------------------------------------------------------------------------


def features_of(
    statement: str, source: ClaimSource, targets: LinkTargets, model: EmbeddingModel | None
) -> dict[str, dict[str, float]]:
    """Every feature of every element by its code; those of meaning for the `conf.CLAIM_CANDIDATES` best by the others,
    and for none without a model."""
    words = word_likeness(f"{source.chapter} {source.heading} {statement}", targets.texts)
    item_words = word_likeness(f"{source.heading} {statement}", targets.with_items)
    passage_words = word_likeness(source.passage, targets.with_items)
    nearby = nearby_elements(source)
    found = {
        element.code: {
            "words": words[element.code],
            "item_words": item_words[element.code],
            "passage_words": passage_words[element.code],
            "nearby": math.log1p(nearby.get(element.code, 0.0) / _NEARBY_NONE),
            "referenced": float(_is_referenced(element, source)),
            "knowledge": float(element.kind == "knowledge"),
            "skill": float(element.kind == SKILL),
            "flown": float(task_set(element.task.code) == "airplane"),
        }
        for element in targets.elements
    }
    best = sorted(found, key=lambda code: (-weigh_features(found[code]), code))[: conf.CLAIM_CANDIDATES]
    if model is not None and best:
        said, place = f"{source.heading} {statement}".strip(), f"{source.chapter} {source.heading}".strip()
        wanted = [said, *filter(None, [place]), *(targets.texts[code] for code in best)]
        vectors = vectors_for_texts(wanted, model, uncached={said})
        for code in best:
            meant = vectors[targets.texts[code]]
            found[code]["meaning"] = sum(map(mul, vectors[said], meant))
            found[code]["place_meaning"] = sum(map(mul, vectors[place], meant)) if place else 0.0
    return found


def weigh_features(features: Mapping[str, float]) -> float:
    """How much speaks for the link, as log odds up to a constant."""
    return sum(conf.CLAIM_LINK_WEIGHTS[name] * value for name, value in features.items())


def _is_referenced(element: AcsElement, source: ClaimSource) -> bool:
    """Whether the element's Task names the document, and the section of it."""
    references = (Reference(one["document"], one["section"]) for one in element.task.references)
    return any(names_document(reference, source.cited, source.section) for reference in references)


def nearby_elements(source: ClaimSource) -> dict[str, float]:
    """For each element its share of what rests on passages near the claim's, the nearest counting most: key points of
    the bank, and sections that a person read."""
    if source.document is None:
        return {}
    points = KeyPoint.objects.filter(
        item__withdrawn=False,
        item__tenant=None,
        concept__evidence__chunk__document_id=source.document,
        concept__evidence__evidence_type__in=SUPPORT,
    ).values_list("concept__evidence__chunk__index", "item__elements", "pk")
    sections = Chunk.objects.filter(document_id=source.document).exclude(section="")
    read = ((index, elements_of_section(name)) for index, name in sections.values_list("index", "section"))
    nearby: dict[str, float] = {}
    for index, codes in chain(((index, codes) for index, codes, _ in points.distinct()), read):
        near = math.exp(-abs(index - source.index) / conf.CLAIM_NEARBY)
        for code in codes:
            nearby[code] = nearby.get(code, 0.0) + near
    total = sum(nearby.values()) + _NEARBY_LEAST
    return {code: share / total for code, share in nearby.items()}


def word_likeness(statement: str, texts: Mapping[str, str]) -> dict[str, float]:
    """The cosine between the statement and each text over their words; a word that few texts have counts more."""
    rarity, weights_of_texts = _weigh_texts(tuple(texts.values()))
    asked = _weigh_words(Counter(content_words(statement)), rarity)
    return {
        code: sum(weight * weights_of_texts[text].get(word, 0.0) for word, weight in asked.items())
        for code, text in texts.items()
    }


@lru_cache(maxsize=8)
def _weigh_texts(texts: tuple[str, ...]) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """How rare each word is among the texts, and each text's words with their weights, its length being 1."""
    words = {text: Counter(content_words(text)) for text in texts}
    spread = Counter(word for text in texts for word in words[text])
    rarity = {word: math.log(1 + len(texts) / count) for word, count in spread.items()}
    return rarity, {text: _weigh_words(counted, rarity) for text, counted in words.items()}


def _weigh_words(counted: Counter[str], rarity: Mapping[str, float]) -> dict[str, float]:
    weights = {word: (1 + math.log(count)) * rarity.get(word, 1.0) for word, count in counted.items()}
    length = math.hypot(*weights.values()) or 1.0
    return {word: weight / length for word, weight in weights.items()}
