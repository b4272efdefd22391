"""Text from a client becomes text that can be stored and shown: no control characters, no broken letters.

Nothing a person meant is changed: words, lines, accents and other scripts stay as they are. Pure.
"""

import re
from typing import Final

_LINE_ENDS: Final = re.compile(r"\r\n?|[\u2028\u2029\x0b\x0c\x85]")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff]")
_DIRECTION: Final = re.compile(r"[\u202a-\u202e\u2066-\u2069]")
"""Overrides of writing direction: they make a text read differently from what it holds."""
_SURROGATES: Final = re.compile(r"[\ud800-\udfff]")


def clean_text(text: str) -> str:
    """The text with plain line ends and without control characters; half a letter becomes U+FFFD."""
    text = _LINE_ENDS.sub("\n", text)
    text = _DIRECTION.sub("", _CONTROLS.sub("", text))
    return _SURROGATES.sub("\ufffd", text).strip()
