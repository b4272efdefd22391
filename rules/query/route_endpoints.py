"""Places in a text become journeys: which of them are reached from another country. Pure.

What tells is how the sentence leads from one place to the next: "from the UK to France", "EGKB → LFAT", "to Poland from
Germany". Two places side by side, compared or exchanged, are no journey, and neither is one within a country.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from rules.countries import Mention

_ANY: Final = re.IGNORECASE
_ONWARD: Final = (
    r"(?:(?:on|over|back|across|down|up|straight|directly|non-?stop)\s+)*(?:to|into|for|towards?)"
)
_THE: Final = r"(?:\s+(?:the|a|an))?(?:\s+\w+,?\s+in)?"

# What stands between the two ends: "to", "and on into the", "to Dover in", "→".
_BETWEEN: Final = re.compile(
    rf"\s*(?:\([^()]*\)\s*)?,?\s*(?:(?:and\s+)?{_ONWARD}{_THE}\s*|(?:->|=>|>|→|⇒|»)\s*)$", _ANY
)
_BETWEEN_AIRPORTS: Final = re.compile(r"\s*[-–—]\s*$")
# "from a French airfield to a German one"
_FROM: Final = re.compile(r"\b(?:from|leav(?:e|es|ing)|depart(?:s|ing)?|out\s+of)(?:\s+\w+){0,3}\s+$", _ANY)
_ON: Final = re.compile(rf"[^.;:?!,]{{0,40}}\s{_ONWARD}{_THE}\s*$", _ANY)
# "to Germany from France"
_TOWARDS: Final = re.compile(
    rf"\b(?:{_ONWARD}|entering|enter|reach(?:ing)?|arriv\w*\s+in|land(?:ing)?\s+in)(?:\s+the)?\s*$", _ANY
)
_BACKWARD: Final = re.compile(
    r"\s*(?:(?:coming|arriving|inbound|flying|in)\s+)?(?:from|out\s+of)(?:\s+the)?\s*$", _ANY
)
# "flying between Ireland and the UK", "the border between"
_FLYING_BETWEEN: Final = re.compile(
    r"\b(?:fly(?:ing)?|flights?|flown|cross(?:ing|ings)?|travel(?:l?ing)?|go(?:ing)?|journeys?|trips?|legs?|hops?"
    r"|route|border|boundary)\b[^.;:?!]{0,30}\bbetween(?:\s+the)?\s*$",
    _ANY,
)
_AND: Final = re.compile(r"\s*(?:and|&)(?:\s+the)?\s*$", _ANY)
_NO_TRAVEL: Final = re.compile(
    r"\b(?:compar\w*|differ\w*|switch\w*|swap\w*|chang(?:e|ing)|mov(?:e|ing) on|replac\w*|relative|close|similar"
    r"|next|prefer\w*)\b[^.;:?!]*$",
    _ANY,
)


def ends_of_journeys(text: str, places: Sequence[Mention]) -> frozenset[int]:
    """Which of the text's places, in their order, are reached from the one before, in another country."""
    pairs = enumerate(pairwise(places), 1)
    return frozenset(at for at, (one, other) in pairs if _is_a_journey(text, one, other))


def _is_a_journey(text: str, one: Mention, other: Mention) -> bool:
    before, between = text[: one.start], text[one.end : other.start]
    if set(one.countries) & set(other.countries) or _NO_TRAVEL.search(before):
        return False
    if _BETWEEN.match(between) or (_FROM.search(before) and _ON.match(between)):
        return True
    if _BACKWARD.match(between):
        return bool(_TOWARDS.search(before))
    if _AND.match(between):
        return bool(_FLYING_BETWEEN.search(before))
    return one.kind == other.kind == "airport" and bool(_BETWEEN_AIRPORTS.match(between))
