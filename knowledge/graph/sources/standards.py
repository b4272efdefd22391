"""Read the standards into the graph: the documents that Tasks name, and what a skill or a risk requires to be known.

A Task's references line names documents that apply to it. A skill or risk element requires the knowledge elements of
its Task that it names ("K3a through K3l"), or that are alike in their words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import groupby
from typing import Final

from knowledge.graph.claim_links import word_likeness
from knowledge.graph.identity import node_key
from knowledge.graph.writing import GraphPart, GraphSource, NewEdge, NewNode, NodeId
from knowledge.models import AcsElement, AcsTask, Concept, Standard
from knowledge.models.graph import ConceptCategory, RelationType
from knowledge.standards.references import HANDBOOKS, Reference, names_document, without_edition

from .documents import papers_in_force

VERSION: Final = 1
ALIKE: Final = 0.3
"""Cosine of two elements' words from which one is taken to require the other."""
REQUIRED: Final = 2
"""Knowledge elements that a skill or risk requires at most by likeness."""
_NAMED: Final = re.compile(r"\b(K\d+[a-z]?)(?: through (K\d+[a-z]?))?")


def read_standards() -> GraphPart:
    part = GraphPart()
    tasks = AcsTask.objects.filter(area__standard__current=True).order_by("code")
    references: dict[Reference, NodeId] = {}
    for code, listed in tasks.values_list("code", "references"):
        for one in listed:
            reference = Reference(one["document"], one["section"])
            if reference not in references:
                short = HANDBOOKS.get(without_edition(reference.document), "")
                references[reference] = part.add_node(
                    NewNode(
                        category=ConceptCategory.ARTIFACT,
                        identity=str(reference),
                        name=f"{reference} ({short})" if short else str(reference),
                    )
                )
            part.add_edge(
                NewEdge(
                    source=references[reference],
                    relation=RelationType.APPLIES_IN_SCENARIO,
                    target=(None, node_key(ConceptCategory.TOPIC, code)),
                    reason=f"the references line of Task {code}",
                )
            )
    for paper in papers_in_force().values():
        for reference, node in references.items():
            if paper.tenant is None and names_document(reference, paper.cited):
                part.add_edge(
                    NewEdge(
                        source=(None, node_key(ConceptCategory.ARTIFACT, paper.name)),
                        relation=RelationType.IS_COMPONENT_OF,
                        target=node,
                        reason=f"Tasks name it as {reference}",
                    )
                )
    rows = AcsElement.objects.filter(task__area__standard__current=True, archived=False)
    for _, group in groupby(
        rows.select_related("task__area").order_by("task__area__standard", "order"),
        key=lambda one: one.task.area.standard_id,
    ):
        for edge in prerequisites_in(list(group)):
            part.add_edge(edge)
    return part


def prerequisites_in(elements: Sequence[AcsElement]) -> Iterator[NewEdge]:
    """What the skills and risks of a standard require of the knowledge elements of their Tasks."""
    texts = {one.code: one.text for one in elements if one.kind == "knowledge"}
    in_task: dict[int, list[str]] = {}
    for one in elements:
        if one.kind == "knowledge":
            in_task.setdefault(one.task_id, []).append(one.code)
    for element in elements:
        known = in_task.get(element.task_id, [])
        if element.kind == "knowledge" or not known:
            continue
        named = _elements_named(element.text, known)
        likely = {} if named else word_likeness(element.text, texts)
        alike = sorted(
            (code for code in known if likely.get(code, 0) >= ALIKE), key=lambda code: -likely[code]
        )
        for code in named or alike[:REQUIRED]:
            yield NewEdge(
                source=_element_id(element.code),
                relation=RelationType.REQUIRES_KNOWLEDGE_OF,
                target=_element_id(code),
                confidence=1.0 if named else 0.7,
                reason="it names the element"
                if named
                else f"the same Task in like words ({likely[code]:.2f})",
            )


def _element_id(code: str) -> NodeId:
    return None, node_key(ConceptCategory.ACS_ELEMENT, code)


def _elements_named(text: str, codes: Sequence[str]) -> list[str]:
    """The elements of the Task that a text names, with all between two that it joins by "through"."""
    short = {code.rpartition(".")[2]: at for at, code in enumerate(codes)}
    found: list[str] = []
    for first, last in _NAMED.findall(text):
        if first in short:
            end = short.get(last, short[first])
            found += codes[short[first] : end + 1]
    return found


def _state() -> str:
    standards = Standard.objects.filter(current=True).order_by("pk").values_list("number", "content_hash")
    nodes = Concept.objects.filter(category=ConceptCategory.ACS_ELEMENT).count()
    return sha256(
        repr((VERSION, list(standards), nodes, [one.name for one in papers_in_force().values()])).encode()
    ).hexdigest()


STANDARDS: Final = GraphSource(origin="standards", state=_state, read=read_standards)
