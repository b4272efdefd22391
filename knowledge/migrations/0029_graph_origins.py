"""Nodes say where they come from, edges have a status and a passage, and each reading of a source has a row."""

import django.db.models.deletion
from django.db import migrations, models

ORIGINS = """
    UPDATE knowledge_concept n SET origin = 'acs'
    WHERE n.category = 'acs_element' OR n.key_facts ? 'task_code' OR n.key_facts ? 'area_code';
    UPDATE knowledge_concept n SET origin = 'item bank'
    WHERE n.category = 'artifact' OR EXISTS (SELECT 1 FROM knowledge_keypoint p WHERE p.concept_id = n.id)
       OR EXISTS (SELECT 1 FROM knowledge_mixup m WHERE m.concept_id = n.id)"""
STATUSES = [("pending", "Pending"), ("validated", "Validated"), ("rejected", "Rejected")]


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0028_model_spending")]

    operations = [
        migrations.AddField(
            "concept",
            "origin",
            models.CharField(
                blank=True,
                default="",
                help_text="Where the graph read it; empty for extracted claims.",
                max_length=40,
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            "conceptrelation",
            "status",
            models.CharField(choices=STATUSES, default="validated", max_length=10),
        ),
        migrations.AddField("conceptrelation", "version", models.PositiveIntegerField(default=1)),
        migrations.AddField(
            "conceptrelation",
            "chunk",
            models.ForeignKey(
                blank=True,
                help_text="The passage that says so.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="knowledge.chunk",
            ),
        ),
        migrations.CreateModel(
            name="GraphReading",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("origin", models.CharField(max_length=40, unique=True)),
                ("state", models.CharField(help_text="A fingerprint of what was read.", max_length=64)),
                ("read_at", models.DateTimeField(auto_now=True)),
                ("seconds", models.FloatField(default=0)),
                ("changes", models.JSONField(default=dict)),
            ],
            options={"ordering": ["origin"]},
        ),
        migrations.RunSQL(ORIGINS, migrations.RunSQL.noop),
        migrations.RemoveIndex("conceptrelation", "relation_target"),
        migrations.AddIndex(
            "conceptrelation", models.Index(fields=["source", "-confidence"], name="relation_forward")
        ),
        migrations.AddIndex(
            "conceptrelation", models.Index(fields=["target", "-confidence"], name="relation_backward")
        ),
        migrations.AddIndex("concept", models.Index(fields=["origin"], name="concept_origin")),
        migrations.AddIndex("conceptrelation", models.Index(fields=["created_by"], name="relation_origin")),
    ]
