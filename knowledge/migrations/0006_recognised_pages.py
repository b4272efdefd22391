from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0005_written_documents")]

    operations = [
        migrations.AddField(
            model_name="page",
            name="recognised",
            field=models.BooleanField(
                default=False, help_text="Its text was read from its picture (OCR) and may be wrong."
            ),
        ),
    ]
