"""A standard becomes the skeleton of the graph: a node for each Area, Task and element, held together by
`is_component_of`.

These nodes are validated from the start: the FAA's own text is their evidence. Everything else hangs on them.
"""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from django.db import transaction

from knowledge.library_version import library_changed
from knowledge.models import AcsElement, AcsTask, Concept, ConceptRelation, Document, Standard
from knowledge.models.documents import DocumentStatus
from knowledge.models.graph import ConceptCategory, RelationType, ValidationStatus
from knowledge.standards.acs_pdf import pieces_of_pdf
from knowledge.standards.acs_reader import AcsStandard, read_acs
from knowledge.standards.loading import Loaded, load_rows

from .identity import node_key

CREATED_BY = "acs"
CERTAIN = 1.0  # confidence of an edge that the ACS itself prints


def load_acs(path: Path) -> Loaded:
    """Read an ACS PDF into rows and nodes. Raises NotAnAcs where the file is none."""
    text = read_acs(pieces_of_pdf(path))
    return load_standard(text, content_hash=hashlib.sha256(path.read_bytes()).hexdigest())


@transaction.atomic
def load_standard(text: AcsStandard, *, content_hash: str = "", demo: bool = False) -> Loaded:
    """Rows and nodes in one transaction; an edition older than the current one gets rows and no nodes."""
    loaded = load_rows(text, content_hash=content_hash, demo=demo)
    if loaded.standard.current:
        build_skeleton(loaded.standard)
        if not demo:
            _put_the_demo_away()
    return loaded


def _put_the_demo_away() -> None:
    """Under a real standard the demo's handbook answers nothing; its page can publish it again."""
    shown = Document.objects.filter(demo=True, status=DocumentStatus.PUBLISHED)
    if shown.update(status=DocumentStatus.ARCHIVED):
        library_changed(None)


def build_skeleton(standard: Standard) -> None:
    """Nodes and edges of a standard's rows; those that exist are brought up to date, none is removed."""
    tasks = list(AcsTask.objects.filter(area__standard=standard).select_related("area"))
    elements = list(
        AcsElement.objects.filter(edition=standard.number).select_related("parent", "task").order_by("order")
    )
    areas = {area_code(task): _area_node(task) for task in tasks}
    _upsert([*areas.values(), *map(_task_node, tasks), *map(_element_node, elements)])
    _join([*map(_task_edge, tasks), *map(_element_edge, elements)])
    _mark_archived(standard, elements)


def area_code(task: AcsTask) -> str:
    """The code of a Task's Area: "PA.IX"."""
    return task.code.rsplit(".", 1)[0]


def _area_node(task: AcsTask) -> Concept:
    facts = {"area_code": area_code(task)}
    return _node(ConceptCategory.TOPIC, area_code(task), task.area.title, facts)


def _task_node(task: AcsTask) -> Concept:
    facts = {"task_code": task.code, "classes": task.classes}
    return _node(ConceptCategory.TOPIC, task.code, task.title, facts)


def _element_node(element: AcsElement) -> Concept:
    facts = {
        "element_code": element.code,
        "task_code": element.task.code,
        "element_type": element.kind,
        "edition": element.edition,
        "archived": element.archived,
    }
    return _node(ConceptCategory.ACS_ELEMENT, element.code, element.text, facts)


def _node(category: ConceptCategory, identity: str, name: str, facts: Mapping[str, object]) -> Concept:
    return Concept(
        key=node_key(category, identity),
        name=name,
        category=category,
        key_facts=dict(facts),
        validation_status=ValidationStatus.VALIDATED,
    )


def _task_edge(task: AcsTask) -> tuple[str, str]:
    return node_key(ConceptCategory.TOPIC, task.code), node_key(ConceptCategory.TOPIC, area_code(task))


def _element_edge(element: AcsElement) -> tuple[str, str]:
    whole = (
        node_key(ConceptCategory.ACS_ELEMENT, element.parent.code)
        if element.parent
        else node_key(ConceptCategory.TOPIC, element.task.code)
    )
    return node_key(ConceptCategory.ACS_ELEMENT, element.code), whole


def _upsert(nodes: list[Concept]) -> None:
    Concept.objects.bulk_create(
        nodes,
        update_conflicts=True,
        unique_fields=["tenant", "key"],
        update_fields=["name", "key_facts", "validation_status", "updated_at"],
    )


def _join(edges: Iterable[tuple[str, str]]) -> None:
    pairs = list(edges)
    keys = {key for pair in pairs for key in pair}
    ids = dict(Concept.objects.filter(tenant=None, key__in=keys).values_list("key", "id"))
    ConceptRelation.objects.bulk_create(
        [
            ConceptRelation(
                source_id=ids[part],
                target_id=ids[whole],
                relation_type=RelationType.IS_COMPONENT_OF,
                confidence=CERTAIN,
                created_by=CREATED_BY,
            )
            for part, whole in pairs
        ],
        ignore_conflicts=True,
    )


def _mark_archived(standard: Standard, elements: list[AcsElement]) -> None:
    """Nodes of codes that earlier editions printed and this one does not: kept, and marked."""
    prefix = elements[0].code.split(".")[0] if elements else standard.number
    known = {node_key(ConceptCategory.ACS_ELEMENT, element.code) for element in elements}
    former = Concept.objects.filter(
        tenant=None, key__startswith=node_key(ConceptCategory.ACS_ELEMENT, prefix) + "."
    ).exclude(key__in=known)
    for node in former:
        node.key_facts = {**node.key_facts, "archived": True}
    Concept.objects.bulk_update(former, ["key_facts"])
