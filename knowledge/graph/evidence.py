"""Which elements approved claims bear out, for all elements in one query."""

from collections import defaultdict

from django.db import connection

from knowledge.models.graph import ConceptCategory, EvidenceType, RelationType, ValidationStatus
from knowledge.retrieval.searchable import FROM_CHUNKS, Scope, searchable


def claim_roles_by_element(scope: Scope) -> dict[str, frozenset[str]]:
    """For each element's code the roles ("rule", "hazard"…) of its approved claims that have a passage to show."""
    allowed = searchable(scope)
    sql = f"""
        SELECT DISTINCT element.key_facts->>'element_code', COALESCE(claim.key_facts->>'role', 'rule')
        FROM knowledge_concept claim
        JOIN knowledge_conceptrelation r ON r.source_id = claim.id AND r.relation_type = %(applies)s
        JOIN knowledge_concept element ON element.id = r.target_id AND element.category = %(element)s
        JOIN knowledge_conceptchunkevidence v ON v.concept_id = claim.id AND v.evidence_type = %(primary)s
        WHERE claim.category = %(claim)s AND claim.validation_status = %(validated)s AND NOT claim.stale
          AND (claim.tenant_id IS NULL OR claim.tenant_id = %(tenant)s)
          AND v.chunk_id IN (SELECT c.id FROM {FROM_CHUNKS} WHERE {allowed.sql})"""
    values = {
        "applies": str(RelationType.APPLIES_IN_SCENARIO),
        "element": str(ConceptCategory.ACS_ELEMENT),
        "claim": str(ConceptCategory.REGULATORY_CLAIM),
        "primary": str(EvidenceType.PRIMARY),
        "validated": str(ValidationStatus.VALIDATED),
    }
    roles: defaultdict[str, set[str]] = defaultdict(set)
    with connection.cursor() as cursor:
        cursor.execute(sql, {**allowed.values, **values})
        for code, role in cursor.fetchall():
            roles[code].add(role)
    return {code: frozenset(found) for code, found in roles.items()}
