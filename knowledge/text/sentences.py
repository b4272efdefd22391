"""Splits text into sentences. It is the only place of the project that decides where a sentence ends.

Aviation text is hard on a naive splitter: "121.5", "§ 91.205(b)(1)", "10.1", "e.g.", "U.S.", "6 a.m. EST" and
"lat. 36°14′ N." hold periods that end nothing. Chunking, claims and assessment share this splitter, so that a quote in
one is a sentence in the other. It knows no page, no document and no model.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from knowledge.text.text_cache import cached_by_text
from knowledge.text.word_tables import word_lists

_STOP = re.compile(
    r"""(?<![.!?…])(?P<mark>[.!?…]++)                       # what may end a sentence
        (?P<close>["'”’)\]*]*+)                             # closing quotes and brackets belong to it
        (?P<figure>\s++\[(?:Figures?|Fig\.|Tables?)[^\]\n]{1,80}\])?   # and so does the figure it points to
        (?=\s++(?P<next>\S++)|\s|$)""",
    re.VERBOSE,
)
_MARKER = re.compile(
    r"""(?:\(?(?:[a-zA-Z]|[ivxIVX]{1,5}|\d{1,3})\)          # (a)  (1)  iv)
         |(?:\d{1,3}|[a-zA-Z])\.(?=\s)                      # 1.   a.
         |\d{1,3}(?:\.\d{1,3})+\.?(?=\s)                    # 9.12.3.4
         |[•●▪◦‣–—-](?=\s))""",
    re.VERBOSE,
)
# Possessive, because one text has many readings as markers, and none of the others may be tried.
_ONLY_MARKERS = re.compile(rf"(?:{_MARKER.pattern}\s*+)++\Z", re.VERBOSE)
_WORD_BEFORE = re.compile(r"[^\s(\[“\"]+\Z")
#: "Figure 15-1. Airspace profile.": at the start of a sentence a label stays with its title.
_LABEL = re.compile(
    r"\s*(?:Task|Area of Operation|Figures?|FIG|Tables?|TBL|Appendix|Section|Chapter|Part|Subpart|Note)"
    r"\s+[\w–-]+\Z",
    re.IGNORECASE,
)

#: How many characters before a period are searched for its word, an abbreviation or a label. A longer look would make
#: a text without an end of a sentence cost the square of its length.
_LOOK_BACK = 200

#: Abbreviations that always belong to what follows them.
_NEVER = word_lists()["never ends a sentence"]
#: Words that begin a sentence after an abbreviation that may also stand inside one ("in the U.S. The pilot…").
_OPENERS = word_lists()["opens a sentence"]
#: "Class G. The…": a letter after one of these may end a sentence. The initial of a person may not.
_NAMES_A_LETTER = word_lists()["names a letter"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a text; `text == source[start:end]`, without white space at its ends."""

    text: str
    start: int
    end: int


@cached_by_text
def sentences_in(text: str) -> tuple[Sentence, ...]:
    """The sentences of `text`, in order; together they hold every character that is not white space."""
    found: list[Sentence] = []
    # No sentence crosses a paragraph, a list item or a table row.
    for start, end in pairwise([0, *_line_breaks_that_end(text), len(text)]):
        for stop in _STOP.finditer(text, start, end):
            if _ends_sentence(text, start, stop):
                found.append(_trim_sentence(text, start, stop.end()))
                start = stop.end()
        if text[start:end].strip():
            found.append(_trim_sentence(text, start, end))
    return tuple(found)


def _trim_sentence(text: str, start: int, end: int) -> Sentence:
    raw = text[start:end]
    left = start + len(raw) - len(raw.lstrip())
    body = raw.strip()
    return Sentence(body, left, left + len(body))


def _line_breaks_that_end(text: str) -> Iterator[int]:
    """Where a line break also ends what stands before it."""
    at = -1
    for before, after in pairwise(line.strip() for line in text.split("\n")):
        at = text.index("\n", at + 1)
        is_row = " | " in before or " | " in after
        is_closed = before.rstrip("\"'”’)]").endswith((".", "!", "?", ":", ";", "…")) or before.endswith("—")
        if not before or not after or is_row or is_closed or _MARKER.match(after):
            yield at


def _ends_sentence(text: str, start: int, stop: re.Match[str]) -> bool:
    next_word = stop["next"]
    if next_word is None or stop["figure"]:
        return True
    first = next_word.lstrip("\"'“‘([*")[:1]
    if first.islower() and not _MARKER.match(next_word[:20] + " "):  # the sentence goes on
        return False
    if "." not in stop["mark"] or stop["close"]:
        return True
    # More than three dots lead to a page number in a table of contents.
    return len(stop["mark"]) <= 3 and _period_ends(text, start, stop.start(), next_word)


def _period_ends(text: str, start: int, at: int, next_word: str) -> bool:
    """Whether the period at `at` ends the sentence that begins at `start`, where `next_word` could begin another."""
    before = text[max(start, at - _LOOK_BACK) : at]
    whole = at - start <= _LOOK_BACK
    if whole and (_ONLY_MARKERS.match(before.strip() + ". ") or _LABEL.match(before) or not before.strip()):
        return False
    match = _WORD_BEFORE.search(before)
    word = match.group() if match else ""
    bare = word.lower().lstrip("'‘")
    if bare in _NEVER:
        return bare == "no" and not next_word[:1].isdigit()
    opens = next_word.strip("\"'“‘([.,;:").lower() in _OPENERS or next_word.startswith(("(", "["))
    parts = word.split(".")
    if len(parts) > 1 and all(len(part) == 1 and part.isascii() and part.isalpha() for part in parts):
        return opens  # "U.S", "e.g"
    if len(word) == 1 and word.isupper():
        words_before = before[: -len(word)].split()
        return opens or (bool(words_before) and words_before[-1].strip(",").lower() in _NAMES_A_LETTER)
    return True
