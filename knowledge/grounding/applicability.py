"""Whom a rule binds, read from its words: certificates, aircraft and operations that it speaks of.

A subpart says in its first section whom it binds, a section in its heading or lead-in, a sentence in its subject.
`bound_kinds.csv` says of each kind whether it is part of a private pilot's single-engine oral. Pure.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

KINDS = Path(__file__).with_name("bound_kinds.csv")
OFTEN_BOTH = frozenset(("kind", "operation"))  # one mention is enough: "a large airplane" is an airplane, too


@dataclass(frozen=True, slots=True)
class Kind:
    """Somebody or something that rules speak of. `bound` says whether the oral is about it."""

    dimension: str
    name: str
    bound: bool


@dataclass(frozen=True, slots=True)
class Source:
    """Words that say whom a rule binds, and where they stand: "subpart F"."""

    words: str
    where: str


@dataclass(frozen=True, slots=True)
class Applicability:
    """The kinds that a rule names, and why it binds nobody in the oral ("" if it binds somebody)."""

    kinds: tuple[Kind, ...] = ()
    unbound: str = ""

    def names(self, *dimensions: str) -> tuple[str, ...]:
        """Of these dimensions, or of all."""
        kept = (kind.name for kind in self.kinds if not dimensions or kind.dimension in dimensions)
        return tuple(dict.fromkeys(kept))


@cache
def _phrases() -> dict[tuple[str, ...], Kind]:
    with KINDS.open(newline="") as file:
        return {
            tuple(word for word, _ in _words_in(phrase)): Kind(
                row["dimension"], row["name"], row["bound"] == "yes"
            )
            for row in csv.DictReader(file)
            for phrase in row["phrases"].split("|")
        }


@cache
def _longest() -> int:
    return max(map(len, _phrases()))


_WORD = re.compile(r"\w+|§")
_LEAST_PLURAL = 3  # letters; "has" is no plural
_NOUNS = (
    "civil",
    "multiengine",
    "airplane",
    "aircraft",
    "rotorcraft",
)  # "turbine-powered multiengine airplanes"
_OTHER_THAN = re.compile(
    r"\b(?:other than|except(?: for)?|excluding|not)(?: (?:a|an|in|for|by|the|of))*\s*$", re.I
)


def kinds_in(words: str) -> tuple[Kind, ...]:
    """The kinds that the words name, without those after "other than". The longest phrase at a place counts."""
    text = _words_in(words)
    found: list[Kind] = []
    rest: list[str] = []
    place = 0
    while place < len(text):
        length, kind = _kind_at(text, place)
        if kind is None:
            rest.append(text[place][0])
        elif not _OTHER_THAN.search(words[: text[place][1]]):
            found.append(kind)
        place += length
    if "aircraft" in rest and any(kind.dimension == "category" for kind in found):
        found.append(Kind("category", "aircraft", True))
    return tuple(dict.fromkeys(found))


def _words_in(text: str) -> list[tuple[str, int]]:
    """Words in lower case and singular, and where each begins; a hyphen parts words."""
    return [(_singular(match.group().lower()), match.start()) for match in _WORD.finditer(text)]


def _singular(word: str) -> str:
    return word.removesuffix("s") if len(word) > _LEAST_PLURAL else word


def _kind_at(text: Sequence[tuple[str, int]], place: int) -> tuple[int, Kind | None]:
    """The kind whose phrase begins here and how many words it takes; a kind of aircraft takes its noun as well."""
    for length in range(min(_longest(), len(text) - place), 0, -1):
        kind = _phrases().get(tuple(word for word, _ in text[place : place + length]))
        if kind:
            end = place + length
            while kind.dimension == "kind" and end < len(text) and text[end][0] in _NOUNS:
                end += 1
            return end - place, kind
    return 1, None


def binds_nobody(kinds: Iterable[Kind]) -> tuple[Kind, ...]:
    """Those of the kinds for which a rule about them is none of the oral; empty where it binds somebody in it."""
    kinds = tuple(kinds)
    outside: list[Kind] = []
    for dimension in dict.fromkeys(kind.dimension for kind in kinds):
        own = [kind for kind in kinds if kind.dimension == dimension]
        if dimension in OFTEN_BOTH or not any(kind.bound for kind in own):
            outside += [kind for kind in own if not kind.bound]
    return tuple(outside)


def applicability_of(
    statement: str,
    headings: Sequence[str] = (),
    section: str = "",
    section_text: str = "",
    subpart: str = "",
    subpart_title: str = "",
) -> Applicability:
    """Whom the statement binds, by its own words and by what stands above it.

    `headings` are those of its section and paragraphs, `section_text` the whole section, `subpart` the text of the
    section in which its subpart says to what it applies, `subpart_title` the subpart's heading.
    """
    kinds: list[Kind] = []
    reasons: dict[Kind, str] = {}
    own: set[str] = set()
    for place, source in enumerate(
        _sources(statement, headings, section, section_text, subpart, subpart_title)
    ):
        named = kinds_in(source.words)
        if place == 0:
            own = _settled_by_itself(named, source.words)
        outside = [kind for kind in binds_nobody(named) if kind.dimension not in own]
        kinds += [kind for kind in named if kind.name != "aircraft"]
        for kind in outside:
            reasons.setdefault(kind, source.where)
    told = "; ".join(f"{kind.name} ({where})" for kind, where in reasons.items())
    return Applicability(tuple(dict.fromkeys(kinds)), told)


def _settled_by_itself(named: Sequence[Kind], words: str) -> set[str]:
    """The dimensions that the sentence knows better than its headings: "in VFR conditions" under "IFR operations"."""
    own = {kind.dimension for kind in named if kind.bound and kind.dimension not in OFTEN_BOTH}
    if re.search(r"\baircraft\b", words) and not binds_nobody(named):
        own.add("category")
    return own


def _sources(
    statement: str, headings: Sequence[str], section: str, section_text: str, subpart: str, subpart_title: str
) -> Iterator[Source]:
    yield Source(scope_of(statement), "its own words")
    for heading in headings:
        if _has_one_topic(heading):
            yield Source(heading, f"“{heading[:60]}”")
    for sentence in _SECTION_APPLIES.findall(section_text[:3000]):
        yield Source(sentence, f"§ {section} applies to them" if section else "its section applies to them")
    title = subpart_title.split("—")[0] or "its subpart"
    said = subpart_scope(subpart, section)
    yield Source(said or subpart_title, title)


def _has_one_topic(heading: str) -> bool:
    """Whether a heading is about one thing: "Type ratings, additional training, and …" is about more."""
    topics = [topic for topic in re.split(r"[,;] ", heading) if topic]
    return len(topics) == 1 or all(kinds_in(topic) for topic in topics)


_SECTION_APPLIES = re.compile(
    r"^(?:\([a-z]\) )?(?:Applicability\. )?(?:Except as provided in [^,]*, t|T)his section applies to ([^.;]{5,300})",
    re.M,
)
_SUBPART_SAYS = re.compile(
    r"^(?:\([a-z]\) )?(?:On and after [^,]*, \d{4}, )?This (?:subpart|part) (?:prescribes|applies|contains|requires)"
    r"[^.]*(?:\.(?=\d)[^.]*)*",
    re.M,
)
_SECTIONS_OF_SUBPART = re.compile(
    r"Sections? (?P<sections>\d+\.\d+(?:(?:,| and|, and| or| through) \d+\.\d+)*)(?: of this subpart)?"
    r"(?: prescribes?[^.]{5,90}?that)? appl(?:y|ies)(?:, as follows,)? to (?P<whom>[^.;]{5,240})"
)


def subpart_scope(subpart: str, section: str) -> str:
    """What the subpart's own section says of whom it binds, for this section of it."""
    for match in _SECTIONS_OF_SUBPART.finditer(subpart):
        if _is_among(section, match["sections"]):
            return match["whom"]
    said = _SUBPART_SAYS.search(subpart)
    return said.group() if said else ""


