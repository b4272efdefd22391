"""An answer becomes an assessment: one point for each expectation, with the student's words and the reason.

The fifth becoming. A model, or the offline judge, says what became of each expectation; what it says is
checked: every expectation once, the quoted words verbatim in the answer, sources that exist. The verdict
is nobody's opinion: it is computed from the points by `verdicts.py`. Whatever fails raises `ModelError`,
and the turn is ungraded: failure is never a grade. The answer is data; it can give no instruction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from exams import conf
from exams.bank.selection import MixUpKnown
from exams.domain.non_answers import is_non_answer
from exams.domain.question_checks import unsupported_amounts
from exams.domain.values import Exchange, Expectation, Met, Point
from exams.examiner.expectations import listed_expectations
from exams.examiner.source_quality import OF_AUTHORITY, disagreements, heading_of, how_good
from exams.offline.classifier import Classifier
from exams.offline.features import PointText, nearest
from exams.offline.findings import (
    Finding,
    can_be_heard,
    find_points,
    presses_on,
    states_belief,
    with_own_words,
)
from knowledge.grounding.context import GroundedContext, Passage
from knowledge.grounding.quotes import find_quote
from llm.errors import ModelError, StructuredOutputError
from llm.interfaces import ChatModel, ChatRequest, Message
from llm.prompts import Prompt, fence, load
from llm.registry import chat_model
from llm.structured import Structured, ask

ROLE: Final = "assessor"


class PointReply(BaseModel):
    """What a model says about one expectation."""

    model_config = ConfigDict(extra="forbid")

    key: str = Field(max_length=400)
    met: Met
    said: str = Field(default="", max_length=12_000)
    why: str = Field(default="", max_length=600)
    sources: list[int] = Field(default_factory=list, max_length=20)


class AssessmentReply(BaseModel):
    """What a model answers when it is asked to judge. There is no verdict in it. `mixups` are the numbers of the known
    wrong beliefs that the answer holds."""

    model_config = ConfigDict(extra="forbid")

    points: list[PointReply] = Field(max_length=60)
    unsafe: bool = False
    mixups: list[int] = Field(default_factory=list, max_length=10)


class Unusable(StructuredOutputError):
    """The judgement had the shape asked for and was wrong in itself; the message says how."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The points of the answers so far, in the order of the expectations. `degraded` says what they do not rest on,
    `mixups` the places of the wrong beliefs that were recognized."""

    points: tuple[Point, ...]
    unsafe_held: bool = False
    mixups: tuple[int, ...] = ()
    degraded: str = ""
    provenance: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What the offline judge works from."""

    exchanges: tuple[Exchange, ...]
    expectations: tuple[Expectation, ...]
    mixups: tuple[MixUpKnown, ...] = ()

    @property
    def question(self) -> str:
        return self.exchanges[0].asked

    @property
    def answer(self) -> str:
        return "\n".join(one.said for one in self.exchanges)


def assess_answer(
    exchanges: Sequence[Exchange],
    expectations: Sequence[Expectation],
    context: GroundedContext,
    *,
    mixups: Sequence[MixUpKnown] = (),
    near: Sequence[Passage] = (),
    model: ChatModel | None = None,
) -> Judged:
    """One point for each expectation, from the opening question and all that was asked and said since, together.
    Raises ModelError where it could not be judged; nothing is graded then.

    `context` are the passages that the expectations rest on, `near` those that the answer's own words lead to: what may
    help to say where the answer went wrong, and is expected of nobody. Without any expectation there is nothing to
    judge by and the points are empty, which `verdicts.decide` calls ungraded.
    """
    if not expectations:
        return Judged(points=(), degraded="There was nothing to judge the answer by.")
    material = Material(exchanges=tuple(exchanges), expectations=tuple(expectations), mixups=tuple(mixups))
    answer = material.answer
    if is_non_answer(answer):
        return Judged(points=tuple(_missing(one, "Nothing was said.") for one in expectations))
    chosen = model or chat_model(ROLE)
    further = _further(near, context)
    reply = ask(chosen, _request(_prompt(material, context, further), material))
    support = [one.text for one in (*context.passages, *further)]
    points = _points(reply.value, answer, expectations, support)
    return Judged(
        points=points,
        unsafe_held=reply.value.unsafe,
        mixups=tuple(n for n in dict.fromkeys(reply.value.mixups) if 0 <= n < len(mixups)),
        degraded="" if not context.is_empty else "No source was at hand.",
        provenance=_provenance(reply, len(exchanges)),
    )


