"""What an examiner has learned to ask about: a topic is told by words of its rule and has its forms of question.

Pure values; the tables themselves stand beside this module, one file a subject.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

_FLAGS: Final = re.IGNORECASE | re.DOTALL


@dataclass(frozen=True, slots=True)
class Topic:
    """`cues` all stand in the statement, none of `never` does. A form may hold `{slots}` of `situations.py`."""

    cues: tuple[re.Pattern[str], ...]
    forms: tuple[str, ...]
    never: tuple[re.Pattern[str], ...] = field(default=())

    def fits(self, statement: str) -> bool:
        told = all(cue.search(statement) for cue in self.cues)
        return told and not any(cue.search(statement) for cue in self.never)


def topic(*cues: str, forms: tuple[str, ...], never: tuple[str, ...] = ()) -> Topic:
    """A topic from regular expressions, in any case of letters."""
    return Topic(_compiled(cues), forms, _compiled(never))


def _compiled(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, _FLAGS) for pattern in patterns)
