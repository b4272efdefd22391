import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0002_vector_indexes")]

    operations = [
        migrations.AddField(
            model_name="chunk",
            name="retired_at",
            field=models.DateTimeField(
                blank=True,
                help_text="Chunked again since: not searched, but citations of it still open.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="concept",
            name="stale_reason",
            field=models.CharField(blank=True, max_length=300),
        ),
        migrations.AddField(
            model_name="document",
            name="follows",
            field=models.ForeignKey(
                blank=True,
                help_text="The edition of the same work that was in force when this one was fed in.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="followers",
                to="knowledge.document",
            ),
        ),
        migrations.CreateModel(
            name="EditionPlace",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("index", models.PositiveIntegerField()),
                ("heading", models.CharField(blank=True, max_length=300)),
                ("section_path", models.JSONField(blank=True, default=list)),
                ("section", models.CharField(blank=True, max_length=40)),
                ("anchor", models.CharField(blank=True, max_length=120)),
                ("text", models.TextField(help_text="The same words; their white space may differ.")),
                ("page_start", models.PositiveIntegerField(blank=True, null=True)),
                ("page_end", models.PositiveIntegerField(blank=True, null=True)),
                ("page_label", models.CharField(blank=True, max_length=20)),
                ("lines", models.JSONField(blank=True, default=list)),
                ("tokens", models.PositiveIntegerField(default=0)),
                ("kind", models.CharField(default="body", max_length=10)),
                ("image_links", models.JSONField(blank=True, default=list)),
                (
                    "chunk",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="places", to="knowledge.chunk"
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="places", to="knowledge.document"
                    ),
                ),
            ],
            options={
                "ordering": ["document_id", "index"],
                "constraints": [
                    models.UniqueConstraint(fields=("document", "chunk"), name="edition_place_once")
                ],
            },
        ),
    ]
