"""The input and the result of a search as plain values. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, get_args
from uuid import UUID

from knowledge import conf
from knowledge.retrieval.authority import Conflict, SourceText, conflicts_between

Arm = Literal["lexical", "vector", "hybrid", "hybrid+rerank"]
Quality = Literal["strong", "weak", "none"]
Strategy = Literal["figure_ref", "caption_match", "same_page"]

PageStarts = tuple[tuple[int, int, str], ...]
"""For each page of a passage: the offset of its first character, its number, its printed label."""

ARMS: tuple[Arm, ...] = get_args(Arm)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What a passage must belong to; an empty field filters nothing. `chapter` needs `abbreviation`; `task` is the code
    of an ACS Task that the passage serves, `serves` that of an element or a Task that an approved statement from it
    applies to."""

    doc_types: tuple[str, ...] = ()
    abbreviation: str = ""
    chapter: str = ""
    sections: tuple[str, ...] = ()
    category: str = ""
    certificate: str = ""
    aircraft_class: str = ""
    task: str = ""
    serves: str = ""

    def __bool__(self) -> bool:
        return any(asdict(self).values())

    def over(self, inferred: "Filters") -> "Filters":
        """These filters, with the inferred ones in the fields that they leave empty."""
        return replace(inferred, **self.to_dict())

    def to_dict(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value}


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """A search by one tenant (None: the shared library alone). `element` is an ACS code and always part of the query.

    `shared=False` leaves the shared library out, for evaluation in a scratch tenant. `threshold` None is the model's
    own floor; an evaluation gives 0. A search that is not `recorded` uses no cache and leaves no log row. `flags` are
    those that are on for the student; None means those that are on for everyone.
    """

    query: str = ""
    element: str = ""
    question: str = ""
    answer: str = ""
    tenant: int | None = None
    shared: bool = True
    k: int = conf.SEARCH_K
    filters: Filters = Filters()
    threshold: float | None = None
    arm: Arm = "hybrid"
    exam: UUID | None = None
    recorded: bool = True
    flags: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Ranked:
    """A passage's place in a ranking. All three numbers lie in [0, 1]."""

    chunk_id: UUID
    score: float
    similarity: float
    lexical: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure of a passage. One that merely stands on the same page is no evidence."""

    image_id: UUID
    figure_label: str
    caption: str
    page: int
    relevance: float
    strategy: Strategy

    @property
    def is_evidence(self) -> bool:
        return self.strategy != "same_page"

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "image_id": str(self.image_id), "is_evidence": self.is_evidence}


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A passage that was found, with everything a citation needs."""

    chunk_id: UUID
    document_id: UUID
    document: str
    abbreviation: str
    doc_type: str
    edition: str
    heading: str
    section: str
    label: str
    page_start: int | None
    page_end: int | None
    page_label: str
    anchor: str
    text: str
    score: float
    similarity: float
    lexical: float
    images: tuple[Figure, ...] = ()
    page_starts: PageStarts = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            **asdict(self),
            "chunk_id": str(self.chunk_id),
            "document_id": str(self.document_id),
            "images": [figure.to_dict() for figure in self.images],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResponse:
    """`degraded` says which service was away; `reformulated` what was searched instead of a question that found too
    little; `reranked` names the reranker that was used; `log` is the row of this search."""

    query: str
    quality: Quality
    top: float | None
    filters: Mapping[str, Any] = field(default_factory=dict)
    fallback: bool = False
    cached: bool = False
    latency_ms: float = 0.0
    results: tuple[Found, ...] = ()
    degraded: str = ""
    reformulated: str = ""
    reranked: str = ""
    log: int | None = None

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Pairs of passages that set different limits for the same thing. Computed on demand: it takes 5 ms."""
        return conflicts_among(self.results)

    def to_dict(self) -> dict[str, Any]:
        """CONTRACT's shape of `manage.py search --json`."""
        return {
            "query": self.query,
            "quality": {"verdict": self.quality, "top": self.top},
            "filters": dict(self.filters),
            "fallback": self.fallback,
            "cached": self.cached,
            "degraded": self.degraded,
            "reformulated": self.reformulated,
            "reranked": self.reranked,
            "latency_ms": round(self.latency_ms, 2),
            "conflicts": [conflict.to_dict() for conflict in self.conflicts],
            "results": [found.to_dict() for found in self.results],
        }


def conflicts_among(found: Sequence[Found]) -> tuple[Conflict, ...]:
    """Pairs of these passages that set different limits for the same thing."""
    return conflicts_between(
        [
            SourceText(
                chunk_id=str(one.chunk_id),
                document=str(one.document_id),
                label=one.label,
                doc_type=one.doc_type,
                heading=one.heading,
                text=one.text,
            )
            for one in found
        ]
    )
