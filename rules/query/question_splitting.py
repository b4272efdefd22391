"""Split a message into its questions, and keep the parts that are about rules. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from rules import conf
from rules.countries import shape_of
from rules.query.intent_patterns import begins_a_question, clauses_of, request_of
from rules.query.query_preparation import asks_something, without_places


def rules_half(message: str) -> str:
    """The message without the clauses that ask a database; the whole message if nothing would be left."""
    half = ". ".join(text for text, wants in _clauses(message) if wants != "database")
    return half if asks_something(without_places(half)) else message


def parts_of(question: str) -> tuple[str, ...]:
    """The questions about rules that a message joins: "is a plan needed, and who closes it?". Empty if it asks one
    question, or more than an answer has room for."""
    parts: list[list[str]] = [[]]
    asked = False  # whether the last part asks something yet, or only leads to what is asked
    for text, wants in _clauses(question):
        own = wants == "rules" and begins_a_question(text.lower()) and asks_something(text)
        if own and asked:
            parts.append([])
        parts[-1].append(text)
        asked = asked or own
    whole = tuple(", ".join(some) for some in parts)
    return whole if 1 < len(whole) <= conf.SECTIONS_MOST and all(map(asks_something, whole)) else ()


def _clauses(message: str) -> Iterator[tuple[str, str]]:
    """Each clause as it was written, and what it wants: rules, a database, or nothing by itself. Nothing where small
    letters are not as long as the others."""
    plain = " ".join(message.split())
    small = plain.lower().replace("’", "'")
    end = 0
    for clause in clauses_of(small) if len(small) == len(plain) else ():
        start = small.find(clause.text, end)
        if start >= 0:
            end = start + len(clause.text)
            request = request_of(shape_of(clause.text))
            yield plain[start:end], request.wants if request else ""
