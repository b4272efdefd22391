"""A school's own answer to a shared question stands in that question's row, before the shared answer.

A school may ask what all are asked: such a question of its own is the shared one, and is not shown beside it. Its
people see what the school answers, marked as the school's, and below it what everybody reads; nobody else sees it.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.models import RuleQuestion


def own_rows(tenant: int | None) -> Mapping[str, str]:
    """The id of the shared question by that of the school's own which asks the same."""
    if tenant is None:
        return {}
    own = list(RuleQuestion.objects.filter(tenant=tenant).values_list("id", "key", "text"))
    if not own:
        return {}
    shared: dict[str, str] = {}
    for row, key, text in RuleQuestion.objects.filter(tenant__isnull=True).values_list("id", "key", "text"):
        shared[_normalize_question(key)] = shared[_normalize_question(text)] = str(row)
    found = {
        str(row): shared.get(_normalize_question(key)) or shared.get(_normalize_question(text))
        for row, key, text in own
    }
    return {row: same for row, same in found.items() if same}


def _normalize_question(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(" ?.")
