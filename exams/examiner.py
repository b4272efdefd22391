"""A briefing becomes what the examiner says: an opening question, a probe, a hint, and the sentence between
two Tasks.

Whatever model words it, nothing is shown unchecked: sources exist, the manners of an oral are kept,
nothing is given away, no rule is told. A question with faults is asked for once more, with the faults; a
second time it is replaced by a question made from an approved claim by the project's own writer; if that
cannot be made either, the element is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import structlog
from pydantic import BaseModel, ConfigDict, Field

from exams import conf
from exams.briefing import Briefing, NoSupport
from exams.offline.composing import NothingToAsk, Target, Wanted, compose, shuffled
from exams.offline.statements import parse
from exams.question_rules import faults_of
from exams.trust import OF_AUTHORITY, disagreements, how_good
from exams.values import ElementKind, Expectation, Form, Point
from exams.verdicts import weakest_point
from knowledge.grounding.citations import Citation
from knowledge.grounding.context import NO_SOURCES, GroundedContext
from llm.errors import ModelError
from llm.interfaces import ChatModel, ChatRequest, Message
from llm.prompts import Prompt, fence, load
from llm.registry import chat_model
from llm.structured import Structured, ask

log = structlog.get_logger(__name__)

ROLE: Final = "examiner"
REFUSED: Final = (
    "The examiner's wording did not pass its checks; this question was made from the claim itself."
)
AWAY: Final = "The examiner's model could not be reached; this question was made from the claim itself."
"""Why a question was not worded by the model, as its provenance says it."""


class QuestionReply(BaseModel):
    """What a model answers when it is asked for a question."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(min_length=1, max_length=800)
    expectations: list[str] = Field(default_factory=list, max_length=20)
    sources: list[int] = Field(default_factory=list, max_length=20)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Something the examiner said before in the same exam."""

    text: str
    task: str = ""
    task_title: str = ""
    area_title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What the examiner says, and who worded it. `degraded` says why it is not what it should be."""

    text: str
    transition: str = ""
    expectations: tuple[str, ...] = ()
    provenance: dict[str, Any] = field(default_factory=dict)
    degraded: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    """One thing to be worded, with all that it is made from and checked by."""

    wanted: Wanted
    element_text: str
    element_code: str
    task: str
    expectations: tuple[Expectation, ...]
    citations: tuple[Citation, ...]
    difficulty: str = "standard"
    versions: dict[str, str] = field(default_factory=dict)
    question: str = ""
    history: tuple[Asked, ...] = ()
    notes: tuple[str, ...] = ()
    context: GroundedContext = NO_SOURCES


# --- the three things an examiner says ------------------------------------------------------------------------


def write_opening(
    briefing: Briefing,
    *,
    history: Sequence[Asked] = (),
    difficulty: str = "standard",
    seed: str = "",
    notes: Sequence[str] = (),
    model: ChatModel | None = None,
) -> Words:
    """The opening question about a briefing. `notes` are what operators say about manner, no source for anything.

    Raises NoSupport if none can be made without a fault.
    """
    element = briefing.element
    wanted = Wanted(
        form="opening",
        element_kind=element.kind,
        topic=element.text,
        targets=_targets(
            briefing.expectations,
            briefing.citations,
            _headings(briefing.context),
        ),
        seed=f"{seed}/{element.code}/{difficulty}",
        recent=tuple(one.text for one in history),
    )
    order = _Order(
        wanted=wanted,
        element_text=element.text,
        element_code=element.code,
        task=element.task_title,
        expectations=briefing.expectations,
        citations=briefing.citations,
        difficulty=difficulty,
        versions=briefing.versions,
        history=tuple(history),
        notes=tuple(notes),
        context=briefing.context,
    )
    words = _worded(order, model)
    transition = transition_to(
        element.task, element.task_title, element.area_title, history, seed=wanted.seed
    )
    return replace(words, transition=transition)


def write_probe(
    *,
    question: str,
    answer: str,
    points: Sequence[Point],
    expectations: Sequence[Expectation],
    citations: Sequence[Citation],
    context: GroundedContext = NO_SOURCES,
    seed: str = "",
    aim: Point | None = None,
    notes: Sequence[str] = (),
    model: ChatModel | None = None,
) -> Words:
    """A neutral probe at the most serious open point, in words that quote the student's answer."""
    aim = aim or weakest_point(points)
    said = answer if not aim or not aim.said else aim.said if aim.said in answer else answer
    wanted = _follow_up("probe", expectations, citations, seed, aim, _headings(context))
    order = _follow_up_order(replace(wanted, said=said), expectations, citations, question, notes, context)
    return _worded(order, model)


