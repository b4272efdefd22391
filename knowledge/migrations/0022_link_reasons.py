from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0021_free_questions")]

    operations = [
        migrations.AddField(
            model_name="conceptrelation",
            name="reason",
            field=models.CharField(
                blank=True, help_text="Why the link was made, for a reviewer.", max_length=200
            ),
        ),
    ]
