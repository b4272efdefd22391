"""Assesses an answer: one point for each expectation, with the student's words and the reason.

A model, or the offline judge, decides each expectation. Its reply is checked: every expectation once, quoted words
verbatim in the answer, sources that exist. What a vendor's model finds is compared with the offline judge's findings
(`finding_checks`). `verdicts` computes the verdict from the points. A failure raises ModelError and leaves the turn
ungraded. The answer is data; it cannot give instructions.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from exams import conf
from exams.bank.selection import MixUpKnown
from exams.domain.asides import is_non_answer
from exams.domain.keywords import stand_together
from exams.domain.values import Exchange, Expectation, Point
from exams.domain.verdicts import SAID_OTHERWISE
from exams.examiner.expectations import listed_expectations
from exams.examiner.finding_checks import LocalPoint, PointReply, disputed, explain, settle
from exams.examiner.source_quality import told_of_sources
from exams.offline.amounts import amounts_of
from exams.offline.assertions import without_recalled
from exams.offline.classifier import Classifier
from exams.offline.features import PointText, nearest_texts
from exams.offline.findings import (
    Finding,
    add_own_words,
    can_be_heard,
    explain_finding,
    find_points,
    find_pressing_on,
    states_belief,
)
from knowledge.grounding.citations import find_quote
from knowledge.grounding.context import GroundedContext, Passage
from knowledge.text.sentences import sentences_in
from knowledge.text.synonyms import idea_set
from llm.errors import ModelError, StructuredOutputError
from llm.interfaces import ChatModel, ChatRequest, Message
from llm.local.minilm import load_tokenizer
from llm.offline import Skill
from llm.processes import PerProcess
from llm.prompts import Prompt, fence_text, load_prompt
from llm.registry import chat_model
from llm.structured import Structured, ask_model

ROLE: Final = "assessor"

NOTHING_SAID: Final = "Nothing was said."
_LOOK_AGAIN: Final = (
    "Judge it once more, on its own, from the answer and the expectations alone. Of the points that are met or half"
    " met copy the words that convey them."
)


class AssessmentReply(BaseModel):
    """A model's complete reply. It has no verdict.

    `mixups` are the numbers of the known wrong beliefs that the answer states.
    """

    model_config = ConfigDict(extra="forbid")

    points: Sequence[PointReply] = Field(max_length=60)
    unsafe: bool = False
    mixups: list[int] = Field(default_factory=list, max_length=10)


class LocalReply(AssessmentReply):
    """The offline judge's reply."""

    points: Sequence[LocalPoint] = Field(max_length=60)


