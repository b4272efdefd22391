import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

KINDS = [
    ("approve", "Approve"),
    ("edit", "Edit"),
    ("reject", "Reject"),
    ("reopen", "Reopen"),
    ("reanchor", "Reanchor"),
    ("retire", "Retire"),
    ("merge", "Merge"),
    ("split", "Split"),
]


class Migration(migrations.Migration):
    dependencies = [
        ("curation", "0004_served_elements"),
        ("knowledge", "0029_graph_origins"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="GraphDecision",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("decision", models.CharField(choices=KINDS, max_length=10)),
                ("version_read", models.PositiveIntegerField()),
                ("before", models.JSONField()),
                ("after", models.JSONField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
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
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
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
            ],
            options={"ordering": ["-created_at", "-id"]},
        ),
    ]
