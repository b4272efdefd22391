"""A statement and an answer become numbers: how much of it was carried, what speaks against it, how near it comes.

Each number is a sign, none is a verdict; the trees weigh them together. A sign that cannot be told is left out. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from exams.offline.alignment import signs_along
from exams.offline.amounts import Amount
from exams.offline.facets import Facet, limit_missed, share_carried
from exams.offline.judging import Looked, Statement, presses_on
from exams.offline.matching import Embed, cosine
from exams.offline.opposition import Denial
from exams.offline.trees import METS
from exams.offline.triage import Worth
from exams.values import ExpectationKind
from knowledge.grounding.facts import compare, quantities_in

_KINDS: Final[tuple[ExpectationKind, ...]] = ("rule", "explain", "hazard", "assess", "mitigate")
_NEGATION: Final = re.compile(r"\b(?:not|no|never|without|nothing|none)\b|n't\b", re.IGNORECASE)
_EXCEPTION: Final = re.compile(r"\b(?:not|no|never|without|unless)\b", re.IGNORECASE)
_HEDGE: Final = re.compile(r"\b(?:think|guess|maybe|probably|not sure)\b", re.IGNORECASE)
_ACTS: Final = re.compile(
    r"\b(?:i(?:'d|'ll| would| will)|my plan|plan to|(?:so|then|and) i|we(?:'d|'ll)|brief|divert|cancel|delay|turn back|"
    r"declare|ask for|stay|keep|avoid|check)\b",
    re.IGNORECASE,
)
_JUDGES: Final = re.compile(
    r"\b(?:likely|likel\w+|chances?|odds|probab\w+|risk\w*|serious|severe|sever\w+|bad|worse|worst|deadly|fatal|kill\w*|"
    r"danger\w*|critical|minor|low|high|moderate|could|ends? (?:in|up)|outcome|consequence\w*|crash\w*)\b",
    re.IGNORECASE,
)
_DISMISSES: Final = re.compile(
    r"\b(?:matters?|whatever|regardless|whether|no need|any ?time|anyway|fine)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A statement with what was asked, what was answered, what of that is worth judging, and accepted wordings."""

    statement: Statement
    question: str
    answer: str
    worth: Worth
    wordings: Sequence[str] = ()


def signs_of(asked: Asked, looked: Looked | None, embed: Embed) -> dict[str, float]:
    """Every sign by its name; `looked` is None where nothing in the answer was worth looking at."""
    statement = asked.statement
    along = signs_along(statement.text, asked.question, asked.answer, statement.others)
    found = {**_sizes(asked), **_manners(asked), **along, **_nearness(asked, embed)}
    return found | (_contents(asked, looked) if looked else {})


def _sizes(asked: Asked) -> dict[str, float]:
    statement, worth = asked.statement, asked.worth
    return {
        "kind": _KINDS.index(statement.kind),
        "words_answer": len(asked.answer.split()),
        "words_statement": len(statement.text.split()),
        "words_question": len(asked.question.split()),
        "words_others": len(statement.others.split()),
        "amounts_answer": len(quantities_in(asked.answer)),
        "amounts_statement": len(quantities_in(statement.text)),
        "worth_share": len(worth.text) / max(1, len(asked.answer)),
    }


def _manners(asked: Asked) -> dict[str, float]:
    answer, worth = asked.answer, asked.worth
    return {
        "nothing": bool(worth.nothing),
        "vague": worth.vague,
        "looked_up": bool(worth.looked_up),
        "negations_answer": len(_NEGATION.findall(answer)),
        "negations_statement": len(_EXCEPTION.findall(asked.statement.text)),
        "hedges": bool(_HEDGE.search(answer)),
        "dismisses": bool(_DISMISSES.search(answer)),
        "acts": len(_ACTS.findall(answer)),
        "judges": len(_JUDGES.findall(answer)),
    }


def _nearness(asked: Asked, embed: Embed) -> dict[str, float]:
    """Cosines between answer, question, both together, statement and accepted wordings."""
    answer, statement, question = embed(asked.answer), embed(asked.statement.text), embed(asked.question)
    both = embed(f"{asked.question} {asked.answer}")
    found = {
        "cosine_answer": cosine(answer, statement),
        "cosine_echo": cosine(answer, question),
        "cosine_question": cosine(question, statement),
        "cosine_both": cosine(both, statement),
    }
    if asked.wordings:
        vectors = [embed(wording) for wording in asked.wordings]
        near = sorted((cosine(answer, one) for one in vectors), reverse=True)[:3]
        found |= {
            "wording_nearest": near[0],
            "wording_near": sum(near) / len(near),
            "wording_both": max(cosine(both, one) for one in vectors),
        }
    return found


def _contents(asked: Asked, looked: Looked) -> dict[str, float]:
    facts = compare(asked.worth.text, asked.statement.text)
    return {
        "rules": METS.index(looked.finding.met),
        "beside_an_extra": looked.beside_an_extra,
        "presses_on": bool(presses_on(asked.worth.text)),
        "share": looked.share,
        "coverage": looked.meaning.coverage,
        "nearness": looked.meaning.nearness,
        "facts_against": len(facts.contradictions),
        "facts_missing": len(facts.missing),
        "facts_extra": len(facts.extra),
        **dict(_amounts(looked.amounts)),
        **dict(_denials(looked.denials)),
        **dict(_facets(looked.facets)),
    }


def _amounts(amounts: Sequence[Amount]) -> Iterator[tuple[str, float]]:
    standings = Counter(one.standing for one in amounts)
    yield "amounts", len(amounts)
    for standing in ("given", "absent", "wrong"):
        yield f"amounts_{standing}", standings[standing]


def _denials(denials: Sequence[Denial]) -> Iterator[tuple[str, float]]:
    kinds = Counter(one.kind for one in denials)
    yield "denials", len(denials)
    for kind in ("opposite", "negation", "stance"):
        yield f"denials_{kind}", kinds[kind]


def _facets(facets: Sequence[Facet]) -> Iterator[tuple[str, float]]:
    yield "facets_carried", share_carried(facets)
    yield "limit_missed", limit_missed(facets)
    for kind in ("main", "amount", "condition"):
        carried = [one.carried for one in facets if one.kind == kind]
        yield f"facets_{kind}", len(carried)
        if carried:
            yield f"facets_{kind}_least", min(carried)
            yield f"facets_{kind}_mean", sum(carried) / len(carried)
            yield f"facets_{kind}_most", max(carried)