def write_hint(
    *,
    question: str,
    points: Sequence[Point],
    expectations: Sequence[Expectation],
    citations: Sequence[Citation],
    context: GroundedContext = NO_SOURCES,
    seed: str = "",
    notes: Sequence[str] = (),
    model: ChatModel | None = None,
) -> Words:
    """A hint at the place where the most serious open point stands in its source."""
    wanted = _follow_up("hint", expectations, citations, seed, weakest_point(points), _headings(context))
    order = _follow_up_order(wanted, expectations, citations, question, notes, context)
    return _worded(order, model)


_TURNS: Final = (
    "That is all on {old}. Next: {new}.",
    "We leave {old}. The next subject: {new}.",
    "So much for {old}. Now to {new}.",
    "Let us move on. After {old} comes {new}.",
)
_FIRST: Final = ("We begin here: {new}.", "The first subject: {new}.", "Let us start. The subject: {new}.")


def transition_to(task: str, title: str, area: str, history: Sequence[Asked], *, seed: str = "") -> str:
    """The sentence between two Tasks; between two Areas it names the Area. Empty within a Task."""
    last = next((one for one in reversed(history) if one.task), None)
    if not title or (last and last.task == task):
        return ""
    if last is None:
        return shuffled(_FIRST, seed)[0].format(new=title)
    across = bool(area and last.area_title and area != last.area_title)
    old = last.area_title if across else last.task_title
    return (
        shuffled(_TURNS, seed)[0].format(old=_spoken(old), new=title)
        if old
        else f"The next subject: {title}."
    )


def _spoken(title: str) -> str:
    """A title as it is said in a sentence: acronyms and names keep their capitals."""
    words = title.strip(" .").split()
    return " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in words)


# --- wording and checking -------------------------------------------------------------------------------------


def _worded(order: _Order, model: ChatModel | None) -> Words:
    try:
        worded = _by_model(order, model or chat_model(ROLE))
        reason = REFUSED
    except ModelError as error:
        log.warning("examiner_away", element=order.element_code, code=error.code)
        worded, reason = None, AWAY
    return worded or _by_own_writer(order, reason)


def _by_model(order: _Order, model: ChatModel) -> Words | None:
    """What the model says, if it passes the checks at the first or the second try.

    The scenes of the project's own writer are part of its catalogue: their "ten minutes out" needs no source.
    """
    faults: tuple[str, ...] = ()
    for _ in range(conf.QUESTION_TRIES):
        prompt = _prompt(order, faults)
        reply = ask(model, _request(order, prompt))
        support = _support(order) if model.external else None
        faults = _faults(order, reply.value.text, support) + _reference_faults(order, reply.value)
        if not faults:
            return _words(order, reply)
        log.info("question_refused", element=order.element_code, form=order.wanted.form, faults=list(faults))
    return None


def _by_own_writer(order: _Order, reason: str) -> Words:
    try:
        text = compose(order.wanted, lambda said: _faults(order, said))
    except NothingToAsk as error:
        raise NoSupport(f"{order.element_code}: {error}") from error
    provenance = {
        "provider": "offline",
        "model": "own writer",
        "because": reason,
        "prompt_version": "",
        "evidence": order.versions,
    }
    return Words(text=text, expectations=_keys(order), provenance=provenance, degraded=reason)


def _words(order: _Order, reply: Structured[QuestionReply]) -> Words:
    provenance = {
        "provider": reply.provider,
        "model": reply.model,
        "prompt_version": reply.prompt_version,
        "repaired": reply.repaired,
        "evidence": order.versions,
    }
    return Words(text=" ".join(reply.value.text.split()), expectations=_keys(order), provenance=provenance)


def _keys(order: _Order) -> tuple[str, ...]:
    return tuple(one.key for one in order.expectations)


def _faults(order: _Order, text: str, support: Sequence[str] | None = None) -> tuple[str, ...]:
    return faults_of(
        text,
        expectations=[*(one.text for one in order.expectations), *(one.quote for one in order.citations)],
        element_text=order.element_text,
        previous=order.wanted.recent[-1] if order.wanted.recent else "",
        own_words=order.wanted.said,
        secret_amounts=[amount.text for one in order.expectations for amount in parse(one.text).asked],
        support=support,
    )


def _reference_faults(order: _Order, reply: QuestionReply) -> tuple[str, ...]:
    numbers, keys = {one.n for one in order.citations}, set(_keys(order))
    wrong = [n for n in reply.sources if n not in numbers]
    unknown = [key for key in reply.expectations if key not in keys]
    found = []
    if wrong:
        found.append(f"There is no source {wrong[0]}.")
    if unknown:
        found.append(f"There is no expectation {unknown[0]!r}.")
    return tuple(found)


