"""A statement and an answer become the reasons why the answer denies the statement, if it does.

Three ways to deny: the other stance ("you may" for "no one may"), a negation over the very thing that was
expected ("does not bind"), and the opposite word on the same thing ("the climb gets better"). Numbers are
compared elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from exams.offline.clauses import Clause, Stance, clauses_in, has_exception, stance_of
from exams.offline.lexicon import STOP
from exams.offline.wording import alike, are_opposite, has_opposite, idea, idea_set, is_number, words_in
from knowledge.grounding.readings import kept
from knowledge.grounding.sentences import sentences_in

Kind = Literal["opposite", "negation", "stance"]

_CLASH: Final = frozenset(
    (
        ("forbids", "permits"),
        ("forbids", "excuses"),
        ("requires", "excuses"),
        ("permits", "forbids"),
        ("states", "excuses"),
    )
)
_DEGREES: Final = frozenset(("increase", "decrease", "morethan", "lessthan"))
_NORMATIVE: Final = re.compile(
    r"\b(?:may|must|shall|should|required?|requires|needs?|allowed|permitted|prohibited|forbidden|"
    r"no (?:person|one|pilot|aircraft|operator)|mandatory)\b",
    re.IGNORECASE,
)
_CASES: Final = re.compile(
    r"^(?:as|when|if|the (?:more|less|higher|lower|farther|closer|greater)|with)\b", re.IGNORECASE
)
_EXCEPTION_WORD: Final = re.compile(r"\b(?:unless|until|except|without|only|if)\b", re.IGNORECASE)
_FORBIDS: Final = re.compile(r"(?:no (?:person|one|pilot|aircraft|operator)|nobody)\b", re.IGNORECASE)
_ABSOLUTE: Final = frozenset(("sunsettosunrise", "sunrisetosunset"))
_NEGATES: Final = re.compile(r"(?:not|no|never|neither)$|\w+n't$")
_NO_EFFECT: Final = re.compile(
    r"\b(?:no (?:real )?(?:effect|influence|impact|change|difference)|(?:not|n't) (?:affect|change|"
    r"matter|make (?:a|any) difference)\w*|"
    r"nothing (?:changes|happens)|stays? the same|remains? the same|unaffected|unchanged)\b",
    re.IGNORECASE,
)
_SEGMENT: Final = re.compile(
    r"\s*;\s*|\s+(?=(?:as|when|if|so|but|unless|except|because|while|whereas|which|although|though)\b)|\s+and so\s+",
    re.IGNORECASE,
)
_JOINT: Final = re.compile(r"(?<!\d),\s+(?:and\s+)?|\s+and\s+|(?<=\d),\s+", re.IGNORECASE)

TWIN_SHARE: Final = 0.6
"""Share of the longer clause's ideas that two clauses have in common when they are about the same act."""
SAME_MATTER: Final = 0.5
"""Share of a sentence's ideas that the statement or the question must hold before its stance is held against
it.
"""


@dataclass(frozen=True, slots=True)
class Denial:
    """One way in which the answer denies the statement; `said` is the answer's clause."""

    kind: Kind
    said: str


@dataclass(frozen=True, slots=True)
class _Bound:
    """A direction and the ideas it is said of."""

    direction: str
    of: frozenset[str]
    said: str
    negated: bool = False
    exception: bool = False
    case: bool = False


def denials_in(statement: str, question: str, answer: str, *, others: str = "") -> tuple[Denial, ...]:
    """Every denial found. `others` are further statements expected of the same answer: agreeing with them is
    no denial.
    """
    asked = idea_set(question)
    return (
        *_turned_directions(statement, answer, others),
        *(
            ()
            if duty_of(statement) == "forbids"
            else _denied_ideas(clauses_in(statement), clauses_in(answer))
        ),
        *_other_stance(statement, answer, asked, others),
        *_turned_clauses(statement, answer),
    )


def _turned_directions(statement: str, answer: str, others: str) -> Iterator[Denial]:
    wanted, held = _bounds_in(statement), _bounds_in(answer)
    agreeable = (*wanted, *_bounds_in(others))
    turned: list[tuple[_Bound, _Bound]] = []
    for one in wanted:
        if any(_agreement(one, other) for other in held):
            continue
        for other in held:
            against = _turned(one, other)
            if against and against > max((_agreement(other, it) for it in agreeable), default=0):
                turned.append((one, other))
    if not any(one.case for one, _ in turned):  # "less of the one, more of the other" is the same rule
        yield from (Denial("opposite", other.said) for _, other in turned)
    if wanted and not _NO_EFFECT.search(statement) and (idle := _NO_EFFECT.search(answer)):
        yield Denial("negation", idle.group())


def _agreement(one: _Bound, other: _Bound) -> int:
    """How many ideas both say the same direction of."""
    same = (
        one.direction == other.direction and one.negated == other.negated and one.exception == other.exception
    )
    return _overlap(one, other) if same else 0


def _turned(one: _Bound, other: _Bound) -> int:
    """How many ideas they say opposite directions of."""
    if one.exception != other.exception:
        return 0
    opposite = are_opposite(one.direction, other.direction) and not one.negated and not other.negated
    denied = one.direction == other.direction and one.negated != other.negated and one.direction in _DEGREES
    return _overlap(one, other) if opposite or denied else 0


def _overlap(one: _Bound, other: _Bound) -> int:
    return len(one.of & other.of) or int(one.direction in _ABSOLUTE)


@kept
def _bounds_in(text: str) -> tuple[_Bound, ...]:
    found = (
        replace(bound, negated=not bound.negated) if _FORBIDS.match(sentence.text) else bound
        for sentence in sentences_in(text)
        for segment in _segments(sentence.text)
        for bound in _bounds_of(segment)
        if bound.direction in _DEGREES or not _FORBIDS.match(sentence.text)
    )
    return tuple(dict.fromkeys(found))