def _missing(expectation: Expectation, why: str) -> Point:
    return _point(expectation, PointReply(key=expectation.key, met="missing", why=why), "")


def _request(prompt: Prompt, material: Material) -> ChatRequest[AssessmentReply]:
    return ChatRequest(
        role=ROLE,
        system=prompt.text,
        messages=(Message("user", "Judge it now."),),
        schema=AssessmentReply,
        material=material,
        prompt_version=prompt.version,
        timeout=conf.ASSESSOR_TIMEOUT_S,
    )


def _further(near: Sequence[Passage], context: GroundedContext) -> tuple[Passage, ...]:
    """What is near to the answer and is not among the sources."""
    known = {one.chunk_id for one in context.passages}
    return tuple(one for one in near if one.chunk_id not in known)


def _prompt(material: Material, context: GroundedContext, further: Sequence[Passage]) -> Prompt:
    return load(
        "exams",
        "assessor",
        question=fence("question", material.question),
        expectations=listed_expectations(material.expectations),
        mixups="\n".join(f"* {n}: {one.text}" for n, one in enumerate(material.mixups)) or "none",
        sources=_sources(material.expectations, context),
        quality=how_good(context),
        authority=OF_AUTHORITY,
        disagreements=disagreements(context),
        near="\n".join(_passage(one) for one in further) or "none",
        answer="\n".join(_told(at, one) for at, one in enumerate(material.exchanges)),
    )


def _told(at: int, exchange: Exchange) -> str:
    """The first answer, then each follow-up with its answer."""
    asked = fence("follow_up", exchange.asked) + "\n" if at else ""
    return asked + fence("answer", exchange.said)


def _sources(expectations: Sequence[Expectation], context: GroundedContext) -> str:
    """What each expectation rests on under its citation's number, then the passages that explain it, those of most
    authority first."""
    stated = {one.citations[0]: one.text for one in expectations if one.citations}
    rests = [fence("source", f"[{n}] {text}") for n, text in sorted(stated.items())]
    return "\n".join((*rests, *(_passage(one) for one in context.passages))) or "none"


def _passage(passage: Passage) -> str:
    return fence("passage", f"{heading_of(passage)}\n{passage.text}")


# --- checking what was said about the answer ------------------------------------------------------------------


def _points(
    reply: AssessmentReply, answer: str, expectations: Sequence[Expectation], passages: Sequence[str]
) -> tuple[Point, ...]:
    """The points in the order of the expectations. Raises Unusable."""
    _check_keys(reply, expectations)
    by_key = {one.key: one for one in reply.points}
    known = {n for one in expectations for n in one.citations}
    support = [answer, *(one.text for one in expectations), *passages]
    points = []
    for expectation in expectations:
        said = by_key[expectation.key]
        _check_point(said, known)
        points.append(
            _point(expectation, _with_a_why_that_stands(said, support), verbatim(said.said, answer))
        )
    return tuple(points)


def _with_a_why_that_stands(said: PointReply, support: Iterable[str]) -> PointReply:
    """A reason with an amount that nothing bears is not shown; the finding itself rests on the expectation."""
    wrong = unsupported_amounts(said.why, support)
    return said.model_copy(update={"why": ""}) if wrong else said


def _check_keys(reply: AssessmentReply, expectations: Sequence[Expectation]) -> None:
    wanted, given = Counter(one.key for one in expectations), Counter(one.key for one in reply.points)
    if wanted != given:
        wrong = sorted((wanted - given) | (given - wanted))
        raise Unusable(
            f"assessor: each expectation is to be judged once; not so for {', '.join(wrong)[:300]}"
        )


def _check_point(said: PointReply, known: set[int]) -> None:
    unknown = [n for n in said.sources if n not in known]
    if unknown:
        raise Unusable(f"assessor: there is no source {unknown[0]} for {said.key[:120]}")


def verbatim(said: str, answer: str) -> str:
    """The words as they stand in the answer. Raises Unusable for words that the student did not say."""
    quote = said.strip().strip('“”"')
    if not quote:
        return ""
    span = find_quote(answer, quote)
    if span is None:
        raise Unusable(f"assessor: the student did not say {quote[:120]!r}")
    return " ".join(answer[slice(*span)].split())


