"""Decisions on the graph get a number within their school's chain and a hash. A withdrawn relation leaves its id."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("curation", "0010_verdicts"), ("knowledge", "0029_graph_origins")]

    operations = [
        migrations.AddField(
            model_name="graphdecision",
            name="number",
            field=models.PositiveBigIntegerField(default=0, editable=False),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="graphdecision",
            name="hash",
            field=models.CharField(default="", editable=False, max_length=64),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name="graphdecision",
            name="created_at",
            field=models.DateTimeField(default=django.utils.timezone.now, editable=False),
        ),
        migrations.AlterField(
            model_name="graphdecision",
            name="tenant",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="knowledge.tenant",
            ),
        ),
        migrations.AlterField(
            model_name="graphdecision",
            name="relation",
            field=models.ForeignKey(
                blank=True,
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="decisions",
                to="knowledge.conceptrelation",
            ),
        ),
    ]
