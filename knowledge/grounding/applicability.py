"""Reads whom a rule binds: the certificates, aircraft and operations that its words and its headings speak of.

A subpart says in its first section whom it binds, a section in its heading or lead-in, a sentence in its subject.
`rule_kinds.csv` lists the kinds; which of them an oral is about, its certificate says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import dropwhile
from pathlib import Path

from knowledge.grounding.outline import outline_of
from knowledge.text.clauses import clauses_in
from knowledge.text.sentences import sentences_in
from knowledge.text.text_cache import cached_by_text
from knowledge.text.word_tables import read_phrases, read_rows

_FOLDER = Path(__file__).parent
_PHRASES = read_phrases(_FOLDER / "applicability.csv")
_OFTEN_BOTH = frozenset(
    ("kind", "operation")
)  # one mention is enough: "a large airplane" is an airplane, too


@dataclass(frozen=True, slots=True)
class Kind:
    """Somebody or something that rules speak of."""

    dimension: str
    name: str


_ANY_AIRCRAFT = Kind("category", "aircraft")  # as well as those of a category: bound in every oral


@dataclass(frozen=True, slots=True)
class Applicability:
    """The kinds that a rule names, in its own words (first) and in what stands above it."""

    own_words: str = ""
    named: tuple[tuple[str, tuple[Kind, ...]], ...] = ()

    def names(self, *dimensions: str) -> tuple[str, ...]:
        """The names of the kinds of these dimensions, or of all."""
        kinds = (kind for _, found in self.named for kind in found if kind is not _ANY_AIRCRAFT)
        return tuple(
            dict.fromkeys(kind.name for kind in kinds if not dimensions or kind.dimension in dimensions)
        )

    def unbound_for(self, bound: frozenset[str]) -> str:
        """Why the rule binds nobody in an oral about these kinds; "" where it binds somebody."""
        reasons: dict[Kind, str] = {}
        settled: set[str] = set()
        for place, (where, kinds) in enumerate(self.named):
            outside = _kinds_outside(kinds, bound)
            if place == 0:
                # The sentence knows better than its headings: "in VFR conditions" under "IFR operations".
                settled = {kind.dimension for kind in kinds if _is_bound(kind, bound)} - _OFTEN_BOTH
                if "certificate" in settled:  # "a private pilot may not act as second in command for hire"
                    settled.add("role")
                if re.search(r"\baircraft\b", self.own_words) and not outside:
                    settled.add("category")
            for kind in outside:
                if kind.dimension not in settled:
                    reasons.setdefault(kind, where)
        return "; ".join(f"{kind.name} ({where})" for kind, where in reasons.items())


@cached_by_text
def kinds_in(words: str) -> tuple[Kind, ...]:
    """The kinds that the words name, without those after "other than". The longest phrase at a place counts."""
    words = _spell_out_lists(_PHRASES["all but"].sub(" ", words))
    text = _words_with_places(words)
    found: list[Kind] = []
    aircraft_alone = False
    place = 0
    while place < len(text):
        length, kind = _kind_at(text, place)
        if kind is None:
            aircraft_alone |= text[place][0] == "aircraft"
        elif not _PHRASES["other than"].search(words[: text[place][1]]):
            found.append(kind)
        place += length
    if aircraft_alone and any(kind.dimension == "category" for kind in found):
        found.append(_ANY_AIRCRAFT)
    return tuple(dict.fromkeys(found))


def _spell_out_lists(words: str) -> str:
    """ "A private or commercial pilot" as "a private pilot or commercial pilot"; a pilot beside instructors is any."""
    for heads, noun in (
        (r"student|sport|recreational|private|commercial|airline transport", "pilot"),
        (r"first|second|third", "class medical"),
    ):
        listed = rf"\b({heads})\b(?=(?:-?,? (?:or |and )?(?:{heads}))+[ -]{noun})"
        words = re.sub(listed, rf"\1 {noun}", words.replace("-class", " class"), flags=re.I)
    words = re.sub(r"\blarge (?=(?:or|and) turbine)", "large airplane ", words, flags=re.I)
    # "The examiner or the applicant": the other one is bound as well.
    words = re.sub(
        r"\b(?:examiner|instructor) or (?=(?:the |an? )?(?:applicant|person|pilot(?! examiner)))",
        "",
        words,
        flags=re.I,
    )
    return re.sub(
        r"\bpilot(?=(?:,|,? or|,? and) (?:flight|ground) instructor)", "any pilot", words, flags=re.I
    )


def _words_with_places(text: str) -> list[tuple[str, int]]:
    """Words in lower case and in the singular, and where each begins. A hyphen parts words, and "has" is no plural."""
    words = ((match.group().lower(), match.start()) for match in re.finditer(r"\w+|§", text))
    return [(word.removesuffix("s") if len(word) > 3 else word, place) for word, place in words]


def _kind_at(text: Sequence[tuple[str, int]], place: int) -> tuple[int, Kind | None]:
    """The kind whose phrase begins here, and how many words it takes. A kind of aircraft takes its nouns as well:
    "turbine-powered multiengine airplanes"."""
    for length in range(min(_LONGEST, len(text) - place), 0, -1):
        kind = _KINDS.get(tuple(word for word, _ in text[place : place + length]))
        if kind:
            end = place + length
            while kind.dimension == "kind" and end < len(text) and text[end][0] in _AIRCRAFT_NOUNS:
                end += 1
            return end - place, kind
    return 1, None


_AIRCRAFT_NOUNS = ("civil", "multiengine", "airplane", "aircraft", "rotorcraft")
_KINDS = {
    tuple(word for word, _ in _words_with_places(phrase)): Kind(row["dimension"], row["name"])
    for row in read_rows(_FOLDER / "rule_kinds.csv")
    for phrase in row["phrases"].split("|")
}
_LONGEST = max(map(len, _KINDS))


def names_of_kinds(*dimensions: str) -> list[str]:
    """The names of all kinds of these dimensions, in order."""
    return sorted({kind.name for kind in _KINDS.values() if kind.dimension in dimensions})


def _is_bound(kind: Kind, bound: frozenset[str]) -> bool:
    return kind is _ANY_AIRCRAFT or kind.name in bound


def _kinds_outside(kinds: Sequence[Kind], bound: frozenset[str]) -> tuple[Kind, ...]:
    """The kinds for which a rule about them is no part of the oral; none where the rule also binds somebody in it."""
    outside: list[Kind] = []
    for dimension in dict.fromkeys(kind.dimension for kind in kinds):
        own = [kind for kind in kinds if kind.dimension == dimension]
        if dimension in _OFTEN_BOTH or not any(_is_bound(kind, bound) for kind in own):
            outside += [kind for kind in own if not _is_bound(kind, bound)]
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
    own_words = scope_of(statement)
    sources = _headings_and_sections(headings, section, section_text, subpart, subpart_title)
    named = (
        ("its own words", kinds_in(own_words)),
        *((where, kinds_in(words)) for words, where in sources),
        (
            f"the rules of {f'§ {section}' if section else 'its section'}",
            _kinds_of_all_paragraphs(section_text),
        ),
    )
    return Applicability(own_words, named)


def _headings_and_sections(
    headings: Sequence[str], section: str, section_text: str, subpart: str, subpart_title: str
) -> Iterator[tuple[str, str]]:
    """Words that say whom a rule binds, and where they stand ("subpart F")."""
    for heading in headings:
        topics = [topic for topic in re.split(r"[,;] ", heading) if topic]
        # "Type ratings, additional training, and …" is about more than one thing.
        if len(topics) == 1 or all(kinds_in(topic) for topic in topics):
            yield heading, f"“{heading[:60]}”"
    applies = (
        r"^(?:\([a-z]\) )?(?:Applicability\. )?(?:Except as provided in [^,]*, t|T)his section applies to"
        r" ([^.;]{5,300})"
    )
    for sentence in re.findall(applies, section_text[:3000], re.M):
        yield sentence, f"§ {section} applies to them" if section else "its section applies to them"
    yield subpart_scope(subpart, section) or subpart_title, subpart_title.split("—")[0] or "its subpart"


@lru_cache(maxsize=64)
def _kinds_of_all_paragraphs(section_text: str) -> tuple[Kind, ...]:
    """The kinds that all rules of a section name which speak of somebody new ("no person", "each operator"): "the
    manual must …" beside "no person may operate a turbine-powered airplane …" is about such airplanes."""
    shared: list[Kind] | None = None
    paragraphs = (node for node in outline_of(section_text) if node.level <= 1)
    for sentence in (one.text for node in paragraphs for one in sentences_in(node.text)):
        clauses = clauses_in(sentence)
        is_new = re.match(r"(?:an?|any|each|every|no)\b", clauses.subject, re.I)
        if clauses.modality and (is_new or _PHRASES["generic subject"].search(clauses.subject)):
            own = kinds_in(scope_of(sentence))
            shared = [kind for kind in own if shared is None or kind in shared]
    return tuple(shared or ())


