"""What abbreviations stand for: read from documents, written by operators, known from the start."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0015_better_vector_indexes'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Abbreviation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('short', models.CharField(help_text='As it is printed: METAR.', max_length=20)),
                ('long', models.CharField(help_text='What it stands for: aviation routine weather report.', max_length=120)),
                ('origin', models.CharField(choices=[('built_in', 'known from the start'), ('read', 'read from a document'), ('written', 'written here')], default='written', max_length=10)),
                ('active', models.BooleanField(default=True)),
                ('quote', models.CharField(blank=True, help_text='The words that do.', max_length=200)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('chunk', models.ForeignKey(blank=True, help_text='The passage that spells it out.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='knowledge.chunk')),
                ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('tenant', models.ForeignKey(blank=True, help_text='Empty: for every school.', null=True, on_delete=django.db.models.deletion.CASCADE, to='knowledge.tenant')),
            ],
            options={
                'ordering': ['short', 'id'],
                'constraints': [models.UniqueConstraint(fields=('tenant', 'short', 'long'), name='one_meaning_once', nulls_distinct=False)],
            },
        ),
    ]
