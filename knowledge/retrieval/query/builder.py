"""Turn element, question and answer into a query: texts to embed, and words with their synonyms. Pure.

A query fuses up to three searches: for what is tested (element and question), for what the student claimed, and for the
Task that comes next. Adding their vectors and word weights by share ranks exactly as fusing three full rankings would,
because similarity is linear in the query's vector and the word score in the words' weights. A long text is first split
into parts; parts that no passage is near to are chatter and are left out. The element is never left out.
"""

import csv
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path

from knowledge import conf
from knowledge.retrieval.values import Filters
from knowledge.standards.references import HANDBOOKS, without_edition
from knowledge.text.quantities import quantities_in
from knowledge.text.sentences import sentences_in

# Words of questions and answers that say nothing about where the matter is written.
IDLE = frozenset(
    """
    a about above all also an and answer any appropriate are as associated at basic be been before being
    below best between by can cannot could describe did do does doing don't each etc every explain find
    for found from general give given had has have he how i i'm if in including into is it it's its know
    like list made make many may maybe me mean means might most much must my need needed no not of off on
    one only or our out please really required say says see shall she should so some such tell than that
    the their them then there these they thing think this those through to under up upon us use used
    using want was we well were what whats when where which while who why will with within would yes you
    your
    """.split()  # noqa: SIM905 - a table of words
)
_WORD = re.compile(r"[a-z0-9]+(?:[.'’-][a-z0-9]+)*", re.IGNORECASE)
_CLASS = re.compile(r"\bclass\s+([a-g])\b", re.IGNORECASE)
_CLAUSE = r"(?<=[,;:])\s+|\s+(?=(?:and|but|so|because|then|when|which|while)\b)"

PartSimilarities = Mapping[str, float]
"""For each part of a text, how near the library comes to it, from 0 to 1."""


# --- Abbreviations -------------------------------------------------------------------------------------------

ABBREVIATIONS_FILE = Path(__file__).with_name("abbreviations.csv")
with ABBREVIATIONS_FILE.open(encoding="utf-8", newline="") as _file:
    BUILT_IN_ABBREVIATIONS: Mapping[str, str] = {row["short"]: row["long"] for row in csv.DictReader(_file)}


