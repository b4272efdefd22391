"""Which countries the last message of a conversation is about. Pure.

A newly named place replaces the old ones, unless the turn adds to them or compares. A message without a place keeps the
previous countries. Excluded countries are removed.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from knowledge.text.phrases import read_phrase_lists
from rules import conf
from rules.countries.codes import separator_of
from rules.countries.mentions import Mention, mentions_in

_TURNS: Final = read_phrase_lists(Path(__file__).with_name("turns.yaml"))
_COMPARISON: Final = re.compile(
    r"\b(?!do (?:exactly )?the same (?:for|with|in)\b)"
    r"(?:is|are|does|do|would|isn't|aren't|doesn't)\b[^.?!]{0,60}\b(?:the )?same\b(?! question)"
    r"|^\W*(?:and )?(?:the )?same(?: rules?| thing)? in @"
    r"|\bwhich (?:one|of|country|is|has)\b[^.?!]*\b(?:\w{3,}er|\w+est|more|most|less|least|better|worse)\b"
    r"|\b(?:is|are) (?:it|that|this|they|these|those|things|there|the rules?|(?:the )?@)"
    r" (?:any |much |a bit |also |even )?(?:\w{3,}er|more|less|better|worse)\b"
)
_CORRECTS: Final = re.compile(
    r"^[\s.,;:!?…–—-]*(?:(?:oh|um|er|ah|hm+|wait|sorry|no|nope|or)[\s,.…–—-]+)*"
    r"(?:no|no wait|wait|sorry|scratch that|scrap that|correction|or rather|i mean|i meant|make (?:that|it)"
    r"|nope)[\s,:.…–—-]+(?:i mean |i meant |make that |actually |rather )?$"
)
_OR: Final = frozenset({"or", "nor", "and", ", or", ", nor", ", and", "/", "&"})
_AND: Final = _OR | {",", ", &"}


@dataclass(frozen=True, slots=True)
class Scope:
    """The countries of a conversation.

    `countries` are meant now, in the order in which they were named; `named` were named at any time; `excluded` are
    excluded by this turn; `without` are excluded from all countries, if none is named; `partly` were named only by a
    part or an airport; `narrowed` says that some countries were dropped and none was named since; `new` says whether
    the last message named any; `compares` says that this turn compares, or continues a turn that did.
    """

    countries: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    partly: tuple[str, ...] = ()
    narrowed: bool = False
    new: bool = False
    compares: bool = False


def countries_of(messages: Sequence[str]) -> Scope:
    """`messages` are the user's, oldest first; the last one is to be answered."""
    scope = Scope()
    for message in messages[-(conf.HISTORY_MESSAGES + 1) :]:
        scope = _next_scope(scope, _read_turn(message[: conf.QUERY_LONGEST]))
    return scope


# --- one message -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Turn:
    """A message with each place replaced by "@": which places are meant, and which are left out. One that is
    taken back ("France, sorry, Germany") is neither."""

    shape: str
    meant: tuple[Mention, ...]
    left_out: tuple[Mention, ...]

    def has(self, phrases: str) -> bool:
        return _TURNS[phrases].is_in(self.shape)

    def has_with_place(self, phrases: str) -> bool:
        """Whether such a phrase and a place stand in one sentence."""
        return any("@" in one and _TURNS[phrases].is_in(one) for one in re.split(r"[.?!]", self.shape))

    def has_before_place(self, phrases: str) -> bool:
        """Whether the phrase leads to a place, through small words alone: "only in the @"."""
        words = "|".join(sorted(_TURNS["before place"].words))
        return _TURNS[phrases].is_in(re.sub(rf"(?:\b(?:{words})\s+)+@", "@", self.shape))

    @property
    def opened(self) -> str:
        """The message without "ok, thanks" at its start."""
        rest = self.shape.lstrip()
        while (found := _TURNS["opening"].find_start(rest)) and rest[found.end() :].startswith(
            (",", ".", "!", " ")
        ):
            rest = rest[found.end() :].lstrip(",.! ")
        return rest

    @property
    def compares(self) -> bool:
        if self.has("compares nothing"):
            return False
        found = self.has("compares") or self.has_before_place("compares place")
        return found or self.has_with_place("compares beside place") or bool(_COMPARISON.search(self.shape))

    @property
    def adds(self) -> bool:
        opened = self.opened
        first = re.match(r"(?:and|plus|also)\b|[+&]", opened)
        last = re.search(r"\b(?:too|as well)\W*$", self.shape)
        found = first or last or self.has("adds") or self.has_before_place("adds place")
        if not (found or self.has_with_place("adds beside place")) or self.has("replaces"):
            return False
        too = _TURNS["too"].is_in(re.split(r"[.?!]", opened)[0])
        only = self.has_before_place("only place") and not self.has_before_place("not only place")
        return not only and (too or not _TURNS["replaces at start"].begins(opened))

    @property
    def is_everywhere(self) -> bool:
        return self.has("everywhere") and not self.has("some of them")


