"""The study lists of results hold no element any more of which only a detail was left out that nobody had asked for."""

from typing import Any

from django.db import migrations


def drop_details(apps: Any, schema_editor: Any) -> None:
    exams = apps.get_model("exams", "Exam").objects
    for exam in exams.filter(result__study__contains=[{"reason": "details left out"}]).only("result").iterator():
        kept = [one for one in exam.result["study"] if one["reason"] != "details left out"]
        exams.filter(pk=exam.pk).update(result=exam.result | {"study": kept})


class Migration(migrations.Migration):
    dependencies = [("exams", "0015_instruction")]

    operations = [migrations.RunPython(drop_details, migrations.RunPython.noop)]
