from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0004_currency_reports")]

    operations = [
        migrations.AddField(
            model_name="document",
            name="body",
            field=models.TextField(
                blank=True, help_text="The text of a document that was written here, in Markdown."
            ),
        ),
    ]
