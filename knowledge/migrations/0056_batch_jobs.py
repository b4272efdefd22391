"""Batches of claims are jobs."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0055_asked_then'),
    ]

    operations = [
        migrations.AlterField(
            model_name='ingestionjob',
            name='kind',
            field=models.CharField(choices=[('document', 'Document'), ('vectors', 'Search vectors'), ('claims', 'Claims'), ('items', 'Questions'), ('standard', 'Certification standard'), ('rules', 'European rules'), ('evaluation', 'Evaluation'), ('backup', 'Backup'), ('graph', 'Relations of the graph'), ('batch', 'Batch of claims')], default='document', max_length=10),
        ),
    ]