@dataclass(frozen=True)
class Glossary:
    """What short forms stand for, in small letters. A short form may stand for several things."""

    names: Mapping[str, tuple[str, ...]]
    _longest_first: tuple[tuple[str, str], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        pairs = [(name, short) for short, names in self.names.items() for name in names]
        ordered = tuple(sorted(pairs, key=lambda pair: (-len(pair[0]), pair)))
        object.__setattr__(self, "_longest_first", ordered)

    def wordings(self, short: str) -> tuple[str, ...]:
        """The short form and everything it stands for."""
        return (short, *self.names[short])

    def short_form_of(self, word: str) -> str:
        """The short form that a word in small letters is, in the singular or the plural; "" for any other word."""
        if word in self.names:
            return word
        single = word.removesuffix("s")
        return single if len(single) > 2 and single in self.names else ""

    def names_in(self, text: str) -> list[tuple[str, str]]:
        """(name, short form) of each name in a text of small letters, the longest first."""
        return [pair for pair in self._longest_first if pair[0] in text]


def glossary_from(pairs: Iterable[tuple[str, str]]) -> Glossary:
    """From short forms and what they stand for, in any letter case; a repetition or a plural counts once."""
    names: dict[str, list[str]] = {}
    for short, long in pairs:
        known = names.setdefault(short.lower(), [])
        if long.lower().removesuffix("s") not in {name.removesuffix("s") for name in known}:
            known.append(long.lower())
    return Glossary({short: tuple(some) for short, some in names.items()})


BUILT_IN = glossary_from(BUILT_IN_ABBREVIATIONS.items())


# --- Mentions of documents and sections, and the filters that they imply -------------------------------------

# Parts of 14 CFR that pilots cite by a bare number. 108 to 137 are left out: those numbers are also
# frequencies, so they need "§", "part" or "CFR" before them.
CITED_PARTS = frozenset({1, 23, 39, 43, 45, 47, 61, 67, 68, 71, 73, 91, 93, 95, 97, 103, 105, 107, 141, 142})

_NAMED_SECTION = re.compile(
    r"(?:(?<!§)§++\s*+|\b(?:14\s*)?C\.?F\.?R\.?\s*(?:part\s*|section\s*|§+\s*)?|\bFARs?\s*(?:part\s*)?"
    r"|\bsection\s+|\bpart\s+)"
    r"(\d{1,3})(?:\.(\d{1,4}))?(?![\d-])",
    re.IGNORECASE,
)
# A number before a unit is an amount: a frequency (121.5 MHz), a visibility (1.5 SM).
_UNIT = r"(?!\s*(?:sm|nm|ft|feet|kts?|knots?|[mk]?hz|miles?|hours?|gal\w*|lbs?|inches|in\s?hg|percent|%|°))"
_BARE_SECTION = re.compile(rf"(?<![\d.-])(\d{{1,3}})\.(\d{{1,4}})(?![\d.]*\d|-\d){_UNIT}", re.IGNORECASE)
_DOCUMENT = re.compile(
    rf"""\b(?P<name>AIM|{"|".join(map(re.escape, sorted(HANDBOOKS.values())))})\b
       | \b(?P<number>FAA-H-8083-\d{{1,2}}[A-Z]?)\b
       | \bAC\s*(?=(?P<circular>\d{{1,3}}-\d{{1,3}}[A-Z]?)\b)
       | (?<![\d-])(?P<paragraph>\d{{1,2}}-\d{{1,2}}-\d{{1,2}})(?![\d-])
       | \b(?i:ch(?:apter|\.)?)\s*(?=(?P<chapter>\d{{1,2}})\b)""",
    re.VERBOSE,
)  # looks ahead at numbers that may begin a paragraph, too: "AIM chapter 3-2-6"


@dataclass(frozen=True, slots=True)
class Mentions:
    """The documents and sections that a text names. `parts` are named without a section."""

    sections: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    paragraphs: tuple[str, ...] = ()
    aim: bool = False
    circulars: tuple[str, ...] = ()
    handbooks: tuple[str, ...] = ()
    chapter: str = ""

    @property
    def numbers(self) -> tuple[str, ...]:
        """Numbers that each name exactly one section of some document."""
        return (*self.sections, *self.paragraphs)


def mentions_in(text: str) -> Mentions:
    """ "14 CFR 91.155", "§ 91.155" and "91.155" name a section, "AIM 3-2-6" a paragraph, "PHAK chapter 15" a
    chapter."""
    named = _NAMED_SECTION.findall(text)
    bare = [f"{part}.{section}" for part, section in _BARE_SECTION.findall(text) if int(part) in CITED_PARTS]
    found: dict[str, list[str]] = defaultdict(list)
    for match in _DOCUMENT.finditer(text):
        kind = match.lastgroup or ""
        found[kind].append(match[kind])
    by_number = (HANDBOOKS.get(without_edition(number), "") for number in found["number"])
    return Mentions(
        sections=_unique([f"{part}.{section}" for part, section in named if section], bare),
        parts=_unique([part for part, section in named if not section]),
        paragraphs=_unique(found["paragraph"]),
        aim="AIM" in found["name"],
        circulars=_unique(found["circular"]),
        handbooks=_unique([name for name in found["name"] if name != "AIM"], filter(None, by_number)),
        chapter=next(iter(found["chapter"]), ""),
    )


def _unique(*lists: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(lists)))


def filters_from(text: str) -> Filters:
    """The filters that a text implies; none if it names more than one kind of document."""
    named = mentions_in(text)
    kinds: list[Filters] = []
    if named.sections or named.parts:
        parts = () if named.sections else tuple(f"{part}.*" for part in named.parts)
        kinds.append(Filters(doc_types=("cfr",), sections=(*named.sections, *parts)))
    if named.paragraphs or named.aim:
        kinds.append(Filters(doc_types=("aim",), sections=named.paragraphs))
    if named.circulars:
        kinds.append(Filters(doc_types=("ac",), abbreviation=f"AC {without_edition(named.circulars[0])}"))
    if len(named.handbooks) == 1:
        kinds.append(Filters(doc_types=("handbook",), abbreviation=named.handbooks[0], chapter=named.chapter))
    elif named.handbooks:
        kinds.append(Filters())
    return kinds[0] if len(kinds) == 1 else Filters()


