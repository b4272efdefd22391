"""Reasons to refuse a sentence as a claim: it is not a rule, or nobody can understand it alone.

Operators see the counts by reason. The reasons are the same for all extractors. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from curation import conf
from curation.offline.definitions import is_definition, is_entry
from curation.offline.references import SECTION_SIGN, split_context
from knowledge.text.clauses import clauses_in, without_opening_clauses
from knowledge.text.phrases import read_phrase_lists
from knowledge.text.tokens import content_words, stem_word

_PHRASES: Final = read_phrase_lists(Path(__file__).with_name("phrases.yaml"))
ONLY_REFERENCE: Final = "only refers to another rule"
_POINTS: Final = "points at something outside the sentence"
_REFERENCE: Final = re.compile(
    rf"{SECTION_SIGN}(?:(?:,| and| or|, and|, or| through) (?:§ ?)?(?:[\d.]+[a-z]?)?(?:\([A-Za-z0-9]+\))*)*"
    r"|\b(?:parts?|subparts?|appendix|appendices|chapter|section|sections|SFAR(?: No\.)?) "
    r"[\dA-Z][\w.-]*(?:\([a-z0-9]+\))*",
    re.I,
)
_POINTING_AFTER_PREPOSITION: Final = re.compile(
    r"\b(?:for|of|in|at|to|from|by|with|under|on|within|before|after|during|all) (?:that|those|these|this|such) "
    r"(?P<thing>[a-z]{3,})\b(?! (?:is|are|must|the)\b)",
    re.I,
)
_UNNAMED: Final = re.compile(
    rf"The (?:[a-z-]+ )?(?:{'|'.join(sorted(_PHRASES['not named'].words))})(?: [a-z]+ed)? (?:must|may|shall|is|are)\b"
)
"""Capitals and figures name a thing: "The FAA request", "during this 100-hour inspection"."""
_ROW: Final = re.compile(r"If\b.*, and\b.*, then \w")  # of a table whose headings begin so


def is_rule(sentence: str, doc_type: str) -> bool:
    """Whether the sentence obliges, forbids, permits, or (outside the CFR) recommends."""
    sentence = re.sub(r"\b(?:that|which|who)(?: also)? (?:must|shall|may|should)\b", " ", sentence)
    if doc_type != "cfr" and _is_possibility(sentence):
        return False
    if _PHRASES["rule"].is_in(sentence):
        return True
    permits = re.search(r"\bmay\b", sentence, re.I) is not None
    if doc_type == "cfr":
        return permits
    describes = _PHRASES["possible"].is_in(sentence.replace(" may also ", " may "))
    return (permits and not describes) or re.search(r"\bshould\b", sentence, re.I) is not None


def _is_possibility(sentence: str) -> bool:
    """Whether it says what may happen, and not what somebody may do: "minimums may not be sufficient"."""
    clauses = clauses_in(sentence)
    if clauses.modality not in ("may", "may_not") or clauses.rest[:3].lower() != "may":
        return False
    done = "[^e]ed|en|own|made|set|held|kept|left|built|lit|sent|told|done|put|shut"
    passive = rf"may(?: [a-z]+)? be(?: [a-z]+ly)? [a-z]*(?:{done})\b"
    if re.match(r"may(?: [a-z]+)? be\b", clauses.rest, re.I):
        return re.match(passive, clauses.rest, re.I) is None
    actors = _PHRASES["person"].words | _PHRASES["aircraft"].words | {"you", "crew"}
    subject = re.findall(r"[a-z]+", clauses.subject.lower())
    return not any(word in actors or word.removesuffix("s") in actors for word in subject)


def refusal_for(statement: str, listed: bool = False) -> str:
    """Why the sentence is no claim, or "" if it can be one. `listed` says that it was joined with its list.

    Headings set before it ("Under § 91.107 (…), …") are context that it may point at.
    """
    sentence, context = split_context(statement)
    if is_definition(sentence) or is_entry(sentence):
        return next((reason for reason, holds in _DEFINITION_CHECKS if holds(sentence, listed)), "")
    for reason, holds in _CHECKS:
        if not (context and reason == _POINTS) and holds(sentence, listed):
            return reason
    return _POINTS if context and _points_elsewhere(sentence, listed, context) else ""


def dangling_words(statement: str) -> list[str]:
    """Words that may point at what stands outside the statement: "that information", "also", "such a"."""
    sentence, context = split_context(statement)
    said = f"{context}, {sentence}" if context else sentence
    return [
        found.group()
        for found in (*_PHRASES["pointing"].find_all(said), *_PHRASES["dangling"].find_all(said))
        if not _is_named(found.group().split()[-1].lower(), said[: found.start()])
    ]


def needs_headings(statement: str) -> bool:
    """Whether its subject is known only from the headings above it: "you", "the endorsement", "flight training"."""
    clauses = clauses_in(statement)
    return not clauses.opening and bool(
        _PHRASES["known from headings"].begins(clauses.subject)
        and not _PHRASES["names itself"].begins(clauses.subject)
        and not re.search(r"[§\d]", clauses.subject)  # "the 100-hour limitation"
        and len(clauses.subject.split()) <= conf.NAMED_WORDS
    )


def _is_note(said: str) -> bool:
    long_words = re.findall(r"[A-Za-z]{4,}", said)
    capitals = sum(word[0].isupper() for word in long_words)
    return (
        re.match(r"\[|NOTE|EXAMPLE|Section \d+\. |\W*(?:Doc\.|(?:By )?Amdt\.)|.*\[Reserved\]", said)
        is not None
        or said.endswith("?")
        or (len(long_words) > 3 and capitals > conf.TITLE_CAPITALS * len(long_words))
    )


def _is_cut_definition(said: str) -> bool:
    """Whether it speaks of a term but does not say by itself what the term means."""
    opening = re.split(r"\b(?:must|shall|may|should)\b", said, maxsplit=1)[0]
    told = r"(?<!by )(?<!other )\bmeans\b(?! of| to)|\b(?:is|are) defined as\b|\b[Tt]he term\b"
    return re.search(told, opening) is not None


def _is_about_authority(said: str) -> bool:
    """Whether its subject is the FAA or one of its people."""
    subject = without_opening_clauses(re.sub(r"^The notice\b[^,]*, ", "", said))
    subject = re.sub(r"^(?:then )?(?:the )?", "", subject, flags=re.I)
    is_told = re.match(r"[^,;]*? (?:must|shall|should) be (?:advised|informed|notified|told)\b", subject)
    is_clearance = subject.lower().startswith("atc clearance")
    return _PHRASES["authority"].begins(subject) and not is_told and not is_clearance


def _is_only_reference(said: str) -> bool:
    """Whether it names another rule and says nothing besides."""
    after = re.split(r"\b(?:must|shall|may)\b", said, maxsplit=1)[-1]
    if _PHRASES["hollow"].begins(after) and _PHRASES["only what applies"].begins(after):
        return True
    if not _REFERENCE.search(after) and "following" not in after:
        return False
    hollow = {stem_word(word) for word in _PHRASES["hollow"].words}
    return sum(word not in hollow for word in content_words(_REFERENCE.sub(" ", after))) <= conf.HOLLOW_WORDS


def _points_elsewhere(said: str, listed: bool, context: str = "") -> bool:
    """Whether it points at words that stand elsewhere. What `context` names is known, though a bare "it" is not."""
    if not context and _UNNAMED.match(said):
        return True
    if _PHRASES["pronoun"].begins(said) and not re.match(r"\w+ (?:person|pilot) who\b", said):
        return True
    if re.match(
        r"[^,]*\b(?:described|listed|specified|identified|referred to) in §", clauses_in(said).subject
    ):
        return True
    said = f"{context}, {said}" if context else said
    said = re.sub(r"; in (?:that|those|such) cases?, ", "; ", said)  # the cases that the words before name
    if any(
        not (listed and "below" in found.group()) for found in _PHRASES["points elsewhere"].find_all(said)
    ):
        return True
    if re.search(r"\([a-z\d]{1,4}\) (?:above|below)\b", said):
        return True
    if re.search(r"\b[Tt]he following\b[^:]*[.:]?$", said) and not re.search(r"\bfollowing\b.*: \S", said):
        return True
    if any(
        not _is_named(found.group().split()[-1].lower(), said[: found.start()])
        for found in _PHRASES["pointing"].find_all(said)
    ):
        return True
    return any(
        found["thing"].lower() not in _PHRASES["not a thing"]
        and not _is_named(found["thing"].lower(), said[: found.start()])
        for found in _POINTING_AFTER_PREPOSITION.finditer(said)
    )


def _is_named(thing: str, before: str) -> bool:
    """Whether the words before name the thing: itself, a kind of aircraft, or a person for a person."""
    named = {stem_word(word) for word in re.findall(r"[a-z]+", before.lower())}
    word = stem_word(thing)
    people, aircraft = ({stem_word(one) for one in _PHRASES[name].words} for name in ("person", "aircraft"))
    return (
        word in named
        or (word in people and bool(people & named))
        or (word == "aircraft" and bool(aircraft & named))
    )


def _has_no_subject(said: str) -> bool:
    head = without_opening_clauses(re.sub(r"^(?:Upon|Until)\b[^,]*, ", "", said))
    verb = _PHRASES["rule verb"].find(head)
    if _ROW.match(said):  # "then your medical certificate expires"
        return False
    return verb is None or not re.search(r"[A-Za-z]{2,}", head[: verb.start()])


def _is_cut(said: str) -> bool:
    """Whether it begins or ends in the middle."""
    if (
        re.match(r"[^A-Z§“0-9]", said)
        or "[[" in said
        or re.search(r"\b(?:must|may|shall) (?:[“\"]|(?:that|which|who|notwithstanding)\b)", said)
        or re.search(r"\b(?:below|above|to|of|by|with|for|at|from) (?:if|unless)\b", said)
        or re.search(r"\b(?:unless|if) (?:has|have|is|are|was|were)\b", said)
    ):
        return True
    unbalanced = said.count("(") != said.count(")") or said.count("“") != said.count("”")
    ends = re.search(r"[.!?][)”\"]?$", said)
    return (
        unbalanced
        or not ends
        or bool(re.search(r"(?:[—:,;]|\b(?:and|or|unless|except|if|the|of|to))\.?$", said))
    )


_Checks = tuple[tuple[str, Callable[[str, bool], bool]], ...]

_CHECKS: Final[_Checks] = (
    ("a note or a heading", lambda said, listed: _is_note(said)),
    ("a definition that does not stand alone", lambda said, listed: _is_cut_definition(said)),
    ("speaks of the authority, not of who flies", lambda said, listed: _is_about_authority(said)),
    (ONLY_REFERENCE, lambda said, listed: _is_only_reference(said)),
    (_POINTS, _points_elsewhere),
    ("no subject", lambda said, listed: _has_no_subject(said)),
    ("cut off", lambda said, listed: _is_cut(said)),
    ("too short", lambda said, listed: len(said.split()) < conf.STATEMENT_LEAST_WORDS),
    (
        "too long to be one rule",  # a row of a table names all that it is about
        lambda said, listed: len(said) > (conf.ROW_LENGTH if _ROW.match(said) else conf.STATEMENT_LENGTH),
    ),
    (
        "several rules in one sentence",
        lambda said, listed: len(re.findall(r"\b(?:must|shall|may)\b", said)) > (4 if listed else 3),
    ),
)
_DEFINITION_CHECKS: Final[_Checks] = (
    ("a note or a heading", lambda said, listed: _is_note(said)),
    # A definition may speak of its own term as "that"; it may not begin with a pronoun or name a paragraph.
    (
        _POINTS,
        lambda said, listed: (
            bool(re.match(r"(?:it|they|this|these|those|such|that|he|she)\b", said, re.I))
            or _PHRASES["definition points elsewhere"].is_in(said)
        ),
    ),
    ("cut off", lambda said, listed: _is_cut(said)),
    ("too short", lambda said, listed: len(said.split()) < conf.DEFINITION_LEAST_WORDS),
    ("too long to be one rule", lambda said, listed: len(said) > conf.STATEMENT_LENGTH),
)
