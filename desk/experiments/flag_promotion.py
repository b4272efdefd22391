"""Turn a flag on for everyone, if measurements support it: used by both the command and the admin."""

from typing import Final

import structlog
from django.utils import timezone
from waffle.models import Flag as Row

from desk.experiments.arms_report import report_on_arms
from knowledge.flags import BY_NAME, ENHANCED

log = structlog.get_logger(__name__)

NEARLY_ALL: Final = 99
"""Percent from which a flag counts as on for everyone."""


class NotSupported(ValueError):
    """There is no such flag, or the measurements do not support its promotion; the text says what is missing."""


def check_promotion(name: str) -> None:
    """Raises NotSupported for an arm without measurements that show it to be better. Any other flag may be promoted."""
    if name != ENHANCED:
        return
    refusal = report_on_arms(timezone.now()).refusal
    if refusal:
        raise NotSupported(f"{name} stays as it is. {refusal}")


def is_promotion(row: Row, everyone: bool | None, percent: float) -> bool:
    """Whether this change turns the flag on for everyone when it was not."""
    before = row.everyone is True or (row.everyone is None and float(row.percent or 0) >= NEARLY_ALL)
    after = everyone is True or (everyone is None and percent >= NEARLY_ALL)
    return after and not before


def promote_flag(name: str) -> Row:
    """Turn a flag on for everyone. Raises NotSupported."""
    row: Row | None = Row.objects.filter(name=name).first() if name in BY_NAME else None
    if row is None:
        raise NotSupported(f"There is no flag {name!r}. The flags are: {', '.join(sorted(BY_NAME))}.")
    if is_promotion(row, True, 0):
        check_promotion(name)
    row.everyone = True
    row.save()
    log.info("flag_promoted", flag=name)
    return row