class Unusable(StructuredOutputError):
    """The reply is well formed but inconsistent; the message says how."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The points of the answers so far, in the order of the expectations.

    `degraded` says what they do not rest on; `mixups` are the places of the wrong beliefs that were recognized.
    """

    points: tuple[Point, ...]
    unsafe_held: bool = False
    mixups: tuple[int, ...] = ()
    degraded: str = ""
    provenance: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OnTable:
    """What the student could look at: texts, as "name: text", and figures, as whole picture files."""

    texts: tuple[str, ...] = ()
    figures: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Aids:
    """What else a vendor's model is told: operators' notes on how their students speak, and facts that were computed
    from approved claims. Nothing of it is expected."""

    notes: tuple[str, ...] = ()
    computed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """The input of the offline judge."""

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
    table: OnTable = OnTable(),
    aids: Aids = Aids(),
    model: ChatModel | None = None,
) -> Judged:
    """One point for each expectation, from the opening question and everything asked and said since.

    `context` has the passages behind the expectations; `near` has those that the answer's own words found, which may
    help to say where the answer went wrong. A vendor's model is also shown what lay on the `table`, and its
    `aids`. Without any expectation the points are empty, which `verdicts.decide_verdict` calls ungraded. Raises
    ModelError where the answer could not be judged.
    """
    if not expectations:
        return Judged(points=(), degraded="There was nothing to judge the answer by.")
    material = Material(exchanges=tuple(exchanges), expectations=tuple(expectations), mixups=tuple(mixups))
    if is_non_answer(material.answer):
        nothing = (
            LocalPoint(key=one.key, met="missing", why=NOTHING_SAID, conveyed=0) for one in expectations
        )
        return Judged(points=tuple(map(_point_for, expectations, nothing)))
    known = {one.chunk_id for one in context.passages}
    prompt = _prompt_for(material, context, [one for one in near if one.chunk_id not in known], table, aids)
    model = model or chat_model(ROLE)
    request = ChatRequest(
        role=ROLE,
        system=prompt.text,
        messages=(Message("user", "Judge it now.", table.figures),),
        schema=AssessmentReply if model.external else LocalReply,
        material=material,
        prompt_version=prompt.version,
        timeout=conf.ASSESSOR_TIMEOUT_S,
    )
    reply, points, compared = (_ask_and_compare if model.external else _ask_local)(model, request, material)
    return Judged(
        points=tuple(map(_point_for, expectations, points)),
        unsafe_held=reply.value.unsafe,
        mixups=tuple(n for n in dict.fromkeys(reply.value.mixups) if 0 <= n < len(mixups)),
        degraded="" if not context.is_empty else "No source was at hand.",
        provenance={
            "provider": reply.provider,
            "model": reply.model,
            "prompt_version": reply.prompt_version,
            "repaired": reply.repaired,
            "exchanges": len(exchanges),
            **{name: len(told) for name, told in asdict(aids).items() if told},
            **compared,
        },
    )


Reply = Structured[AssessmentReply]


def _ask_local(
    model: ChatModel, request: ChatRequest[AssessmentReply], material: Material
) -> tuple[Reply, Sequence[LocalPoint], dict[str, Any]]:
    reply = ask_model(model, request)
    return reply, [LocalPoint.model_validate(one.model_dump()) for one in _checked(reply.value, material)], {}


def _ask_and_compare(
    model: ChatModel, request: ChatRequest[AssessmentReply], material: Material
) -> tuple[Reply, Sequence[LocalPoint], dict[str, Any]]:
    """A vendor's findings as far as they stand beside the offline judge's, and how they were compared."""
    deadline = time.monotonic() + request.timeout
    local = OfflineJudge(_CLASSIFIER.get)(material).points

    def ask_again(wish: str) -> tuple[Reply, Sequence[PointReply]]:
        left = deadline - time.monotonic()
        message = Message("user", wish)
        reply = ask_model(
            model, replace(request, messages=(*request.messages, message), timeout=max(left, 1))
        )
        return reply, _checked(reply.value, material)

    second: Sequence[PointReply] | None = None
    reply = ask_model(model, request)
    try:
        first = _checked(reply.value, material)
        if again := disputed(first, local):
            with suppress(ModelError):  # then the first reply is all there is
                reply, second = ask_again(_LOOK_AGAIN)
    except Unusable as fault:
        again = []
        reply, first = ask_again(f"That could not be used: {fault}. {_LOOK_AGAIN}")
    points, overruled = [], []
    for at, (expectation, ours) in enumerate(zip(material.expectations, local, strict=True)):
        replies = {"first": first[at], "second": second[at] if second else None, "local": ours}
        settled = settle(first[at], replies["second"], ours)
        counts = replies[settled.source] or ours
        if settled.source == "local":
            overruled.append(
                {"point": ours.key, "model": (replies["second"] or first[at]).met, "met": ours.met}
            )
        why = explain(expectation, settled.met, ours, counts.lacks)
        points.append(
            LocalPoint(key=ours.key, met=settled.met, said=counts.said, why=why, conveyed=ours.conveyed)
        )
    open_keys = {one.key for one in points if one.met != "met"}
    held = [
        n
        for n in reply.value.mixups
        if n < len(material.mixups) and open_keys & set(material.mixups[n].contradicts)
    ]
    unsafe = reply.value.unsafe and any(one.met == "contradicted" for one in points)
    value = reply.value.model_copy(update={"mixups": held, "unsafe": unsafe})
    compared = {"asked_again": len(again), "overruled": overruled}
    return replace(reply, value=value), points, compared


