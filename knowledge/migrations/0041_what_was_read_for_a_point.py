from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("knowledge", "0040_items_of_classes"),
    ]

    operations = [
        migrations.AddField(
            model_name="keypoint",
            name="looked_in",
            field=models.CharField(
                blank=True, help_text="A fingerprint of what was read to find its passage.", max_length=64
            ),
        ),
    ]
