from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0003_editions")]

    operations = [
        migrations.CreateModel(
            name="CurrencyReport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField(unique=True)),
                (
                    "overdue",
                    models.JSONField(default=list, help_text='[{"document", "title", "tenant", "check_by"}]'),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={"ordering": ["-day"]},
        ),
    ]
