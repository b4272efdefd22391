"""Reads the outline of a chunk: which paragraph stands under which, by the labels that they carry.

(a), (1), (i), (A) are the levels of the Code of Federal Regulations. A lead-in ends with a dash or a colon, and its
items follow. Every node keeps the exact characters that it came from. It knows no rule, no claim and no database.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from knowledge.text.tokens import plain_words
from knowledge.text.word_tables import word_lists

_LABEL = re.compile(
    r"\s*(?:\((?P<label>[a-z]{1,2}|[ivx]{1,5}|\d{1,2}|[A-Z]{1,2})\)\s*|(?P<point>[A-Za-z]|\d{1,2})\. "
    r"(?=[A-Z]))(?=\S)"
)
_BULLET = re.compile(r"\s*(?:[•●▪◦‣]|[-–](?=\s))\s*")
_INLINE = re.compile(
    r"(?:(?<=[;:—.])|(?<=[^)],))(?: or| and| or,| and,)? ?"
    r"(?=\((?:\d{1,2}|[ivx]{1,5}|[a-hA])\) )(?!\([a-z0-9]+\) (?:of|and|or|through)\b)"
)
_HEADING = re.compile(r"(?P<heading>[A-Z0-9][^.;:—]{2,90}?)(?:\.\s+|—\s*|\.$)(?=[A-Z“\"(]|$)")
_VERBS = word_lists()["only in sentences"]
_LEAD_IN_END = re.compile(r"(?:[—:]|-{2}|\b(?:unless|if|must|shall|may|to|that))\s*$")


@dataclass(slots=True)
class Node:
    """A labeled paragraph. `start` and `end` are its characters in the chunk, without label and run-in heading."""

    label: str
    level: int
    heading: str
    text: str
    start: int
    end: int
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)

    @property
    def is_lead_in(self) -> bool:
        return bool(self.children) and bool(_LEAD_IN_END.search(self.text))

    @property
    def path(self) -> str:
        """The labels from the section down: "(b)(1)", or "2(b)(1)" below a paragraph "2."."""
        nodes = (node for node in self._from_outermost() if node.label not in ("", "•"))
        return "".join(f"({node.label})" if node.level else node.label for node in nodes)

    @property
    def cited_path(self) -> str:
        """The path as a citation has it, or "" where the paragraph that it begins with is not in this text."""
        labeled = [node for node in self._from_outermost() if node.label]
        return self.path if labeled and labeled[0].level <= 1 and not self.is_orphan else ""

    @property
    def is_orphan(self) -> bool:
        """Whether the paragraph above its label is not in this text."""
        if self.level <= 1 or self.label == "•":
            return False
        above = self.parent
        return above is None or above.is_orphan or not (above.label or above.is_lead_in)

    def headings(self) -> tuple[str, ...]:
        """The run-in headings above it and its own, outermost first."""
        return tuple(node.heading for node in self._from_outermost() if node.heading)

    def lead_ins(self) -> tuple[Node, ...]:
        """The paragraphs above that lead in to this one, outermost first."""
        return tuple(node for node in self._from_outermost()[:-1] if node.is_lead_in)

    def _from_outermost(self) -> list[Node]:
        nodes = [self]
        while above := nodes[-1].parent:
            nodes.append(above)
        return nodes[::-1]


@lru_cache(maxsize=16)  # every claim of a section reads its outline
def outline_of(text: str, heading: str = "") -> tuple[Node, ...]:
    """All paragraphs of the text in order, each with its parent and children. Headings are left out."""
    nodes: list[Node] = []
    open_: list[Node] = []
    letter = ""  # the last label of the first level, also across paragraphs without a label
    number = 0  # the last paragraph "1." of a special regulation, which letters stand below
    for line in re.finditer(r"[^\n]+", text):
        if not line.group().strip():
            continue
        is_section = line.group().lstrip().startswith("§") and not _has_verb(line.group())
        if is_section or plain_words(line.group()) == plain_words(heading):
            open_ = []
            continue
        for label, start, end in _labeled_parts(text, *line.span()):
            is_point = text.startswith(f"{label}. ", start - len(label) - 2)
            # A list of the paragraphs may stand before them.
            begins_again = is_point and label == "1" and number > 1 and not any(node.parent for node in nodes)
            number = 0 if begins_again else number
            is_next = is_point and label == str(number + 1)
            is_top = is_next and (number > 0 or begins_again or not nodes)
            if is_top:
                open_, letter, number = [], "", number + 1
            node = _make_node(text, label, start, end, open_, letter, is_top=is_top)
            letter = node.label if node.level == 1 else letter
            nodes.append(node)
            # A table's row, or a reference elsewhere, stands within the paragraph before it and ends nothing.
            refers = any(one.text.rstrip(" -−–—:") == "REFERENCE" for one in nodes[-2:])
            if " | " not in node.text and (label or not refers):
                open_ = [*(other for other in open_ if other.level < node.level), node]
    return tuple(nodes)


def path_above(place: int, nodes: Sequence[Node]) -> str:
    """The labeled paragraph that a table or a list of terms without labels belongs to: "(b) … terms mean:"."""
    above = [node for node in nodes if node.start <= place and node.level == 1 and not node.parent]
    return above[-1].path if above and above[-1].text.rstrip().endswith((":", "—", ".")) else ""


def _has_verb(text: str) -> bool:
    return not _VERBS.isdisjoint(re.findall(r"\w+", text))


def _labeled_parts(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """The parts of one line, each with its label: "(b) Title. (1) First; (2) second" has three."""
    cuts = [start, *(match.end() for match in _INLINE.finditer(text, start, end)), end]
    for place, stop in pairwise(cuts):
        label = ""
        while match := _LABEL.match(text, place, stop):
            if label:
                yield label, place, place
            label, place = match["label"] or match["point"], match.end()
        if place == stop:
            if label:
                yield label, place, place
        elif not label and (bullet := _BULLET.match(text, place, stop)):
            yield "•", bullet.end(), stop
        else:
            yield label, place, stop


def _make_node(
    text: str, label: str, start: int, end: int, open_: list[Node], letter: str, is_top: bool
) -> Node:
    level = 0 if is_top else _level_of(label, open_, letter)
    parent = next((node for node in reversed(open_) if node.level < level), None)
    match = _HEADING.match(text, start, end) if label else None
    listed = parent is not None and bool(_LEAD_IN_END.search(parent.text))
    heading = ""
    if match and _is_title(match, listed, end):
        heading, start = match["heading"].strip(), match.end()
    node = Node(label, level, heading, text[start:end].strip(), start, end, parent)
    if parent:
        parent.children.append(node)
    return node


def _is_title(match: re.Match[str], listed: bool, end: int) -> bool:
    """A run-in heading: no verb, and in a list short and followed by the item itself."""
    words = match["heading"]
    begins_list = match.string[end : end + 3] in ("(1)", "(i)", "(a)", "(A)")
    if _has_verb(words) or (match.end() >= end and not begins_list):
        return False
    if not listed:
        return len(words.split()) <= 14
    rest = match.string[match.end() : end]
    return len(words.split()) <= (10 if _has_verb(rest) else 5) and bool(rest.strip())


ROMAN_NUMERALS = tuple(
    tens + ones
    for tens in ("", "x", "xx", "xxx")
    for ones in ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
)[1:]


def _level_of(label: str, open_: list[Node], letter: str) -> int:
    """0 for text without a label, then (a) 1, (1) 2, (i) 3, (A) 4, (1) within (A) 5, (i) within that 6;
    bullets stand below all."""
    if not label:
        return 0
    if label == "•":
        return 7
    if label.isdigit():
        within = any(node.level == 4 for node in open_)
        return (
            5 if _continues_list(label, open_, 5) or (within and not _continues_list(label, open_, 2)) else 2
        )
    if label.isupper():
        return 4
    if label in ROMAN_NUMERALS and _is_roman_within(label, open_):
        return 6
    return 3 if label in ROMAN_NUMERALS and (len(label) > 1 or _is_roman(label, open_, letter)) else 1


def _is_roman_within(label: str, open_: list[Node]) -> bool:
    """(i) below the (1) of an (A): it begins a list of its own, whose (i) may be reserved, or goes on with one."""
    last = open_[-1] if open_ else None
    if last is None or last.level not in (5, 6):
        return False
    if last.level == 6:
        return last.label in ROMAN_NUMERALS and ROMAN_NUMERALS.index(last.label) + 1 == ROMAN_NUMERALS.index(
            label
        )
    above = [node.label for node in open_ if node.level == 3 and node.label in ROMAN_NUMERALS]
    goes_on = label != "i" and ROMAN_NUMERALS[ROMAN_NUMERALS.index(label) - 1] in above[-1:]
    # No list of (i) begins twice below one number, also where a title and no lead-in stands before it.
    begins_again = label == "i" and bool(above)
    return not goes_on and (begins_again or bool(_LEAD_IN_END.search(last.text)))


def _continues_list(label: str, open_: list[Node], level: int) -> bool:
    last = [node.label for node in open_ if node.level == level]
    return bool(last) and last[-1].isdigit() and int(last[-1]) + 1 == int(label) and label != "1"


def _is_roman(label: str, open_: list[Node], letter: str) -> bool:
    """(i) after (h) is a letter; (i) below (1), or after another letter, is a number."""
    follows = len(letter) == 1 and len(label) == 1 and ord(letter) + 1 == ord(label)
    before = [node.label for node in open_ if node.level == 3]
    if before and before[-1] in ROMAN_NUMERALS:  # a list does not begin twice below one number
        return ROMAN_NUMERALS.index(before[-1]) + 1 == ROMAN_NUMERALS.index(label) or (
            label == "i" and not follows
        )
    expects_items = bool(open_) and open_[-1].level == 2 and _LEAD_IN_END.search(open_[-1].text)
    return not follows or bool(expects_items)
