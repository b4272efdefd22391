"""Who reads a relation of the graph, and decisions on parkings, disputes and items in the append-only chain."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

KEEP = """
CREATE OR REPLACE FUNCTION curation_keep_decisions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND TG_TABLE_NAME IN ({}) THEN
        IF OLD.tenant_id::text = current_setting('heydpe.removed_school', true) THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'Review decisions are append-only: % refused', TG_OP USING
        ERRCODE = 'integrity_constraint_violation',
        HINT = 'Record a new decision. manage.py remove_decisions removes those of a school that is given up.';
END $$;
"""
TRIGGERS = """
CREATE TRIGGER casedecision_rows BEFORE UPDATE OR DELETE ON curation_casedecision
    FOR EACH ROW EXECUTE FUNCTION curation_keep_decisions();
CREATE TRIGGER casedecision_all BEFORE TRUNCATE ON curation_casedecision
    FOR EACH STATEMENT EXECUTE FUNCTION curation_keep_decisions();
"""
AS_BEFORE = """
DROP TRIGGER casedecision_rows ON curation_casedecision;
DROP TRIGGER casedecision_all ON curation_casedecision;
""" + KEEP.format("'curation_reviewdecision', 'curation_graphdecision'")
OF_SCHOOLS = "'curation_reviewdecision', 'curation_graphdecision', 'curation_casedecision'"


class Migration(migrations.Migration):

    dependencies = [
        ('curation', '0016_parked_by_certificate'),
        ('knowledge', '0048_calls_of_a_school'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name='graphdecision',
            name='decision',
            field=models.CharField(choices=[('approve', 'Approve'), ('edit', 'Edit'), ('reject', 'Reject'), ('reopen', 'Reopen'), ('reanchor', 'Reanchor'), ('retire', 'Retire'), ('merge', 'Merge'), ('split', 'Split'), ('verdict', 'Verdict'), ('park', 'Park'), ('bring_back', 'Bring Back'), ('overrule', 'Overrule'), ('uphold', 'Uphold'), ('withdraw', 'Withdraw'), ('restore', 'Restore')], max_length=10),
        ),
        migrations.AlterField(
            model_name='reviewdecision',
            name='decision',
            field=models.CharField(choices=[('approve', 'Approve'), ('edit', 'Edit'), ('reject', 'Reject'), ('reopen', 'Reopen'), ('reanchor', 'Reanchor'), ('retire', 'Retire'), ('merge', 'Merge'), ('split', 'Split'), ('verdict', 'Verdict'), ('park', 'Park'), ('bring_back', 'Bring Back'), ('overrule', 'Overrule'), ('uphold', 'Uphold'), ('withdraw', 'Withdraw'), ('restore', 'Restore')], max_length=10),
        ),
        migrations.CreateModel(
            name='RelationEntry',
            fields=[
                ('aside', models.CharField(blank=True, choices=[('deferred', 'Deferred'), ('flagged', 'Flagged')], max_length=10)),
                ('held_until', models.DateTimeField(blank=True, null=True)),
                ('relation', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='queue_entry', serialize=False, to='knowledge.conceptrelation')),
                ('aside_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('held_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'relation entries',
            },
        ),
        migrations.CreateModel(
            name='CaseDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('decision', models.CharField(choices=[('approve', 'Approve'), ('edit', 'Edit'), ('reject', 'Reject'), ('reopen', 'Reopen'), ('reanchor', 'Reanchor'), ('retire', 'Retire'), ('merge', 'Merge'), ('split', 'Split'), ('verdict', 'Verdict'), ('park', 'Park'), ('bring_back', 'Bring Back'), ('overrule', 'Overrule'), ('uphold', 'Uphold'), ('withdraw', 'Withdraw'), ('restore', 'Restore')], max_length=10)),
                ('before', models.JSONField()),
                ('after', models.JSONField()),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('number', models.PositiveBigIntegerField(editable=False)),
                ('hash', models.CharField(editable=False, max_length=64)),
                ('kind', models.CharField(choices=[('parking', 'Parking'), ('dispute', 'Dispute'), ('item', 'Item')], max_length=10)),
                ('row', models.CharField(help_text='The id of the parking, the dispute or the item.', max_length=36)),
                ('version_read', models.PositiveIntegerField(default=0)),
                ('reviewer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('tenant', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='knowledge.tenant', verbose_name='school')),
            ],
            options={
                'ordering': ['-created_at', '-id'],
                'abstract': False,
                'constraints': [models.UniqueConstraint(fields=('tenant', 'number'), name='case_decision_numbered_once', nulls_distinct=False)],
            },
        ),
        migrations.RunSQL(KEEP.format(OF_SCHOOLS) + TRIGGERS, AS_BEFORE),
    ]
