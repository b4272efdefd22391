"""Items that schools wrote keep what still has its meaning: a departure is a takeoff, and of what is wrong for a point
only phrases are left, not sentences. Items from files get theirs when the files are loaded."""

import re
from typing import Any

from django.db import migrations

PHRASE = r"[$.']?[a-z0-9][a-z0-9$.,'/%&:+* -]{0,59}"


def keep_what_has_its_meaning(apps: Any, schema_editor: Any) -> None:
    apps.get_model("knowledge", "Item").objects.filter(moment="departure").update(moment="takeoff")
    points = apps.get_model("knowledge", "KeyPoint").objects
    for point in points.exclude(reject=[]).only("reject").iterator():
        kept = [said for said in point.reject if re.fullmatch(PHRASE, said)]
        if kept != point.reject:
            points.filter(pk=point.pk).update(reject=kept)


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0045_moments_of_a_flight")]

    operations = [migrations.RunPython(keep_what_has_its_meaning, migrations.RunPython.noop)]
