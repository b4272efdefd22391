import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0022_link_reasons")]

    operations = [
        migrations.AlterField(
            model_name="retrievalreport",
            name="body",
            field=models.JSONField(default=dict, help_text="What the week's report says, as JSON."),
        ),
        migrations.AlterField(
            model_name="document",
            name="follows",
            field=models.ForeignKey(
                blank=True,
                help_text="The edition of the same work that was in force when this one was uploaded.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="followers",
                to="knowledge.document",
            ),
        ),
        migrations.AlterField(
            model_name="document",
            name="source_name",
            field=models.CharField(
                blank=True, help_text="The name of the file that was uploaded.", max_length=300
            ),
        ),
    ]
