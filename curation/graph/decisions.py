"""Accepts and removes relations and concepts of the graph, and takes a decision back.

A decision is one conditional UPDATE on id and version with its audit row in the same transaction. Definitions are
claims, so `curation.review` decides on them. Nobody decides on the rows of a standard.
"""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from curation.models import DecisionKind, GraphDecision
from curation.selectors import WrongDecision
from knowledge.access.people import acts_for, schools_of
from knowledge.graph.skeleton import CREATED_BY
from knowledge.library_version import library_changed
from knowledge.models import Concept, ConceptRelation, KeyPoint
from knowledge.models.graph import OF_ITEMS, ConceptCategory, ValidationStatus
from knowledge.models.tenancy import Role

STATUS: Final = {
    DecisionKind.APPROVE: ValidationStatus.VALIDATED,
    DecisionKind.REJECT: ValidationStatus.REJECTED,
}
SUBJECTS: Final = (ConceptCategory.TOPIC, ConceptCategory.PROCEDURE, ConceptCategory.ARTIFACT)
"""In force as soon as a source names them, until a reviewer removes them."""
CHANGED: Final = "Somebody decided on this meanwhile. Look at it again."
Row = ConceptRelation | Concept


def relations_for(user: Any) -> QuerySet[ConceptRelation]:
    """The relations of the schools, or of the shared library, that the user reviews for. A relation belongs to the
    school of either end."""
    shared_target = Q(target__tenant=None) | Q(target__tenant=F("source__tenant"))
    own = acts_for(user, Role.REVIEWER, field="source__tenant") & shared_target
    into_school = Q(source__tenant=None, target__tenant__isnull=False)
    into = into_school & acts_for(user, Role.REVIEWER, field="target__tenant")
    return ConceptRelation.objects.filter(own | into).select_related("source", "target", "chunk__document")


def concepts_for(user: Any) -> QuerySet[Concept]:
    """The wrong beliefs, topics, procedures and artifacts of the schools, or of the shared library, that the user
    reviews for. Areas and Tasks are those of their standard, and key points, also those that their items no longer
    have, are decided on with their items."""
    found = Concept.objects.filter(category__in=(ConceptCategory.MISCONCEPTION, *SUBJECTS), stale=False)
    is_point = Q(Exists(KeyPoint.objects.filter(concept=OuterRef("pk"))))
    was_point = Q(category__in=SUBJECTS, origin=OF_ITEMS)
    return found.exclude(Q(origin=CREATED_BY) | is_point | was_point).filter(acts_for(user, Role.REVIEWER))


def graph_decisions_by(user: Any) -> QuerySet[GraphDecision]:
    """A reviewer's own decisions on what is still in the graph, and they may still see, the last one first."""
    seen = Q(relation__in=relations_for(user)) | Q(concept__in=concepts_for(user))
    return GraphDecision.objects.filter(seen, reviewer=user).select_related(
        "relation__source", "relation__target", "concept"
    )


def decide_relation(user: Any, relation_id: int, version: int, kind: DecisionKind) -> GraphDecision:
    """Let a relation count, or never. Raises WrongDecision, PermissionDenied."""
    relation = _row_to_decide(user, relations_for(user).filter(pk=relation_id))
    return _decide(user, relation, version, kind, STATUS[kind])


def decide_concept(user: Any, concept_id: UUID, version: int, kind: DecisionKind) -> GraphDecision:
    """Let a wrong belief (as one that students hold), a topic, a procedure or an artifact count, or never. Raises
    WrongDecision, PermissionDenied."""
    concept = _row_to_decide(user, concepts_for(user).filter(pk=concept_id))
    return _decide(user, concept, version, kind, STATUS[kind])


def undo_graph_decision(user: Any, decision_id: int) -> GraphDecision:
    """Take an own decision back: its relation or concept stands as before. Raises WrongDecision, PermissionDenied."""
    decision = GraphDecision.objects.filter(pk=decision_id, reviewer=user).first()
    if decision is None or decision.decision == DecisionKind.REOPEN:
        raise WrongDecision("Only your own decisions can be taken back.")
    rows: QuerySet[Any] = relations_for(user).filter(decisions=decision)
    if decision.concept_id:
        rows = concepts_for(user).filter(graph_decisions=decision)
    row = _row_to_decide(user, rows)
    return _decide(user, row, decision.after["version"], DecisionKind.REOPEN, decision.before["status"])


def _row_to_decide(user: Any, rows: QuerySet[Any]) -> Any:
    if not schools_of(user, Role.REVIEWER):
        raise PermissionDenied("Only reviewers decide on the graph.")
    row = rows.first()
    if row is None:
        raise WrongDecision("This is no longer in the graph: its source does not say it any more.")
    return row


def _decide(user: Any, row: Row, version: int, kind: DecisionKind, status: str) -> GraphDecision:
    field = "status" if isinstance(row, ConceptRelation) else "validation_status"
    before = {**_words_of(row), "status": getattr(row, field), "version": row.version}
    with transaction.atomic():
        rows: QuerySet[Any] = type(row)._default_manager.all()
        rows = rows.filter(pk=row.pk, version=version)
        if not rows.update(version=F("version") + 1, **{field: status}):
            raise WrongDecision(CHANGED)
        school = row.tenant_id if isinstance(row, Concept) else row.source.tenant_id or row.target.tenant_id
        library_changed(school)
        return GraphDecision.objects.create(
            tenant_id=school,
            relation=row if isinstance(row, ConceptRelation) else None,
            concept=row if isinstance(row, Concept) else None,
            reviewer=user,
            decision=kind,
            version_read=version,
            before=before,
            after={**before, "status": str(status), "version": version + 1},
        )


def _words_of(row: Row) -> dict[str, str]:
    """What was decided on, for the record: a relation may be withdrawn later."""
    if isinstance(row, Concept):
        return {"text": row.name}
    return {"source": row.source.name, "relation": row.relation_type, "target": row.target.name}
