"""A row of history knows the answer it is of, so that the address of an answer outlives the answer."""

from typing import Any

from django.db import migrations, models


def name_answers(apps: Any, _: Any) -> None:
    """Rows since an answer was made are its own; what was removed before that keeps none."""
    changes = apps.get_model("rules", "RuleAnswerChange").objects
    for answer in apps.get_model("rules", "RuleAnswer").objects.select_related("question"):
        changes.filter(
            tenant=answer.question.tenant_id,
            question_key=answer.question.key,
            country=answer.country,
            created_at__gte=answer.created_at,
        ).update(answer=answer.pk)


class Migration(migrations.Migration):
    dependencies = [("rules", "0002_conversations")]

    operations = [
        migrations.AddField(
            model_name="ruleanswerchange",
            name="answer",
            field=models.UUIDField(blank=True, editable=False, null=True),
        ),
        migrations.RunPython(name_answers, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="ruleanswerchange",
            index=models.Index(fields=["answer"], name="rule_change_by_answer"),
        ),
    ]
