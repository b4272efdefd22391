"""What an examiner has learned to ask about, one table a subject. The first topic whose cues fit is the one."""

from __future__ import annotations

from typing import Final

from exams.offline.catalog import aircraft, airspace, body, night, pattern, pilot, planning, radio
from exams.offline.catalog.topic import Topic

KNOWLEDGE: Final[tuple[Topic, ...]] = (
    *pilot.TOPICS,
    *aircraft.TOPICS,
    *planning.TOPICS,
    *radio.TOPICS,
    *pattern.TOPICS,
    *airspace.TOPICS,
    *body.TOPICS,
    *night.TOPICS,
)


def topic_for(statement: str) -> Topic | None:
    """The first topic that fits the statement, None for a rule that no table knows."""
    return next((one for one in KNOWLEDGE if one.fits(statement)), None)