# --- Parts of a long text ------------------------------------------------------------------------------------


# A search asks for its own few texts several times; no more are kept, since a student may have said them.
@lru_cache(maxsize=4)
def split_into_parts(text: str) -> tuple[str, ...]:
    """Its sentences, an endless one in runs of at most `conf.PART_WORDS` words, cut between clauses where possible; of
    more than `conf.PARTS_MOST` those that say most, in order."""
    parts: list[str] = []
    for sentence in sentences_in(" ".join(text.split())):
        if len(sentence.text.split()) <= conf.PART_WORDS:
            parts.append(sentence.text)
            continue
        said: list[str] = []
        for clause in re.split(_CLAUSE, sentence.text):
            words = clause.split()
            for at in range(0, len(words), conf.PART_WORDS):
                run = words[at : at + conf.PART_WORDS]
                if said and len(said) + len(run) > conf.PART_WORDS:
                    parts.append(" ".join(said))
                    said = []
                said += run
        parts.append(" ".join(said))
    if len(parts) <= conf.PARTS_MOST:
        return tuple(parts)

    def telling(at: int) -> float:
        words = {word.lower() for word in _WORD.findall(parts[at])}
        return min(len(words), 20) + 20.0 * is_claim(parts[at])

    kept = sorted(range(len(parts)), key=lambda at: (-telling(at), at))[: conf.PARTS_MOST]
    return tuple(parts[at] for at in sorted(kept))


def split_question(text: str) -> tuple[str, ...]:
    """The parts of what is asked. The beginning of a sentence that the answer completes ("… six months ago. The pilot
    must") is near to many passages and asks nothing alone: it belongs to the sentence before it."""
    parts = split_into_parts(text)
    if len(parts) < 2 or not parts[-1][-1].isalnum() or parts[-2][-1].isalnum():
        return parts
    return (*parts[:-2], f"{parts[-2]} {parts[-1]}")


def is_claim(part: str, glossary: Glossary = BUILT_IN) -> bool:
    """Whether it says something however short it is: an amount, a section, an abbreviation that pilots use."""
    words = {word.lower() for word in _WORD.findall(part)}
    amounts = any(amount.unit for amount in quantities_in(part))
    return amounts or any(map(glossary.short_form_of, words)) or bool(mentions_in(part).numbers)


def weigh_parts(parts: Sequence[str], similarities: PartSimilarities, best: float) -> dict[str, float]:
    """The parts that ask something, with the weight of their words: the square of their share of `best`, the greatest
    similarity of all parts, so that one clear question outweighs three vague sentences. Unmeasured parts all count."""
    if not similarities or best <= 0:
        return dict.fromkeys(parts, 1.0)
    shares = {part: max(0.0, similarities.get(part, 0.0)) / best for part in parts}
    return {part: share**2 for part, share in shares.items() if share >= conf.PART_SHARE}


def fit_parts(weights: Mapping[str, float], parts: Sequence[str], characters: int) -> str:
    """The heaviest parts that fit, in the order in which they were said."""
    room = characters
    kept: set[str] = set()
    for part in sorted(weights, key=lambda part: -weights[part]):
        if part not in kept and len(part) < room + (not kept):
            kept.add(part)
            room -= len(part) + 1
    if not kept and weights:
        heaviest = max(weights, key=lambda part: weights[part])
        return heaviest[:characters].rsplit(" ", 1)[0]
    return " ".join(part for part in dict.fromkeys(parts) if part in kept)


def shorten_text(text: str, characters: int) -> str:
    """The text itself if it fits, else the sentences that say most, in their order."""
    plain = " ".join(text.split())
    if len(plain) <= characters:
        return plain
    parts = split_into_parts(plain) or (plain,)
    weights: dict[str, float] = {}
    for part in parts:  # different words that are not idle; numbers and abbreviations count twice
        words = {word.lower() for word in _WORD.findall(part)} - IDLE
        telling = sum(1 for word in words if BUILT_IN.short_form_of(word) or any(map(str.isdigit, word)))
        weights[part] = float(min(len(words), 20) + telling)
    return fit_parts(weights, parts, characters)


