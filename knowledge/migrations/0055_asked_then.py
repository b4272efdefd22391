"""A key point may be asked about after the question of its item instead of in it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("knowledge", "0054_invitation_mails"),
    ]

    operations = [
        migrations.AddField(
            model_name="keypoint",
            name="then",
            field=models.BooleanField(
                default=False,
                help_text="The stem does not ask for it: the examiner asks next, in the words above.",
            ),
        ),
    ]
