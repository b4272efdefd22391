"""Normalize the spelling of tags: "flight_plan" and "Flight plan" are "flight plan". Pure."""

import re
from difflib import get_close_matches

from rules import conf


def canonical_tag(spelt: str) -> str:
    """Lower case, single spaces; one wrong letter in ten is corrected if the result is a known tag."""
    plain = re.sub(r"[\s_\-]+", " ", spelt).strip().lower()
    if plain in conf.KNOWN_TAGS:
        return plain
    near = get_close_matches(plain, conf.KNOWN_TAGS, n=1, cutoff=conf.TAG_LIKENESS)
    return near[0] if near else plain
