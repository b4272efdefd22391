"""A verdict keeps what the library says nearest to the answer."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("exams", "0003_decided_disputes")]

    operations = [
        migrations.AddField(
            model_name="assessment",
            name="near",
            field=models.JSONField(
                default=list,
                help_text="Citations of what the library says nearest to the answer; the verdict does not rest on them.",
            ),
        )
    ]
