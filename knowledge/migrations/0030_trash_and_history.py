import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0029_graph_origins'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='document',
            name='trashed_at',
            field=models.DateTimeField(blank=True, help_text='In the trash: on no list, and archived; its citations still open.', null=True),
        ),
        migrations.AddField(
            model_name='ingestionjob',
            name='dismissed_at',
            field=models.DateTimeField(blank=True, help_text='Over and put away: on no list but that of dismissed jobs.', null=True),
        ),
        migrations.CreateModel(
            name='DocumentEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('act', models.CharField(choices=[('published', 'Published'), ('archived', 'Archived'), ('deprecated', 'Deprecated'), ('reinstated', 'Reinstated'), ('trashed', 'Moved to the trash'), ('restored', 'Brought back from the trash')], max_length=12)),
                ('was', models.CharField(choices=[('draft', 'Draft'), ('published', 'Published'), ('archived', 'Archived')], max_length=10)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='knowledge.document')),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-made_at', '-id'],
            },
        ),
    ]
