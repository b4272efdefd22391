"""Check, clause by clause, whether a statement contradicts the rules it cites. Pure.

An answer may have several positions: "Do not enter, you may ask for transit" forbids and permits. So each clause of a
statement needs a clause of the answer on the same subject that also obliges, permits, or denies. Words that widen or
narrow ("never", "only", "most") must occur in the answer, and its exceptions must be kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from knowledge.text.modality import modality_of, negations_in
from knowledge.text.opposites import opposites_in_rules
from knowledge.text.phrases import read_phrase_lists
from knowledge.text.tokens import content_words, share_covered
from rules import conf
from rules.statements.stance import Position, asked_by, position_of

Force = Literal[
    "required",
    "not required",
    "recommended",
    "discouraged",
    "forbidden",
    "not forbidden",
    "permitted",
    "affirmed",
    "denied",
]

_ANY: Final = re.IGNORECASE
_WORDS: Final = read_phrase_lists(Path(__file__).with_name("words.yaml"))
# The first whose phrases stand in a clause is its force.
_FORCES: Final[tuple[Force, ...]] = (
    *("not forbidden", "discouraged", "not required", "forbidden", "required", "recommended", "permitted"),
)
_BEARS: Final[dict[Force, frozenset[Force]]] = {
    "required": frozenset({"required"}),
    "not required": frozenset({"not required"}),
    "recommended": frozenset({"recommended"}),
    "discouraged": frozenset({"discouraged"}),
    "forbidden": frozenset({"forbidden", "denied"}),
    "not forbidden": frozenset({"not forbidden", "permitted"}),
    "permitted": frozenset({"permitted", "not forbidden", "affirmed"}),
    "affirmed": frozenset({"affirmed", "permitted", "required"}),
    "denied": frozenset({"denied", "forbidden", "not required"}),
}
"""What an answer must say for a statement to say it so."""
_OF_POSITIONS: Final[dict[Position, Force]] = {
    "yes": "affirmed",
    "no": "denied",
    "required": "required",
    "not required": "not required",
    "recommended": "recommended",
    "permitted": "permitted",
    "forbidden": "forbidden",
}
_WEAK: Final[frozenset[Force]] = frozenset({"affirmed", "denied"})

_NAMES: Final = re.compile(
    r"\b(?:prohibited|restricted|mandatory)(?= (?:zones?|areas?|airspace))|\bmandatory zones?\b"
    r"|\btransponder mandatory\b"
    r"|\bif (?:[\w-]+ ){0,4}?(?:is |are )?(?:required|needed|necessary|possible|available)\b|\b[a-z]\w*\.[a-z]{2,}\b",
    _ANY,
)
_PARTS: Final = re.compile(
    r"(?<!\d)[.!?](?=\s|$)|[;\n]+|:\s(?=no\b)|\s[–—-]\s|,?\s+(?:but|however|although|though|whereas|while)\b|,\s+(?:and\s+)?(?=(?:you|it"
    r"|they|not|no|only|if|r[ae]c+om\w*|do|cannot|may|can|must)\b)|\s+and\s+(?=(?:is |are )?not?\b)",
    _ANY,
)
_BARE: Final = re.compile(
    r"\W*(?:yes|no|nope|affirm(?:ative)?|none|not?|never)\b[\s,.;:–—-]*(?=$|(?:unless|except|only|if|when|for|in)\b|\()",
    _ANY,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A clause with its modality. `denies` if a negation accompanies it."""

    text: str
    force: Force
    denies: bool
    words: frozenset[str]
    leads: bool = False


def what_is_turned(statement: str, answers: Sequence[tuple[str, str]]) -> str:
    """What the statement says that none of the (question, answer) pairs supports; "" if everything is supported."""
    asked = frozenset(content_words(" ".join(question for question, _ in answers)))
    meant = [part for question, text in answers for part in _parts_of_answer(question, text)]
    whole = " ".join(f"{question} {text}" for question, text in answers)
    own = " ".join(text for _, text in answers)
    clauses = re.split(r"(?<!\d)[.!?](?=\s|$)|[;\n():]+|,\s+(?:and\s+|but\s+)?|\s[–—-]\s", own)
    literal = {_bare_words(clause) for clause in clauses}  # what an answer says word for word is in no doubt
    said = [part for part in _split_parts(statement) if _bare_words(part.text) not in literal]
    faults = (
        _find_unsupported(part, meant, asked) or _find_contrary(part, said, meant, asked) for part in said
    )
    return (
        next(filter(None, faults), "")
        or _find_widened(statement, whole, own, meant)
        or _find_left_out(statement, said, meant, asked)
        or _find_untold(_split_parts(statement), answers)
    )


