"""All tables of the orals in one step, for a new database; one that has taken the steps before keeps them."""

import uuid

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("exams", "0001_exams"),
        ("exams", "0002_passages_to_study"),
        ("exams", "0003_decided_disputes"),
        ("exams", "0004_what_stands_near"),
        ("exams", "0005_pause_reason"),
        ("exams", "0006_item_bank"),
        ("exams", "0007_help_texts"),
        ("exams", "0008_anchoring_is_a_job"),
        ("exams", "0009_words_of_people"),
        ("exams", "0010_left_the_school"),
        ("exams", "0011_when_elements_are_due"),
        ("exams", "0012_scene"),
        ("exams", "0013_checked_sample"),
        ("exams", "0014_qualification"),
        ("exams", "0015_instruction"),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("knowledge", "0001_squashed_0039_instructors"),
    ]

    operations = [
        migrations.CreateModel(
            name="DecidedDispute",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("element", models.CharField(max_length=24)),
                ("question", models.TextField()),
                ("expectations", models.JSONField(default=list)),
                ("resolution", models.TextField(blank=True)),
                (
                    "tenant",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="knowledge.tenant",
                        verbose_name="school",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="Exam",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("certificate", models.CharField(max_length=20)),
                (
                    "standard",
                    models.CharField(help_text="The standard's number at the start.", max_length=40),
                ),
                ("aircraft_class", models.CharField(default="ASEL", max_length=4)),
                ("mode", models.CharField(default="full", max_length=10)),
                ("manner", models.CharField(default="coach", max_length=10)),
                ("difficulty", models.CharField(default="standard", max_length=10)),
                (
                    "request",
                    models.JSONField(default=dict, help_text="What was asked for when it was created."),
                ),
                ("scope", models.JSONField(default=dict, help_text="The Tasks and elements covered.")),
                (
                    "scene",
                    models.JSONField(
                        blank=True, default=dict, help_text="The flight that a mock oral is about."
                    ),
                ),
                (
                    "qualification",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="The papers that the oral opens with, and what came of them.",
                    ),
                ),
                ("planner", models.JSONField(default=dict, help_text="Where the planner stands.")),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("active", "Active"),
                            ("paused", "Paused"),
                            ("finished", "finished by its plan"),
                            ("ended", "ended by the student"),
                            ("left", "ended when the student left the school"),
                            ("abandoned", "Abandoned"),
                        ],
                        default="active",
                        max_length=10,
                    ),
                ),
                (
                    "pause_reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            (
                                "examiner_away",
                                "The examiner cannot be reached just now. Your oral is paused; nothing is lost.",
                            ),
                            (
                                "budget_spent",
                                (
                                    "The examiner's calls of today are used up; there are new ones at 00:00 "
                                    "UTC. Your answer is kept: this oral is paused, and goes on then by "
                                    "itself."
                                ),
                            ),
                            (
                                "not_assessed",
                                (
                                    "Your answer could not be assessed. Your oral is paused; nothing is "
                                    "lost. Answer again to go on."
                                ),
                            ),
                        ],
                        help_text="Why the server paused it; empty where the student did.",
                        max_length=20,
                    ),
                ),
                ("seq", models.PositiveIntegerField(default=0)),
                ("epoch", models.PositiveIntegerField(default=0)),
                ("version", models.PositiveIntegerField(default=1)),
                ("result", models.JSONField(blank=True, null=True)),
                (
                    "study",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="By element: the passage to open first, as found when the exam ended.",
                    ),
                ),
                (
                    "external_model",
                    models.CharField(
                        blank=True,
                        help_text="The vendor's model that answers went to; empty when they stayed here.",
                        max_length=100,
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("last_activity", models.DateTimeField(auto_now_add=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "student",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="exams",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="knowledge.tenant",
                        verbose_name="school",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at"],
                "indexes": [
                    models.Index(fields=["student", "-created_at"], name="exam_student"),
                    models.Index(fields=["status", "last_activity"], name="exam_idle"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Assignment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("order", models.JSONField()),
                (
                    "covered",
                    models.CharField(
                        help_text="What it asks, in words, when it was assigned.", max_length=1000
                    ),
                ),
                (
                    "questions",
                    models.PositiveSmallIntegerField(help_text="How many it asks, when it was assigned."),
                ),
                ("note", models.CharField(blank=True, max_length=500)),
                ("due", models.DateField(blank=True, null=True)),
                ("dismissed_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "author",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "student",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="assignments",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        to="knowledge.tenant",
                        verbose_name="school",
                    ),
                ),
                (
                    "exam",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="assignments",
                        to="exams.exam",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-id"],
            },
        ),
        migrations.CreateModel(
            name="Answer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("client_id", models.CharField(max_length=64)),
                ("text", models.TextField()),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("fence", models.PositiveIntegerField(default=0)),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("received_at", models.DateTimeField(auto_now_add=True)),
                (
                    "exam",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="answers", to="exams.exam"
                    ),
                ),
            ],
            options={
                "ordering": ["exam_id", "id"],
            },
        ),
        migrations.CreateModel(
            name="Frame",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seq", models.PositiveIntegerField()),
                ("type", models.CharField(max_length=15)),
                ("payload", models.JSONField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "exam",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="frames", to="exams.exam"
                    ),
                ),
            ],
            options={
                "ordering": ["exam_id", "seq"],
                "constraints": [models.UniqueConstraint(fields=("exam", "seq"), name="frame_once")],
            },
        ),
        migrations.CreateModel(
            name="Look",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("oral", models.UUIDField(blank=True, null=True)),
                ("hour", models.DateTimeField(help_text="The full hour in which it was first opened.")),
                (
                    "student",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="looked_at",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        to="knowledge.tenant",
                        verbose_name="school",
                    ),
                ),
                (
                    "viewer",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-hour", "-id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("student", "viewer", "tenant", "oral", "hour"),
                        name="look_once",
                        nulls_distinct=False,
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Mastery",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("certificate", models.CharField(max_length=20)),
                ("element", models.CharField(max_length=24)),
                ("estimate", models.FloatField(help_text="0 to 1")),
                ("attempts", models.PositiveIntegerField(default=0, help_text="Scored attempts.")),
                ("last_verdict", models.CharField(blank=True, max_length=15)),
                ("by_mention", models.BooleanField(default=False)),
                (
                    "stability",
                    models.FloatField(
                        blank=True, help_text="Days until it is known with 90 percent, by FSRS.", null=True
                    ),
                ),
                ("difficulty", models.FloatField(blank=True, help_text="1 to 10, by FSRS.", null=True)),
                (
                    "reviewed_at",
                    models.DateTimeField(blank=True, help_text="When it was last answered.", null=True),
                ),
                ("due", models.DateTimeField(blank=True, help_text="When to ask it again.", null=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "student",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mastery",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="knowledge.tenant",
                    ),
                ),
            ],
            options={
                "ordering": ["student_id", "element"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("student", "tenant", "certificate", "element"),
                        name="mastery_once",
                        nulls_distinct=False,
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SharedPractice",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("since", models.DateTimeField(auto_now_add=True)),
                (
                    "student",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="shared_practice",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        to="knowledge.tenant",
                        verbose_name="school",
                    ),
                ),
            ],
            options={
                "ordering": ["student_id", "tenant_id"],
                "constraints": [models.UniqueConstraint(fields=("student", "tenant"), name="shared_once")],
            },
        ),
        migrations.CreateModel(
            name="Turn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("element", models.CharField(max_length=24)),
                ("task", models.CharField(max_length=20)),
                ("kind", models.CharField(max_length=10)),
                ("form", models.CharField(default="opening", max_length=15)),
                ("attempt", models.PositiveSmallIntegerField(default=1)),
                ("text", models.TextField()),
                ("transition", models.TextField(blank=True)),
                ("expectations", models.JSONField(default=list)),
                (
                    "context",
                    models.JSONField(
                        default=dict, help_text="The passages it stands on, with their versions."
                    ),
                ),
                ("citations", models.JSONField(default=list)),
                ("images", models.JSONField(default=list)),
                (
                    "givens",
                    models.JSONField(default=list, help_text="What lies on the table: name, value, kind."),
                ),
                (
                    "item",
                    models.CharField(
                        blank=True, help_text="Key of the bank's item that it comes from.", max_length=90
                    ),
                ),
                (
                    "rubric",
                    models.JSONField(
                        default=dict,
                        help_text="Of the item: its second wording, its mix-ups, and why it matters.",
                    ),
                ),
                (
                    "provenance",
                    models.JSONField(
                        default=dict, help_text="provider, model, prompt version, evidence versions"
                    ),
                ),
                ("looked_up", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "exam",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="turns", to="exams.exam"
                    ),
                ),
            ],
            options={
                "ordering": ["exam_id", "number"],
                "constraints": [models.UniqueConstraint(fields=("exam", "number"), name="turn_once")],
            },
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("fair", models.BooleanField()),
                ("note", models.TextField(blank=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "turn",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="rating", to="exams.turn"
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at"],
            },
        ),
        migrations.CreateModel(
            name="Dispute",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("note", models.TextField(blank=True)),
                (
                    "by_sample",
                    models.BooleanField(
                        default=False,
                        help_text="No student disagrees: a source may not support its statement.",
                        verbose_name="raised by the sample",
                    ),
                ),
                ("resolved", models.BooleanField(default=False)),
                (
                    "resolution",
                    models.TextField(
                        blank=True,
                        help_text="Kept if the student deletes the exam: name nobody and quote no answer.",
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "exam",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="disputes", to="exams.exam"
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="disputes", to="exams.turn"
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at"],
                "constraints": [models.UniqueConstraint(fields=("turn",), name="dispute_once")],
            },
        ),
        migrations.CreateModel(
            name="Comment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField()),
                ("written_at", models.DateTimeField(auto_now=True)),
                (
                    "read_at",
                    models.DateTimeField(
                        blank=True, help_text="When its student opened the report.", null=True
                    ),
                ),
                (
                    "author",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "exam",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="comments", to="exams.exam"
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="comments",
                        to="exams.turn",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="CheckedExchange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("asked_at", models.DateTimeField(help_text="When the exchange took place.")),
                (
                    "statements",
                    models.JSONField(default=list, help_text="Each with its sources, finding, and reasons."),
                ),
                (
                    "refused",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=64),
                        default=list,
                        help_text="Digests of statements without support.",
                        size=None,
                    ),
                ),
                (
                    "checker",
                    models.JSONField(
                        default=dict, help_text="Versions of the check and of the model that read it."
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "turn",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="checked", to="exams.turn"
                    ),
                ),
            ],
            options={
                "ordering": ["-asked_at"],
                "indexes": [
                    models.Index(fields=["asked_at"], name="checked_day"),
                    django.contrib.postgres.indexes.GinIndex(fields=["refused"], name="checked_refused"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Assessment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("element", models.CharField(max_length=24)),
                ("final", models.BooleanField(default=False)),
                ("verdict", models.CharField(max_length=15)),
                ("score", models.FloatField(blank=True, null=True)),
                ("feedback", models.TextField(blank=True)),
                ("points", models.JSONField(default=list)),
                ("citations", models.JSONField(default=list)),
                (
                    "near",
                    models.JSONField(
                        default=list,
                        help_text=(
                            "Citations of what the library says nearest to the answer; the verdict "
                            "does not rest on them."
                        ),
                    ),
                ),
                ("degraded", models.CharField(blank=True, max_length=300)),
                ("decision", models.JSONField(default=dict)),
                ("provenance", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "answer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="assessments",
                        to="exams.answer",
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="assessments",
                        to="exams.turn",
                    ),
                ),
            ],
            options={
                "ordering": ["turn_id", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("final", True)), fields=("turn",), name="one_final_assessment"
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="answer",
            name="turn",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="answers", to="exams.turn"
            ),
        ),
        migrations.AddConstraint(
            model_name="answer",
            constraint=models.UniqueConstraint(fields=("exam", "client_id"), name="answer_id_once"),
        ),
    ]
