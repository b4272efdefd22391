"""Cut a sentence that is too long for a chunk into stretches that fit, at its weakest inner borders. Pure.

The weakest border is the bar between the cells of a row, then the semicolon, the colon and the dash, the comma, the
conjunction, the space between words, and last any character. Numbers stay whole, with their sign or unit: no cut falls
into "121.5 MHz", "12:30", "§ 91.155" or "1,000 feet".
"""

import re
from collections.abc import Callable

CountTokens = Callable[[str], int]

_CONJUNCTIONS = "and|or|but|nor|that|which|who|if|unless|when|while|where|because|except|until|after|before"
_BEFORE_WORD = r"\s+(?=[^\W\d])"  # at worst a number loses its unit
_BORDERS = (
    r"\s+(?=\|\s)",
    r"(?<=;)\s+",
    r"(?<=:)\s+|(?<=—)\s*",
    r"(?<=,)\s+",
    rf"\s+(?=(?:{_CONJUNCTIONS})\b)",
    r"(?<=[^\W\d])\s+(?=[^\W\d])",
    r"\s+",
    _BEFORE_WORD,
    r"(?<=[^\w\s])(?=\w)|(?<=\w)(?=[^\w\s])",
    r"(?<=\S)(?=\S)",
)
LETTERS_A_TOKEN = 16  # English has 5; to the tokenizer a word of a million letters is one token
_SENTENCE, _REACH = 10_000, 1_000  # letters: the longest sentence of part 91 has 3,000
_NUMBER_NAMES = frozenset(
    str.split(
        "§ section sections part parts paragraph paragraphs figure figures fig. table tables chapter chapters"
        " appendix page pages no. nos. item task"
    )
)


def cut_places(text: str, max_tokens: int, count_tokens: CountTokens) -> list[int]:
    """Where the stretches of a text end; only its own end if it fits: it has no more tokens than `max_tokens`, and no
    more letters than so many tokens of any language."""
    if len(text) <= LETTERS_A_TOKEN * max_tokens and count_tokens(text) <= max_tokens:
        return [len(text)]
    middle = len(text) // 2
    reach = _REACH if len(text) > _SENTENCE else len(text)  # no sentence is so long: only near its middle
    first, last = len(text) - len(text.lstrip()), len(text.rstrip())
    places: list[int] = []
    for border in _BORDERS:
        found = re.compile(border).finditer(text, max(0, middle - reach), middle + reach)
        places = [
            start
            for start, end in (match.span() for match in found)
            if first < start
            and end < last
            and (border == _BEFORE_WORD or not _parts_number(text, start, end))
        ]
        if places:
            break
    if not places and len(text) <= _SENTENCE:
        return [len(text)]  # one endless number
    cut = min(places or [middle], key=lambda place: abs(place - len(text) / 2))
    right = cut_places(text[cut:], max_tokens, count_tokens)
    return cut_places(text[:cut], max_tokens, count_tokens) + [cut + end for end in right]


def _parts_number(text: str, start: int, end: int) -> bool:
    """Whether a cut would go through a number, or between a number and its sign or unit."""
    before, after = text[start - 1], text[end]
    if start == end:
        is_inside = all(one.isdecimal() or one in ".,:/–-" for one in (before, after))
        return is_inside and (before.isdigit() or after.isdigit())
    if after.isdigit():
        word = re.search(r"(?:§|\b[a-z]+\.?)\Z", text[max(0, start - 20) : start].lower())
        if word and word.group() in _NUMBER_NAMES:
            return True
    return before.isdigit() and (after.isalpha() or after in "°%/")