def _segments(sentence: str) -> Iterator[str]:
    """Stretches in which a direction word is said of everything else: cut between two directions only."""
    for stretch in _SEGMENT.split(sentence):
        held: list[str] = []
        directed = False
        for piece in _JOINT.split(stretch):
            if directed:
                yield ", ".join(held)
                held, directed = [], False
            held.append(piece)
            directed = _has_direction(piece)
        if any(held):
            yield ", ".join(held)


def _has_direction(text: str) -> bool:
    return any(has_opposite(idea(word)) for word in words_in(text))


def _bounds_of(segment: str) -> Iterator[_Bound]:
    words = [
        w
        for w in words_in(segment)
        if not is_number(w) and (w not in STOP or has_opposite(idea(w)) or _NEGATES.match(w))
    ]
    ideas = [idea(word) for word in words]
    plain = frozenset(one for one in ideas if not has_opposite(one))
    opening = segment.split(", ")[0] if _CASES.match(segment) else ""
    case = frozenset(idea(word) for word in words_in(opening))
    exception = bool(re.match(r"unless|except", segment.lower()))
    for place, one in enumerate(ideas):
        if has_opposite(one):
            compared = words[place] in ("more", "less") and place + 1 < len(ideas)
            of = frozenset((ideas[place + 1],)) if compared else plain
            negated = any(_NEGATES.match(word) for word in words[max(0, place - 2) : place])
            yield _Bound(one, of, segment, negated, exception, one in case)


def _denied_ideas(expected: Sequence[Clause], said: Sequence[Clause]) -> Iterator[Denial]:
    """An idea that one side denies, where the other affirms it in clauses without any negation."""
    for denying, affirming, answers in ((said, expected, True), (expected, said, False)):
        for clause, one in _denied_in(denying):
            others = [other for other in affirming if _holds_idea(other, one)]
            affirmed = bool(others) and all(_affirms(other, one) for other in others)
            if affirmed and not any(_affirms(other, one) for other in denying):
                yield Denial("negation", clause.text if answers else others[0].text)


def _denied_in(clauses: Sequence[Clause]) -> Iterator[tuple[Clause, str]]:
    for clause in clauses:
        for sign in clause.signs:
            if sign.affirmed is False and sign.idea not in ("require", "allow", "same", "different"):
                yield clause, sign.idea


def _holds_idea(clause: Clause, one: str) -> bool:
    return any(sign.idea == one for sign in clause.signs)


def _affirms(clause: Clause, one: str) -> bool:
    return not clause.is_negated and any(sign.idea == one and sign.affirmed for sign in clause.signs)


def _other_stance(statement: str, answer: str, asked: frozenset[str], others: str) -> Iterator[Denial]:
    wanted: Stance = duty_of(statement) if _NORMATIVE.search(statement) else "states"
    own = {stance for _, stance in _stances_in(statement)}
    for said, stance in _stances_in(answer):
        if stance in own:
            continue
        conditional = stance == "permits" and (has_exception(said) or " only " in said)
        if (wanted, stance) not in _CLASH or conditional or not _same_matter(statement, said, asked):
            continue
        if not _asked_elsewhere(others, said, stance, asked):
            yield Denial("stance", said)


def _turned_clauses(statement: str, answer: str) -> Iterator[Denial]:
    """The same clause with the other stance, under the same exception or none: "may begin unless" for "may not"."""
    for mine, exception in _clauses_with_exceptions(statement):
        for said, other in _clauses_with_exceptions(answer):
            clash = (mine.stance, said.stance) in _CLASH
            if clash and exception == other and _near_twins(mine, said):
                yield Denial("stance", said.text)


@kept
def _clauses_with_exceptions(text: str) -> tuple[tuple[Clause, str], ...]:
    found: list[tuple[Clause, str]] = []
    for sentence in sentences_in(text):
        word = _EXCEPTION_WORD.search(sentence.text)
        exception = word[0].lower() if word else ""
        found += ((clause, exception) for clause in clauses_in(sentence.text))
    return tuple(found)


def _near_twins(one: Clause, other: Clause) -> bool:
    mine, theirs = {sign.idea for sign in one.signs}, {sign.idea for sign in other.signs}
    shared = len(mine & theirs)
    return shared >= TWIN_SHARE * max(len(mine), len(theirs), 1)


@kept
def _stances_in(answer: str) -> tuple[tuple[str, Stance], ...]:
    """Each sentence with its stance, and each clause that takes a duty away."""
    found: list[tuple[str, Stance]] = []
    for sentence in sentences_in(answer):
        found.append((sentence.text, duty_of(sentence.text)))
        found += (
            (clause.text, clause.stance) for clause in clauses_in(sentence.text) if clause.stance == "excuses"
        )
    return tuple(found)


def _asked_elsewhere(others: str, said: str, stance: Stance, asked: frozenset[str]) -> bool:
    """Whether another statement that was expected as well takes the same stance on the same matter."""
    sentences = (sentence.text for sentence in sentences_in(others))
    return any(duty_of(other) == stance and _same_matter(other, said, asked) for other in sentences)


def duty_of(sentence: str) -> Stance:
    """The stance of a sentence; a prohibition with an exception is a duty."""
    stance = stance_of(sentence)
    return "requires" if stance == "forbids" and has_exception(sentence) else stance


def _same_matter(statement: str, sentence: str, asked: frozenset[str]) -> bool:
    mine, theirs = idea_set(statement), idea_set(sentence) - {"require", "allow"}
    shared = sum(any(alike(one, other) for other in mine | asked) for one in theirs)
    return shared >= SAME_MATTER * len(theirs)
