"""A chunk's lines become an outline: which paragraph stands under which, by the labels they carry.

(a), (1), (i), (A) are the levels of the Code of Federal Regulations; a lead-in ends with a dash or a colon
and its items follow. Every node keeps the exact characters it came from. Pure: knows no rule, no claim and
no database.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_LABEL = re.compile(
    r"\s*(?:\((?P<label>[a-z]{1,2}|[ivx]{1,5}|\d{1,2}|[A-Z]{1,2})\)\s*|(?P<point>[A-Z]|\d{1,2})\. "
    r"(?=[A-Z]))(?=\S)"
)
_BULLET = re.compile(r"\s*(?:[•●▪◦‣]|[-–](?=\s))\s*")
_INLINE = re.compile(
    r"(?:(?<=[;:—.])|(?<=[^)],))(?: or| and| or,| and,)? ?"
    r"(?=\((?:\d{1,2}|[ivx]{1,5}|[a-hA])\) )(?!\([a-z0-9]+\) (?:of|and|or|through)\b)"
)
_HEADING = re.compile(r"(?P<heading>[A-Z0-9][^.;:—]{2,90}?)(?:\.\s+|—\s*|\.$)(?=[A-Z“\"(]|$)")
_VERB = re.compile(
    r"\b(?:may|must|shall|is|are|was|has|have|does|do|means|will|should|can|includes?|requires?|if|when)\b"
)
_LEAD_IN_END = re.compile(r"(?:[—:]|-{2}|\b(?:unless|if|must|shall|may|to|that))\s*$")


@dataclass(slots=True)
class Node:
    """A labelled paragraph. `start` and `end` are its characters in the chunk, label and run-in heading
    left out."""

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
        """The labels from the section down: "(b)(1)"."""
        above = self.parent.path if self.parent else ""
        return above + (f"({self.label})" if self.label and self.label != "•" else "")

    @property
    def cited_path(self) -> str:
        """The path as a citation has it, or "" where the paragraph that it begins with is not in this text."""
        return self.path if not self.is_orphan and self._outermost_level == 1 else ""

    @property
    def _outermost_level(self) -> int:
        above = self.parent._outermost_level if self.parent else 0
        return above or (self.level if self.label else 0)

    @property
    def is_orphan(self) -> bool:
        """A label whose paragraph above is not in this text."""
        return (
            self.level > 1
            and self.label != "•"
            and (
                self.parent is None
                or self.parent.is_orphan
                or not (self.parent.label or self.parent.is_lead_in)
            )
        )

    def headings(self) -> tuple[str, ...]:
        """The run-in headings above it and its own, outermost first."""
        above = self.parent.headings() if self.parent else ()
        return (*above, self.heading) if self.heading else above

    def lead_ins(self) -> tuple[Node, ...]:
        """The paragraphs above that lead in to this one, outermost first."""
        above = self.parent.lead_ins() if self.parent else ()
        return (*above, self.parent) if self.parent and self.parent.is_lead_in else above


def outline_of(text: str, heading: str = "") -> tuple[Node, ...]:
    """All paragraphs of the text in order, each with its parent and children. Headings are left out."""
    nodes: list[Node] = []
    open_: list[Node] = []
    letter = ""  # the last label of the first level, also across paragraphs without a label
    for start, end in _paragraphs(text):
        if _is_heading(text[start:end], heading):
            open_ = []
            continue
        for label, body_start, body_end in _labelled(text, start, end):
            node = _node(text, label, body_start, body_end, open_, letter)
            letter = node.label if node.level == 1 else letter
            nodes.append(node)
            if not _is_row(node):
                open_ = [*_above(open_, node), node]
    return tuple(nodes)


def path_above(place: int, nodes: Sequence[Node]) -> str:
    """The labelled paragraph that a table or a list of terms without labels belongs to: "(b) … terms mean:"."""
    above = [node for node in nodes if node.start <= place and node.level == 1 and not node.parent]
    return above[-1].path if above and above[-1].text.rstrip().endswith((":", "—", ".")) else ""


def _is_row(node: Node) -> bool:
    """A table's row stands within the paragraph before it and ends nothing."""
    return " | " in node.text


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    for match in re.finditer(r"[^\n]+", text):
        if match.group().strip():
            yield match.span()


def _is_heading(line: str, heading: str) -> bool:
    bare = re.sub(r"\W+", " ", line).strip().lower()
    return (line.lstrip().startswith("§") and not _VERB.search(line)) or bare == re.sub(
        r"\W+", " ", heading
    ).strip().lower()


