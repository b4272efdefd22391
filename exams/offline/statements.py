"""Where the circumstances that open a claim's sentence end and its rule begins. Pure."""

from __future__ import annotations

import re
from typing import Final

_OPENING: Final = re.compile(
    r"^(?:(?:to|in order to)\s+(?!the\b)|(?:when|if|whenever|once|where|at night|by day|by night|from sunset|"
    r"from sunrise|between sunset|before each|before|after|during|with|under|without|in|at|over|below|above|near|"
    r"within|on|anywhere|along|for|other than)\b)",
    re.IGNORECASE,
)
_RULE_SUBJECT: Final = re.compile(
    r"\byou\s+[a-z]+\b|"
    r"\b(?:no one|no person|no aircraft|(?:an?|the|each|every)\s+(?:[\w-]+\s+){0,4}?[\w-]+|VFR flights?|aircraft)\s+"
    r"(?:must|may|shall|should|needs?|requires?|fly|flies|is|are|has|have)\b",
    re.IGNORECASE,
)


def lead_end(text: str) -> int:
    """Where the rule begins; 0 where the sentence opens with it."""
    if not _OPENING.search(text):
        return 0
    rule = _RULE_SUBJECT.search(text)
    return rule.start() if rule else 0
