import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0047_stages_and_topics_of_items'),
    ]

    operations = [
        migrations.AddField(
            model_name='tenant',
            name='model_calls',
            field=models.PositiveIntegerField(blank=True, help_text='Calls to vendors’ models that its students have together in a day (UTC). Empty: as many as every school, MODEL_CALLS_PER_SCHOOL.', null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='model calls a day'),
        ),
    ]
