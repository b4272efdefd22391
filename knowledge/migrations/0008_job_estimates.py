"""A job may wait for an operator who has seen its estimate, says how long it still takes, and has a size and a kind."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0007_vector_sets")]

    operations = [
        migrations.AddField(
            model_name="ingestionjob",
            name="kind",
            field=models.CharField(
                choices=[("document", "Document"), ("vectors", "Vectors")], default="document", max_length=10
            ),
        ),
        migrations.AddField(
            model_name="ingestionjob",
            name="held",
            field=models.BooleanField(
                default=False,
                help_text="Waits for an operator who has seen the estimate; no worker takes it.",
            ),
        ),
        migrations.AddField(
            model_name="ingestionjob",
            name="estimate",
            field=models.JSONField(
                blank=True, default=dict, help_text="pages, tokens, cost and seconds, as expected before it began"
            ),
        ),
        migrations.AddField(
            model_name="ingestionjob",
            name="seconds_left",
            field=models.FloatField(
                blank=True, help_text="As the worker saw it when it wrote the row.", null=True
            ),
        ),
        migrations.AddField(
            model_name="ingestionjob",
            name="large",
            field=models.BooleanField(default=False, help_text="Takes minutes: small ones go before it."),
        ),
    ]