def _bare_words(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))


def _words(text: str) -> frozenset[str]:
    return frozenset(content_words(re.sub(r"(?<=[^\W\d])-(?=[^\W\d])", " ", text)))


def force_of(text: str) -> Force:
    """A clause's modality: what it makes of its subject."""
    plain = " ".join(_NAMES.sub(" ", text).split())
    for force in _FORCES:
        if _WORDS[f"force {force}"].is_in(plain):
            return "denied" if force == "permitted" and _WORDS["denied"].is_in(plain) else force
    if modality_of(plain) == "not_required":
        return "not required"
    unexcepted = re.sub(r"\b(?:unless|except\w*)\b", " ", plain, flags=_ANY)
    return "denied" if negations_in(unexcepted) % 2 else "affirmed"


def _split_parts(text: str) -> list[Part]:
    parts = []
    for piece in _PARTS.split(re.sub(r"\((?!except|unless|only)[^()]*\)", " ", text, flags=_ANY)):
        plain = piece.strip(" ,:()")
        if re.search(r"[^\W_]", plain):
            force = force_of(plain)
            rest = _WORDS[f"force {force}"].remove(plain) if force in _FORCES else plain
            denies = force not in _WEAK and _WORDS["negations"].is_in(rest)
            parts.append(Part(text=plain, force=force, denies=denies, words=_words(plain)))
    return parts


def _parts_of_answer(question: str, text: str) -> list[Part]:
    """The clauses of an answer. Its first one may be a bare "no", or leave out what the question said: then it has
    the answer's position, and stands as it is, too."""
    parts = _split_parts(text)
    if not parts:
        return parts
    force = _OF_POSITIONS.get(position_of(text, question))
    lead = parts[0]
    implied = force and (lead.force in _WEAK or _BARE.match(lead.text) or not lead.words)
    if implied and force:
        parts[0] = replace(lead, force=force)
    elif lead.force == "affirmed" and re.match(r"\W*(?:if|when|for|in|only)\b", lead.text, _ANY):
        parts[0] = replace(lead, force="required", denies=False)
    parts[0] = replace(parts[0], leads=True)
    if lead.force != "affirmed" or not lead.words or _BARE.match(lead.text) or negations_in(lead.text):
        return parts
    # where the clause only names a thing, asked what is required, that thing is
    named = asked_by(question) == "requirement" and position_of(lead.text, question) == "open"
    return [*parts, lead, *([replace(lead, force="required")] if named else [])]


def _find_unsupported(part: Part, meant: Sequence[Part], asked: frozenset[str]) -> str:
    bearing = _supporting_parts(part, meant, asked)
    told = f"“{part.text[:80]}” is not what the rule says."
    if not bearing:
        return told
    own = [word for word in part.words if word not in asked and word not in _FORCE_WORDS]
    known = frozenset().union(*(one.words for one in bearing))
    if own and share_covered(own, known) < conf.CLAUSE_COVERAGE:
        return told
    return told if _is_swapped(part.text, _nearest_part(part, bearing).text) else ""


def _find_contrary(part: Part, said: Sequence[Part], meant: Sequence[Part], asked: frozenset[str]) -> str:
    """What the answer says of the same to the contrary, if no clause of the statement tells it, too."""
    told = {one.force for one in said}
    near = _nearest_part(part, _supporting_parts(part, meant, asked))
    shared = len(near.words & part.words)
    for one in meant:
        if (
            one.text == near.text
            or one.force not in _OPPOSED_FORCES.get(part.force, ())
            or _BEARING_OF[one.force] & told
        ):
            continue
        if one.words - asked - _FORCE_WORDS <= part.words or len(one.words & part.words) > shared:
            return f"It leaves out “{one.text[:80]}”."
    return ""


def _supporting_parts(part: Part, meant: Sequence[Part], asked: frozenset[str]) -> list[Part]:
    """The clauses of the answer that oblige, permit or deny as this one does. What only repeats the question is
    borne by one that speaks of it: "see the list" says neither yes nor no."""
    own = part.words - asked - _FORCE_WORDS
    return [
        one
        for one in meant
        if one.force in _BEARS[part.force]
        and (one.denies or not part.denies)
        and (own or one.leads or one.force not in _WEAK or one.words & asked)
    ]


def _nearest_part(part: Part, bearing: Sequence[Part]) -> Part:
    return max(bearing, key=lambda one: len(one.words & part.words))


