"""A pause tells whose budget of the day is used up: the student's, or the school's."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("exams", "0017_dispute_reviewer")]

    operations = [
        migrations.AlterField(
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
                        "Your own budget for today is used up. Your answer is kept, and this oral is paused: it goes "
                        "on by itself after 00:00 UTC, when a new day's budget begins.",
                    ),
                    (
                        "school_budget_spent",
                        "Your school's budget for today is used up. Your answer is kept, and this oral is paused: it "
                        "goes on by itself after 00:00 UTC, when a new day's budget begins.",
                    ),
                    (
                        "not_assessed",
                        "Your answer could not be assessed. Your oral is paused; nothing is lost. Answer again to go "
                        "on.",
                    ),
                ],
                help_text="Why the server paused it; empty where the student did.",
                max_length=20,
            ),
        ),
    ]
