"""The decisions on the graph of before are chained behind their school's other decisions, in the order in which they
were made."""

from datetime import UTC
from typing import Any

from django.apps.registry import Apps
from django.db import migrations

from curation.values import link_hash

ROWS = 1000


def chain_decisions(apps: Apps, schema_editor: Any) -> None:
    decisions = apps.get_model("curation", "GraphDecision").objects
    chains = apps.get_model("curation", "AuditChain").objects
    for tenant in list(decisions.order_by().values_list("tenant", flat=True).distinct()):
        chain, _ = chains.get_or_create(tenant_id=tenant)
        changed = []
        for row in decisions.filter(tenant=tenant).order_by("id").iterator(chunk_size=ROWS):
            chain.length += 1
            row.number = chain.length
            row.hash = chain.head = link_hash(chain.head, content_of(row))
            changed.append(row)
            if len(changed) == ROWS:
                decisions.bulk_update(changed, ["number", "hash"])
                changed.clear()
        decisions.bulk_update(changed, ["number", "hash"])
        chain.save(update_fields=["length", "head"])


def content_of(row: Any) -> dict[str, Any]:
    return {
        "relation": row.relation_id,
        "concept": str(row.concept_id) if row.concept_id else None,
        "tenant": row.tenant_id,
        "number": row.number,
        "reviewer": row.reviewer_id,
        "decision": row.decision,
        "version_read": row.version_read,
        "before": row.before,
        "after": row.after,
        "created_at": row.created_at.astimezone(UTC).isoformat(timespec="microseconds"),
    }


class Migration(migrations.Migration):
    dependencies = [("curation", "0011_graph_decisions_in_chain")]

    operations = [migrations.RunPython(chain_decisions, migrations.RunPython.noop)]
