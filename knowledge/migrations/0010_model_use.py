"""What vendors' models were asked, by day, model and purpose, and what it cost."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0009_retrieval_records")]

    operations = [
        migrations.CreateModel(
            name="ModelUse",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("day", models.DateField()),
                ("provider", models.CharField(max_length=20)),
                ("model", models.CharField(max_length=80)),
                ("purpose", models.CharField(help_text="A role, or “embedding”.", max_length=20)),
                ("calls", models.PositiveIntegerField(default=0)),
                ("input_tokens", models.PositiveBigIntegerField(default=0)),
                ("output_tokens", models.PositiveBigIntegerField(default=0)),
                ("cost", models.FloatField(blank=True, null=True)),
            ],
            options={
                "ordering": ["-day", "model", "purpose"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("day", "provider", "model", "purpose"), name="model_use_once"
                    )
                ],
            },
        ),
    ]
