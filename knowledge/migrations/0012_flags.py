"""Switches, which are on or off for everyone, become flags, which may be on for some; each keeps its state."""

from typing import Any

from django.apps.registry import Apps
from django.db import migrations

NAMES = ("graph.enhanced_retrieval", "graph.shadow_mode", "rag.metadata_filter")


def take_over(apps: Apps, schema_editor: Any) -> None:
    flag, switch = apps.get_model("waffle", "Flag"), apps.get_model("waffle", "Switch")
    for old in switch.objects.filter(name__in=NAMES):
        flag.objects.get_or_create(
            name=old.name, defaults={"everyone": old.active, "note": old.note, "superusers": False}
        )
    switch.objects.filter(name__in=NAMES).delete()


def give_back(apps: Apps, schema_editor: Any) -> None:
    flag, switch = apps.get_model("waffle", "Flag"), apps.get_model("waffle", "Switch")
    for row in flag.objects.filter(name__in=NAMES):
        switch.objects.get_or_create(
            name=row.name, defaults={"active": bool(row.everyone), "note": row.note}
        )
    flag.objects.filter(name__in=NAMES).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("knowledge", "0011_look_ups"),
        ("waffle", "0004_update_everyone_nullbooleanfield"),
    ]

    operations = [migrations.RunPython(take_over, give_back)]