def _point(expectation: Expectation, said: PointReply, words: str) -> Point:
    """A point is cited by what its expectation rests on, whatever else the model named."""
    return Point(
        expectation=expectation.text,
        key=expectation.key,
        importance=expectation.importance,
        met=said.met,
        why=said.why or _WHY[said.met],
        said=words,
        citations=expectation.citations,
        kind=expectation.kind,
        p0=expectation.p0,
    )


_WHY: Final[dict[Met, str]] = {
    "met": "Said.",
    "half": "Said in part.",
    "missing": "Not said.",
    "contradicted": "Said otherwise.",
}


def _provenance(reply: Structured[AssessmentReply], exchanges: int) -> dict[str, Any]:
    return {
        "provider": reply.provider,
        "model": reply.model,
        "prompt_version": reply.prompt_version,
        "repaired": reply.repaired,
        "exchanges": exchanges,
    }


# --- the offline skill ----------------------------------------------------------------------------------------


class OfflineJudge:
    """The skill of the offline model for the role "assessor": deterministic, by a small model that was fitted to graded
    answers and by what rules see of figures and denials (`exams/offline`).
    """

    def __init__(self, classifier: Callable[[], Classifier]) -> None:
        self._classifier = classifier

    def __call__(self, material: object) -> AssessmentReply:
        if not isinstance(material, Material):
            raise TypeError("the assessor's skill works from material of its own")
        points = [
            PointText(
                text=one.text,
                role=ROLES.get(one.kind, one.kind),
                wordings=one.also,
                against=tuple(wrong.text for wrong in material.mixups if one.key in wrong.contradicts),
            )
            for one in material.expectations
        ]
        said = [one.said for one in material.exchanges]
        classifier = self._classifier()
        found = find_points(points, material.question, said[-1], classifier)
        heard = [one for one in said if can_be_heard(one)]
        together = _together(heard)
        if len(said) > 1 and heard:
            whole = find_points(points, material.question, together, classifier, answers=len(heard))
            found = tuple(map(_of_the_ladder, found, whole))
        found = with_own_words(points, found, material.question, together, classifier)
        held = map(_held_against, material.expectations, found)
        replies = [
            PointReply(key=one.key, met=finding.met, said=_in(finding.said, material.answer), why=finding.why)
            for one, finding in zip(material.expectations, held, strict=True)
        ]
        unsafe = any(one.kind == "mitigate" for one in material.expectations) and bool(
            presses_on(material.exchanges[-1].said)
        )
        contradicted = {one.key for one in replies if one.met == "contradicted"}
        return AssessmentReply(
            points=replies, unsafe=unsafe, mixups=_held(material.mixups, contradicted, material.answer)
        )


ROLES: Final[Mapping[str, str]] = {"read": "rule", "decide": "explain"}
"""Roles that the offline model was not fitted to, and those that they are judged as."""


def _held_against(expectation: Expectation, finding: Finding) -> Finding:
    """A thing that is only good to add counts against nobody."""
    extra = expectation.importance == "should" and finding.met == "contradicted"
    return Finding(met="missing", why=_WHY["missing"]) if extra else finding


def _held(mixups: Sequence[MixUpKnown], contradicted: Set[str], answer: str) -> list[int]:
    """The wrong belief that an answer holds: of those that contradict what it contradicts the one it comes nearest to,
    if it says half of its ideas."""
    about = [one.text for one in mixups if contradicted & set(one.contradicts)]
    near = next(iter(nearest(about, answer)), "")
    if not states_belief(answer, near):
        return []
    return [next(place for place, one in enumerate(mixups) if one.text == near)]


def _together(said: Sequence[str]) -> str:
    """All answers of a ladder as one, each a sentence of its own."""
    return " ".join(
        one.strip() if one.strip().endswith((".", "!", "?")) else f"{one.strip()}." for one in said
    )


def _of_the_ladder(last: Finding, whole: Finding) -> Finding:
    """What the last answer says of a point counts where it is right; else what all of them say together."""
    return last if last.met == "met" else whole


def _in(said: str, answer: str) -> str:
    """Words that the judge put together out of an answer are shown as the whole answer, as far as can be shown."""
    if not said:
        return ""
    shown = said if find_quote(answer, said) else " ".join(answer.split())
    if len(shown) <= conf.ANSWER_CHARACTERS_MOST:
        return shown
    return shown[: conf.ANSWER_CHARACTERS_MOST].rsplit(" ", 1)[0]


__all__ = ["AssessmentReply", "Judged", "Material", "ModelError", "OfflineJudge", "Unusable", "assess_answer"]
