from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("curation", "0001_review_decisions")]

    operations = [
        migrations.AlterField(
            model_name="reviewdecision",
            name="decision",
            field=models.CharField(
                choices=[
                    ("approve", "Approve"),
                    ("edit", "Edit"),
                    ("reject", "Reject"),
                    ("reopen", "Reopen"),
                    ("reanchor", "Reanchor"),
                    ("retire", "Retire"),
                ],
                max_length=10,
            ),
        ),
    ]
