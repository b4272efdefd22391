from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("exams", "0011_when_elements_are_due"),
    ]

    operations = [
        migrations.AddField(
            model_name="exam",
            name="scene",
            field=models.JSONField(blank=True, default=dict, help_text="The flight that a mock oral is about."),
        ),
    ]
