"""Finds the sentences that say what a term means, and the entries of a glossary. Pure.

"Night means the time between …" is a definition; "by means of a checklist" and "the following means may be used" are
not. A passage of a glossary has its term as heading, in capitals.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from curation import conf
from knowledge.text.clauses import NOUN_MEANS
from knowledge.text.phrases import read_phrase_lists
from knowledge.text.sentences import sentences_in

_PHRASES: Final = read_phrase_lists(Path(__file__).with_name("phrases.yaml"))
_DEFINITION: Final = re.compile(
    r"^(?:\(?(?:\d{1,2}|[a-z])[.)] )?(?:(?:As used in|For (?:the )?purposes? of|Under)\b[^,]{3,90}, )?"
    r"(?:(?:[Aa]n?|[Tt]he) (?:terms? )?)?(?P<term>[“\"]?[A-Za-z0-9][^.;:—]{1,110}?[”\"]?)"
    r"(?:,? as used (?:[^.;]|\.(?=\d)){3,160}?,)?"
    rf",? (?:means{NOUN_MEANS}(?: either| that)?"
    r"|(?:is|are) defined as|refers to|(?:is|are) (?:the|an?) terms? (?:used|that))(?:[:— ]|$)"
)
_NOT_ENTRIES: Final = frozenset(
    ("NOTE", "EXAMPLE", "REFERENCE", "PHRASEOLOGY", "CAUTION", "WARNING", "CHANGE")
)


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """A term with its definition, in exact words, and where its paragraph stands."""

    term: str
    definition: str
    at: int
    end: int


def is_definition(sentence: str) -> bool:
    """Whether the sentence says what a term means. A lead-in of a definition counts, too."""
    return bool(_defined_term(sentence))


def _defined_term(sentence: str) -> str:
    """The words before "means", if they can be a term."""
    found = _DEFINITION.match(" ".join(sentence.split()))
    term = found["term"].strip('“”"') if found else ""
    words = re.findall(r"[a-z]+", term.lower())
    possible = (
        words
        and words[-1] not in _PHRASES["not the end of a term"].words
        and not {"this", "must", "shall", "may", "should"} & set(words)
        and not _PHRASES["not the start of a term"].begins(term)
        and len(term.split()) <= conf.TERM_WORDS
    )
    return term if possible else ""


def is_glossary(document: str) -> bool:
    """Whether a document is a glossary, by its name: the Pilot/Controller Glossary is cited as P/CG."""
    return bool(re.search(r"\bP/CG\b|glossary", document, re.I))


def is_entry(sentence: str) -> bool:
    """Whether the sentence is an entry of a glossary: a term in capitals, a colon and its definition."""
    match = re.match(r"(?P<term>[A-Z][A-Z0-9 ,/()\[\]&’'.–-]{1,72}): [A-Z“\"]", sentence)
    return match is not None and match["term"].strip() not in _NOT_ENTRIES


def term_of(sentence: str) -> str:
    """The term that a definition defines; "" of a sentence that defines none."""
    if term := _defined_term(sentence):
        return term.split(", ")[0].strip('“”" ,')
    return sentence.split(": ")[0] if is_entry(sentence) else ""


def entry_in(text: str, heading: str) -> GlossaryEntry | None:
    """The glossary's entry of a passage: its heading and its first paragraph, up to what a claim may hold. One in
    brackets only leads to another term."""
    if heading != heading.upper() or not re.search(r"[A-Z]{2}", heading):
        return None
    lines = (found for found in re.finditer(r"[^\n]+", text) if found.group().strip() not in ("", heading))
    first = next(lines, None)
    if first is None:
        return None
    definition = first.group().strip()
    most = conf.STATEMENT_LENGTH - len(heading) - 4
    ends = [sentence.end for sentence in sentences_in(definition) if sentence.end <= most]
    whole = definition[: ends[-1]].strip() if ends else ""
    if not whole.endswith((".", "”", ")", "!")) or whole.startswith("("):
        return None
    return GlossaryEntry(heading, whole, *first.span())
