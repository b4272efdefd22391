"""Points and mix-ups have an origin of their own: reading the edges of the bank must not withdraw them."""

from django.db import migrations

OWN = """
    UPDATE knowledge_concept n
    SET origin = 'item',
        stale = stale AND stale_reason <> 'The edition in force no longer says it.',
        stale_reason = CASE WHEN stale_reason = 'The edition in force no longer says it.' THEN '' ELSE stale_reason END
    WHERE origin = 'item bank' AND (
        EXISTS (SELECT 1 FROM knowledge_keypoint p WHERE p.concept_id = n.id)
        OR EXISTS (SELECT 1 FROM knowledge_mixup m WHERE m.concept_id = n.id))"""


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0032_tokens_as_keys")]

    operations = [migrations.RunSQL(OWN, migrations.RunSQL.noop)]
