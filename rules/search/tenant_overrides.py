"""Tenant answers override shared ones.

If a school's own question asks the same as a shared question, it is not shown separately. The school's people see the
school's answer, marked as such, in the row of the shared question, and the shared answer below it. Nobody else sees it.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.models import RuleQuestion


def own_rows(tenant: int | None) -> Mapping[str, str]:
    """The id of the shared question, by the id of the school's own question that asks the same."""
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
