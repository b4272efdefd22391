"""Text becomes sentences: the one place of the project that decides where a sentence ends.

Aviation text is hard on a naive splitter: "121.5", "§ 91.205(b)(1)", "10.1", "e.g.", "U.S.", "6 a.m. EST" and
"lat. 36°14′ N." all hold points that end nothing. Chunking, claims and assessing share this splitter, so that
a quote of one is a sentence of the other. Pure: it knows no page, no document and no language model.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from knowledge.text.text_cache import kept

_STOP = re.compile(
    r"""(?<![.!?…])(?P<mark>[.!?…]++)                       # what may end a sentence
        (?P<close>["'”’)\]*]*+)                             # closing quotes and brackets belong to it
        (?P<figure>\s++\[(?:Figures?|Fig\.|Tables?)[^\]\n]{1,80}\])?   # and so does the figure it points to
        (?=\s|$)""",
    re.VERBOSE,
)
_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
_MARKER = re.compile(
    r"""(?:\(?(?:[a-zA-Z]|[ivxIVX]{1,5}|\d{1,3})\)          # (a)  (1)  iv)
         |(?:\d{1,3}|[a-zA-Z])\.(?=\s)                      # 1.   a.
         |\d{1,3}(?:\.\d{1,3})+\.?(?=\s)                    # 9.12.3.4
         |[•●▪◦‣–—-](?=\s))""",
    re.VERBOSE,
)
# Possessive: one text has many readings as markers, and none of the others may be tried.
_ONLY_MARKERS = re.compile(rf"(?:{_MARKER.pattern}\s*+)++\Z", re.VERBOSE)
_DOTTED = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]\Z")
_WORD_BEFORE = re.compile(r"[^\s(\[“\"]+\Z")
_NEXT_WORD = re.compile(r"[^\s]+")
_LINE_ENDS = re.compile(r"[.!?:;…][\"'”’)\]]*\Z|—\Z")


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


#: How far before a point its word, an abbreviation or a label is looked for, in characters. A longer look would make
#: a text that holds no end of a sentence cost the square of its length.
_LOOK_BACK = 200

#: Never the end of a sentence: what follows belongs to them.
_NEVER = _words("""
    e.g i.e cf vs viz no nos fig figs sec secs par para pars paras art ch chap pt pts p pp vol ed eds
    doc amdt reg lat long approx mr mrs ms dr lt col gen capt maj sgt st mt jan feb mar apr jun jul aug
    sept sep oct nov dec al ref refs
""")
#: Words that open a sentence after an abbreviation that may also stand inside one ("in the U.S. The pilot…").
_OPENERS = _words("""
    the a an if when in no each this these those it they pilots pilot for at on to all any as after
    before during except however unless where while under there some such most many aircraft you your we
    he she its their his her and but or see note what which who how why also both every once since
    although because with without by from
""")
#: "Class G. The…": a letter that names something may end a sentence, the initial of a person may not.
_NAMES_A_LETTER = _words("""
    class classes appendix part annex subpart section figure table area task note group category
    airspace airspaces or and
""")
#: "Figure 15-1. Airspace profile.": at the start of a sentence a label stays with its title.
_LABEL = re.compile(
    r"\s*(?:Task|Area of Operation|Figures?|FIG|Tables?|TBL|Appendix|Section|Chapter|Part|Subpart|Note)"
    r"\s+[\w–-]+\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a text; `text == source[start:end]`, without white space at its ends."""

    text: str
    start: int
    end: int


@kept
def sentences_in(text: str) -> tuple[Sentence, ...]:
    """The sentences of `text`, in order; together they hold every character that is not white space."""
    found: list[Sentence] = []
    for block_start, block_end in _blocks(text):
        start = block_start
        for stop in _STOP.finditer(text, block_start, block_end):
            if _ends_sentence(text, start, stop, block_end):
                found.append(_trimmed(text, start, stop.end()))
                start = stop.end()
        if text[start:block_end].strip():
            found.append(_trimmed(text, start, block_end))
    return tuple(found)


def _trimmed(text: str, start: int, end: int) -> Sentence:
    raw = text[start:end]
    left = start + len(raw) - len(raw.lstrip())
    body = raw.strip()
    return Sentence(body, left, left + len(body))


def _blocks(text: str) -> list[tuple[int, int]]:
    """Stretches that no sentence leaves: paragraphs, and in them list items and table rows."""
    edges = [0]
    edges += [gap.start() for gap in _PARAGRAPH.finditer(text)]
    edges += _line_ends(text)
    edges.append(len(text))
    ordered = sorted(set(edges))
    return [(a, b) for a, b in pairwise(ordered) if text[a:b].strip()]


def _line_ends(text: str) -> Iterator[int]:
    """Where a line break is also the end of what stands before it."""
    at = -1
    for before, after in pairwise(line.strip() for line in text.split("\n")):
        at = text.index("\n", at + 1)
        is_row = " | " in before or " | " in after
        if (
            not before
            or not after
            or is_row
            or _LINE_ENDS.search(before[-_LOOK_BACK:])
            or _MARKER.match(after)
        ):
            yield at


def _ends_sentence(text: str, start: int, stop: re.Match[str], block_end: int) -> bool:
    following = _NEXT_WORD.search(text, stop.end(), block_end)
    if following is None:
        return True
    next_word = following.group()
    if stop["figure"]:
        return True
    if _continues(next_word):
        return False
    if "." not in stop["mark"] or stop["close"]:
        return True
    if len(stop["mark"]) > 3:  # the dots that lead to a page number in a table of contents
        return False
    return _point_ends(text, start, stop.start(), next_word)


def _continues(next_word: str) -> bool:
    first = next_word.lstrip("\"'“‘([*")[:1]
    return first.islower() and not _MARKER.match(next_word[:20] + " ")


def _point_ends(text: str, start: int, at: int, next_word: str) -> bool:
    """Whether the point at `at` ends the sentence that begins at `start`, when `next_word` could begin one."""
    before = text[max(start, at - _LOOK_BACK) : at]
    whole = at - start <= _LOOK_BACK
    if whole and (_ONLY_MARKERS.match(before.strip() + ". ") or _LABEL.match(before) or not before.strip()):
        return False
    match = _WORD_BEFORE.search(before)
    word = match.group() if match else ""
    bare = word.lower().lstrip("'‘")
    if bare in _NEVER:
        return bare == "no" and not next_word[:1].isdigit()
    if _DOTTED.match(word):
        return _opens(next_word)
    if len(word) == 1 and word.isupper():
        return _opens(next_word) or _letter_is_named(before[: -len(word)])
    return True


def _opens(next_word: str) -> bool:
    return next_word.strip("\"'“‘([.,;:").lower() in _OPENERS or next_word.startswith(("(", "["))


def _letter_is_named(before: str) -> bool:
    words = before.split()
    return bool(words) and words[-1].strip(",").lower() in _NAMES_A_LETTER
