"""The school that a user last chose to act for is kept beyond the session."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("knowledge", "0051_item_reports"),
    ]

    operations = [
        migrations.AddField(
            model_name="membership",
            name="chosen_at",
            field=models.DateTimeField(editable=False, null=True),
        ),
    ]
