import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('exams', '0012_scene'),
    ]

    operations = [
        migrations.AddField(
            model_name='dispute',
            name='by_sample',
            field=models.BooleanField(default=False, help_text='No student disagrees: a source may not support its statement.', verbose_name='raised by the sample'),
        ),
        migrations.CreateModel(
            name='CheckedExchange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('asked_at', models.DateTimeField(help_text='When the exchange took place.')),
                ('statements', models.JSONField(default=list, help_text='Each with its sources, finding, and reasons.')),
                ('refused', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=64), default=list, help_text='Digests of statements without support.', size=None)),
                ('checker', models.JSONField(default=dict, help_text='Versions of the check and of the model that read it.')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('turn', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='checked', to='exams.turn')),
            ],
            options={
                'ordering': ['-asked_at'],
                'indexes': [models.Index(fields=['asked_at'], name='checked_day'), django.contrib.postgres.indexes.GinIndex(fields=['refused'], name='checked_refused')],
            },
        ),
    ]
