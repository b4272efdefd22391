from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0023_help_texts")]

    operations = [
        migrations.AlterField(
            model_name="chunkembedding",
            name="state",
            field=models.CharField(choices=[("current", "Current")], default="current", max_length=10),
        ),
    ]
