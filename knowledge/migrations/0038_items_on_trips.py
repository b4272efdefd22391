from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0037_labels_of_arms'),
    ]

    operations = [
        migrations.AddField(
            model_name='item',
            name='on_trip',
            field=models.TextField(blank=True, help_text="The same question worded into the trip of a mock oral, with the trip's slots."),
        ),
    ]