@lru_cache(maxsize=64)
def subpart_scope(subpart: str, section: str) -> str:
    """What the subpart's own section says of whom it binds, for this section of it."""
    of_sections = (
        r"Sections? (?P<sections>\d+\.\d+(?:(?:,| and|, and| or| through) \d+\.\d+)*)(?: of this subpart)?"
        r"(?: prescribes?[^.]{5,90}?that)? appl(?:y|ies)(?:, as follows,)? to (?P<whom>[^.;]{5,240})"
    )
    for match in re.finditer(of_sections, subpart):
        if _is_among(section, match["sections"]):
            return match["whom"]
    said = re.search(
        r"^(?:\([a-z]\) )?(?:On and after [^,]*, \d{4}, )?This (?:subpart|part)"
        r" (?:prescribes|applies|contains|requires)[^.]*(?:\.(?=\d|S\.|\s?[a-z-])[^.]*)*",
        subpart,
        re.M,
    )
    scope = said.group() if said else ""
    # "Additional ratings, and pilot authorizations" are several things, of which some have no kind.
    topics = list(
        dropwhile(lambda topic: not kinds_in(topic), re.split(r", (?:and |or )?", scope.partition("\n")[0]))
    )
    mixed = any(not kinds_in(topic) and not re.search(r"\b(?:those|that|such)\b", topic) for topic in topics)
    return "" if mixed else scope


