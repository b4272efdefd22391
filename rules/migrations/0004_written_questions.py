"""Questions can be written and edited here, with their history."""

from hashlib import sha256
from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def remember_files(apps: Any, _: Any) -> None:
    """All that is there came from files."""
    for question in apps.get_model("rules", "RuleQuestion").objects.all():
        said = "\n".join((question.text, question.category, *question.tags))
        question.loaded_hash = sha256(said.encode("utf-8", "replace")).hexdigest()
        question.save(update_fields=["loaded_hash"])


class Migration(migrations.Migration):
    dependencies = [
        ("knowledge", "0010_model_use"),
        ("rules", "0003_answers_after_removal"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="rulequestion",
            name="loaded_hash",
            field=models.CharField(blank=True, editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="rulequestion",
            name="origin",
            field=models.CharField(
                choices=[("file", "File"), ("written", "Written")],
                default="file",
                editable=False,
                max_length=10,
            ),
        ),
        migrations.RunPython(remember_files, migrations.RunPython.noop),
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
    ]
