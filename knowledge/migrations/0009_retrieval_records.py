"""A look-up keeps what was cited of it and what was away; a week of them becomes a report."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0008_job_estimates")]

    operations = [
        migrations.AddField(
            model_name="retrievallog",
            name="degraded",
            field=models.CharField(
                blank=True, default="", help_text="What was away, where something was.", max_length=200
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="retrievallog",
            name="cited",
            field=models.JSONField(
                default=list, help_text="Ids of the passages that were cited because of it."
            ),
        ),
        migrations.AlterField(
            model_name="retrievallog",
            name="results",
            field=models.JSONField(
                default=list,
                help_text='[{"chunk_id", "score", "similarity", "lexical"}] in the order shown',
            ),
        ),
        migrations.CreateModel(
            name="RetrievalReport",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("week", models.DateField(help_text="Its Monday.")),
                ("body", models.JSONField(default=dict, help_text="desk.weeks.Week")),
                ("created_at", models.DateTimeField(auto_now=True)),
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
                "ordering": ["-week"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "week"), name="retrieval_report_once", nulls_distinct=False
                    )
                ],
            },
        ),
    ]