def _is_among(section: str, listed: str) -> bool:
    """Whether a section stands in "91.803, 91.805, and 91.811" or "91.851 through 91.877"."""
    named = re.findall(r"\d+\.\d+", listed)
    if not re.fullmatch(r"\d+\.\d+", section):
        return False
    if "through" in listed and len(named) == 2:
        first, number, last = (int(one.split(".")[1]) for one in (named[0], section, named[1]))
        return section.split(".")[0] == named[0].split(".")[0] and first <= number <= last
    return section in named


_OBJECT = re.compile(
    r"\b(?:operate|operating|act(?:ing)? as (?:a )?(?:required )?pilot(?: in command| flight crewmember)?"
    r" (?:of|on|in|under)|fly|land|take off|launch|serve as [a-z -]+? of|conduct|begin|exercise (?:the )?privileges of)"
    r" (?P<thing>.{3,160}?(?: (?:(?:that|which) (?:is|are|has|have)|(?:type )?certificated) [^,;.—]{3,160}?"
    r"(?= unless\b|[,;.—]|$))?)(?= (?:unless|except|in|within|over|under|on|to|if|towing|carrying|from|at|without"
    r"|until|for|when|using)\b|,(?! or [a-z-]+,)|[;.—]|$)"
)
_WHILE = re.compile(
    r"(?:\b(?:when|while|if (?:that|the) (?:person|pilot) is) (?:exercising|operating|acting|piloting|holding"
    r"|applying for)|(?<!\bor )\bwhen serving)\b[^;.]{3,160}"
)


def scope_of(statement: str) -> str:
    """The words of a sentence that say whom it binds: its subject, what its subject operates, and "while …"."""
    clauses = clauses_in(statement)
    if not clauses.subject:
        return ""
    head = clauses.subject
    is_traffic = _PHRASES["right of way"].search(statement)
    if is_traffic:  # a pilot has to know to whom to give way
        head = re.sub(r"\b[a-z-]*(?:s|craft|ship|glider|balloon|plane)\b", " ", head)
    elif _PHRASES["generic subject"].search(head):
        found = _OBJECT.search(clauses.rest)
        head += f" … {found['thing']}" if found else ""
        listed = re.search(
            r"\bfollowing (?:aircraft|airplanes|flights|operations)\b[^:]*: (?P<thing>[^;.]{3,200})",
            statement,
        )
        head += f" … {listed['thing']}" if listed else ""
    while_doing = _WHILE.search(clauses.rest) or re.search(r"\bfor a rating in [^;,.]{3,80}", clauses.rest)
    opened = [
        words for words in clauses.conditions if words in clauses.opening or re.match(r"for\b", words, re.I)
    ]
    scope = " … ".join((*opened, head, *([while_doing.group()] if while_doing else ())))
    return _PHRASES["all but"].sub(" ", scope)


def subpart_in(section_path: Sequence[str]) -> str:
    """The subpart, appendix or special regulation among the headings above a passage, or ""."""
    parts = r"Subpart [A-Z]{1,2}\b|Appendix [A-Z]{1,2} to\b|Special Federal Aviation Regulation\b"
    return next((str(part) for part in section_path if re.match(parts, str(part))), "")
