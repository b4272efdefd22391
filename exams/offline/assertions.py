"""Keeps the sentences of an answer that the student stands behind.

A sentence that is asked, reported from somebody and rejected, imagined, called a myth, or left open states nothing,
whatever words it holds; a plain statement that is rejected afterward is taken back. Reporting alone ("the AIM says
that …"), hedging ("I think"), a real condition ("if the engine fails, I pitch for best glide"), a question that the
student answers with yes, and one that pilots ask themselves ("am I rested?") are statements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path
from typing import Final, Literal

from knowledge.text.opposites import denies
from knowledge.text.sentences import sentences_in
from knowledge.text.synonyms import idea_set
from knowledge.text.word_tables import read_phrases

Standing = Literal["", "asked", "not asserted", "taken back"]
Kind = Literal["own", "borrowed", "asked", "affirms", "not asserted", "rejects", "takes back"]

_PHRASES: Final = read_phrases(Path(__file__).with_name("assertions.csv"), ignore_case=True)
_CLAUSE_END: Final = re.compile(
    r"[;:—–]|,\s*(?:but|yet|so|actually|instead|rather|in fact|though)\b|\bbut (?=(?:you|i|it|they|we|the)\b)",
    re.IGNORECASE,
)
_TURNS: Final = re.compile(
    r"—|,\s*(?:actually|instead|rather)\b|\bbut (?:you|i|it|they|we|actually|in fact|the truth)\b",
    re.IGNORECASE,
)
_REFRAIN_WORDS: Final = (4, 3, 2)
_REFRAINS_LEAST: Final = 4
"""Times that the same words stand between single words of an answer: small talk between the items of a list."""
_ITEM_WORDS: Final = 2
"""Words of an item between such words."""


@dataclass(frozen=True, slots=True)
class Asserted:
    """`text` is what the student asserts. Where it is empty, `standing` says why; `rejection` are the words that take a
    statement back."""

    text: str
    standing: Standing = ""
    rejection: str = ""


@dataclass(slots=True, eq=False)
class _Piece:
    text: str
    kind: Kind
    sentence: str = ""


def asserted_part(answer: str) -> Asserted:
    """The answer without what is only asked, reported and rejected, imagined, denied, or left open."""
    pieces = [
        _Piece(piece.text, piece.kind, one.text)
        for one in sentences_in(without_refrain(answer))
        for piece in _pieces_of(" ".join(one.text.replace("’", "'").split()))
    ]
    kept: list[_Piece] = []
    standing: Standing = ""
    rejection = ""
    # "It is not true that …" is meant of all that follows, unless its sentence turns: "it is not true that A, but B".
    # "I don't know if the gear is locked" is a hazard where the student goes on with a plan.
    opening = pieces[0].sentence if pieces else ""
    following = [one.text for one in pieces if one.sentence != opening]
    plans = _PHRASES["wonders"].search(opening) and any(map(_PHRASES["own plan"].search, following))
    if following and pieces[0].kind == "not asserted" and not plans and not _TURNS.search(opening):
        return Asserted("", "not asserted")
    for at, piece in enumerate(pieces):
        if piece.kind == "affirms" and kept and kept[-1].kind == "asked":
            kept[-1].kind = "own"
        if piece.kind == "not asserted":
            standing = standing or "not asserted"
        elif kept and kept[-1].kind in ("borrowed", "asked") and _rejects(piece, kept):
            standing = standing or "not asserted"
            while kept and kept[-1].kind in ("borrowed", "asked"):
                kept.pop()
        elif piece.kind == "takes back" and kept:
            standing, rejection = "taken back", piece.sentence
            goes_on = any(one.kind in ("own", "borrowed") and idea_set(one.text) for one in pieces[at + 1 :])
            if goes_on:
                _take_back_last(kept, piece.sentence)
            else:
                kept.clear()
        else:
            kept.append(piece)
    left = [one for one in kept if one.kind != "asked"]
    if len(left) < len(kept):
        standing = standing or "asked"
    text = _joined(left, pieces)
    return Asserted(text) if _says_something(text) or not standing else Asserted("", standing, rejection)


def without_repaired(said: str) -> str:
    """A text without the clauses that are put right in the same breath: "lean it, no wait, you go richer"."""
    while repaired := _PHRASES["repairs"].search(said):
        before = said[: repaired.start()].rstrip(" ,;:.…—–-")
        begins = 1 + max(before.rfind(mark) for mark in ",;:.!?…—–")  # no pattern: this is linear in any text
        said = f"{before[:begins]} {said[repaired.end() :]}"
    return said


def _take_back_last(kept: list[_Piece], sentence: str) -> None:
    """Drop what was said last: in the `sentence` that takes it back an item of a list ("B and C, and D, no, scratch
    that"), else the whole piece."""
    while len(kept) > 1 and _is_interjected(kept[-1].text):  # "No, wait, scratch that."
        kept.pop()
    clauses = re.split(r",(?!\d)", kept[-1].text)  # "1,000 feet" is one
    while clauses and _is_interjected(clauses[-1]):
        clauses.pop()
    kept[-1].text = ",".join(clauses[:-1])
    if kept[-1].sentence != sentence or not _says_something(kept[-1].text):
        kept.pop()


def _is_interjected(text: str) -> bool:
    """Whether it says nothing of the matter ("no, wait", "I think")."""
    return not re.search(r"\w", text) or bool(_PHRASES["interjected"].fullmatch(text.strip(" .,;:!?…—–-")))


def _rejects(piece: _Piece, kept: Sequence[_Piece]) -> bool:
    """Whether it rejects what was told as somebody's or asked; what takes back means that of its own sentence."""
    if piece.kind == "takes back":
        return kept[-1].sentence == piece.sentence or not any(one.kind == "own" for one in kept)
    return piece.kind == "rejects"


def _joined(kept: Sequence[_Piece], pieces: Sequence[_Piece]) -> str:
    """The pieces as one text; a sentence of which all are kept stands as it was said."""
    said: list[str] = []
    for sentence, own in groupby(kept, key=lambda one: one.sentence):
        parts = list(own)
        whole = len(parts) == sum(one.sentence is sentence for one in pieces)
        said.append(sentence if whole else " ".join(one.text for one in parts))
    return " ".join(said)


def _says_something(text: str) -> bool:
    return bool(idea_set(text) or re.search(r"\d|\b(?:yes|no)\b", text.lower()))


def _pieces_of(said: str) -> Iterator[_Piece]:
    """A sentence in pieces by who stands behind each."""
    opening = _PHRASES["opens"].match(said)
    start = opening.end() if opening else 0
    if _PHRASES["asks"].match(said, start):
        # Speech recognition writes no question marks: "is it three miles I'd say yes three miles".
        answered = None if said.endswith("?") else _PHRASES["answers"].search(said, start + 1)
        goes_on = None if answered or said.endswith("?") else _CLAUSE_END.search(said, start)
        end = answered.start() if answered else goes_on.start() if goes_on else len(said)
        yield _Piece(said[:end], "asked")
        if answered:
            yield _Piece(said[end:], "affirms")
        elif goes_on:
            yield from _pieces_of(said[goes_on.end() :].strip())
    elif framed := _first_of(("wonders", "denies", "unreal"), said):
        if _says_something(said[: framed.start()]):
            yield from _plain_piece(said[: framed.start()])
        yield _Piece(said, "not asserted")
        if turn := _CLAUSE_END.search(said, framed.end()):
            yield from _pieces_of(said[turn.end() :].strip())
    elif rejected := _first_of(("takes back", "rejects"), said):
        yield from _plain_piece(said[: rejected.start()])
        kind: Kind = "takes back" if _PHRASES["takes back"].match(said, rejected.start()) else "rejects"
        yield _Piece(rejected[0], kind)
        yield from _plain_piece(said[rejected.end() :])
    elif _PHRASES["undecided"].search(said):
        yield _Piece(said, "not asserted")
    elif _PHRASES["affirms"].match(said, start):
        yield _Piece(said, "affirms")
    else:
        yield from _plain_piece(said)


def _first_of(meanings: tuple[str, ...], said: str) -> re.Match[str] | None:
    found = [match for meaning in meanings if (match := _PHRASES[meaning].search(said))]
    return min(found, key=lambda one: one.start(), default=None)


def _plain_piece(said: str) -> Iterator[_Piece]:
    if re.search(r"\w", said):
        yield _Piece(said.strip(" ,;:"), "borrowed" if _PHRASES["borrows"].search(said) else "own")


def without_recalled(answer: str, earlier: str) -> str:
    """The answer without words that take back something of an `earlier` one, where the rest answers without it: "It's
    clear of clouds by day. I gave you the night clouds for both, that's not right", or names it: "so the placard won't
    do, I take that back". Else they mean this answer, or all that was said."""
    for sentence in sentences_in(answer):
        taken = _PHRASES["takes back"].search(sentence.text)
        recalled = taken and _PHRASES["recalls"].search(sentence.text, 0, taken.start())
        named = sentence.text[: taken.start()] if taken and not recalled else ""
        if taken and _is_named(named) and _ideas_and_digits(named) & _ideas_and_digits(earlier):
            goes_on = sentence.text[taken.end() :].lstrip(" ,;.!?—–-")
            rest = f"{answer[: sentence.start]}{goes_on}{answer[sentence.end :]}"
            if idea_set(rest):
                return without_recalled(rest.strip(), earlier)
        if not (taken and recalled):
            continue
        before = sentence.text[: recalled.start()]
        if before.strip() and not _PHRASES["before a clause"].search(before):
            continue
        start, end = sentence.start + recalled.start(), sentence.start + taken.end()
        rest = f"{answer[:start].rstrip(' ,;—–-')} {answer[end:].lstrip(' ,;.!?—–-')}".strip()
        what = _ideas_and_digits(sentence.text[recalled.end() : taken.start()])
        if idea_set(rest) and (what & _ideas_and_digits(earlier)) - _ideas_and_digits(rest):
            return without_recalled(rest, earlier)
    return answer


def _is_named(said: str) -> bool:
    """Whether words before "I take that back" deny something by its name, not only "that"."""
    ideas = {one for one in idea_set(said) if not one.endswith("n't")}
    return bool(ideas) and denies(said) and not _PHRASES["rejects"].search(said)


def _ideas_and_digits(text: str) -> set[str]:
    return {*idea_set(text), *re.findall(r"\d+", text)}


def without_refrain(answer: str) -> str:
    """The answer without words that are repeated between the items of a list ("…, then of course …")."""
    words = list(re.finditer(r"[\w']+", answer))
    small = [one[0].lower() for one in words]
    for size in _REFRAIN_WORDS:
        places: dict[tuple[str, ...], list[int]] = {}
        for at in range(len(small) - size + 1):
            found = places.setdefault(tuple(small[at : at + size]), [])
            if not found or at - found[-1] >= size:
                found.append(at)
        for refrain, found in places.items():
            near = sum(following - one - size <= _ITEM_WORDS for one, following in pairwise(found))
            if near + 1 >= _REFRAINS_LEAST and not any(word.isdigit() for word in refrain):
                pattern = r"[\W_]+".join(map(re.escape, refrain))
                return without_refrain(re.sub(rf"[\s,]*\b{pattern}\b\s*", ", ", answer, flags=re.IGNORECASE))
    return answer
