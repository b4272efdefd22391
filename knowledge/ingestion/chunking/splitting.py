"""A sentence too long for a chunk becomes stretches that fit, cut at its weakest inner borders. Pure.

Weakest is the bar between the cells of a row, then the semicolon, the colon and the dash, the comma, the conjunction,
the space between two words, and last any character. A number, a frequency and a section number stay whole, and with
them the sign or the unit beside them: no cut falls into "121.5 MHz", "12:30", "§ 91.155" or "1,000 feet".
"""

import re
from collections.abc import Callable, Iterator

CountTokens = Callable[[str], int]

_BORDERS = (
    re.compile(r"\s+(?=\|\s)"),
    re.compile(r"(?<=;)\s+"),
    re.compile(r"(?<=:)\s+|(?<=—)\s*"),
    re.compile(r"(?<=,)\s+"),
    re.compile(
        r"\s+(?=(?:and|or|but|nor|that|which|who|if|unless|when|while|where|because|except|until|after|before)\b)"
    ),
    re.compile(r"(?<=[^\W\d])\s+(?=[^\W\d])"),
    re.compile(r"\s+"),
    re.compile(r"\s+(?=[^\W\d])"),  # at worst a number loses its unit
    re.compile(r"(?<=[^\w\s])(?=\w)|(?<=\w)(?=[^\w\s])"),
    re.compile(r"(?<=\S)(?=\S)"),
)
LETTERS_A_TOKEN = 16  # English has 5; to the tokenizer a word of a million letters is one token
_SENTENCE, _REACH = 10_000, 1_000  # letters: the longest sentence of part 91 has 3,000
_WITHOUT_UNIT = 7  # the place of that border in the list
_INSIDE_NUMBER = re.compile(r"[\d.,:/–-]")
_NAMES_A_NUMBER = re.compile(
    r"(?:§|\b(?:sections?|parts?|paragraphs?|figures?|fig\.|tables?|chapters?|appendix|pages?|no\.|nos\.|item|task))\s*\Z",
    re.IGNORECASE,
)


def _fits(text: str, max_tokens: int, count_tokens: CountTokens) -> bool:
    """Whether a text has no more tokens, and no more letters than so many tokens of any language."""
    return len(text) <= LETTERS_A_TOKEN * max_tokens and count_tokens(text) <= max_tokens


def cut_places(text: str, max_tokens: int, count_tokens: CountTokens) -> list[int]:
    """Where the stretches of a text end; its own end alone where all of it fits."""
    if _fits(text, max_tokens, count_tokens):
        return [len(text)]
    places = next((found for at in range(len(_BORDERS)) if (found := list(_places(at, text)))), None)
    if places is None and len(text) <= _SENTENCE:
        return [len(text)]  # one endless number
    middle = min(places or [len(text) // 2], key=lambda place: abs(place - len(text) / 2))
    right = cut_places(text[middle:], max_tokens, count_tokens)
    return cut_places(text[:middle], max_tokens, count_tokens) + [middle + end for end in right]


def _places(level: int, text: str) -> Iterator[int]:
    """Where the borders of one level of weakness are, those that part what belongs together left out; in a text that is
    no sentence any more, those near its middle.
    """
    middle, reach = len(text) // 2, _REACH if len(text) > _SENTENCE else len(text)
    first, last = len(text) - len(text.lstrip()), len(text.rstrip())
    for match in _BORDERS[level].finditer(text, max(0, middle - reach), middle + reach):
        place = match.start()
        is_inside = first < place and match.end() < last
        if is_inside and (level == _WITHOUT_UNIT or not _is_kept_together(text, place, match.end())):
            yield place


def _is_kept_together(text: str, start: int, end: int) -> bool:
    """A number stands on both sides of a place, or its sign or unit on one."""
    before, after = text[start - 1], text[end]
    if start == end:
        return bool(_INSIDE_NUMBER.match(before) and _INSIDE_NUMBER.match(after)) and (
            before.isdigit() or after.isdigit()
        )
    if after.isdigit() and _NAMES_A_NUMBER.search(text[max(0, start - 20) : start]):
        return True
    return before.isdigit() and (after.isalpha() or after in "°%/")
