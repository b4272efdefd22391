"""A statement and the rules that it rests on become what it turns round, clause by clause. Pure.

An answer has more than one position: "Do not enter, you may ask for transit" forbids and permits. So each clause of
a statement has to find a clause of the answer that obliges, permits or denies as it does and speaks of the same; words
that widen or narrow ("never", "only", "most") have to stand there; and what an answer excepts is not left out.
In doubt a statement is not borne: then the country's own words stand in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from knowledge.text.modality import modality_of, negations_in
from knowledge.text.tokens import content_words, coverage
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
_NOT: Final = r"(?:not|n['’]t|never|no longer|neither)"
_FORCES: Final[tuple[tuple[Force, re.Pattern[str]], ...]] = (
    (
        "not forbidden",
        re.compile(
            rf"\b{_NOT}(?: be)?(?: \w+ly)? (?:prohibit(?:ed)?|forbid(?:den)?|banned|illegal)\b|\bfree to\b",
            _ANY,
        ),
    ),
    (
        "discouraged",
        re.compile(
            rf"\bdiscourag\w+|\bavoid(?:ed|ing|ance)?\b|\b{_NOT}(?: be)?(?: \w+)? (?:recommended|advis\w+|encouraged)\b"
            rf"|\bshould(?: {_NOT}|n['’]t)\b|\binadvisable\b|\b(?:keep|stay|remain)(?: well)? clear\b",
            _ANY,
        ),
    ),
    (
        "not required",
        re.compile(
            rf"\b{_NOT}(?: be)?(?: \w+ly)? (?:required?|needed|necessary|mandatory|compulsory|obligatory|obliged)\b"
            r"|\bno (?:[\w()/-]+ ){0,5}?(?:(?:is|are|be) )?(?:\w+ly )?(?:required|needed|necessary|mandatory)\b"
            rf"|\b(?:do|does|need)(?:es)?(?: {_NOT}|n['’]t)(?: \w+ly)? (?:need|require|have to|want)\b"
            r"|\bno (?:need|requirement|obligation)\b|\boptional\b|\bunnecessary\b|\bneedn['’]t\b|\bneed not\b"
            r"|\bwaived?\b|\bexempt\w*\b|\bvoluntary\b",
            _ANY,
        ),
    ),
    (
        "forbidden",
        re.compile(
            rf"\bno (?:[\w-]+ )?(?:entry|access|penetration|transit|flights?)\b|\bprohibited\b|\bforbidden\b|\bbanned\b"
            rf"|\b(?:can|may|must|could|do|does|is|are|be)(?: {_NOT}|n['’]t)(?: be)?(?: \w+ly)?"
            r" (?:permitted|allowed|enter\w*|authori[sz]ed|penetrat\w+|possible|fl(?:y|own))\b"
            rf"|\b(?:can|may|must)(?: {_NOT}|n['’]t)\b|\bcannot\b|\bcan['’]t\b|\b(?:do not|don['’]t)\b|\bnever\b"
            rf"|\b{_NOT} (?:permitted|allowed|authori[sz]ed|possible)\b|\billegal\b",
            _ANY,
        ),
    ),
    (
        "required",
        re.compile(
            r"\b(?:required?|requires|requirement|rquired|must|mandatory|compulsory|obligatory|obliged|necessary"
            r"|needed|needs?(?: to)?|ha(?:ve|s) to|shall)\b",
            _ANY,
        ),
    ),
    (
        "recommended",
        re.compile(r"\b(?:r[ae]c+om+[ae]nd\w*|advis(?:able|ed)|encouraged|should|prefer\w*|best to)\b", _ANY),
    ),
    (
        "permitted",
        re.compile(
            r"\b(?:may|can|could|allowed|permitted|possible|authori[sz]ed|welcome|available|accepted)\b", _ANY
        ),
    ),
)
_DENIED: Final = re.compile(
    rf"\b{_NOT}(?: \w+ly)?(?: be)? (?:allowed|permitted|possible|available|accepted|welcome)\b|\bno\b", _ANY
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
_ASIDE: Final = re.compile(r"\((?!except|unless|only)[^()]*\)", _ANY)
_BARE: Final = re.compile(
    r"\W*(?:yes|no|nope|affirm(?:ative)?|none|not?|never)\b[\s,.;:–—-]*(?=$|(?:unless|except|only|if|when|for|in)\b|\()",
    _ANY,
)

# Words of one group stand for each other; one that narrows or widens has to have its like in the answer.
_ALL: Final = (
    r"\b(?:all|every\w*|any(?:where|one|body|time)?|always|whenever|wherever|regardless|whatever"
    r"|entire(?:ly)?)\b"
)
_NEVER: Final = r"\b(?:never|none|nowhere|nobody|absolutely|under no|strictly|at all)\b"
_EVEN: Final = r"\beven\b"
_ONLY: Final = r"\b(?:only|solely|exclusively|just|alone|limited to)\b"
_EXCEPT: Final = r"\b(?:unless|except\w*|other than|apart from|without|excluding)\b"
_HEDGE: Final = (
    r"\b(?:most(?:ly)?|usually|generally|normally|often|typically|sometimes|some|rarely|occasionally|many|few|majority"
    r"|in general|as a rule|not always|mainly|commonly|frequently|depend\w*|probably|var(?:y|ies|ying))\b"
)
_OPPOSED: Final = (
    ("active", "inactive"),
    ("above", "below"),
    ("before", "after"),
    ("inside", "outside"),
    ("within", "outside"),
    ("day", "night"),
    ("arriving", "departing"),
    ("arrival", "departure"),
    ("minimum", "maximum"),
    ("vfr", "ifr"),
    ("controlled", "uncontrolled"),
    ("private", "public"),
    ("left", "right"),
    ("inbound", "outbound"),
    ("civil", "military"),
    ("at least", "at most"),
    ("more", "less"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A clause with what it makes of its subject. `denies` where a negation stands beside its force."""

    text: str
    force: Force
    denies: bool
    words: frozenset[str]
    leads: bool = False


