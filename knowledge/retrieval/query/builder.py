"""Element, question and answer become what is looked for: texts to embed, and words with their synonyms.

Three searches stand beside each other: for what is tested (element and question), for what the student said (the
claims of the answer), and for where to go next (the Task). A search that is typed is one of its own. Their sum is one
search: nearness is linear in the vector that is asked for and the words' score in the weights of the words, so that
adding vectors and weights by share ranks exactly as fusing three full rankings by share would. Long texts are taken
apart first: what no passage is near to is chatter and moves nothing. The element is never left out. Pure.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from knowledge import conf
from knowledge.retrieval.query.abbreviations import BUILT_IN, Glossary
from knowledge.retrieval.query.decomposition import Nearness, fitting, is_claim, parts_in, weights_of


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# Words of questions and answers that say nothing about where the matter is written.
IDLE = _words(
    """
    a about above all also an and answer any appropriate are as associated at basic be been before being
    below best between by can cannot could describe did do does doing don't each etc every explain find
    for found from general give given had has have he how i i'm if in including into is it it's its know
    like list made make many may maybe me mean means might most much must my need needed no not of off on
    one only or our out please really required say says see shall she should so some such tell than that
    the their them then there these they thing think this those through to under up upon us use used
    using want was we well were what whats when where which while who why will with within would yes you
    your
    """
)
_WORD = re.compile(r"[a-z0-9]+(?:[.'’-][a-z0-9]+)*", re.IGNORECASE)
_CLASS = re.compile(r"\bclass\s+([a-g])\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a search has to go by; any part may be empty. `task` is the title of the element's Task, `code` its code."""

    text: str = ""
    element: str = ""
    question: str = ""
    answer: str = ""
    task: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class Term:
    """One thing to look for, in any of these wordings; each wording is a run of words. `weights` are its weights in
    each of the searches that are fused."""

    wordings: tuple[str, ...]
    weights: tuple[float, ...] = field(default=(1.0,), compare=False)

    def tsquery(self) -> str:
        """In the notation of PostgreSQL's `to_tsquery`; words hold letters, digits and inner marks only."""
        return " | ".join(f"({phrase})" for phrase in self.tsqueries())

    def tsqueries(self) -> tuple[str, ...]:
        """The same, each wording by itself."""
        return tuple(_phrase(wording) for wording in self.wordings)


@dataclass(frozen=True, slots=True)
class Strand:
    """One of the searches that are fused: its part in the sum, the text that is embedded, the weights of its words."""

    name: str
    share: float
    text: str
    weights: Mapping[Term, float] = field(default_factory=dict)
    parts: int = 1


@dataclass(frozen=True, slots=True)
class Query:
    """`asks_one` where one thing is asked: several have no middle that an answer could be near to."""

    strands: tuple[Strand, ...]
    terms: tuple[Term, ...]
    asks_one: bool = True

    @property
    def semantic(self) -> str:
        """All that is embedded, one search a line."""
        return "\n".join(strand.text for strand in self.strands)

    @property
    def shares(self) -> tuple[float, ...]:
        """The parts of the searches in the sum, as `Term.weights` are ordered."""
        return tuple(strand.share for strand in self.strands)


def to_measure(asked: Asked) -> tuple[str, ...]:
    """The texts of which `build_query` wants to know how near the library comes; none where nothing can be left out."""
    asking = parts_in(f"{asked.text} {asked.question}".strip())
    answer = parts_in(asked.answer)
    if len(asking) < 2 and not answer:
        return ()
    return tuple(dict.fromkeys((*filter(None, (asked.element,)), *asking, *answer)))


def build_query(asked: Asked, nearness: Nearness | None = None, glossary: Glossary = BUILT_IN) -> Query:
    """`nearness` of the texts that `to_measure` names; without it nothing is taken for chatter."""
    near = nearness or {}
    strands = [strand for strand in _strands(asked, near, glossary) if strand.text]
    whole = sum(strand.share for strand in strands) or 1.0
    shared = tuple(replace(strand, share=strand.share / whole) for strand in strands)
    asks_one = sum(strand.parts for strand in shared) <= 1
    return Query(shared, _together(shared), asks_one)


def reformulated(asked: Asked, glossary: Glossary = BUILT_IN) -> Asked | None:
    """What is searched where this finds too little: the element alone, without what was said about it; a question
    without its answer, and with what its abbreviations stand for. None where that is the same."""
    if asked.element:
        alone = Asked(element=asked.element)
        return alone if asked.text or asked.question or asked.answer else None
    asking = f"{asked.text} {asked.question}".strip()
    spelled = spelled_out(asking, glossary)
    if asking and (asked.answer or spelled != asking):
        return Asked(text=spelled)
    return None


def spelled_out(text: str, glossary: Glossary = BUILT_IN) -> str:
    """The text with each abbreviation as what it stands for; one that stands for several things stays."""

    def name(word: str) -> str:
        names = glossary.names.get(glossary.known(word.lower()), ())
        return names[0] if len(names) == 1 else word

    return _WORD.sub(lambda found: name(found[0]), text)


