"""Build the skeleton of the graph from a standard: a node for each Area, Task and element, joined by `is_component_of`.

These nodes are validated from the start, since the FAA's own text is their evidence. All other nodes attach to them.
"""

from collections.abc import Mapping, Sequence

from django.db import transaction

from knowledge.library_version import library_changed
from knowledge.models import AcsElement, AcsTask, Concept, ConceptRelation, Document, Standard
from knowledge.models.documents import DocumentAct, DocumentStatus
from knowledge.models.graph import ConceptCategory, RelationType, ValidationStatus
from knowledge.standards.acs_reader import AcsStandard
from knowledge.standards.loading import Loaded, load_rows

from .identity import node_key

CREATED_BY = "acs"
CERTAIN = 1.0  # confidence of an edge that the ACS itself prints


@transaction.atomic
def load_standard(text: AcsStandard, *, content_hash: str = "", demo: bool = False) -> Loaded:
    """Store rows and nodes in one transaction. An edition older than the current one gets rows and no nodes."""
    loaded = load_rows(text, content_hash=content_hash, demo=demo)
    if loaded.standard.current:
        build_skeleton(loaded.standard)
        # The demo's handbook answers nothing beside a real standard; its page can publish it again.
        shown = Document.objects.filter(demo=True, status=DocumentStatus.PUBLISHED)
        for document in () if demo else shown:
            document.events.create(act=DocumentAct.ARCHIVED, was=document.status)
            Document.objects.filter(pk=document.pk).update(status=DocumentStatus.ARCHIVED)
            library_changed(None)
    return loaded


def build_skeleton(standard: Standard) -> None:
    """Create or update the nodes and edges of a standard's rows; none is removed."""
    tasks = list(AcsTask.objects.filter(area__standard=standard).select_related("area"))
    elements = list(
        AcsElement.objects.filter(edition=standard.number).select_related("parent", "task").order_by("order")
    )
    nodes = {}
    edges = []
    for task in tasks:
        area = task.code.rsplit(".", 1)[0]  # "PA.IX.C" → "PA.IX"
        area_node = _make_node(ConceptCategory.TOPIC, area, task.area.title, {"area_code": area})
        facts = {"task_code": task.code, "classes": task.classes}
        task_node = _make_node(ConceptCategory.TOPIC, task.code, task.title, facts)
        nodes[area_node.key], nodes[task_node.key] = area_node, task_node
        edges.append((task_node.key, area_node.key))
    for element in elements:
        facts = {
            "element_code": element.code,
            "task_code": element.task.code,
            "element_type": element.kind,
            "edition": element.edition,
            "archived": element.archived,
        }
        node = _make_node(ConceptCategory.ACS_ELEMENT, element.code, element.text, facts)
        nodes[node.key] = node
        if element.parent:
            whole = node_key(ConceptCategory.ACS_ELEMENT, element.parent.code)
        else:
            whole = node_key(ConceptCategory.TOPIC, element.task.code)
        edges.append((node.key, whole))
    Concept.objects.bulk_create(
        nodes.values(),
        update_conflicts=True,
        unique_fields=["tenant", "key"],
        update_fields=["name", "key_facts", "validation_status", "updated_at"],
    )
    _join_nodes(edges)
    _mark_archived(standard, elements)


def _make_node(category: ConceptCategory, identity: str, name: str, facts: Mapping[str, object]) -> Concept:
    return Concept(
        key=node_key(category, identity),
        name=name,
        category=category,
        key_facts=dict(facts),
        validation_status=ValidationStatus.VALIDATED,
        origin=CREATED_BY,
    )


def _join_nodes(edges: Sequence[tuple[str, str]]) -> None:
    """Add the missing edges, each given by the keys of the part and the whole."""
    keys = {key for edge in edges for key in edge}
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
            for part, whole in edges
        ],
        ignore_conflicts=True,
    )


def _mark_archived(standard: Standard, elements: list[AcsElement]) -> None:
    """Mark the nodes of codes that earlier editions have and this one has not; they are kept."""
    prefix = elements[0].code.split(".")[0] if elements else standard.number
    known = {node_key(ConceptCategory.ACS_ELEMENT, element.code) for element in elements}
    former = Concept.objects.filter(
        tenant=None, key__startswith=node_key(ConceptCategory.ACS_ELEMENT, prefix) + "."
    ).exclude(key__in=known)
    for node in former:
        node.key_facts = {**node.key_facts, "archived": True}
    Concept.objects.bulk_update(former, ["key_facts"])
