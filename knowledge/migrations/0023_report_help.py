from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0022_link_reasons")]

    operations = [
        migrations.AlterField(
            model_name="retrievalreport",
            name="body",
            field=models.JSONField(default=dict, help_text="What the week's report says, as JSON."),
        ),
    ]
