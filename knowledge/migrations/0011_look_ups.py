"""A look-up says what it went by, from where it was answered, under which flags, and what was searched instead."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0010_model_use")]

    operations = [
        migrations.AddField(
            model_name="retrievallog",
            name="kind",
            field=models.CharField(
                choices=[("element", "Element"), ("answer", "Answer"), ("typed", "Typed")],
                default="typed",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="retrievallog",
            name="tier",
            field=models.CharField(
                choices=[("memory", "Memory"), ("hot", "Hot"), ("full", "Full")], default="full", max_length=10
            ),
        ),
        migrations.AddField(
            model_name="retrievallog",
            name="flags",
            field=models.JSONField(default=list, help_text="The flags that were on for whom it was made."),
        ),
        migrations.AddField(
            model_name="retrievallog",
            name="reformulated",
            field=models.TextField(
                blank=True,
                default="",
                help_text="What was searched instead, where what was asked found too little.",
            ),
            preserve_default=False,
        ),
        migrations.RunSQL(
            "UPDATE knowledge_retrievallog SET kind = CASE WHEN element <> '' THEN 'element' ELSE 'typed' END,"
            " tier = CASE WHEN cached THEN 'hot' ELSE 'full' END",
            migrations.RunSQL.noop,
        ),
    ]
