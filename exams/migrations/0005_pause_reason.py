"""An exam that the server paused says why."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("exams", "0004_what_stands_near")]

    operations = [
        migrations.AddField(
            model_name="exam",
            name="pause_reason",
            field=models.CharField(
                blank=True,
                choices=[
                    (
                        "examiner_away",
                        "The examiner cannot be reached just now. Your oral is paused; nothing is lost.",
                    ),
                    (
                        "budget_spent",
                        "The examiner's calls of today are used up; there are new ones at 00:00 UTC. Your answer is "
                        "kept: this oral is paused, and goes on then by itself.",
                    ),
                    (
                        "not_assessed",
                        "Your answer could not be assessed. Your oral is paused; nothing is lost. "
                        "Answer again to go on.",
                    ),
                ],
                help_text="Why the server paused it; empty where the student did.",
                max_length=20,
            ),
        )
    ]