def _prompt_for(
    material: Material,
    context: GroundedContext,
    further: Sequence[Passage],
    table: OnTable,
    aids: Aids,
) -> Prompt:
    """The sources are each expectation's own, under its citation's number, then the passages around them."""
    stated = {one.citations[0]: one.text for one in material.expectations if one.citations}
    sources = [fence_text("source", f"[{n}] {text}") for n, text in sorted(stated.items())]
    first, *follow_ups = material.exchanges
    said = [fence_text("answer", first.said)]
    for exchange in follow_ups:
        said += [fence_text("follow_up", exchange.asked), fence_text("answer", exchange.said)]

    def fenced(passages: Sequence[Passage]) -> list[str]:
        return [
            fence_text("passage", f"{one.label or one.document} (relevance {one.relevance:.2f})\n{one.text}")
            for one in passages
        ]

    return load_prompt(
        "exams",
        "assessor",
        question=fence_text("question", material.question),
        table="\n".join(fence_text("given", one) for one in table.texts) or "no text",
        figures=str(len(table.figures) or "none"),
        expectations=listed_expectations(material.expectations),
        mixups="\n".join(f"* {n}: {one.text}" for n, one in enumerate(material.mixups)) or "none",
        sources="\n".join((*sources, *fenced(context.passages))) or "none",
        near="\n".join(fenced(further)) or "none",
        computed=fence_text("computed", "\n".join(aids.computed)) if aids.computed else "none",
        answer="\n".join(said),
        **told_of_sources(context, aids.notes),
    )


# --- checking what was said about the answer ------------------------------------------------------------------


def _checked(reply: AssessmentReply, material: Material) -> Sequence[PointReply]:
    """The findings in the order of the expectations, with words that stand in the answer. Raises Unusable."""
    expectations = material.expectations
    wanted, given = Counter(one.key for one in expectations), Counter(one.key for one in reply.points)
    if wanted != given:
        wrong = sorted((wanted - given) | (given - wanted))
        raise Unusable(
            f"assessor: each expectation is to be judged once; not so for {', '.join(wrong)[:300]}"
        )
    by_key = {one.key: one for one in reply.points}
    known = {n for one in expectations for n in one.citations}
    points = []
    for expectation in expectations:
        said = by_key[expectation.key]
        if unknown := [n for n in said.sources if n not in known]:
            raise Unusable(f"assessor: there is no source {unknown[0]} for {said.key[:120]}")
        points.append(said.model_copy(update={"said": verbatim_words(said.said, material.answer)}))
    return points


def verbatim_words(said: str, answer: str) -> str:
    """The words as they stand in the answer. Raises Unusable for words that the student did not say."""
    quote = said.strip().strip('“”"')
    if not quote:
        return ""
    span = find_quote(answer, quote)
    if span is None:
        raise Unusable(f"assessor: the student did not say {quote[:120]!r}")
    return " ".join(answer[slice(*span)].split())


def _point_for(expectation: Expectation, said: LocalPoint) -> Point:
    """A point cites its expectation's sources, not others that the model named."""
    return Point(
        expectation=expectation.text,
        key=expectation.key,
        importance=expectation.importance,
        met=said.met,
        why=said.why or explain_finding(said.met, ()),
        said=said.said,
        citations=expectation.citations,
        kind=expectation.kind,
        p0=expectation.p0,
        conveyed=said.conveyed,
    )


# --- the offline judge ----------------------------------------------------------------------------------------

ROLES: Final[Mapping[str, str]] = {"read": "rule", "decide": "explain"}
"""Roles without training data, and the role that each is judged as."""


