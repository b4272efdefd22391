"""Element, question and answer become what is looked for: a text to embed, and words with their synonyms.

The element under test is always in the query, and each part keeps a share of its own: an answer of five
characters stands there whole, one of five thousand by the sentences that say most, and neither crowds out the
rest. Pure.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from knowledge import conf
from knowledge.grounding.sentences import sentences_in

from .abbreviations import SPELLED_OUT


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
    """What a search has to go by; any part may be empty."""

    text: str = ""
    element: str = ""
    question: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Term:
    """One thing to look for, in any of these wordings; each wording is a run of words."""

    wordings: tuple[str, ...]

    def tsquery(self) -> str:
        """In the notation of PostgreSQL's `to_tsquery`; words hold letters, digits and inner marks only."""
        return " | ".join(f"({phrase})" for phrase in self.tsqueries())

    def tsqueries(self) -> tuple[str, ...]:
        """The same, each wording by itself."""
        return tuple(_phrase(wording) for wording in self.wordings)


@dataclass(frozen=True, slots=True)
class Query:
    semantic: str
    terms: tuple[Term, ...]


def build_query(asked: Asked) -> Query:
    return Query(semantic=_semantic(asked), terms=_terms(asked))


def _semantic(asked: Asked) -> str:
    """Each part within its share of the embedding model's window, the element first."""
    alone = not (asked.element or asked.question or asked.answer)
    parts = (
        digest(asked.element, conf.ELEMENT_CHARACTERS),
        digest(asked.text, conf.QUERY_CHARACTERS if alone else conf.QUESTION_CHARACTERS),
        digest(asked.question, conf.QUESTION_CHARACTERS),
        digest(asked.answer, conf.ANSWER_CHARACTERS),
    )
    return "\n".join(part for part in parts if part)


def digest(text: str, characters: int) -> str:
    """The text itself if it is short enough, else the sentences that say most, in their order."""
    plain = " ".join(text.split())
    if len(plain) <= characters:
        return plain
    sentences = [sentence.text for sentence in sentences_in(plain)] or [plain]
    ranked = sorted(range(len(sentences)), key=lambda at: (-_says(sentences[at]), at))
    kept: list[int] = []
    room = characters
    for at in ranked:
        if len(sentences[at]) < room:
            kept.append(at)
            room -= len(sentences[at]) + 1
    if not kept:
        return _cut(sentences[ranked[0]], characters)
    return " ".join(sentences[at] for at in sorted(kept))


def _says(sentence: str) -> float:
    """How much a sentence says: different words that are not idle, numbers and abbreviations twice."""
    words = {word.lower() for word in _WORD.findall(sentence)} - IDLE
    telling = sum(1 for word in words if word in SPELLED_OUT or any(map(str.isdigit, word)))
    return float(min(len(words), 20) + telling)


def _cut(text: str, characters: int) -> str:
    return text[:characters].rsplit(" ", 1)[0]


# Words


def _terms(asked: Asked) -> tuple[Term, ...]:
    """Terms of each part, each part at most its number, none twice."""
    alone = not (asked.element or asked.question or asked.answer)
    found: dict[Term, None] = {}
    for text, most in (
        (asked.text, conf.QUERY_TERMS if alone else conf.PART_TERMS),
        (asked.element, conf.PART_TERMS),
        (asked.question, conf.PART_TERMS),
        (asked.answer, conf.PART_TERMS),
    ):
        fresh = (term for term in most_telling(text) if term not in found)
        found.update(dict.fromkeys(islice(fresh, most)))
    return tuple(found)


def most_telling(text: str) -> list[Term]:
    """Terms that say most first: numbers, abbreviations and phrases, then repeated and long words."""
    counted = Counter(terms_in(text))
    return sorted(counted, key=lambda term: (-_weight(term), -counted[term], -len(term.wordings[0])))


def _weight(term: Term) -> int:
    word = term.wordings[0]
    return int(len(term.wordings) > 1 or " " in word or any(map(str.isdigit, word)))


def terms_in(text: str) -> Iterator[Term]:
    """Terms in their order: spelled-out names and "class G" as one term each, other words one by one."""
    rest = text.lower().replace("’", "'")
    for abbreviation, name in SPELLED_OUT.items():
        if name in rest:
            yield Term((abbreviation, name))
            rest = rest.replace(name, " ")
    for letter in _CLASS.findall(rest):
        yield Term((f"class {letter}",))
    yield from _single(_WORD.findall(_CLASS.sub(" ", rest)))


def _single(words: Iterable[str]) -> Iterator[Term]:
    for word in words:
        if word in SPELLED_OUT:
            yield Term((word, SPELLED_OUT[word]))
        elif word not in IDLE and (len(word) > 1 or word.isdigit()):
            yield Term((word,))


def _phrase(wording: str) -> str:
    words = (word.replace("'", "").replace("’", "") for word in wording.split())
    return " <-> ".join(f"'{word}'" for word in words if word)
