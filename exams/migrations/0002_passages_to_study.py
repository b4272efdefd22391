from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("exams", "0001_exams")]

    operations = [
        migrations.AddField(
            model_name="exam",
            name="study",
            field=models.JSONField(
                blank=True,
                default=dict,
                help_text="By element: the passage to open first, as found when the exam ended.",
            ),
        ),
    ]
