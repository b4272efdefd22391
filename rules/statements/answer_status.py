"""Whether what stands in the place of an answer is one: "no experience" and "see AIP" say nothing. Pure.

The one notion of it for answers, the map and comparisons. "N/a" is an answer: that the rule does not apply.
"""

from __future__ import annotations

from typing import Final

from rules import conf
from rules.statements.stance import Standing, standing_of

SILENT: Final[frozenset[Standing]] = frozenset({"missing", "unknown", "elsewhere"})


def says_nothing(text: str) -> bool:
    """Whether a text is no answer. What is longer than such phrases are says something."""
    return len(text) <= conf.SILENT_LONGEST and standing_of(text) in SILENT