_CLASSES: Final = frozenset("ABCDEFG")
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_OPPOSED_FORCES: Final[dict[Force, frozenset[Force]]] = {
    "required": frozenset({"not required", "recommended"}),
    "not required": frozenset({"required"}),
    "recommended": frozenset({"discouraged", "forbidden"}),
    "permitted": frozenset({"forbidden", "discouraged", "denied"}),
    "affirmed": frozenset({"forbidden", "discouraged", "denied"}),
    "forbidden": frozenset({"permitted", "not forbidden"}),
}
_FORCE_WORDS: Final = frozenset(
    content_words(
        "required require requires requirement needed need needs necessary mandatory compulsory obligatory permitted"
        " allowed may can must not have recommended recommend advised advisable discouraged avoid avoided forbidden"
        " prohibited possible available accepted yes no apply applies answer rule rules pilot pilots you generally"
        " usually flight plan fpl there case country should"
        " file filed entry enter entering penetrate penetration cannot nor"
    )
)


def _is_swapped(said: str, meant: str) -> bool:
    """One of two opposites where the answer's clause has the other alone."""
    ours, theirs = said.lower(), meant.lower()
    for some in said.split(", "):  # of Class D where the answer says it, between its commas, of Class C
        words, classes = _words(some), _CLASSES.intersection(_WORD.findall(some))
        near = max(meant.split(", "), key=lambda other: len(_words(other) & words))
        others = _CLASSES.intersection(_WORD.findall(near))
        if classes and others and not classes & others:
            return True
    return any(
        _has_word(ours, one)
        and not _has_word(ours, other)
        and _has_word(theirs, other)
        and not _has_word(theirs, one)
        for pair in opposites_in_rules()
        for one, other in (pair, pair[::-1])
    )


def _has_word(text: str, word: str) -> bool:
    return bool(re.search(rf"\b{word}\b", text))


def _find_widened(statement: str, whole: str, own: str, meant: Iterable[Part]) -> str:
    """A word that makes more or less of a rule than it says."""
    for words in ("all", "never", "even"):
        found = _WORDS[words].find(statement)
        if found and not _WORDS[words].is_in(whole):
            return f"“{found[0]}” is more than the rule says."
    only, hedged = _WORDS["only"].find(statement), _WORDS["hedge"].find(statement)
    denied = any(one.force in ("not required", "denied", "forbidden") for one in meant)
    if only and not _WORDS["only"].is_in(own) and not (denied and _WORDS["except"].is_in(own)):
        return f"“{only[0]}” is not in the rule."
    if hedged and not _WORDS["hedge"].is_in(whole):
        return f"“{hedged[0]}” is not in the rule."
    return ""


def _find_left_out(statement: str, said: Sequence[Part], meant: Sequence[Part], asked: frozenset[str]) -> str:
    """What limits a clause of the answer has to be told with it."""
    marked = any(_WORDS[one].is_in(statement) for one in ("except", "only", "limiting"))
    told = content_words(statement)
    for part in said:
        near = _nearest_part(part, _supporting_parts(part, meant, asked))
        for words in ("except", "only"):
            found = _WORDS[words].find(near.text)
            limit = re.split(r"[.;]", near.text[found.start() :])[0] if found else ""
            if limit and not (marked and share_covered(content_words(limit), told) >= conf.LIMIT_KEPT):
                return f"It leaves out “{limit[:80]}”."
        # what of the clause, between its commas, speaks most of the same
        fragment = max(near.text.split(", "), key=lambda some: len(_words(some) & part.words))
        hedge = _WORDS["hedge"].find(fragment)
        if hedge and not _WORDS["hedge"].is_in(statement):
            return f"It leaves out “{hedge[0]}”."
    return ""


def _find_untold(said: Sequence[Part], answers: Sequence[tuple[str, str]]) -> str:
    """An answer of one short sentence has each of its positions told: "no, but at night it is required"."""
    forces = {one.force for one in said}
    for question, text in answers:
        parts = _parts_of_answer(question, text)
        if len(text.split()) > conf.SHORT_ANSWER or len(parts) < 2:
            continue
        for one in parts:
            if one.force not in _WEAK and not _BEARING_OF[one.force] & forces:
                return f"It leaves out “{one.text[:80]}”."
    return ""


_BEARING_OF: Final[dict[Force, frozenset[Force]]] = {
    force: frozenset(said for said, borne in _BEARS.items() if force in borne) for force in _BEARS
}
