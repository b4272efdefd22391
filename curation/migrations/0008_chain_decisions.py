"""The decisions of before are chained, each school's in the order in which they were made."""

from datetime import UTC
from typing import Any

from django.apps.registry import Apps
from django.db import migrations

from curation.values import link_hash

ROWS = 1000


def chain_decisions(apps: Apps, schema_editor: Any) -> None:
    decisions = apps.get_model("curation", "ReviewDecision").objects
    chains = apps.get_model("curation", "AuditChain").objects
    tenants = decisions.order_by().values_list("claim__tenant", flat=True).distinct()
    for tenant in list(tenants):
        length, head, changed = 0, "", []
        for row in decisions.filter(claim__tenant=tenant).order_by("id").iterator(chunk_size=ROWS):
            length += 1
            row.tenant_id, row.number = tenant, length
            row.hash = head = link_hash(head, content_of(row))
            changed.append(row)
            if len(changed) == ROWS:
                decisions.bulk_update(changed, ["tenant", "number", "hash"])
                changed.clear()
        decisions.bulk_update(changed, ["tenant", "number", "hash"])
        chains.create(tenant_id=tenant, length=length, head=head)


def content_of(row: Any) -> dict[str, Any]:
    return {
        "tenant": row.tenant_id,
        "number": row.number,
        "claim": str(row.claim_id),
        "reviewer": row.reviewer_id,
        "decision": row.decision,
        "version_read": row.version_read,
        "before": row.before,
        "after": row.after,
        "reason": row.reason,
        "created_at": row.created_at.astimezone(UTC).isoformat(timespec="microseconds"),
    }


class Migration(migrations.Migration):
    dependencies = [("curation", "0007_audit_chain")]

    operations = [migrations.RunPython(chain_decisions, migrations.RunPython.noop)]