# --- The query -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a query is built from; any field may be empty. `task` is the title of the element's Task, `code` its code,
    `served` the element's."""

    text: str = ""
    element: str = ""
    question: str = ""
    answer: str = ""
    task: str = ""
    code: str = ""
    served: str = ""

    @property
    def asking(self) -> str:
        """What was typed and what the examiner asked."""
        return f"{self.text} {self.question}".strip()


@dataclass(frozen=True, slots=True)
class Term:
    """One thing to look for, in any of these wordings; each wording is a run of words. `weights` are its weights in
    each of the fused searches."""

    wordings: tuple[str, ...]
    weights: tuple[float, ...] = field(default=(1.0,), compare=False)

    @property
    def form(self) -> str:
        """The one word as it was asked, if that may stand in a text in other forms, too; else ""."""
        word = self.wordings[0] if len(self.wordings) == 1 else ""
        return word if word.isascii() and word.isalpha() else ""

    def tsquery(self) -> str:
        """In the notation of PostgreSQL's `to_tsquery`; words hold letters, digits and inner marks only."""
        return " | ".join(f"({phrase})" for phrase in self.tsqueries())

    def tsqueries(self) -> tuple[str, ...]:
        """The same, each wording by itself."""
        runs = (wording.replace("'", "").replace("’", "").split() for wording in self.wordings)
        return tuple(" <-> ".join(f"'{word}'" for word in run) for run in runs)


@dataclass(frozen=True, slots=True)
class Strand:
    """One of the fused searches ("tested", "said" or "next"): its share, the text to embed, the weights of its words,
    the number of its parts."""

    name: str
    share: float
    text: str
    weights: Mapping[Term, float] = field(default_factory=dict)
    parts: int = 1


@dataclass(frozen=True, slots=True)
class Query:
    """`asks_one` is false if several things are asked: they have no middle that one passage could be near to."""

    strands: tuple[Strand, ...]
    terms: tuple[Term, ...]
    asks_one: bool = True

    @property
    def semantic(self) -> str:
        """Everything that is embedded, one search a line."""
        return "\n".join(strand.text for strand in self.strands)

    @property
    def shares(self) -> tuple[float, ...]:
        """The shares of the fused searches, in the order of `Term.weights`."""
        return tuple(strand.share for strand in self.strands)


def texts_to_measure(asked: Asked) -> tuple[str, ...]:
    """The texts whose similarity `build_query` needs; none if there is nothing that could be left out."""
    asking = split_question(asked.asking)
    answer = split_into_parts(asked.answer)
    if len(asking) <= conf.PARTS_KEPT and not answer:
        return ()
    return _unique(filter(None, (asked.element,)), asking, answer)


def build_query(
    asked: Asked, similarities: PartSimilarities | None = None, glossary: Glossary = BUILT_IN
) -> Query:
    """`similarities` are those of `texts_to_measure`; without them nothing is taken for chatter, nor is any part of a
    short question."""
    near = similarities or {}
    best = max(near.values(), default=0.0)
    asking = split_question(asked.asking)
    measured = near if len(asking) > conf.PARTS_KEPT else {}
    parts = weigh_parts(asking, measured, best)
    if not parts and asking:  # a question is never all chatter: its nearest part stays
        parts = {max(asking, key=lambda part: near.get(part, 0.0)): 1.0}
    if asked.element or asked.answer:
        characters, most = conf.QUESTION_CHARACTERS, conf.QUESTION_TERMS
    else:
        characters, most = conf.QUERY_CHARACTERS, conf.QUERY_TERMS
    question = " ".join(asked.asking.split())
    if len(parts) != len(set(asking)) or len(question) > characters:  # else it stays as it is
        question = (
            fit_parts(parts, asking, characters) if measured else shorten_text(asked.asking, characters)
        )
    element = shorten_text(asked.element, conf.ELEMENT_CHARACTERS)
    weights = {**_weigh_terms(parts, most, glossary), **_element_terms(element, glossary)}
    tested = "\n".join(filter(None, (element, question)))
    strands = [
        Strand("tested", conf.TESTED_SHARE, tested, weights, parts=len(parts)),
        _answer_strand(asked.answer, question, near, best, glossary),
    ]
    if asked.task and asked.answer:
        strands.append(Strand("next", conf.NEXT_SHARE, asked.task, _element_terms(asked.task, glossary)))
    strands = [strand for strand in strands if strand.text]
    # Shares that add up to 1, and each term once with its weight in each search.
    whole = sum(strand.share for strand in strands) or 1.0
    shared = tuple(replace(strand, share=strand.share / whole) for strand in strands)
    wanted = dict.fromkeys(term for strand in shared for term in strand.weights)
    terms = tuple(
        Term(term.wordings, tuple(strand.weights.get(term, 0.0) for strand in shared)) for term in wanted
    )
    return Query(shared, terms, asks_one=sum(strand.parts for strand in shared) <= 1)


