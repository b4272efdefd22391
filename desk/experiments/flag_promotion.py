"""A flag is turned on for everyone, if what was measured bears it: the one door for command and admin."""

from typing import Final

import structlog
from django.utils import timezone
from waffle.models import Flag as Row

from desk.experiments.arms_report import report_on_arms
from knowledge.flags import BY_NAME, ENHANCED

log = structlog.get_logger(__name__)

NEARLY_ALL: Final = 99
"""Per cent from which a flag counts as on for everyone."""


class NoSuchFlag(LookupError):
    """The text lists the flags that there are."""


class NotBorneOut(ValueError):
    """What was measured does not bear it; the text says what is lacking."""


def flag_named(name: str) -> Row:
    """Raises NoSuchFlag."""
    row: Row | None = Row.objects.filter(name=name).first() if name in BY_NAME else None
    if row is None:
        raise NoSuchFlag(f"There is no flag {name!r}. There is: {', '.join(sorted(BY_NAME))}.")
    return row


def check_promotion(name: str) -> None:
    """Raises NotBorneOut for an arm that is not shown to be better. Other flags may be turned on at will."""
    if name != ENHANCED:
        return
    refusal = report_on_arms(timezone.now()).refusal
    if refusal:
        raise NotBorneOut(f"{name} stays as it is. {refusal}")


def is_promotion(row: Row, everyone: bool | None, percent: float) -> bool:
    """Whether this change makes something hold for everyone that did not."""
    before = row.everyone is True or (row.everyone is None and float(row.percent or 0) >= NEARLY_ALL)
    after = everyone is True or (everyone is None and percent >= NEARLY_ALL)
    return after and not before


def promote(name: str) -> Row:
    """Turn a flag on for everyone. Raises NoSuchFlag, NotBorneOut."""
    row = flag_named(name)
    if is_promotion(row, True, 0):
        check_promotion(name)
    row.everyone = True
    row.save()
    log.info("flag_promoted", flag=name)
    return row
