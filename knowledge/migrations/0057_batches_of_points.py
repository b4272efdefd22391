"""Batches of key points are jobs too."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0056_batch_jobs'),
    ]

    operations = [
        migrations.AlterField(
            model_name='ingestionjob',
            name='kind',
            field=models.CharField(choices=[('document', 'Document'), ('vectors', 'Search vectors'), ('claims', 'Claims'), ('items', 'Questions'), ('standard', 'Certification standard'), ('rules', 'European rules'), ('evaluation', 'Evaluation'), ('backup', 'Backup'), ('graph', 'Relations of the graph'), ('batch', 'Batch by sample')], default='document', max_length=10),
        ),
    ]
