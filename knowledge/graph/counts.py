"""Count the graph: nodes by category, edges by relation type, each by status and origin, and thinly supported elements.

A category or relation type without anything in force is empty, and that is said, since an empty type switches a part of
the exam off without a word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from django.db.models import Count, Q

from knowledge import conf
from knowledge.models import AcsElement, Concept, ConceptRelation, GraphReading
from knowledge.models.graph import ConceptCategory, RelationType, ValidationStatus
from knowledge.models.standards import Where

from .identity import node_key
from .neighborhood import ORIGINS, WORDS
from .skeleton import CREATED_BY as SKELETON


@dataclass(slots=True)
class Tally:
    """How many of one category or type there are by status, and by origin."""

    name: str
    validated: int = 0
    pending: int = 0
    rejected: int = 0
    withdrawn: int = 0
    origins: dict[str, int] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The category or relation type as a page says it."""
        words = WORDS[self.name][0] if self.name in WORDS else str(ConceptCategory(self.name).label)
        return words[0].upper() + words[1:]

    @property
    def comes_from(self) -> list[tuple[str, int]]:
        """The origins as a page says them."""
        return [(ORIGINS.get(origin, origin), number) for origin, number in self.origins.items()]

    @property
    def is_empty(self) -> bool:
        return not self.validated + self.pending

    def to_dict(self) -> dict[str, Any]:
        numbers = {name: getattr(self, name) for name in ("validated", "pending", "rejected", "withdrawn")}
        return {"name": self.name, **numbers, "empty": self.is_empty, "origins": self.origins}


@dataclass(frozen=True, slots=True)
class Thin:
    """An element that is asked at the table, and how many nodes beyond its standard the graph has for it."""

    code: str
    text: str
    nodes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphCounts:
    nodes: tuple[Tally, ...]
    edges: tuple[Tally, ...]
    thin: tuple[Thin, ...]
    readings: tuple[GraphReading, ...]

    @property
    def empty(self) -> list[str]:
        """The categories and relation types that have nothing."""
        return [one.name for one in (*self.nodes, *self.edges) if one.is_empty]

    def to_dict(self) -> dict[str, Any]:
        readings = [
            {
                "origin": one.origin,
                "read_at": one.read_at.isoformat(),
                "seconds": one.seconds,
                "changes": one.changes,
            }
            for one in self.readings
        ]
        return {
            "nodes": [one.to_dict() for one in self.nodes],
            "edges": [one.to_dict() for one in self.edges],
            "empty": self.empty,
            "thin": [asdict(one) for one in self.thin],
            "readings": readings,
        }


def graph_counts(tenant: int | None) -> GraphCounts:
    """The graph of the shared library and of one school, in six queries."""
    readable = Q(tenant=None) | Q(tenant=tenant)
    nodes = Concept.objects.filter(readable).order_by()
    edges = ConceptRelation.objects.filter(
        Q(source__tenant=None) | Q(source__tenant=tenant), Q(target__tenant=None) | Q(target__tenant=tenant)
    ).order_by()
    counted_nodes = nodes.values_list("category", "validation_status", "stale", "origin").annotate(
        Count("pk")
    )
    counted_edges = edges.values_list("relation_type", "status", "created_by").annotate(Count("pk"))
    return GraphCounts(
        nodes=_tallies(ConceptCategory.values, counted_nodes),
        edges=_tallies(
            RelationType.values,
            ((kind, status, False, origin, number) for kind, status, origin, number in counted_edges),
        ),
        thin=tuple(thin_elements(tenant)),
        readings=tuple(GraphReading.objects.all()),
    )


def _tallies(names: Iterable[str], rows: Iterable[tuple[str, str, bool, str, int]]) -> tuple[Tally, ...]:
    found = {str(name): Tally(str(name)) for name in names}
    for name, status, stale, origin, number in rows:
        tally = found[name]
        standing = "withdrawn" if stale and status != ValidationStatus.REJECTED else status
        setattr(tally, standing, getattr(tally, standing) + number)
        said = origin or "extraction"
        tally.origins[said] = tally.origins.get(said, 0) + number
    return tuple(found.values())


def thin_elements(tenant: int | None) -> list[Thin]:
    """The elements asked at the table, of current standards, that fewer than `conf.GRAPH_THIN` nodes in force support,
    the thinnest first."""
    support: Counter[str] = Counter()
    for near, far in (("target", "source"), ("source", "target")):
        edges = ConceptRelation.objects.filter(
            Q(**{f"{far}__tenant": None}) | Q(**{f"{far}__tenant": tenant}),
            **{f"{near}__category": ConceptCategory.ACS_ELEMENT, f"{far}__stale": False},
            status=ValidationStatus.VALIDATED,
        ).exclude(
            Q(**{f"{far}__category": ConceptCategory.ACS_ELEMENT})
            | Q(**{f"{far}__origin": SKELETON})
            | Q(**{f"{far}__validation_status": ValidationStatus.REJECTED})
        )
        support.update(dict(edges.order_by().values_list(f"{near}__key").annotate(Count("pk"))))
    asked = AcsElement.objects.filter(
        task__area__standard__current=True, archived=False, where=Where.TABLE
    ).values_list("code", "text")
    thin = [Thin(code, text, support[node_key(ConceptCategory.ACS_ELEMENT, code)]) for code, text in asked]
    return sorted((one for one in thin if one.nodes < conf.GRAPH_THIN), key=lambda one: (one.nodes, one.code))
