"""All tables of the rules desk in one step, for a new database; one that has taken the steps before keeps them."""

import uuid

import django.db.models.deletion
import pgvector.django.vector
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("rules", "0001_rules"),
        ("rules", "0002_conversations"),
        ("rules", "0003_answers_after_removal"),
        ("rules", "0004_written_questions"),
        ("rules", "0005_demo_origin"),
        ("rules", "0006_words_of_people"),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("knowledge", "0001_squashed_0039_instructors"),
    ]

    operations = [
        migrations.CreateModel(
            name="RuleConversation",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rule_conversations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-updated_at"],
                "indexes": [models.Index(fields=["user", "-updated_at"], name="rule_conversations_of_user")],
            },
        ),
        migrations.CreateModel(
            name="RuleQuestion",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                (
                    "key",
                    models.CharField(help_text="The file's own name for it (question_id).", max_length=500),
                ),
                (
                    "text",
                    models.CharField(help_text="The question as it can be understood alone.", max_length=500),
                ),
                ("category", models.CharField(max_length=60)),
                ("tags", models.JSONField(blank=True, default=list)),
                ("position", models.PositiveIntegerField(default=0, help_text="Its place in the file.")),
                (
                    "origin",
                    models.CharField(
                        choices=[("file", "File"), ("written", "Written"), ("demo", "Demo")],
                        default="file",
                        editable=False,
                        max_length=10,
                    ),
                ),
                ("loaded_hash", models.CharField(blank=True, editable=False, max_length=64)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "tenant",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rule_questions",
                        to="knowledge.tenant",
                        verbose_name="school",
                    ),
                ),
            ],
            options={
                "verbose_name": "question",
                "ordering": ["position", "key"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "key"), name="rule_question_once", nulls_distinct=False
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RuleAnswer",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("country", models.CharField(help_text="ISO 3166 alpha-2.", max_length=2)),
                ("text", models.TextField()),
                ("links", models.JSONField(blank=True, default=list)),
                (
                    "date_checked",
                    models.DateField(blank=True, help_text="The day somebody last looked at it.", null=True),
                ),
                (
                    "source_link",
                    models.URLField(
                        blank=True, help_text="Where the rule itself is published.", max_length=1000
                    ),
                ),
                (
                    "origin",
                    models.CharField(
                        choices=[("file", "File"), ("written", "Written"), ("demo", "Demo")],
                        default="file",
                        max_length=10,
                    ),
                ),
                ("loaded_hash", models.CharField(blank=True, editable=False, max_length=64)),
                ("version", models.PositiveIntegerField(default=1, editable=False)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "question",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="answers",
                        to="rules.rulequestion",
                    ),
                ),
            ],
            options={
                "verbose_name": "answer",
                "ordering": ["question", "country"],
                "indexes": [models.Index(fields=["country"], name="rule_answer_country")],
                "constraints": [
                    models.UniqueConstraint(fields=("question", "country"), name="rule_answer_once"),
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True), name="rule_answer_says_something"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="QuestionVector",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("model", models.CharField(max_length=80)),
                ("vector", pgvector.django.vector.VectorField()),
                ("text_hash", models.CharField(max_length=64)),
                (
                    "question",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="vectors",
                        to="rules.rulequestion",
                    ),
                ),
            ],
            options={
                "ordering": ["question"],
                "constraints": [
                    models.UniqueConstraint(fields=("question", "model"), name="rule_question_vector_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="RuleQuestionChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("question_key", models.CharField(max_length=500)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("loaded", "Loaded"),
                            ("changed", "Changed"),
                            ("edited", "Edited"),
                            ("removed", "Removed"),
                        ],
                        max_length=10,
                    ),
                ),
                ("text", models.CharField(max_length=500)),
                ("category", models.CharField(max_length=60)),
                ("tags", models.JSONField(blank=True, default=list)),
                ("reason", models.CharField(blank=True, max_length=300)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
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
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-id"],
                "indexes": [models.Index(fields=["question_key"], name="rule_change_of_question")],
            },
        ),
        migrations.CreateModel(
            name="RuleTurn",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("position", models.PositiveIntegerField()),
                ("message", models.TextField()),
                ("countries", models.JSONField(blank=True, default=list)),
                ("chosen", models.BooleanField(default=False)),
                ("answer", models.JSONField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "conversation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="turns",
                        to="rules.ruleconversation",
                    ),
                ),
            ],
            options={
                "ordering": ["position"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("conversation", "position"), name="rule_turn_has_its_place"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AnswerVector",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("model", models.CharField(max_length=80)),
                ("vector", pgvector.django.vector.VectorField()),
                ("text_hash", models.CharField(max_length=64)),
                (
                    "answer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="vectors",
                        to="rules.ruleanswer",
                    ),
                ),
            ],
            options={
                "ordering": ["answer"],
                "constraints": [
                    models.UniqueConstraint(fields=("answer", "model"), name="rule_answer_vector_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="RuleAnswerChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("question_key", models.CharField(max_length=500)),
                ("country", models.CharField(max_length=2)),
                ("answer", models.UUIDField(blank=True, editable=False, null=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("loaded", "Loaded"),
                            ("changed", "Changed"),
                            ("edited", "Edited"),
                            ("removed", "Removed"),
                        ],
                        max_length=10,
                    ),
                ),
                ("text", models.TextField(blank=True)),
                ("links", models.JSONField(blank=True, default=list)),
                ("date_checked", models.DateField(blank=True, null=True)),
                ("source_link", models.URLField(blank=True, max_length=1000)),
                ("reason", models.CharField(blank=True, max_length=300)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
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
                "verbose_name": "change of an answer",
                "verbose_name_plural": "changes of answers",
                "ordering": ["-created_at", "-id"],
                "indexes": [
                    models.Index(fields=["question_key", "country"], name="rule_change_of_answer"),
                    models.Index(fields=["answer"], name="rule_change_by_answer"),
                ],
            },
        ),
    ]
