"""All tables of the reviewers' decisions in one step, for a new database; one that has taken the steps before keeps
them."""

from importlib import import_module

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

_STEPS = {
    name: import_module(f"curation.migrations.{name}").Migration.operations
    for name in ("0009_append_only", "0013_graph_append_only")
}


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("curation", "0001_review_decisions"),
        ("curation", "0002_stale_decisions"),
        ("curation", "0003_queue"),
        ("curation", "0004_served_elements"),
        ("curation", "0005_graph_decisions"),
        ("curation", "0006_source_without_edition"),
        ("curation", "0007_audit_chain"),
        ("curation", "0008_chain_decisions"),
        ("curation", "0009_append_only"),
        ("curation", "0010_verdicts"),
        ("curation", "0011_graph_decisions_in_chain"),
        ("curation", "0012_chain_graph_decisions"),
        ("curation", "0013_graph_append_only"),
        ("curation", "0014_words_of_people"),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("knowledge", "0001_squashed_0039_instructors"),
    ]

    operations = [
        migrations.CreateModel(
            name="Claim",
            fields=[],
            options={
                "ordering": ["priority", "created_at", "key"],
                "permissions": [("review_claim", "Can approve, edit and reject claims")],
                "proxy": True,
                "indexes": [],
                "constraints": [],
            },
            bases=("knowledge.concept",),
        ),
        migrations.CreateModel(
            name="ParkedGroup",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("source", models.CharField(max_length=300)),
                (
                    "group",
                    models.CharField(blank=True, help_text="Empty for the whole document.", max_length=300),
                ),
                (
                    "unbound_only",
                    models.BooleanField(default=False, help_text="Only claims that bind nobody in any oral."),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "ended_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "reviewer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="knowledge.tenant",
                        verbose_name="school",
                    ),
                ),
            ],
            options={
                "verbose_name": "parked part",
                "ordering": ["source", "group", "unbound_only"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at__isnull", True)),
                        fields=("tenant", "source", "group", "unbound_only"),
                        name="parked_once",
                        nulls_distinct=False,
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="QueueEntry",
            fields=[
                (
                    "claim",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="queue_entry",
                        serialize=False,
                        to="knowledge.concept",
                    ),
                ),
                (
                    "source",
                    models.CharField(
                        blank=True, help_text="The document, without its edition.", max_length=300
                    ),
                ),
                (
                    "group",
                    models.CharField(
                        blank=True, help_text="The subpart, or the first heading.", max_length=300
                    ),
                ),
                (
                    "aside",
                    models.CharField(
                        blank=True, choices=[("deferred", "Deferred"), ("flagged", "Flagged")], max_length=10
                    ),
                ),
                ("held_until", models.DateTimeField(blank=True, null=True)),
                (
                    "elements",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=20),
                        blank=True,
                        default=list,
                        help_text="Codes of the ACS elements that an approval links the claim to, the likeliest first.",
                        size=None,
                    ),
                ),
                (
                    "element_reasons",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="By code: the likelihood in [0, 1], and why in words.",
                    ),
                ),
                ("elements_found_at", models.DateTimeField(blank=True, null=True)),
                (
                    "aside_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "held_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "parked",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="entries",
                        to="curation.parkedgroup",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "queue entries",
                "indexes": [
                    models.Index(fields=["source", "group"], name="queue_group"),
                    django.contrib.postgres.indexes.GinIndex(fields=["elements"], name="queue_elements"),
                ],
            },
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
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "removed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at"],
            },
        ),
        migrations.CreateModel(
            name="ReviewDecision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "decision",
                    models.CharField(
                        choices=[
                            ("approve", "Approve"),
                            ("edit", "Edit"),
                            ("reject", "Reject"),
                            ("reopen", "Reopen"),
                            ("reanchor", "Reanchor"),
                            ("retire", "Retire"),
                            ("merge", "Merge"),
                            ("split", "Split"),
                            ("verdict", "Verdict"),
                        ],
                        max_length=10,
                    ),
                ),
                ("version_read", models.PositiveIntegerField()),
                ("before", models.JSONField()),
                ("after", models.JSONField()),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("number", models.PositiveBigIntegerField(editable=False)),
                ("hash", models.CharField(editable=False, max_length=64)),
                ("reason", models.TextField(blank=True)),
                (
                    "claim",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="decisions",
                        to="knowledge.concept",
                    ),
                ),
                (
                    "reviewer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="decisions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="knowledge.tenant",
                        verbose_name="school",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-id"],
                "abstract": False,
                "indexes": [
                    models.Index(fields=["reviewer", "-created_at", "-id"], name="decisions_by"),
                    models.Index(
                        condition=models.Q(("decision", "verdict")),
                        fields=["claim", "version_read"],
                        name="verdicts_of",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "number"), name="decision_numbered_once", nulls_distinct=False
                    )
                ],
            },
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
                    models.CharField(blank=True, help_text="The hash of the last decision.", max_length=64),
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
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("tenant",), name="audit_chain_once", nulls_distinct=False)
                ],
            },
        ),
        migrations.CreateModel(
            name="GraphDecision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "decision",
                    models.CharField(
                        choices=[
                            ("approve", "Approve"),
                            ("edit", "Edit"),
                            ("reject", "Reject"),
                            ("reopen", "Reopen"),
                            ("reanchor", "Reanchor"),
                            ("retire", "Retire"),
                            ("merge", "Merge"),
                            ("split", "Split"),
                            ("verdict", "Verdict"),
                        ],
                        max_length=10,
                    ),
                ),
                ("version_read", models.PositiveIntegerField()),
                ("before", models.JSONField()),
                ("after", models.JSONField()),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("number", models.PositiveBigIntegerField(editable=False)),
                ("hash", models.CharField(editable=False, max_length=64)),
                (
                    "concept",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="graph_decisions",
                        to="knowledge.concept",
                    ),
                ),
                (
                    "relation",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="decisions",
                        to="knowledge.conceptrelation",
                    ),
                ),
                (
                    "reviewer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="knowledge.tenant",
                        verbose_name="school",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-id"],
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "number"), name="graph_decision_numbered_once", nulls_distinct=False
                    )
                ],
            },
        ),
        _STEPS["0009_append_only"][-1],
        _STEPS["0013_graph_append_only"][-1],
    ]
