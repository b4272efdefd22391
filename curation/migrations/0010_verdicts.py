"""A verdict on a P0 claim waits for a second reader."""

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
    ("verdict", "Verdict"),
]


class Migration(migrations.Migration):
    dependencies = [("curation", "0009_append_only")]

    operations = [
        migrations.AlterField(
            model_name="reviewdecision",
            name="decision",
            field=models.CharField(
                choices=KINDS,
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="graphdecision",
            name="decision",
            field=models.CharField(choices=KINDS, max_length=10),
        ),
        migrations.AddIndex(
            model_name="reviewdecision",
            index=models.Index(
                condition=models.Q(("decision", "verdict")),
                fields=["claim", "version_read"],
                name="verdicts_of",
            ),
        ),
    ]
