"""What speaks for a claim belonging to an element: words, meaning, the items of the bank, the Task's references.

A feature is a number for each element; `conf.CLAIM_LINK_WEIGHTS` weighs them. It knows claims by their text and place
only, so that pending ones are compared as well.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from uuid import UUID

from knowledge import conf
from knowledge.models import AcsElement, Chunk, KeyPoint
from knowledge.retrieval.query_vectors import vectors_at_hand
from knowledge.standards.ask_location import SKILL, task_set
from knowledge.standards.certificate_data import elements_of_section
from knowledge.standards.references import Cited, Reference, names_document
from knowledge.text.tokens import content_words
from llm.interfaces import EmbeddingModel

FEATURES = (
    "words",
    "item_words",
    "passage_words",
    "nearby",
    "referenced",
    "knowledge",
    "skill",
    "flown",
    "meaning",
    "place_meaning",
)
MEANING = ("meaning", "place_meaning")  # the costly ones, looked at for the best of the others alone
REASONS: Mapping[str, str] = {
    "words": "shared words",
    "item_words": "shared words",
    "passage_words": "its passage shares words",
    "nearby": "passages nearby belong to it",
    "meaning": "close in meaning",
    "place_meaning": "chapter and heading are about it",
    "referenced": "its Task names the document",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimSource:
    """Where a claim stands: its document as it is cited, its section, the headings above it, the text of its passage
    ("" = unknown), and the place of that among those of the document."""

    cited: Cited
    section: str = ""
    heading: str = ""
    chapter: str = ""
    passage: str = ""
    document: UUID | None = None
    index: int = 0


def features_of(
    statement: str, source: ClaimSource, elements: Sequence[AcsElement], model: EmbeddingModel | None
) -> dict[str, dict[str, float]]:
    """Every feature of every element by its code; those of meaning for the `conf.CLAIM_CANDIDATES` that the others
    favor, and for no element without a model. Elements should be of one standard.
    """
    texts = {element.code: text_of(element) for element in elements}
    points = _points_by_element()
    said = f"{source.chapter} {source.heading} {statement}"
    words = word_likeness(said, texts)
    with_items = {code: " ".join((text, *points.get(code, ()))) for code, text in texts.items()}
    item_words = word_likeness(f"{source.heading} {statement}", with_items)
    passage_words = word_likeness(source.passage, with_items)
    nearby = nearby_elements(source)
    found = {
        element.code: {
            "words": words[element.code],
            "item_words": item_words[element.code],
            "passage_words": passage_words[element.code],
            "nearby": math.log1p(nearby.get(element.code, 0.0) / _NEARBY_NONE),
            "referenced": float(is_referenced(element, source)),
            "knowledge": float(element.kind == "knowledge"),
            "skill": float(element.kind == SKILL),
            "flown": float(task_set(element.task.code) == "airplane"),
        }
        for element in elements
    }
    best = sorted(found, key=lambda code: (-weigh(found[code]), code))[: conf.CLAIM_CANDIDATES]
    if model is not None and best:
        for code, meant in _meaning(statement, source, {code: texts[code] for code in best}, model).items():
            found[code] |= meant
    return found


def weigh(features: Mapping[str, float]) -> float:
    """How much speaks for the link, as log odds but for a constant."""
    return sum(conf.CLAIM_LINK_WEIGHTS[name] * value for name, value in features.items())


def reason_of(features: Mapping[str, float]) -> str:
    """What speaks most for the link, in words for a reviewer, and what speaks against it."""
    told = {name: conf.CLAIM_LINK_WEIGHTS[name] * features.get(name, 0.0) for name in REASONS}
    strong = sorted((name for name in told if told[name] >= 1), key=lambda name: -told[name])
    said = list(dict.fromkeys(REASONS[name] for name in strong))[:3]
    outside = [] if features.get("referenced") else ["though its Task does not name the document"]
    return ", ".join(said + outside)


def is_referenced(element: AcsElement, source: ClaimSource) -> bool:
    """Whether the element's Task names the document, and the section of it."""
    references = (Reference(one["document"], one["section"]) for one in element.task.references)
    return any(names_document(reference, source.cited, source.section) for reference in references)


def text_of(element: AcsElement) -> str:
    parent = element.parent.text if element.parent else ""
    return f"{element.task.title}. {parent} {element.text}"


# Items of the bank


def _points_by_element() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    rows = KeyPoint.objects.filter(item__withdrawn=False, item__tenant=None).order_by("pk")
    for codes, text in rows.values_list("item__elements", "text"):
        for code in codes:
            found.setdefault(code, []).append(text)
    return found


def nearby_elements(source: ClaimSource) -> dict[str, float]:
    """For each element its share of what rests on passages near the claim's, the nearest counting most: key points of
    the bank, and sections that a person read."""
    if source.document is None:
        return {}
    points = KeyPoint.objects.filter(
        item__withdrawn=False, item__tenant=None, concept__evidence__chunk__document_id=source.document
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


_NEARBY_NONE = 0.01  # share of what rests nearby that stands for none
_NEARBY_LEAST = 0.05  # of a statement: what is farther away says nothing


# Meaning


def _meaning(
    statement: str, source: ClaimSource, texts: Mapping[str, str], model: EmbeddingModel
) -> dict[str, dict[str, float]]:
    said, place = f"{source.heading} {statement}".strip(), f"{source.chapter} {source.heading}".strip()
    vectors = vectors_at_hand([said, *filter(None, [place]), *texts.values()], model, passing={said})
    return {
        code: {
            "meaning": _dot(vectors[said], vectors[text]),
            "place_meaning": _dot(vectors[place], vectors[text]) if place else 0.0,
        }
        for code, text in texts.items()
    }


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


# Words


def word_likeness(statement: str, texts: Mapping[str, str]) -> dict[str, float]:
    """The cosine between statement and each text over their words; a word that few texts have counts more.
    Pure.
    """
    rarity, weighed = _weighed_texts(tuple(texts.values()))
    asked = _weighed(Counter(content_words(statement)), rarity)
    return {code: _cosine(asked, weighed[text]) for code, text in texts.items()}


@lru_cache(maxsize=8)
def _weighed_texts(texts: tuple[str, ...]) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """How rare each word is among the texts, and each text's words with their weights, its length being 1."""
    words = {text: Counter(content_words(text)) for text in texts}
    spread = Counter(word for text in texts for word in words[text])
    rarity = {word: math.log(1 + len(texts) / count) for word, count in spread.items()}
    return rarity, {text: _weighed(counted, rarity) for text, counted in words.items()}


def _weighed(counted: Counter[str], rarity: Mapping[str, float]) -> dict[str, float]:
    weights = {word: (1 + math.log(count)) * rarity.get(word, 1.0) for word, count in counted.items()}
    length = math.hypot(*weights.values()) or 1.0
    return {word: weight / length for word, weight in weights.items()}


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return sum(weight * other.get(word, 0.0) for word, weight in one.items())
