from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0049_graph_version'),
    ]

    operations = [
        migrations.AlterField(
            model_name='ingestionjob',
            name='kind',
            field=models.CharField(choices=[('document', 'Document'), ('vectors', 'Search vectors'), ('claims', 'Claims'), ('items', 'Questions'), ('standard', 'Certification standard'), ('rules', 'European rules'), ('evaluation', 'Evaluation'), ('backup', 'Backup'), ('graph', 'Relations of the graph')], default='document', max_length=10),
        ),
        migrations.AlterField(
            model_name='note',
            name='role',
            field=models.CharField(choices=[('examiner', 'Examiner'), ('assessor', 'Assessor'), ('rules', 'Rules desk')], default='examiner', max_length=20),
        ),
    ]
