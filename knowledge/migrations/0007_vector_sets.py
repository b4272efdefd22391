"""Which model's vectors searches read is a row; a library that has vectors goes on with those it has most of."""

from typing import Any

from django.db import migrations, models

_SETS = """
    INSERT INTO knowledge_vectorset (model, dimensions, in_use, used_since, created_at)
    SELECT model, max(vector_dims(vector)), row_number() OVER (ORDER BY count(*) DESC, model) = 1, now(), now()
    FROM knowledge_chunkembedding WHERE state = 'current' GROUP BY model"""

_COUNTED_BY = """
    UPDATE knowledge_document SET counted_by = (SELECT model FROM knowledge_vectorset WHERE in_use)
    WHERE chunking <> '' AND EXISTS (SELECT FROM knowledge_vectorset WHERE in_use)"""


def _tell(apps: Any, editor: Any) -> None:
    editor.execute(_SETS)
    editor.execute(_COUNTED_BY)


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0006_recognised_pages")]

    operations = [
        migrations.AddField(
            model_name="document",
            name="counted_by",
            field=models.CharField(
                blank=True,
                default="",
                help_text="The embedding model in whose tokens those limits were counted.",
                max_length=80,
            ),
            preserve_default=False,
        ),
        migrations.CreateModel(
            name="VectorSet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("model", models.CharField(max_length=80, unique=True)),
                ("dimensions", models.PositiveIntegerField()),
                ("in_use", models.BooleanField(default=False)),
                ("used_since", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["created_at"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("in_use", True)), fields=("in_use",), name="one_vector_set_in_use"
                    )
                ],
            },
        ),
        migrations.RunPython(_tell, migrations.RunPython.noop),
    ]
