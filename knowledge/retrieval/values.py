"""What a search is asked and what it answers, as plain values. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, get_args
from uuid import UUID

from knowledge import conf
from knowledge.retrieval.source_conflicts import Conflict, Said, conflicts_between

Arm = Literal["lexical", "vector", "hybrid", "hybrid+rerank"]
Quality = Literal["strong", "weak", "none"]
Strategy = Literal["figure_ref", "caption_match", "same_page"]

PageStarts = tuple[tuple[int, int, str], ...]
"""For each page of a passage: the offset of its first character, its number, what is printed on it."""

ARMS: tuple[Arm, ...] = get_args(Arm)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What a passage must belong to; an empty place asks nothing. `chapter` only with `abbreviation`; `task` is the
    code of an ACS Task that it serves."""

    doc_types: tuple[str, ...] = ()
    abbreviation: str = ""
    chapter: str = ""
    sections: tuple[str, ...] = ()
    category: str = ""
    certificate: str = ""
    aircraft_class: str = ""
    task: str = ""

    def __bool__(self) -> bool:
        return any(asdict(self).values())

    def over(self, inferred: "Filters") -> "Filters":
        """These filters, with what was inferred in the places that they leave empty."""
        chosen = {name: value for name, value in asdict(self).items() if value}
        return replace(inferred, **chosen)

    def to_dict(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value}


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """A search by one tenant (None: the shared library alone). `element` is an ACS code, always in the query.

    `shared=False` leaves the shared library out, for evaluation in a scratch tenant. `threshold` None is the
    model's own floor; an evaluation gives 0. What is not `recorded` is made anew, kept in no cache and written into no
    log. `flags` are those that are on for whom it is made; None: those that are on for everyone.
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
    """A figure beside a passage. One that only stands on the same page is no evidence."""

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
    """A passage that was found, with all that a citation needs."""

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
    """`degraded` says what was away, where something was; `reformulated` what was searched where what was asked found
    too little; `reranked` what read the ranking again; `log` is the row of this look-up."""

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
        """Where two of the passages set another limit for the same thing. Read when asked for: it takes 5 ms."""
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
    """Where two of these passages set another limit for the same thing."""
    return conflicts_between(
        [
            Said(
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
