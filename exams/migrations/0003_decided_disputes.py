import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("exams", "0002_passages_to_study"), ("knowledge", "0002_vector_indexes")]

    operations = [
        migrations.CreateModel(
            name="DecidedDispute",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("element", models.CharField(max_length=24)),
                ("question", models.TextField()),
                ("expectations", models.JSONField(default=list)),
                ("resolution", models.TextField(blank=True)),
                (
                    "tenant",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, to="knowledge.tenant"
                    ),
                ),
            ],
            options={"ordering": ["-id"]},
        ),
        migrations.AlterField(
            model_name="dispute",
            name="resolution",
            field=models.TextField(
                blank=True, help_text="Kept if the student deletes the exam: name nobody and quote no answer."
            ),
        ),
    ]
