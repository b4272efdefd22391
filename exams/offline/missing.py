"""What an answer lacks of an expectation becomes one word for its kind: a figure, a condition, a reason...

The kind may be named to the student, the fact may not. Pure.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from exams.offline.asking import PointMaterial
from exams.question_rules import figures_in
from knowledge.grounding.facts import conditions_in

Kind = Literal[
    "hazard",
    "assess",
    "mitigate",
    "figure",
    "figures",
    "figure_said",
    "hour",
    "exception",
    "reason",
    "list",
    "action",
    "claim",
    "rest",
]

_EXCEPTION: Final = re.compile(
    r"\b(?:unless|except(?: that)?|apart from|other than|only (?:if|when|to))\b", re.IGNORECASE
)
_REASON: Final = re.compile(r"\b(?:because|since|so that|in order to|the reason)\b", re.IGNORECASE)
_ACTION: Final = re.compile(
    r"\b(?:must|should|shall|turn|land|descend|ask|stop|slow|use|stay|read back)\b", re.IGNORECASE
)

_SOURCE: Final = re.compile(r"\s*\((?:\d+ CFR|AIM|AC|FAA)\b(?:[^()]|\([^()]*\))*\)")
"""Where a rule stands, in brackets behind it: its number is none of the rule's."""

_LISTED: Final = 2
"""Commas and "and" beyond which a statement is a list of things."""


def kind_missing(point: PointMaterial, answer: str, question: str) -> Kind:
    """The most telling thing that the answer lacks of the point, or got wrong in it."""
    if point.kind in ("hazard", "assess", "mitigate"):
        return point.kind  # type: ignore[return-value]  # the three of them are kinds
    statement = _SOURCE.sub("", point.statement)
    wanted, given = figures_in(statement), figures_in(answer)
    unsaid = [one for one in wanted if not any(one.same_as(other) for other in given)]
    if point.met == "contradicted":
        return "figure_said" if unsaid and given else "claim"
    asked = figures_in(question)
    unsaid = [one for one in unsaid if not any(one.same_as(other) for other in asked)]
    if unsaid:
        return "figures" if given and len(wanted) > 1 else "figure"
    return _by_words(statement, answer, question)


def _by_words(statement: str, answer: str, question: str) -> Kind:
    times = conditions_in(statement).times  # one alone may be part of a name ("VFR day type certificate")
    if len(times) > 1 and times - conditions_in(f"{question} {answer}").times:
        return "hour"
    if statement.count(",") + statement.count(" and ") > _LISTED:
        return "list"
    for kind, pattern in (("exception", _EXCEPTION), ("reason", _REASON)):
        if pattern.search(statement) and not pattern.search(answer):
            return kind  # type: ignore[return-value]
    return "action" if _ACTION.search(statement) else "rest"
