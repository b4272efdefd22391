"""Find the subject of a rule: the words before its verb. Pure."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from knowledge.text.phrases import read_phrase_lists

_PHRASES: Final = read_phrase_lists(Path(__file__).with_name("phrases.yaml"))


def without_opening_clauses(sentence: str) -> str:
    """The sentence from its subject on: "Except in an emergency, no person …" begins at "no person"."""
    while found := _PHRASES["opening"].find_start(sentence):
        after = sentence[found.end() :].partition(",")[2]
        if not after.startswith(" "):
            break
        sentence = after[1:]
    return sentence


def subject_of(sentence: str) -> str | None:
    """The words before the sentence's verb, opening clauses aside; None where it has no verb that rules have."""
    head = without_opening_clauses(sentence)
    verbs = [found for found in _PHRASES["rule verb"].find_all(head) if not found.group().istitle()]
    # "The pilot MUST STOP", but "MAY NOT BE AVBL NOTAMs are".
    verbs.sort(key=lambda found: found.group().isupper())
    return head[: verbs[0].start()].strip(" ,") if verbs else None
