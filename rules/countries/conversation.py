"""What was said, one message after the other, becomes the countries that the last one is about. Pure.

A newly named place replaces the old ones, unless the turn adds to them or compares; a message without a place is about
what was meant before; what is excluded is out.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rules import conf
from rules.countries.mentions import Mention, mentions_in


@dataclass(frozen=True, slots=True)
class Scope:
    """`countries` are meant now, in the order in which they were named; `named` were named at any time; `excluded` are
    those that this turn leaves out; `new` says whether the last message named any."""

    countries: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
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
    """A message with each place replaced by "@", and which of them are left out."""

    shape: str
    places: tuple[Mention, ...]
    left_out: frozenset[int]

    @property
    def meant(self) -> tuple[str, ...]:
        return _codes(place for n, place in enumerate(self.places) if n not in self.left_out)

    @property
    def excluded(self) -> tuple[str, ...]:
        return _codes(place for n, place in enumerate(self.places) if n in self.left_out)


def _after(scope: Scope, message: str) -> Scope:
    said = _said(message)
    meant = tuple(code for code in said.meant if code not in said.excluded)
    named = _joined(scope.named, meant)
    compares = bool(_COMPARES.search(said.shape)) and not _NO_COMPARISON.search(said.shape)
    before = _kept(scope, said, compares) if meant else _resumed(scope, said, compares)
    countries = tuple(code for code in _joined(before, meant) if code not in said.excluded)
    return replace(
        scope, countries=countries, named=named, excluded=said.excluded, new=bool(meant), compares=compares
    )


def _kept(scope: Scope, said: _Said, compares: bool) -> tuple[str, ...]:
    """What stays of the countries before, when the message names some itself."""
    if _ALL_OF_THEM.search(said.shape) and (compares or _adds(said.shape)):
        return scope.named
    if compares or _adds(said.shape):
        return scope.countries
    return ()


def _resumed(scope: Scope, said: _Said, compares: bool) -> tuple[str, ...]:
    """What a message is about that names no place, or only such as it leaves out."""
    if _EVERYWHERE.search(said.shape):
        return ()
    if compares or _ALL_OF_THEM.search(said.shape):
        return scope.named
    return scope.countries


def _adds(shape: str) -> bool:
    return bool(_ADDS.search(shape)) and not _REPLACES.search(shape)


_FILLER = (
    r"(?:(?:ok|okay|thanks|thank you|great|good|right|yes|yeah|hmm|oh|well|so|cool|fine|perfect"
    r"|alright|ah)[,.! ]+)*"
)
_AT = r"(?:(?:in|for|to|from|of|with|into|over|about|at|the|also|those|rules|that|it|is|on)\s+)*@"
_ADDS = re.compile(
    rf"^\s*{_FILLER}(?:and|plus|also|\+|&)\b|^\s*[+&]|@[^.?!]*\b(?:too|as well)\b|\b(?:too|as well)\W*$"
    rf"|\badd(?:ing)?\b|\binclude\b|\bincluding\b|\bthrow in\b|\balso {_AT}|@ also\b|\balong with\b"
    rf"|\btogether with\b"
    rf"|\bnot (?:only|just)\b|\bas well as\b|\bon top of\b|\bin addition\b|\badditionally\b|\b(?:that|it"
    rf"|this|same) also\b"
    rf"|\b(?:and|plus) (?:what about|how about) {_AT}|\bbesides\b|\bboth there and\b|\bkeep\b"
)
_REPLACES = re.compile(
    rf"^\s*{_FILLER}and now\b|\b(?:instead|rather than|switch to|forget|never ?mind|let'?s (?:do|go to"
    rf"|switch)|change to)\b"
)
_COMPARES = re.compile(
    r"\bcompar\w*|\bcontrast\w*|\bversus\b|\bvs\b|\bdiffer(?:s|ed|ent|ently|ence|ences)?\b|\bside by side\b"
    r"|\bunlike\b"
    r"|\b(?:is|are|does|do|would|isn't|is) (?:it|that|this|they|the rules?|things"
    r"|there)\b[^.?!@]{0,30}\b(?:the )?same\b[^.?!]*@"
    r"|\bthe same (?:as|in @ as|rules? as)\b|\bsame as\b|\bsimilar\b|\bidentical\b|\balike\b|\bwhereas\b"
    r"|\bthan (?:(?:in|for|the|those|of|is|it|at|those of|to|over|from)\s+)*@"
    r"|\bwhich (?:one|of|country|is|has)\b[^.?!]*\b(?:\w+er|\w+est|more|most|less|least)\b"
    r"|\b(?:is|are) (?:it|that|this|they|things) (?:any |much |a bit |also )?"
    r"(?:stricter|easier|harder|tighter|looser|simpler|cheaper|faster|higher|lower|longer|shorter|better"
    r"|worse|more|less)\b"
    r"|\bhow (?:does|do|is|are) (?:that|it|this|they|these|those)\b[^.?!]{0,20}\b(?:stack|measure) up\b"
    r"|\bstack up\b|\bmatch(?:es)?\b[^.?!]*@|\bin common\b|\bat odds\b|\bagree with\b"
)
_NO_COMPARISON = re.compile(
    r"\b(?:an?|another|something|one|totally|completely|entirely)? ?different"
    r" (?:question|topic|country|one|matter|thing|subject|place|note|issue|story|airport|airfield|point"
    r"|trip|flight|types?|classes)"
    r"|\bsomething different\b|\bon a different\b"
)
_ALL_OF_THEM = re.compile(
    r"\b(?:them|all (?:of )?(?:them|those|these|three|four|five|the countries)|these (?:two|three"
    r"|countries)?|those (?:two|three|countries)?"
    r"|both|the two|the three|each (?:of them|other|country)|among them|between them|all together"
    r"|every one of)\b"
)
_EVERYWHERE = re.compile(
    r"\b(?:which|what) (?:european |other |eu )?countr(?:y|ies)\b(?! of (?:these|those|them|the))"
    r"|\b(?:all|any|every|other|each) (?:of the )?(?:other )?(?:european |eu )?countr(?:y|ies)\b|\beverywhere\b"
    r"|\b(?:in|across|throughout|around|over|within) (?:all of |the whole of |the rest of |all )?europe\b"
    r"|\banywhere\b"
)
_ARTICLE = (
    r"(?:(?:in|for|at|to|from|of|about|into|over|on|the|any|rules|by|within|near|via|including|with)\s+)*"
)
_LEFT_OUT = re.compile(
    rf"(?:\b(?:except(?:ing)?(?: for)?|excluding|exclude|excludes|excl\.?|without|other than|apart from"
    rf"|aside from|but not|but no|instead of"
    rf"|rather than|leav(?:e|ing) out|leaving aside|leave aside|drop|remove|omit|skip|ignore|ignoring"
    rf"|forget(?: about)?|never ?mind|minus|"
    rf"anywhere but|everywhere but|all but|any but|nothing but|no longer|not interested in|don'?t care about"
    rf"|do not care about|don'?t (?:want|need|mean|include)|do not (?:want|need|mean|include)"
    rf"|didn'?t (?:mean|ask about|say)"
    rf"|did not (?:mean|ask about|say)|not asking about|not talking about|take out|take away|delete|scratch"
    rf"|neither|nor|bar|barring|save for"
    rf"|outside(?: of)?|avoid(?:ing)?|cross(?: off| out)|countries but|country but)\s+|\bnon[- ]"
    rf"|\b(?<!or )(?<!why )(?<!whether )not\s+(?!only|just|even)"
    rf"|^\s*(?:no,? )?not\s+){_ARTICLE}$"
)
_AND_SO_ON = re.compile(rf"^\s*(?:,|,?\s*(?:and|or|nor|&)|/)\s*{_ARTICLE}$")
_OR_SO_ON = re.compile(rf"^\s*(?:,?\s*(?:or|nor|and)|/|&)\s*{_ARTICLE}$")
_AFTERWARDS = re.compile(
    r"^\s*(?:(?:is |are )?(?:excluded|left out|aside|excepted|not included)\b|can be (?:left out|dropped"
    r"|ignored)\b)"
)


def _said(message: str) -> _Said:
    places = mentions_in(message)
    shape, gaps, end = "", [], 0
    for place in places:
        gap = message[end : place.start].lower().replace("’", "'")
        gaps.append(gap)
        shape += f"{gap}@"
        end = place.end
    rest = message[end:].lower().replace("’", "'")
    return _Said(" ".join(f"{shape}{rest}".split()), places, _left_out(gaps, rest))


def _left_out(gaps: Sequence[str], rest: str) -> frozenset[int]:
    """Which places the text leaves out; `gaps` is the text before each of them. What leaves out one
    leaves out those that are listed with it."""
    found: set[int] = set()
    on: re.Pattern[str] | None = None
    for n, (gap, after) in enumerate(zip(gaps, [*gaps, rest][1:], strict=True)):
        if _AFTERWARDS.match(after):
            found.add(n)
        leaving = _LEFT_OUT.search(gap)
        if leaving:
            found.add(n)
            on = _OR_SO_ON if re.search(r"\bnot\s", leaving[0]) else _AND_SO_ON
        elif on and on.match(gap):
            found.add(n)
        else:
            on = None
    return frozenset(found)


def _codes(places: Iterable[Mention]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(code for place in places for code in place.countries))


def _joined(*groups: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(code for group in groups for code in group))
