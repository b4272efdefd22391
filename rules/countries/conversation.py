"""What was said, one message after the other, becomes the countries that the last one is about. Pure.

A newly named place replaces the old ones, unless the turn adds to them or compares; a message without a place is about
what was meant before; what is excluded is out.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rules import conf
from rules.countries import turns
from rules.countries.mentions import Mention, mentions_in


@dataclass(frozen=True, slots=True)
class Scope:
    """`countries` are meant now, in the order in which they were named; `named` were named at any time; `excluded` are
    those that this turn leaves out; `without` are those left out of all, where none is named; `partly` were named by a
    part or an airport alone; `narrowed` says that some of the countries were dropped and none was named since; `new`
    whether the last message named any; `compares` that this turn compares, or goes on with a turn that did."""

    countries: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    partly: tuple[str, ...] = ()
    narrowed: bool = False
    new: bool = False
    compares: bool = False


def countries_of(messages: Sequence[str]) -> Scope:
    """`messages` are the user's, oldest first, the one to be answered last."""
    scope = Scope()
    for message in messages[-(conf.HISTORY_MESSAGES + 1) :]:
        scope = _after(scope, message[: conf.QUERY_LONGEST])
    return scope


@dataclass(frozen=True, slots=True)
class _Said:
    """A message with each place replaced by "@", which of them are left out, and which are taken back ("France, sorry,
    Germany")."""

    shape: str
    places: tuple[Mention, ...]
    left_out: frozenset[int]
    taken_back: frozenset[int]

    @property
    def meant(self) -> tuple[Mention, ...]:
        out = self.left_out | self.taken_back
        return tuple(place for n, place in enumerate(self.places) if n not in out)

    def excluded(self, partly: Sequence[str]) -> tuple[str, ...]:
        """A part that is left out leaves its country in, unless that was named by parts alone: `partly`."""
        meant = _codes(self.meant)
        out = [place for n, place in enumerate(self.places) if n in self.left_out]
        parts = (code for code in _codes(place for place in out if place.is_part) if code in partly)
        return _joined(
            _codes(place for place in out if not place.is_part),
            (code for code in parts if code not in meant),
        )


def _after(scope: Scope, message: str) -> Scope:
    said = _said(message)
    excluded = said.excluded(scope.partly)
    meant = _less(_codes(said.meant), excluded)
    compares = bool(turns.COMPARES.search(said.shape)) and not turns.NO_COMPARISON.search(said.shape)
    before = _kept(scope, said, excluded, compares) if meant else _resumed(scope, said, compares)
    countries = _less(_joined(before, meant), excluded)
    return Scope(
        countries=countries,
        named=_joined(_less(scope.named, excluded), meant),
        excluded=excluded,
        without=() if countries else _joined(_left_before(scope, said), excluded),
        partly=_partly(scope, said, excluded),
        narrowed=not meant and (scope.narrowed or bool(set(excluded) & set(scope.countries))),
        new=bool(meant),
        compares=compares or _goes_on_comparing(scope, said, countries),
    )


def _goes_on_comparing(scope: Scope, said: _Said, countries: Sequence[str]) -> bool:
    """After "compare them", "and Malta?" is compared, too."""
    return scope.compares and len(countries) > 1 and not turns.NO_COMPARISON.search(said.shape)


def _left_before(scope: Scope, said: _Said) -> tuple[str, ...]:
    """What was left out of all countries already, and still is."""
    return () if scope.countries or turns.EVERYWHERE.search(said.shape) else scope.without


def _partly(scope: Scope, said: _Said, excluded: Sequence[str]) -> tuple[str, ...]:
    parts = _codes(place for place in said.meant if place.is_part)
    wholes = _codes(place for place in said.meant if not place.is_part)
    new = _less(parts, _less(scope.named, scope.partly))
    return _less(_joined(scope.partly, new), (*wholes, *excluded))


def _kept(scope: Scope, said: _Said, excluded: Sequence[str], compares: bool) -> tuple[str, ...]:
    """What stays of the countries before, when the message names some itself."""
    if turns.ALL_OF_THEM.search(said.shape) and (compares or _adds(said.shape)):
        return scope.named
    if compares:
        return scope.named
    if _adds(said.shape):
        return scope.countries
    if set(excluded) & set(scope.countries):
        return scope.countries  # one of them goes, another comes: the rest stays
    return ()


def _resumed(scope: Scope, said: _Said, compares: bool) -> tuple[str, ...]:
    """What a message is about that names no place, or only such as it leaves out."""
    if turns.EVERYWHERE.search(said.shape) and not compares:
        return ()
    if turns.THE_FIRST.search(said.shape):
        return scope.named[:1]
    if turns.THE_FIRST_TWO.search(said.shape):
        return scope.named[:2]
    if turns.THE_LAST_TWO.search(said.shape):
        return scope.named[-2:]
    if turns.THE_LAST.search(said.shape):
        return scope.named[-1:]
    if compares or turns.ALL_OF_THEM.search(said.shape):
        return scope.countries if scope.narrowed and len(scope.countries) > 1 else scope.named
    return scope.countries


def _adds(shape: str) -> bool:
    return bool(turns.ADDS.search(shape)) and not turns.REPLACES.search(shape)


def _said(message: str) -> _Said:
    places = mentions_in(message)
    shape, gaps, end = "", [], 0
    for place in places:
        gap = message[end : place.start].lower().replace("’", "'")
        gaps.append(gap)
        shape += f"{gap}@"
        end = place.end
    rest = message[end:].lower().replace("’", "'")
    return _Said(" ".join(f"{shape}{rest}".split()), places, _left_out(gaps, rest), _taken_back(gaps))


def _taken_back(gaps: Sequence[str]) -> frozenset[int]:
    corrected = {n - 1 for n, gap in enumerate(gaps) if n and turns.CORRECTS.match(gap)}
    return frozenset(corrected | {n for n, gap in enumerate(gaps) if turns.NEGATES.search(gap)})


def _left_out(gaps: Sequence[str], rest: str) -> frozenset[int]:
    """Which places the text leaves out; `gaps` is the text before each of them. What leaves out one
    leaves out those that are listed with it."""
    found: set[int] = set()
    on: re.Pattern[str] | None = None
    for n, (gap, after) in enumerate(zip(gaps, [*gaps, rest][1:], strict=True)):
        taken_out = turns.TAKES.search(gap) and turns.OUT.match(after)
        if taken_out or turns.LEFT_OUT_AFTERWARDS.match(after):
            found.add(n)
        if n and turns.BUT.match(gap) and turns.ALL_OF.search(gaps[n - 1]):
            found.add(n)
        leaving = turns.LEAVES_OUT.search(gap)
        if leaving:
            found.add(n)
            on = turns.OR_SO_ON if turns.UP_TO_A_COMMA.search(leaving[0]) else turns.AND_SO_ON
        elif on and on.match(gap):
            found.add(n)
        else:
            on = None
    return frozenset(found)


def _codes(places: Iterable[Mention]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(code for place in places for code in place.countries))


def _less(codes: Iterable[str], out: Sequence[str]) -> tuple[str, ...]:
    return tuple(code for code in codes if code not in out)


def _joined(*groups: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(code for group in groups for code in group))
