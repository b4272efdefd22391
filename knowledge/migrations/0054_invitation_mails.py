"""What became of the mail of an invitation."""

import django.db.models.deletion
from django.db import migrations, models

STATES = [
    (state, state.capitalize()) for state in ("waiting", "sending", "mailed", "printed", "refused", "unsure")
]


class Migration(migrations.Migration):
    dependencies = [
        ("knowledge", "0053_approved_in_words"),
    ]

    operations = [
        migrations.CreateModel(
            name="InvitationMail",
            fields=[
                (
                    "invitation",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="mail",
                        serialize=False,
                        to="knowledge.invitation",
                    ),
                ),
                ("site", models.CharField(max_length=300)),
                ("digest", models.CharField(max_length=64, null=True, unique=True)),
                ("due_at", models.DateTimeField(db_index=True, null=True)),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("state", models.CharField(choices=STATES, default="waiting", max_length=10)),
                ("sent_at", models.DateTimeField(null=True)),
                ("trouble", models.TextField(blank=True)),
            ],
        ),
    ]
