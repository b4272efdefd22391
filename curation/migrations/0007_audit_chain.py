"""Decisions get their school, a number within it, and a hash; the end of each school's chain has a row."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("curation", "0006_source_without_edition"),
        ("knowledge", "0025_chunk_standard"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name="reviewdecision",
            name="created_at",
            field=models.DateTimeField(default=django.utils.timezone.now, editable=False),
        ),
        migrations.AddField(
            model_name="reviewdecision",
            name="tenant",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="knowledge.tenant",
            ),
        ),
        migrations.AddField(
            model_name="reviewdecision",
            name="number",
            field=models.PositiveBigIntegerField(default=0, editable=False),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="reviewdecision",
            name="hash",
            field=models.CharField(default="", editable=False, max_length=64),
            preserve_default=False,
        ),
        migrations.CreateModel(
            name="AuditChain",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("length", models.PositiveBigIntegerField(default=0)),
                (
                    "head",
                    models.CharField(
                        blank=True, help_text="The hash of the last decision.", max_length=64
                    ),
                ),
                ("checked_at", models.DateTimeField(null=True)),
                ("checked_rows", models.PositiveBigIntegerField(default=0)),
                ("faults", models.JSONField(default=list)),
                (
                    "tenant",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="knowledge.tenant",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="auditchain",
            constraint=models.UniqueConstraint(
                fields=("tenant",), name="audit_chain_once", nulls_distinct=False
            ),
        ),
        migrations.CreateModel(
            name="RemovedDecisions",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("school", models.CharField(help_text="The school's slug.", max_length=63)),
                ("rows", models.PositiveBigIntegerField()),
                ("head", models.CharField(max_length=64)),
                ("reason", models.TextField()),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                (
                    "removed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ["-created_at"]},
        ),
    ]
