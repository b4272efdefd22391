"""What a reviewer defers or flags goes on record."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('curation', '0017_leases_of_relations_and_cases'),
    ]

    operations = [
        migrations.AlterField(
            model_name='casedecision',
            name='decision',
            field=models.CharField(choices=[('approve', 'Approve'), ('edit', 'Edit'), ('reject', 'Reject'), ('reopen', 'Reopen'), ('reanchor', 'Reanchor'), ('retire', 'Retire'), ('merge', 'Merge'), ('split', 'Split'), ('verdict', 'Verdict'), ('park', 'Park'), ('bring_back', 'Bring Back'), ('overrule', 'Overrule'), ('uphold', 'Uphold'), ('withdraw', 'Withdraw'), ('restore', 'Restore'), ('defer', 'Defer'), ('flag', 'Flag')], max_length=10),
        ),
        migrations.AlterField(
            model_name='casedecision',
            name='kind',
            field=models.CharField(choices=[('parking', 'Parking'), ('dispute', 'Dispute'), ('item', 'Item'), ('claim', 'Claim')], max_length=10),
        ),
        migrations.AlterField(
            model_name='casedecision',
            name='row',
            field=models.CharField(help_text='The id of the parking, the dispute, the item or the claim.', max_length=36),
        ),
        migrations.AlterField(
            model_name='graphdecision',
            name='decision',
            field=models.CharField(choices=[('approve', 'Approve'), ('edit', 'Edit'), ('reject', 'Reject'), ('reopen', 'Reopen'), ('reanchor', 'Reanchor'), ('retire', 'Retire'), ('merge', 'Merge'), ('split', 'Split'), ('verdict', 'Verdict'), ('park', 'Park'), ('bring_back', 'Bring Back'), ('overrule', 'Overrule'), ('uphold', 'Uphold'), ('withdraw', 'Withdraw'), ('restore', 'Restore'), ('defer', 'Defer'), ('flag', 'Flag')], max_length=10),
        ),
        migrations.AlterField(
            model_name='reviewdecision',
            name='decision',
            field=models.CharField(choices=[('approve', 'Approve'), ('edit', 'Edit'), ('reject', 'Reject'), ('reopen', 'Reopen'), ('reanchor', 'Reanchor'), ('retire', 'Retire'), ('merge', 'Merge'), ('split', 'Split'), ('verdict', 'Verdict'), ('park', 'Park'), ('bring_back', 'Bring Back'), ('overrule', 'Overrule'), ('uphold', 'Uphold'), ('withdraw', 'Withdraw'), ('restore', 'Restore'), ('defer', 'Defer'), ('flag', 'Flag')], max_length=10),
        ),
    ]
