"""An admin form that refuses to overwrite what somebody changed since the page was opened.

The page carries a fingerprint of the row as it was shown. It is compared under the row's lock, in the transaction that
saves, so that the second of two concurrent saves is refused.
"""

import json
from hashlib import sha256
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.db import models

SEEN = "seen"
CHANGED = "Somebody else changed this in the meantime. Open it again and check it."


class OptimisticForm(forms.ModelForm):  # type: ignore[type-arg]
    """`also_seen` are columns that are compared though the form has no field for them. A request without a fingerprint
    is not compared."""

    also_seen: ClassVar[tuple[str, ...]] = ()

    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput())

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial[SEEN] = "" if self.instance._state.adding else self._fingerprint_of(self.instance)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if given.get(SEEN) and not self.instance._state.adding:
            now = lock_row(self.instance)
            if now is None or given[SEEN] != self._fingerprint_of(now):
                raise ValidationError(CHANGED)
        return given

    def _fingerprint_of(self, row: models.Model) -> str:
        names = {*(self._meta.fields or ()), *self.also_seen}
        columns = (column for column in row._meta.concrete_fields if column.name in names)
        said = {column.name: column.value_from_object(row) for column in columns}
        told = json.dumps(said, default=str, sort_keys=True)
        return sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def lock_row(row: models.Model) -> Any:
    """The row as it is now, locked until the transaction ends; None if it is gone."""
    return type(row)._base_manager.select_for_update(of=("self",)).filter(pk=row.pk).first()
