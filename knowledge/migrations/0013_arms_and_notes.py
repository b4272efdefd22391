"""Shadow mode stores both arms with what became of them; operators' notes to the examiner."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

COMPARISON = "retrievalcomparison"


class Migration(migrations.Migration):
    dependencies = [
        ("knowledge", "0012_flags"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            COMPARISON,
            "turn",
            models.PositiveBigIntegerField(
                help_text="The turn that asked the question.", null=True, unique=True
            ),
        ),
        migrations.AddField(
            COMPARISON,
            "served",
            models.CharField(
                default="", help_text="The arm that the student had: plain or enhanced.", max_length=10
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            COMPARISON,
            "plain_cited",
            models.JSONField(default=list, help_text="Those that its question rests on."),
        ),
        migrations.AddField(
            COMPARISON,
            "enhanced_cited",
            models.JSONField(default=list, help_text="Those that its question rests on."),
        ),
        migrations.AddField(COMPARISON, "plain_ms", models.FloatField(null=True)),
        migrations.AddField(COMPARISON, "enhanced_ms", models.FloatField(null=True)),
        migrations.AddField(
            COMPARISON,
            "plain_verdict",
            models.CharField(blank=True, default="", max_length=15),
            preserve_default=False,
        ),
        migrations.AddField(
            COMPARISON,
            "enhanced_verdict",
            models.CharField(blank=True, default="", max_length=15),
            preserve_default=False,
        ),
        migrations.AddField(
            COMPARISON,
            "verdict",
            models.CharField(
                blank=True, default="", help_text="The one that the student got.", max_length=15
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            COMPARISON,
            "overlap",
            models.FloatField(default=0, help_text="Passages of both among those of either, 0 to 1."),
        ),
        migrations.CreateModel(
            name="Note",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                (
                    "role",
                    models.CharField(choices=[("examiner", "Examiner")], default="examiner", max_length=20),
                ),
                (
                    "area",
                    models.CharField(
                        blank=True,
                        help_text="A roman numeral: I, XI. Empty: for every Area of Operation.",
                        max_length=5,
                    ),
                ),
                (
                    "text",
                    models.TextField(
                        help_text="How to speak and what to dwell on. Figures and rules do not belong here.",
                        max_length=1000,
                    ),
                ),
                ("active", models.BooleanField(default=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        blank=True,
                        help_text="Empty: for every school.",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="knowledge.tenant",
                    ),
                ),
            ],
            options={"ordering": ["id"]},
        ),
    ]
