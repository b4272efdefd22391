from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("knowledge", "0038_items_on_trips"),
    ]

    operations = [
        migrations.AlterField(
            model_name="invitation",
            name="role",
            field=models.CharField(
                choices=[
                    ("student", "Student"),
                    ("reviewer", "Reviewer"),
                    ("operator", "Operator"),
                    ("instructor", "Instructor"),
                ],
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="membership",
            name="role",
            field=models.CharField(
                choices=[
                    ("student", "Student"),
                    ("reviewer", "Reviewer"),
                    ("operator", "Operator"),
                    ("instructor", "Instructor"),
                ],
                max_length=10,
            ),
        ),
    ]