_NOTHING_FOUND: Final = Finding(met="missing", why=NOTHING_SAID)


class OfflineJudge:
    """The offline model's skill for the role "assessor".

    It is deterministic: a small model that was fitted to graded answers, and rules for figures and denials.
    """

    def __init__(self, classifier: Callable[[], Classifier]) -> None:
        self._classifier = classifier

    def __call__(self, material: object) -> LocalReply:
        if not isinstance(material, Material):
            raise TypeError("the assessor's skill works from Material")
        points = [
            PointText(
                text=one.text,
                role=ROLES.get(one.kind, one.kind),
                wordings=one.also,
                against=tuple(wrong.text for wrong in material.mixups if one.key in wrong.contradicts),
                reject=one.reject,
                keywords=one.keywords,
            )
            for one in material.expectations
        ]
        answer, said = material.answer, [one.said for one in material.exchanges]
        said = [without_recalled(one, " ".join(said[:at])) for at, one in enumerate(said)]
        corrected = zip(material.exchanges, said, strict=True)
        material = replace(material, exchanges=tuple(replace(one, said=kept) for one, kept in corrected))
        classifier = self._classifier()
        found = find_points(points, material.question, said[-1], classifier)
        heard = [one.strip() for one in said if can_be_heard(one)]
        together = " ".join(one if one.endswith((".", "!", "?")) else f"{one}." for one in heard)
        if len(said) > 1 and heard:
            found = self._answers_to_follow_up(points, found, material)
            # What the last answer says of a point counts where it is right; else what all answers say together.
            whole = find_points(points, material.question, together, classifier, answers=len(heard))
            # What met it may have been said before, so its words are shown only where all answers together do not say
            # it, or where those before say the contrary.
            before = " ".join(filter(can_be_heard, said[:-1]))
            first = find_points(points, material.question, before, classifier, answers=len(said) - 1)
            lately = tuple(
                one
                if one.met == "met" and (other.met != "met" or earlier.met == "contradicted")
                else _NOTHING_FOUND
                for one, other, earlier in zip(found, whole, first, strict=True)
            )
            lately = add_own_words(points, lately, material.question, said[-1], classifier)
            # Much that is right makes the classifier believe the rest: what neither answer says is half met at most.
            said_by_neither = [
                {one.met, earlier.met} <= {"missing", "contradicted"}
                for one, earlier in zip(found, first, strict=True)
            ]
            found = tuple(
                one
                if one.met == "met"
                else replace(other, met="half", why=explain_finding("half", ()))
                if neither and other.met == "met"
                else other
                for one, other, neither in zip(lately, whole, said_by_neither, strict=True)
            )
            found = self._take_back(points, found, first, before, material)
        found = add_own_words(points, found, material.question, together, classifier)
        replies = []
        for expectation, finding in zip(material.expectations, found, strict=True):
            if expectation.importance == "should" and (
                finding.met == "contradicted" or finding.why == SAID_OTHERWISE
            ):
                # What is only good to add counts against nobody.
                finding = replace(finding, met="missing", why=explain_finding("missing", ()), said="")
            shown = _shown_words(finding.said, answer) if _is_about(finding.said, expectation) else ""
            replies.append(
                LocalPoint(
                    key=expectation.key,
                    met=finding.met,
                    said=shown,
                    why=finding.why,
                    conveyed=round(min(finding.conveyed, 1.0), 4),
                )
            )
        # The wrong belief nearest to the answer, of those that deny a contradicted point, if the answer states it.
        contradicted = {one.key for one in replies if one.met == "contradicted"}
        beliefs = [one.text for one in material.mixups if contradicted & set(one.contradicts)]
        belief = next(iter(nearest_texts(beliefs, material.answer)), "")
        held = [n for n, one in enumerate(material.mixups) if one.text == belief][:1]
        decides = any(one.kind == "mitigate" for one in material.expectations)
        return LocalReply(
            points=replies,
            unsafe=decides and bool(find_pressing_on(said[-1])),
            mixups=held if states_belief(material.answer, belief) else [],
        )

    def _answers_to_follow_up(
        self, points: Sequence[PointText], found: Sequence[Finding], material: Material
    ) -> tuple[Finding, ...]:
        """What was found in the last answer, with what it is read as in reply to the follow-up alone: it answers that,
        in as few words. A point is met so only if its key words stand together."""
        last, settled = material.exchanges[-1], list(found)
        for at, (point, expectation) in enumerate(zip(points, material.expectations, strict=True)):
            asked = expectation.ask
            if (
                found[at].met != "met"
                and asked
                and asked[1:] in last.asked  # a second question begins with a small letter
                and stand_together(point.keywords, last.said)
            ):
                reply = find_points([point], asked, last.said, self._classifier())[0]
                settled[at] = reply if reply.met == "met" else found[at]
        return tuple(settled)

    def _take_back(
        self,
        points: Sequence[PointText],
        found: tuple[Finding, ...],
        first: tuple[Finding, ...],
        before: str,
        material: Material,
    ) -> tuple[Finding, ...]:
        """The findings where the last answer speaks to a point that an earlier one contradicted: what contradicted it
        is taken back, and the rest is judged with the last answer. Silence takes nothing back. `first` was found in the
        answers `before`."""
        last = material.exchanges[-1].said
        ideas = idea_set(last)
        wanted = [idea_set(one.text) for one in points]

        def has_amount(at: int, text: str, outcome: str) -> bool:
            return any(one.outcome == outcome for one in amounts_of(points[at].text, material.question, text))

        open_ones = {
            at
            for at, one in enumerate(found)
            if one.met != "met"
            and (
                len(ideas & wanted[at]) >= conf.TAKEN_BACK * len(wanted[at]) or has_amount(at, last, "given")
            )
        }
        if not before or not open_ones or not can_be_heard(last):
            return found
        classifier, settled = self._classifier(), list(found)
        taken = {at for at in open_ones if "contradicted" in (first[at].met, found[at].met)}
        first = tuple(one if at in taken else _NOTHING_FOUND for at, one in enumerate(first))
        first = add_own_words(points, first, material.question, before, classifier)
        for at in taken:
            if first[at].said in before:  # "" where the answers contradict the point only together
                rest = sentences_in(before.replace(first[at].said, ""))
                kept = " ".join((*(one.text for one in rest if not has_amount(at, one.text, "wrong")), last))
                both, alone = (
                    find_points(points, material.question, one, classifier)[at] for one in (kept, last)
                )
                settled[at] = alone if both.met == "contradicted" and alone.met in ("met", "half") else both
        return tuple(settled)


def offline_skills() -> Mapping[str, Skill]:
    """Role → skill, for `llm.offline.OfflineChatModel`. The classifier is loaded when the first answer is judged."""
    return {ROLE: OfflineJudge(_CLASSIFIER.get)}


_CLASSIFIER: Final = PerProcess(lambda: Classifier(load_tokenizer()))


def _is_about(said: str, expectation: Expectation) -> bool:
    """Whether the sentence that supports a point best shares an idea with it, or with a wording of it: else a student
    would read words about something else beside it."""
    texts = (expectation.text, *expectation.also, *(" ".join(group) for group in expectation.keywords))
    return any(idea_set(said) & idea_set(one) for one in texts)


def _shown_words(said: str, answer: str) -> str:
    """The words to show; where the judge put them together out of an answer, the whole answer up to the limit."""
    if not said:
        return ""
    shown = said if find_quote(answer, said) else " ".join(answer.split())
    if len(shown) <= conf.ANSWER_CHARACTERS_MOST:
        return shown
    return shown[: conf.ANSWER_CHARACTERS_MOST].rsplit(" ", 1)[0]
