import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0034_kinds_of_the_desk")]

    operations = [
        migrations.CreateModel(
            name="Chapter",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "number",
                    models.CharField(
                        blank=True, help_text="As printed: “15”, “A”; empty for an index.", max_length=8
                    ),
                ),
                ("title", models.CharField(blank=True, max_length=300)),
                ("page_start", models.PositiveIntegerField(help_text="1-based page of the file.")),
                ("page_end", models.PositiveIntegerField()),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="chapters",
                        to="knowledge.document",
                    ),
                ),
            ],
            options={
                "ordering": ["document_id", "position"],
                "constraints": [
                    models.UniqueConstraint(fields=("document", "position"), name="chapter_once")
                ],
            },
        )
    ]
