"""Arms are compared by labels that neither selected; what an arm cited of its own passages judged nothing."""

from django.db import migrations, models

HIDDEN = "Found while those points are hidden."


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0036_words_of_people")]

    operations = [
        migrations.RemoveField(model_name="retrievalcomparison", name="plain_cited"),
        migrations.RemoveField(model_name="retrievalcomparison", name="enhanced_cited"),
        migrations.AddField(
            model_name="retrievalcomparison",
            name="labels",
            field=models.JSONField(
                default=list, help_text="Passages of the question's approved key points."
            ),
        ),
        migrations.AddField(
            model_name="retrievalcomparison",
            name="plain_found",
            field=models.JSONField(default=list, help_text=HIDDEN),
        ),
        migrations.AddField(
            model_name="retrievalcomparison",
            name="enhanced_found",
            field=models.JSONField(default=list, help_text=HIDDEN),
        ),
    ]
