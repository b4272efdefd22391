"""Questions and answers of the demo are marked as such."""

from django.db import migrations, models

ORIGINS = [("file", "File"), ("written", "Written"), ("demo", "Demo")]


class Migration(migrations.Migration):
    dependencies = [("rules", "0004_written_questions")]

    operations = [
        migrations.AlterField(
            model_name="rulequestion",
            name="origin",
            field=models.CharField(choices=ORIGINS, default="file", editable=False, max_length=10),
        ),
        migrations.AlterField(
            model_name="ruleanswer",
            name="origin",
            field=models.CharField(choices=ORIGINS, default="file", max_length=10),
        ),
    ]
