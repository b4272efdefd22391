"""What stands in the way of deleting a document: verdicts, decisions and editions that rest on its passages."""

from django.db import connection
from django.db.models import Q

from knowledge.models import ConceptChunkEvidence, Document, EditionPlace
from knowledge.models.graph import ValidationStatus

# Exams keep their citations as JSON; whatever looks like the id of a passage in them may be one.
_CITED = """
    WITH told AS (
        SELECT citations::text || context::text || images::text AS said FROM exams_turn
        UNION ALL SELECT citations::text || near::text FROM exams_assessment
        UNION ALL SELECT coalesce(result::text, '') || study::text || planner::text FROM exams_exam
    ),
    ids AS (
        SELECT DISTINCT (regexp_matches(said, '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', 'g'))[1]
            AS id FROM told
    )
    SELECT EXISTS (SELECT 1 FROM knowledge_chunk c JOIN ids ON ids.id = c.id::text WHERE c.document_id = %(document)s)
        OR EXISTS (SELECT 1 FROM knowledge_image i JOIN ids ON ids.id = i.id::text WHERE i.document_id = %(document)s)
        OR EXISTS (SELECT 1 FROM ids WHERE ids.id = %(document)s::text)
"""


def citing(document: Document) -> str:
    """What cites the document, in words that follow "since"; empty if nothing does."""
    with connection.cursor() as cursor:
        cursor.execute(_CITED, {"document": document.pk})
        if cursor.fetchone()[0]:
            return "questions or verdicts of exams cite it"
    evidence = ConceptChunkEvidence.objects.filter(chunk__document=document)
    if evidence.exclude(concept__validation_status=ValidationStatus.PENDING).exists():
        return "claims that a reviewer decided rest on it"
    if EditionPlace.objects.filter(chunk__document=document).exclude(document=document).exists():
        return "another edition shares its passages"
    if Document.objects.filter(Q(superseded_by=document) | Q(follows=document)).exists():
        return "other editions of the work refer to it"
    return ""