def _strands(asked: Asked, near: Nearness, glossary: Glossary) -> Iterator[Strand]:
    best = max(near.values(), default=0.0)
    asking = f"{asked.text} {asked.question}".strip()
    alone = not (asked.element or asked.answer)
    characters = conf.QUERY_CHARACTERS if alone else conf.QUESTION_CHARACTERS
    question = _sifted(asking, near, best) or dict.fromkeys(_nearest(asking, near), 1.0)
    element = digest(asked.element, conf.ELEMENT_CHARACTERS)
    told = _told(asking, question, near, characters)
    weights = _weighed(question, conf.QUERY_TERMS if alone else conf.QUESTION_TERMS, glossary)
    named = dict.fromkeys(islice(most_telling(element, glossary), conf.ELEMENT_TERMS), 1.0)
    text = "\n".join(filter(None, (element, told)))
    yield Strand("tested", conf.TESTED_SHARE, text, {**weights, **named}, len(question))
    yield from _said(asked, near, best, told, glossary)
    if asked.task and asked.answer:
        going_on = dict.fromkeys(islice(most_telling(asked.task, glossary), conf.ELEMENT_TERMS), 1.0)
        yield Strand("next", conf.NEXT_SHARE, asked.task, going_on)


def _said(asked: Asked, near: Nearness, best: float, told: str, glossary: Glossary) -> Iterator[Strand]:
    """The claims of an answer; a short one says nothing without the question that it answers."""
    parts = parts_in(asked.answer)
    kept = _sifted(asked.answer, near, best)
    kept.update(
        {part: max(kept.get(part, 0.0), conf.PART_SHARE**2) for part in parts if is_claim(part, glossary)}
    )
    claims = fitting(kept, parts, conf.ANSWER_CHARACTERS)
    if not claims:
        return
    short = len(claims) < conf.SHORT_ANSWER
    text = f"{told} {claims}".strip() if short else claims
    yield Strand("said", conf.SAID_SHARE, text, _weighed(kept, conf.ANSWER_TERMS, glossary))


def _sifted(text: str, near: Nearness, best: float) -> dict[str, float]:
    return weights_of(parts_in(text), near, best)


def _nearest(text: str, near: Nearness) -> Sequence[str]:
    """What is asked is never all chatter: its nearest part stays."""
    parts = parts_in(text)
    return [max(parts, key=lambda part: near.get(part, 0.0))] if parts else []


def _told(text: str, kept: Mapping[str, float], near: Nearness, characters: int) -> str:
    """A text of which nothing is left out stays as it is, if it is short enough."""
    parts = parts_in(text)
    plain = " ".join(text.split())
    if len(kept) == len(set(parts)) and len(plain) <= characters:
        return plain
    return fitting(kept, parts, characters) if near else digest(text, characters)


def digest(text: str, characters: int) -> str:
    """The text itself if it is short enough, else the sentences that say most, in their order."""
    plain = " ".join(text.split())
    if len(plain) <= characters:
        return plain
    parts = parts_in(plain) or (plain,)
    return fitting({part: _says(part) for part in parts}, parts, characters)


def _says(sentence: str) -> float:
    """How much a sentence says: different words that are not idle, numbers and abbreviations twice."""
    words = {word.lower() for word in _WORD.findall(sentence)} - IDLE
    telling = sum(1 for word in words if BUILT_IN.known(word) or any(map(str.isdigit, word)))
    return float(min(len(words), 20) + telling)


# Words


def _weighed(parts: Mapping[str, float], most: int, glossary: Glossary) -> dict[Term, float]:
    """The terms of these parts that say most, each with the weight of the part in which it weighs most."""
    weights: dict[Term, float] = {}
    counted: Counter[Term] = Counter()
    for part, weight in parts.items():
        for term in terms_in(part, glossary):
            counted[term] += 1
            weights[term] = max(weight, weights.get(term, 0.0))
    return {term: weights[term] for term in _telling_first(counted)[:most]}


def _together(strands: Sequence[Strand]) -> tuple[Term, ...]:
    """Each term once, with its weight in each search."""
    terms = dict.fromkeys(term for strand in strands for term in strand.weights)
    return tuple(
        Term(term.wordings, tuple(strand.weights.get(term, 0.0) for strand in strands)) for term in terms
    )


def most_telling(text: str, glossary: Glossary = BUILT_IN) -> list[Term]:
    """Terms that say most first: numbers, abbreviations and phrases, then repeated and long words."""
    return _telling_first(Counter(terms_in(text, glossary)))


def _telling_first(counted: Mapping[Term, int]) -> list[Term]:
    return sorted(counted, key=lambda term: (-_weight(term), -counted[term], -len(term.wordings[0])))


def _weight(term: Term) -> int:
    word = term.wordings[0]
    return int(len(term.wordings) > 1 or " " in word or any(map(str.isdigit, word)))


def terms_in(text: str, glossary: Glossary = BUILT_IN) -> Iterator[Term]:
    """Terms in their order: spelled-out names and "class G" as one term each, other words one by one."""
    rest = text.lower().replace("’", "'")
    for name, short in glossary.named_in(rest):
        if name in rest:
            yield Term(glossary.wordings(short))
            rest = rest.replace(name, " ")
    for letter in _CLASS.findall(rest):
        yield Term((f"class {letter}",))
    yield from _single(_WORD.findall(_CLASS.sub(" ", rest)), glossary)


def _single(words: Iterable[str], glossary: Glossary) -> Iterator[Term]:
    for word in words:
        if short := glossary.known(word):
            yield Term(glossary.wordings(short))
        elif word not in IDLE and (len(word) > 1 or word.isdigit()):
            yield Term((word,))


def _phrase(wording: str) -> str:
    words = (word.replace("'", "").replace("’", "") for word in wording.split())
    return " <-> ".join(f"'{word}'" for word in words if word)