def _support(order: _Order) -> tuple[str, ...]:
    """Where amounts may come from: the sources, and what has been said."""
    known = [one.quote for one in order.citations] + [one.text for one in order.expectations]
    return (*known, order.element_text, order.question, order.wanted.said)


def _request(order: _Order, prompt: Prompt) -> ChatRequest[QuestionReply]:
    return ChatRequest(
        role=ROLE,
        system=prompt.text,
        messages=(Message("user", "Write it now."),),
        schema=QuestionReply,
        material=order,
        prompt_version=prompt.version,
        timeout=conf.EXAMINER_TIMEOUT_S,
    )


def _prompt(order: _Order, faults: Iterable[str]) -> Prompt:
    reasons = "".join(f"\n* {fault}" for fault in faults)
    return load(
        "exams",
        "examiner",
        form=order.wanted.form,
        element=order.element_code or "-",
        kind=order.wanted.element_kind,
        topic=order.element_text,
        task=order.task or "-",
        difficulty=order.difficulty,
        expectations=listed_expectations(order.expectations),
        sources=listed_sources(order.citations),
        quality=how_good(order.context),
        authority=OF_AUTHORITY,
        disagreements=disagreements(order.context),
        asked="\n".join(f"* {text}" for text in order.wanted.recent[-5:]) or "nothing yet",
        notes="\n".join(fence("note", one) for one in order.notes) or "none",
        follow_up=_about_the_answer(order),
        reasons=f"\n\nYour last attempt was not shown, because:{reasons}" if reasons else "",
    )


def _about_the_answer(order: _Order) -> str:
    if order.wanted.form == "opening":
        return ""
    aim = next((one.text for one in order.expectations if one.key == order.wanted.aim_key), "")
    lines = [f"The question was: {order.question}", f"Aim at this, without naming it: {aim}"]
    if order.wanted.said:
        lines.append(fence("answer", order.wanted.said))
    return "\n".join(lines)


def listed_expectations(expectations: Iterable[Expectation]) -> str:
    """Expectations as a prompt lists them."""
    return "\n".join(
        f"* key {one.key} ({one.importance}, {one.kind}, source {one.citation}): {one.text}"
        for one in expectations
    )


def listed_sources(citations: Iterable[Citation]) -> str:
    """Citations as numbered, fenced sources."""
    return "\n".join(
        fence(
            "source",
            f"[{one.n}] {one.label or one.document}, {one.edition} (relevance {one.relevance:.2f})\n{one.quote}",
        )
        for one in citations
    )


# --- what is worded -------------------------------------------------------------------------------------------


def _targets(
    expectations: Iterable[Expectation],
    citations: Sequence[Citation],
    headings: Mapping[str, str] | None = None,
) -> tuple[Target, ...]:
    by_n = {one.n: one for one in citations}
    return tuple(_target(one, by_n.get(one.citation), headings or {}) for one in expectations)


def _headings(context: GroundedContext) -> dict[str, str]:
    return {passage.chunk_id: passage.heading for passage in context.passages}


def _target(expectation: Expectation, citation: Citation | None, headings: Mapping[str, str]) -> Target:
    return Target(
        key=expectation.key,
        text=expectation.text,
        kind=expectation.kind,
        heading=(headings.get(citation.chunk_id) or citation.section) if citation else "",
        document=citation.document if citation else "",
        label=citation.label if citation else "",
    )


def _follow_up(
    form: Form,
    expectations: Sequence[Expectation],
    citations: Sequence[Citation],
    seed: str,
    aim: Point | None,
    headings: Mapping[str, str] | None = None,
) -> Wanted:
    kind: ElementKind = "risk" if any(one.kind == "hazard" for one in expectations) else "knowledge"
    return Wanted(
        form=form,
        element_kind=kind,
        topic="",
        targets=_targets(expectations, citations, headings),
        seed=f"{seed}/{form}",
        aim_key=aim.key if aim else "",
        aim_met=aim.met if aim else "missing",
    )


def _follow_up_order(
    wanted: Wanted,
    expectations: Sequence[Expectation],
    citations: Sequence[Citation],
    question: str,
    notes: Sequence[str],
    context: GroundedContext,
) -> _Order:
    return _Order(
        wanted=wanted,
        element_text="",
        element_code="",
        task="",
        expectations=tuple(expectations),
        citations=tuple(citations),
        question=question,
        notes=tuple(notes),
        context=context,
    )


# --- the offline skill ----------------------------------------------------------------------------------------


def compose_reply(order: object) -> QuestionReply:
    """The skill of the offline model for the role "examiner"."""
    if not isinstance(order, _Order):
        raise TypeError("the examiner's skill works from an order of its own")
    text = compose(order.wanted, lambda said: _faults(order, said))
    return QuestionReply(
        text=text, expectations=list(_keys(order)), sources=[one.n for one in order.citations]
    )