def _read_turn(message: str) -> _Turn:
    places = mentions_in(message)
    small = [message[: places[0].start]] if places else [message]
    small += [message[one.end : other.start] for one, other in pairwise(places)]
    small += [message[places[-1].end :]] if places else []
    gaps = [gap.lower().replace("’", "'") for gap in small]
    left_out = _find_left_out(gaps)
    taken_back = {n for n, gap in enumerate(gaps[:-1]) if re.search(r"\bnon[- ]$", gap)}  # "non-Swiss"
    taken_back |= {n for n, gap in enumerate(gaps[1:-1]) if _CORRECTS.match(_without_articles(gap))}
    return _Turn(
        shape=" ".join("@".join(gaps).split()),
        meant=tuple(place for n, place in enumerate(places) if n not in left_out | taken_back),
        left_out=tuple(place for n, place in enumerate(places) if n in left_out),
    )


def _find_left_out(gaps: Sequence[str]) -> set[int]:
    """Which places the text leaves out, by the gaps around them. What leaves out one leaves out those listed with it:
    "except France, Germany and Italy". After "not" and "instead of" a comma ends the list."""
    found: set[int] = set()
    joins: frozenset[str] = frozenset()
    for n, (gap, after) in enumerate(pairwise(gaps)):
        taken = gap[-1:].isspace() and any(_TURNS["takes"].ends(tail) for tail in _tails_of(gap))
        if (taken and _TURNS["out"].begins(after)) or _TURNS["left out afterwards"].begins(after):
            found.add(n)
        everything = n and _TURNS["all of"].is_in(re.split(r"[.?!]", gaps[n - 1])[-1])
        if everything and gap.split() in (["but"], ["but", "the"]):  # "all of Scandinavia but Norway"
            found.add(n)
        if leaving := _find_leaving_phrase(gap):
            found.add(n)
            joins = _OR if _TURNS["up to a comma"].is_in(leaving) else _AND
        elif separator_of(_without_articles(gap)) in joins:
            found.add(n)
        else:
            joins = frozenset()
    return found


def _tails_of(gap: str) -> Iterable[str]:
    """The gap, and what is left of it as one small word after the other is taken from its end."""
    yield gap
    while found := _TURNS["articles"].find_end(gap):
        gap = gap[: found.start()]
        yield gap


def _without_articles(gap: str) -> str:
    return list(_tails_of(gap))[-1] if gap[-1:].isspace() else gap


def _find_leaving_phrase(gap: str) -> str:
    """What leaves the place behind it out: "not for the", "except in"; "" where nothing does."""
    if not gap[-1:].isspace():
        return ""
    for tail in _tails_of(gap):
        if re.search(r"(?:^|[,;:.!?(]|\b(?:and|but))\s*no\s+$", tail):
            return "no"
        found = _TURNS["leaves out"].find_end(tail)
        if found and not _TURNS["leaves nothing out"].ends(tail):
            return found[0]
    return ""


# --- one message after the other --------------------------------------------------------------------------------


def _next_scope(scope: Scope, turn: _Turn) -> Scope:
    left_out = _codes_of(place for place in turn.left_out if place.is_part)
    # A part that is left out leaves its country in, unless that was named by parts alone.
    by_parts = [code for code in _less(left_out, _codes_of(turn.meant)) if code in scope.partly]
    excluded = _distinct(_codes_of(place for place in turn.left_out if not place.is_part), by_parts)
    meant = _less(_codes_of(turn.meant), excluded)
    swaps = bool(set(excluded) & set(scope.countries))  # one of them goes, another comes: the rest stays
    if not meant:
        before = _resumed_by(scope, turn)
    elif turn.compares or (turn.has("all of them") and turn.adds):
        before = scope.named
    else:
        before = scope.countries if turn.adds or swaps else ()
    countries = _less(_distinct(before, meant), excluded)
    left_before = () if scope.countries or turn.is_everywhere else scope.without
    parts = _codes_of(place for place in turn.meant if place.is_part)
    wholes = _codes_of(place for place in turn.meant if not place.is_part)
    partly = _distinct(scope.partly, _less(parts, _less(scope.named, scope.partly)))
    goes_on = scope.compares and len(countries) > 1 and not turn.has("compares nothing")
    return Scope(
        countries=countries,
        named=_distinct(_less(scope.named, excluded), meant),
        excluded=excluded,
        without=() if countries else _distinct(left_before, excluded),
        partly=_less(partly, (*wholes, *excluded)),
        narrowed=not meant and (scope.narrowed or swaps),
        new=bool(meant),
        compares=turn.compares or goes_on,
    )


def _resumed_by(scope: Scope, turn: _Turn) -> tuple[str, ...]:
    """What a message is about that names no place, or only such as it leaves out."""
    if turn.is_everywhere and not turn.compares:
        return ()
    chosen = {"the first": scope.named[:1], "the first two": scope.named[:2]}
    chosen |= {"the last two": scope.named[-2:], "the last": scope.named[-1:]}
    for phrases, countries in chosen.items():
        if turn.has(phrases):
            return countries
    if turn.compares or turn.has("all of them"):
        return scope.countries if scope.narrowed and len(scope.countries) > 1 else scope.named
    return scope.countries


def _codes_of(places: Iterable[Mention]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(code for place in places for code in place.countries))


def _less(codes: Iterable[str], out: Sequence[str]) -> tuple[str, ...]:
    return tuple(code for code in codes if code not in out)


def _distinct(*groups: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(code for group in groups for code in group))
