"""Build the context bundle of an element: requirements, meanings, common errors, follow-ups.

Every node is in at most one section. Requirements are verified claims only: approved, unchanged, with a passage to
show. Pending claims are among the nodes, marked as pending, and in no section that a verdict rests on.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Literal, get_args

from knowledge import conf
from knowledge.grounding.context import Surrounding
from knowledge.models import AcsElement
from knowledge.models.graph import ConceptCategory, RelationType
from knowledge.retrieval.searchable import Scope
from knowledge.standards.elements import element_named
from knowledge.standards.references import Reference
from llm.registry import embedding_model

from .identity import node_key
from .traversal import Node, nodes_around

Section = Literal["requirements", "concepts", "definitions", "errors", "follow_ups", "references"]

SECTION_OF: Mapping[str, Section] = {
    ConceptCategory.REGULATORY_CLAIM: "requirements",
    ConceptCategory.TOPIC: "concepts",
    ConceptCategory.PROCEDURE: "concepts",
    ConceptCategory.ACS_ELEMENT: "concepts",
    ConceptCategory.DEFINITION: "definitions",
    ConceptCategory.MISCONCEPTION: "errors",
    ConceptCategory.ARTIFACT: "references",
}
MITIGATION = "mitigation"
KINDS: Mapping[str, str] = {
    "requirements": "approved rule",
    "definitions": "definition",
    "errors": "wrong belief",
    "follow_ups": "may lead to",
    "mitigations": MITIGATION,
}
"""The name of a section as an examiner reads it."""
ARCHIVED = "[Archived]"  # the text of a code that its standard no longer uses
FOLLOW_UPS = frozenset(
    (
        RelationType.LEADS_TO_DISCUSSION_OF,
        RelationType.REQUIRES_KNOWLEDGE_OF,
        RelationType.CONTRASTS_WITH,
    )
)


class WrongDepth(ValueError):
    """A depth outside what a bundle can have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """`nodes` begin with the element itself; `references` are those of its Task, which bound what may be asked."""

    element: str
    text: str
    nodes: tuple[Node, ...]
    references: tuple[Reference, ...]

    def section(self, name: Section) -> tuple[Node, ...]:
        return tuple(node for node in self.nodes if section_of(node) == name)

    @property
    def requirements(self) -> tuple[Node, ...]:
        """The verified claims: what an expectation may come from."""
        return self.section("requirements")

    @property
    def pending(self) -> tuple[Node, ...]:
        """Claims that nobody has approved, or whose evidence is gone. They are never requirements."""
        claims = (node for node in self.nodes if node.category == ConceptCategory.REGULATORY_CLAIM)
        return tuple(node for node in claims if not node.is_verified)

    def surroundings(self, tokens: int, said: Collection[str] = ()) -> tuple[Surrounding, ...]:
        """What an examiner may draw on around the element, within a budget of tokens: of each kind the nearest first,
        the kinds in turn, so that none takes another's room. Only what is in force, and nothing that is `said`."""
        kinds: dict[str, list[str]] = {kind: [] for kind in KINDS.values()}
        for node in self.nodes:
            section = section_of(node)
            mitigates = node.relation == RelationType.MITIGATES_RISK_OF
            kind = MITIGATION if mitigates else KINDS.get(section or "", "")
            rests = node.is_in_force if section in ("errors", "follow_ups") else node.is_verified
            if kind and rests and node.name not in (ARCHIVED, *said):
                kinds[kind].append(node.name)
            for one in node.illustrations if node.is_verified else ():
                kinds.setdefault(one.evidence_type, []).append(f"“{one.quote}”, of: {node.name}")
        found: list[Surrounding] = []
        for row in zip_longest(*kinds.values()):
            for kind, text in zip(kinds, row, strict=True):
                tokens -= len(text) // conf.TOKEN_CHARACTERS if text else 0
                if tokens < 0:
                    return tuple(found)
                if text:
                    found.append(Surrounding(kind, text))
        return tuple(found)

    def to_dict(self) -> dict[str, Any]:
        """CONTRACT's shape of `manage.py bundle --json`; a section names its nodes by their place in
        `nodes`.
        """
        places = {node.id: at for at, node in enumerate(self.nodes)}
        sections: dict[str, list[Any]] = {name: [] for name in get_args(Section)}
        for node in self.nodes:
            name = section_of(node)
            if name:
                entry = {"node": places[node.id], "name": node.name, "status": node.status}
                sections[name].append(entry)
        sections["references"] += [str(reference) for reference in self.references]
        return {
            "element": self.element,
            "text": self.text,
            "sections": sections,
            "nodes": [node.to_dict() for node in self.nodes],
            "examples": [
                {"node": places[node.id], "name": one.quote, "status": node.status, "kind": one.evidence_type}
                for node in self.nodes
                if node.is_verified
                for one in node.illustrations
            ],
        }


def section_of(node: Node) -> Section | None:
    """The one section of a node; None for the element itself and for a claim that is not verified."""
    if node.depth == 0:
        return None
    if node.category == ConceptCategory.REGULATORY_CLAIM:
        return "requirements" if node.is_verified else None
    is_talk = SECTION_OF[node.category] == "concepts" and node.relation in FOLLOW_UPS
    return "follow_ups" if is_talk else SECTION_OF[node.category]


def bundle_for_element(
    element: str | AcsElement,
    *,
    tenant: int | None = None,
    depth: int = conf.BUNDLE_DEPTH,
    model: str = "",
) -> Bundle:
    """The context of an element, given as code or row, for a tenant. `model` is the embedding model in use unless a
    test names one. Raises UnknownElement for a code that no standard has, and WrongDepth."""
    if not 0 <= depth <= conf.BUNDLE_MAX_DEPTH:
        raise WrongDepth(f"a bundle has a depth from 0 to {conf.BUNDLE_MAX_DEPTH}, not {depth}")
    element = element_named(element) if isinstance(element, str) else element
    scope = Scope(tenant=tenant, model=model or embedding_model().name)
    nodes = nodes_around(node_key(ConceptCategory.ACS_ELEMENT, element.code), scope, depth)
    references = tuple(Reference(one["document"], one["section"]) for one in element.task.references)
    return Bundle(element=element.code, text=element.text, nodes=nodes, references=references)