def _labelled(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """The parts of one line, each with its label: "(b) Title. (1) First; (2) second" has three."""
    cuts = [start, *(match.end() for match in _INLINE.finditer(text, start, end)), end]
    for place, stop in itertools.pairwise(cuts):
        while match := _LABEL.match(text, place, stop):
            place = match.end()
            if not _LABEL.match(text, place, stop):
                break
            yield _said(match), place, place
        else:
            match = None
        if place < stop:
            label = _said(match) if match else "•" if _BULLET.match(text, place, stop) else ""
            bullet = _BULLET.match(text, place, stop) if label == "•" else None
            yield label, bullet.end() if bullet else place, stop


def _said(match: re.Match[str]) -> str:
    return match["label"] or match["point"]


def _node(text: str, label: str, start: int, end: int, open_: list[Node], letter: str) -> Node:
    level = _level(label, open_, letter)
    parent = next((node for node in reversed(open_) if node.level < level), None)
    match = _HEADING.match(text, start, end) if label else None
    listed = parent is not None and bool(_LEAD_IN_END.search(parent.text))
    heading = match["heading"].strip() if match and _is_title(match, listed, end) else ""
    start = match.end() if match and heading else start
    node = Node(label, level, heading, text[start:end].strip(), start, end, parent)
    if parent:
        parent.children.append(node)
    return node


_FIRST = ("(1)", "(i)", "(a)", "(A)")


def _is_title(match: re.Match[str], listed: bool, end: int) -> bool:
    """A run-in heading: no verb, and in a list short and followed by the item itself."""
    words = match["heading"]
    if _VERB.search(words) or (match.end() >= end and match.string[end : end + 3] not in _FIRST):
        return False
    if not listed:
        return len(words.split()) <= 14
    rest = match.string[match.end() : end]
    return len(words.split()) <= (10 if _VERB.search(rest) else 5) and bool(rest.strip())


def _above(open_: list[Node], node: Node) -> list[Node]:
    return [other for other in open_ if other.level < node.level]


_ROMAN = tuple(
    tens + ones
    for tens in ("", "x", "xx", "xxx")
    for ones in ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
)[1:]


def _level(label: str, open_: list[Node], letter: str) -> int:
    """0 for text without a label, then (a) 1, (1) 2, (i) 3, (A) 4, (1) within (A) 5, (i) within that 6;
    bullets stand below all."""
    if not label:
        return 0
    if label == "•":
        return 7
    if label.isdigit():
        within = any(node.level == 4 for node in open_)
        return 5 if _continues(label, open_, 5) or (within and not _continues(label, open_, 2)) else 2
    if label.isupper():
        return 4
    if label in _ROMAN and _is_roman_within(label, open_):
        return 6
    return 3 if label in _ROMAN and (len(label) > 1 or _is_roman(label, open_, letter)) else 1


def _is_roman_within(label: str, open_: list[Node]) -> bool:
    """(i) below the (1) of an (A): it begins a list of its own, or goes on with one."""
    last = open_[-1] if open_ else None
    if last is None or last.level not in (5, 6):
        return False
    if last.level == 6:
        return last.label in _ROMAN and _ROMAN.index(last.label) + 1 == _ROMAN.index(label)
    return label == "i" and bool(_LEAD_IN_END.search(last.text))


def _continues(label: str, open_: list[Node], level: int) -> bool:
    last = [node.label for node in open_ if node.level == level]
    return bool(last) and last[-1].isdigit() and int(last[-1]) + 1 == int(label) and label != "1"


def _is_roman(label: str, open_: list[Node], letter: str) -> bool:
    """(i) after (h) is a letter; (i) below (1), or after another letter, is a number."""
    follows = len(letter) == 1 and len(label) == 1 and ord(letter) + 1 == ord(label)
    before = [node.label for node in open_ if node.level == 3]
    if before and before[-1] in _ROMAN:  # a list does not begin twice below one number
        return _ROMAN.index(before[-1]) + 1 == _ROMAN.index(label) or (label == "i" and not follows)
    return not follows or (any(node.level == 2 for node in open_) and _expects_items(open_))


def _expects_items(open_: list[Node]) -> bool:
    return bool(open_) and open_[-1].level == 2 and bool(_LEAD_IN_END.search(open_[-1].text))
