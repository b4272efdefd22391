from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("knowledge", "0039_instructors"),
    ]

    operations = [
        migrations.AddField(
            model_name="item",
            name="classes",
            field=models.JSONField(
                blank=True,
                default=list,
                help_text="Classes whose oral asks it, such as AMEL; none for all.",
            ),
        ),
    ]
