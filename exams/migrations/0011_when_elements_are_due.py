from typing import Any

from django.db import migrations, models

from exams.domain.spacing import Memory, after_review


def review_what_was_answered(apps: Any, schema_editor: Any) -> None:
    """Each verdict so far is a review, in the order in which the answers came."""
    mastery, assessments = apps.get_model("exams", "Mastery"), apps.get_model("exams", "Assessment")
    columns = ("student_id", "tenant_id", "certificate")
    finals = assessments.objects.filter(final=True).order_by("answer_id")
    memories: dict[Any, Memory | None] = {}
    for *owner, code, verdict, at in finals.values_list(
        *(f"turn__exam__{name}" for name in columns), "element", "verdict", "answer__received_at"
    ).iterator():
        key = (*owner, code)
        memories[key] = after_review(memories.get(key), verdict, at)
    rows = []
    for row in mastery.objects.iterator():
        memory = memories.get((row.student_id, row.tenant_id, row.certificate, row.element))
        if memory is not None:
            row.stability, row.difficulty = memory.stability, memory.difficulty
            row.reviewed_at, row.due = memory.reviewed_at, memory.due
            rows.append(row)
    mastery.objects.bulk_update(rows, ["stability", "difficulty", "reviewed_at", "due"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("exams", "0010_left_the_school")]

    operations = [
        migrations.AddField(
            model_name="mastery",
            name="stability",
            field=models.FloatField(
                blank=True, help_text="Days until it is known with 90 percent, by FSRS.", null=True
            ),
        ),
        migrations.AddField(
            model_name="mastery",
            name="difficulty",
            field=models.FloatField(blank=True, help_text="1 to 10, by FSRS.", null=True),
        ),
        migrations.AddField(
            model_name="mastery",
            name="reviewed_at",
            field=models.DateTimeField(blank=True, help_text="When it was last answered.", null=True),
        ),
        migrations.AddField(
            model_name="mastery",
            name="due",
            field=models.DateTimeField(blank=True, help_text="When to ask it again.", null=True),
        ),
        migrations.RunPython(review_what_was_answered, migrations.RunPython.noop),
    ]
