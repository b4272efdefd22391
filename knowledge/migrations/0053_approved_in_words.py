"""What counts as approved is called so, wherever a status is shown."""

from django.db import migrations, models

CHOICES = [("pending", "Pending"), ("validated", "Approved"), ("rejected", "Rejected")]


class Migration(migrations.Migration):
    dependencies = [
        ("knowledge", "0052_school_chosen_last"),
    ]

    operations = [
        migrations.AlterField(
            model_name="concept",
            name="validation_status",
            field=models.CharField(choices=CHOICES, default="pending", max_length=10),
        ),
        migrations.AlterField(
            model_name="conceptrelation",
            name="status",
            field=models.CharField(choices=CHOICES, default="validated", max_length=10),
        ),
    ]
