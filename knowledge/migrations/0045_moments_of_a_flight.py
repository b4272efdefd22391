from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0044_what_ends_a_situation'),
    ]

    operations = [
        migrations.AlterField(
            model_name='item',
            name='moment',
            field=models.CharField(blank=True, choices=[('planning', 'Planning'), ('preflight', 'Preflight'), ('taxi', 'Taxi'), ('takeoff', 'Takeoff'), ('en route', 'En Route'), ('arrival', 'Arrival'), ('stopover', 'Stopover'), ('departing', 'Departing'), ('return', 'Return'), ('landing', 'Landing')], help_text='When on the trip the question plays.', max_length=10),
        ),
        migrations.AlterField(
            model_name='keypoint',
            name='reject',
            field=models.JSONField(blank=True, default=list, help_text='Phrases of those who have it wrong.'),
        ),
    ]
