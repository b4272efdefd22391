"""A tag as somebody spelt it becomes the tag as it is kept: "flight_plan" and "Flight plan" are "flight
plan". Pure."""

import re
from difflib import get_close_matches

from rules import conf


def canonical_tag(spelt: str) -> str:
    """Small letters, single spaces; a slip of one letter in ten is mended where the tag is a known one."""
    plain = re.sub(r"[\s_\-]+", " ", spelt).strip().lower()
    if plain in conf.KNOWN_TAGS:
        return plain
    near = get_close_matches(plain, conf.KNOWN_TAGS, n=1, cutoff=conf.TAG_LIKENESS)
    return near[0] if near else plain
