from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("exams", "0013_checked_sample"),
    ]

    operations = [
        migrations.AddField(
            model_name="exam",
            name="qualification",
            field=models.JSONField(
                blank=True,
                default=dict,
                help_text="The papers that the oral opens with, and what came of them.",
            ),
        ),
    ]
