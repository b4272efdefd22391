from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("exams", "0006_item_bank")]

    operations = [
        migrations.AlterField(
            model_name="exam",
            name="scope",
            field=models.JSONField(default=dict, help_text="The Tasks and elements covered."),
        ),
        migrations.AlterField(
            model_name="exam",
            name="planner",
            field=models.JSONField(default=dict, help_text="Where the planner stands."),
        ),
    ]
