from django.db import migrations, models

from knowledge.ingestion.editions.work_identity import name_of_work


def name_works(apps, schema_editor):
    """A parking holds for the next edition as well: its document is named without the edition."""
    entries = apps.get_model("curation", "QueueEntry").objects
    parks = apps.get_model("curation", "ParkedGroup").objects
    for source in entries.order_by().values_list("source", flat=True).distinct():
        if (name := name_of_work(source)[:300]) != source:
            entries.filter(source=source).update(source=name)
    for park in parks.order_by("pk"):
        name = name_of_work(park.source)[:300]
        same = parks.filter(
            tenant=park.tenant_id, source=name, group=park.group, unbound_only=park.unbound_only, ended_at__isnull=True
        )
        if name == park.source:
            continue
        if park.ended_at is None and (kept := same.first()):  # two editions were parked: one parking is enough
            entries.filter(parked=park).update(parked=kept)
            park.delete()
        else:
            parks.filter(pk=park.pk).update(source=name)


class Migration(migrations.Migration):

    dependencies = [
        ("curation", "0005_graph_decisions"),
    ]

    operations = [
        migrations.RunPython(name_works, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="parkedgroup",
            name="unbound_only",
            field=models.BooleanField(default=False, help_text="Only claims that bind nobody in any oral."),
        ),
    ]