def what_is_turned(statement: str, answers: Sequence[tuple[str, str]]) -> str:
    """What the statement says and none of the (question, answer) pairs bears; "" where there is nothing."""
    asked = frozenset(content_words(" ".join(question for question, _ in answers)))
    meant = [part for question, text in answers for part in _parts_of_answer(question, text)]
    said = _parts(statement)
    whole = " ".join(f"{question} {text}" for question, text in answers)
    own = " ".join(text for _, text in answers)
    said = [part for part in said if not _stands_there(part.text, own)]
    faults = (_unborne(part, meant, asked) or _contrary(part, said, meant, asked) for part in said)
    return (
        next(filter(None, faults), "")
        or _widened(statement, whole, own, meant)
        or _left_out(statement, said, meant, asked)
        or _untold(_parts(statement), answers)
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(content_words(re.sub(r"(?<=[^\W\d])-(?=[^\W\d])", " ", text)))


def force_of(text: str) -> Force:
    """What a clause makes of its subject."""
    plain = " ".join(_without_standing(text).split())
    for force, pattern in _FORCES:
        if pattern.search(plain):
            return "denied" if force == "permitted" and _DENIED.search(plain) else force
    modality = modality_of(plain)
    if modality == "not_required":
        return "not required"
    return "denied" if negations_in(_without_exceptions(plain)) % 2 else "affirmed"


def _without_standing(text: str) -> str:
    """Without what only looks like a force: names of areas ("prohibited zone"), "if possible", names of sites."""
    return _NAMES.sub(" ", text)


def _without_exceptions(text: str) -> str:
    return re.sub(r"\b(?:unless|except\w*)\b", " ", text, flags=_ANY)


def _parts(text: str) -> list[Part]:
    pieces = (piece.strip(" ,:()") for piece in _PARTS.split(_ASIDE.sub(" ", text)))
    return [_part(piece) for piece in pieces if re.search(r"[^\W_]", piece)]


def _part(text: str) -> Part:
    force = force_of(text)
    rest = next((pattern.sub(" ", text) for kind, pattern in _FORCES if kind == force), text)
    if force in _WEAK:
        return Part(text=text, force=force, denies=False, words=_words(text))
    denies = bool(re.search(r"\b(?:without|not|no|never|nor|neither)\b|n['’]t\b", rest, _ANY))
    return Part(text=text, force=force, denies=denies, words=_words(text))


def _parts_of_answer(question: str, text: str) -> list[Part]:
    """The clauses of an answer. Its first one may be a bare "no", or leave out what the question said: then it has
    the answer's position."""
    parts = _parts(text)
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
    return [*parts, *_also(lead, question)]


def _also(lead: Part, question: str) -> list[Part]:
    """The first clause as it stands; and where it only names a thing, asked what is required, that thing is."""
    if lead.force != "affirmed" or not lead.words or _BARE.match(lead.text) or negations_in(lead.text):
        return []
    named = asked_by(question) == "requirement" and position_of(lead.text, question) == "open"
    return [lead, replace(lead, force="required")] if named else [lead]


def _unborne(part: Part, meant: Sequence[Part], asked: frozenset[str]) -> str:
    bearing = _bearing(part, meant, asked)
    told = f"“{part.text[:80]}” is not what the rule says."
    if not bearing:
        return told
    own = [word for word in part.words if word not in asked and word not in _FORCE_WORDS]
    known = frozenset().union(*(one.words for one in bearing))
    if own and coverage(own, known) < conf.CLAUSE_COVERAGE:
        return told
    return told if _swapped(part.text, _nearest(part, bearing).text) else ""


def _stands_there(text: str, answer: str) -> bool:
    """Whether an answer says this clause word for word, as one of its own."""
    said = " ".join(_WORD.findall(text.lower()))
    clauses = (" ".join(_WORD.findall(clause.lower())) for clause in _CLAUSE.split(answer))
    return said in clauses


def _contrary(part: Part, said: Sequence[Part], meant: Sequence[Part], asked: frozenset[str]) -> str:
    """What the answer says of the same to the contrary, if no clause of the statement tells it, too."""
    told = {one.force for one in said}
    near = _nearest(part, _bearing(part, meant, asked))
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


def _bearing(part: Part, meant: Sequence[Part], asked: frozenset[str]) -> list[Part]:
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


def _nearest(part: Part, bearing: Sequence[Part]) -> Part:
    return max(bearing, key=lambda one: len(one.words & part.words))


_CLASS: Final = re.compile(r"\b[A-G]\b")
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_CLAUSE: Final = re.compile(r"(?<!\d)[.!?](?=\s|$)|[;\n():]+|,\s+(?:and\s+|but\s+)?|\s[–—-]\s")
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


def _swapped(said: str, meant: str) -> bool:
    """One of two opposites where the answer's clause has the other alone."""
    ours, theirs = said.lower(), meant.lower()
    return _of_another_class(said, meant) or any(
        _has(ours, one) and not _has(ours, other) and _has(theirs, other) and not _has(theirs, one)
        for pair in _OPPOSED
        for one, other in (pair, pair[::-1])
    )


def _of_another_class(said: str, meant: str) -> bool:
    """Said of Class D where the answer says it, between its commas, of Class C."""
    for some in said.split(", "):
        words, classes = _words(some), set(_CLASS.findall(some))
        near = max(meant.split(", "), key=lambda other: len(_words(other) & words))
        others = set(_CLASS.findall(near))
        if classes and others and not classes & others:
            return True
    return False


def _has(text: str, word: str) -> bool:
    return bool(re.search(rf"\b{word}\b", text))


def _widened(statement: str, whole: str, own: str, meant: Iterable[Part]) -> str:
    """A word that makes more or less of a rule than it says."""
    for pattern in (_ALL, _NEVER, _EVEN):
        found = re.search(pattern, statement, _ANY)
        if found and not re.search(pattern, whole, _ANY):
            return f"“{found[0]}” is more than the rule says."
    only = re.search(_ONLY, statement, _ANY)
    narrowed = re.search(_ONLY, own, _ANY)
    denied = any(one.force in ("not required", "denied", "forbidden") for one in meant)
    if only and not narrowed and not (denied and re.search(_EXCEPT, own, _ANY)):
        return f"“{only[0]}” is not in the rule."
    hedged = re.search(_HEDGE, statement, _ANY)
    if hedged and not re.search(_HEDGE, whole, _ANY):
        return f"“{hedged[0]}” is not in the rule."
    return ""


def _left_out(statement: str, said: Sequence[Part], meant: Sequence[Part], asked: frozenset[str]) -> str:
    """What limits a clause of the answer has to be told with it."""
    for part in said:
        near = _nearest(part, _bearing(part, meant, asked))
        limits = (re.search(rf"{pattern}[^.;]*", near.text, _ANY) for pattern in (_EXCEPT, _ONLY))
        for limit in filter(None, limits):
            if not _keeps(statement, limit[0]):
                return f"It leaves out “{limit[0][:80]}”."
        hedge = re.search(_HEDGE, _fragment(near, part), _ANY)
        if hedge and not re.search(_HEDGE, statement, _ANY):
            return f"It leaves out “{hedge[0]}”."
    return ""


def _fragment(near: Part, part: Part) -> str:
    """What of a clause, between its commas, speaks most of the same."""
    return max(near.text.split(", "), key=lambda some: len(_words(some) & part.words))


def _keeps(statement: str, limit: str) -> bool:
    marked = re.search(rf"{_EXCEPT}|{_ONLY}|\bif\b|\bwhen\b|\bmust\b|\bwhere\b", statement, _ANY)
    words = content_words(limit)
    return bool(marked) and (not words or coverage(words, content_words(statement)) >= conf.LIMIT_KEPT)


def _untold(said: Sequence[Part], answers: Sequence[tuple[str, str]]) -> str:
    """An answer of one short sentence has each of its positions told: "no, but at night it is required"."""
    for question, text in answers:
        parts = _parts_of_answer(question, text)
        if len(text.split()) > conf.SHORT_ANSWER or len(parts) < 2:
            continue
        forces = {one.force for one in said}
        missing = [one for one in parts if one.force not in _WEAK and not (_BEARING_OF[one.force] & forces)]
        if missing:
            return f"It leaves out “{missing[0].text[:80]}”."
    return ""


_BEARING_OF: Final[dict[Force, frozenset[Force]]] = {
    force: frozenset(said for said, borne in _BEARS.items() if force in borne) for force in _BEARS
}
