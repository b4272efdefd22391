"""Where decisions on disputes and items are reported. Who keeps the record is wired from above (`heydpe/wiring.py`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A decision on a row of the `kind` "dispute" or "item", in words that outlive the row and quote no answer.
    `tenant` is the id of the school whose record it belongs to."""

    kind: str
    id: str
    decision: str
    reviewer: Any
    tenant: int | None
    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class _Record:
    keep: Callable[[Case], Any] | None = None


_record = _Record()


def keep_cases(keep: Callable[[Case], Any] | None) -> None:
    """Report every decision to this record from now on, within the transaction of the decision."""
    _record.keep = keep


def record_case(case: Case) -> None:
    """Report one decision, within its transaction."""
    if _record.keep is not None:
        _record.keep(case)
