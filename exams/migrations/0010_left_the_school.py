from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("exams", "0009_words_of_people")]

    operations = [
        migrations.AlterField(
            model_name="exam",
            name="status",
            field=models.CharField(
                choices=[
                    ("active", "Active"),
                    ("paused", "Paused"),
                    ("finished", "finished by its plan"),
                    ("ended", "ended by the student"),
                    ("left", "ended when the student left the school"),
                    ("abandoned", "Abandoned"),
                ],
                default="active",
                max_length=10,
            ),
        ),
    ]
