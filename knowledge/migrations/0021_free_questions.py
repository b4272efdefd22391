"""The flag under which a vendor's examiner may ask about elements that no item of the bank covers."""

from typing import Any

from django.apps.registry import Apps
from django.db import migrations

NAME = "exams.free_questions"
NOTE = (
    "Owner: exams. Default: off. On: a vendor's examiner may also ask about elements that no item of the bank covers,"
    " from approved claims. Off: only items are asked."
)


def add(apps: Apps, schema_editor: Any) -> None:
    flag = apps.get_model("waffle", "Flag")
    flag.objects.get_or_create(name=NAME, defaults={"everyone": False, "note": NOTE, "superusers": False})


def remove(apps: Apps, schema_editor: Any) -> None:
    apps.get_model("waffle", "Flag").objects.filter(name=NAME).delete()


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0020_item_bank")]

    operations = [migrations.RunPython(add, remove)]