def _answer_strand(
    answer: str, question: str, near: PartSimilarities, best: float, glossary: Glossary
) -> Strand:
    """What the student claimed; a short claim says nothing without the question that it answers."""
    parts = split_into_parts(answer)
    kept = weigh_parts(parts, near, best)
    claimed = (part for part in parts if is_claim(part, glossary))
    kept.update({part: max(kept.get(part, 0.0), conf.PART_SHARE**2) for part in claimed})
    text = fit_parts(kept, parts, conf.ANSWER_CHARACTERS)
    if text and len(text) < conf.SHORT_ANSWER:
        text = f"{question} {text}".strip()
    return Strand("said", conf.SAID_SHARE, text, _weigh_terms(kept, conf.ANSWER_TERMS, glossary))


def reformulate_query(asked: Asked, glossary: Glossary = BUILT_IN) -> Asked | None:
    """What to search if this finds too little: the element alone, or the question without its answer and with its
    abbreviations spelled out. None if that is the same."""
    if asked.element:
        return Asked(element=asked.element) if asked.asking or asked.answer else None
    spelled = spell_out_abbreviations(asked.asking, glossary)
    if asked.asking and (asked.answer or spelled != asked.asking):
        return Asked(text=spelled)
    return None


def spell_out_abbreviations(text: str, glossary: Glossary = BUILT_IN) -> str:
    """The text with each abbreviation spelled out; one that stands for several things stays."""

    def spell_out(word: str) -> str:
        names = glossary.names.get(glossary.short_form_of(word.lower()), ())
        return names[0] if len(names) == 1 else word

    return _WORD.sub(lambda found: spell_out(found[0]), text)


# --- Terms ---------------------------------------------------------------------------------------------------


def _weigh_terms(parts: Mapping[str, float], most: int, glossary: Glossary) -> dict[Term, float]:
    """The most telling terms of these parts, each with the weight of the heaviest part that has it."""
    weights: dict[Term, float] = {}
    counted: Counter[Term] = Counter()
    for part, weight in parts.items():
        for term in terms_in(part, glossary):
            counted[term] += 1
            weights[term] = max(weight, weights.get(term, 0.0))
    return {term: weights[term] for term in _most_telling_first(counted)[:most]}


def _element_terms(text: str, glossary: Glossary) -> dict[Term, float]:
    return dict.fromkeys(islice(rank_terms(text, glossary), conf.ELEMENT_TERMS), 1.0)


def rank_terms(text: str, glossary: Glossary = BUILT_IN) -> list[Term]:
    """The terms of a text: numbers, abbreviations and phrases first, then repeated and long words."""
    return _most_telling_first(Counter(terms_in(text, glossary)))


def _most_telling_first(counted: Mapping[Term, int]) -> list[Term]:
    def order(term: Term) -> tuple[bool, int, int]:
        word = term.wordings[0]
        is_telling = len(term.wordings) > 1 or " " in word or any(map(str.isdigit, word))
        return not is_telling, -counted[term], -len(word)

    return sorted(counted, key=order)


def terms_in(text: str, glossary: Glossary = BUILT_IN) -> Iterator[Term]:
    """Terms in their order: spelled-out names and "class G" as one term each, other words one by one."""
    rest = text.lower().replace("’", "'")
    for name, short in glossary.names_in(rest):
        if name in rest:
            yield Term(glossary.wordings(short))
            rest = rest.replace(name, " ")
    for letter in _CLASS.findall(rest):
        yield Term((f"class {letter}",))
    for word in _WORD.findall(_CLASS.sub(" ", rest)):
        if short := glossary.short_form_of(word):
            yield Term(glossary.wordings(short))
        elif word not in IDLE and (len(word) > 1 or word.isdigit()):
            yield Term((word,))