def _is_among(section: str, listed: str) -> bool:
    """Whether a section stands in "91.803, 91.805, and 91.811" or "91.851 through 91.877"."""
    named = re.findall(r"\d+\.\d+", listed)
    if not re.fullmatch(r"\d+\.\d+", section):
        return False
    if "through" in listed and len(named) == 2:
        first, number, last = (int(one.split(".")[1]) for one in (named[0], section, named[1]))
        return section.split(".")[0] == named[0].split(".")[0] and first <= number <= last
    return section in named


_MODAL = re.compile(
    r"\b(?<!who )(?<!which )(?<!that )(?:must|shall|may|should|is|are|has|have|need|requires?|means?)\b"
)
_EXCEPTION = re.compile(r"^(?:(?:except|unless|notwithstanding|under §)\b[^,]*(?:\([^)]*\))?, )+", re.I)
_GENERIC = re.compile(r"\b(?:persons?|pilots?(?! certificate)|operators?|individual|member|you|one)\b", re.I)
_OBJECT = re.compile(
    r"\b(?:operate|operating|act(?:ing)? as (?:a )?(?:required )?pilot(?: in command| flight crewmember)? (?:of|on|in)"
    r"|fly|land|take off|launch"
    r"|serve as [a-z -]+? of|conduct|begin)"
    r" (?P<thing>.{3,160}?)(?= (?:unless|except|in|within|over|under|on|to|if|towing|carrying|from|at|without"
    r"|until|for|when)\b|[,;.—]|$)"
)
_WHILE = re.compile(
    r"\b(?:when|while|if (?:that|the) (?:person|pilot) is) (?:exercising|operating|acting|piloting|applying for)\b"
    r"[^,;.]{3,160}"
)
_TRAFFIC = re.compile(r"\bright[- ]of[- ]way\b|\bgive way\b|\bovertak|\bconverging\b|\bkeep clear\b", re.I)


def scope_of(statement: str) -> str:
    """The words of a sentence that say whom it binds: its conditions, its subject, and what its subject operates."""
    said = _EXCEPTION.sub("", statement)
    match = _MODAL.search(said)
    head = said[: match.start()] if match else ""
    if _TRAFFIC.search(said):  # a pilot has to know to whom to give way
        head = re.sub(r"\b[a-z-]*(?:s|craft|ship|glider|balloon|plane)\b", " ", head)
    if match and (_GENERIC.search(head) or not head.strip()):
        found = _OBJECT.search(said, match.start())
        head += f" … {found['thing']}" if found and not _TRAFFIC.search(said) else ""
    while_doing = _WHILE.search(said, match.start()) if match else None
    return f"{head} … {while_doing.group()}" if while_doing else head


def subpart_in(section_path: Sequence[str]) -> str:
    """The subpart among the headings above a passage, or ""."""
    return next((str(part) for part in section_path if re.match(r"Subpart [A-Z]{1,2}\b", str(part))), "")
