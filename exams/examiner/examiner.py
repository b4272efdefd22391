"""Writes the examiner's words: an opening question, a probe, a hint, and the sentence between two Tasks.

The words are the item's own. A vendor's model may reword them, and its words are checked: sources exist, all givens are
there, the answer is not given away, nothing is stated beyond the item's own words (`statement_checks`), and the
question is one that an examiner would ask. If there are faults, the model is asked once more, with the faults; after
that, the item's own words are used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, Final

import structlog
from pydantic import BaseModel, ConfigDict, Field

from exams import conf
from exams.bank.lint import fill_slots
from exams.domain.question_checks import faults_of, figures_in
from exams.domain.values import ElementKind, Expectation, ExpectationKind, Form, Point
from exams.domain.verdicts import weakest_point
from exams.examiner.briefing import EXAMINER as ROLE
from exams.examiner.briefing import Briefing, NoSupport
from exams.examiner.expectations import listed_expectations
from exams.examiner.source_quality import OF_AUTHORITY, how_good, listed_disagreements, listed_surroundings
from exams.examiner.statement_checks import faults_beside, unsupported_statements
from knowledge.grounding.citations import Citation
from knowledge.grounding.context import NO_SOURCES, GroundedContext
from llm.errors import ModelError
from llm.interfaces import ChatModel, ChatRequest, Message
from llm.prompts import Prompt, fence_text, load_prompt
from llm.registry import chat_model
from llm.structured import ask_model

log = structlog.get_logger(__name__)

REFUSED: Final = "The examiner's wording did not pass its checks; the item's own words were used."
AWAY: Final = "The examiner's model could not be reached; the item's own words were used."
"""Why a question was not worded by the model, as its provenance says it."""

QUOTED_BACK_WORDS: Final = 14
"""Words of a contradicted statement up to which it is quoted back; a longer one is left out, not clipped."""

FURTHER: Final = "Tell me a little more."
"""Precedes the probe at a half-met point, which may ask again for the half that was said."""
ASKS: Final[dict[ExpectationKind, str]] = {
    "rule": "What else belongs to that rule?",
    "explain": "How does that work, and what follows from it for you as the pilot?",
    "read": "What else do you read from it?",
    "hazard": "What is the danger in this situation, as you see it?",
    "assess": "How likely is that here, and how bad would it be?",
    "mitigate": "What would you actually do about it?",
    "decide": "So what do you decide, and why?",
}
"""The probe at a claim that no item covers; an item's point has its own."""

_TRANSITIONS: Final = (
    "Okay. Let's talk about {new}.",
    "Let's leave {old} there and turn to {new}.",
    "On to {new}.",
    "Let's move from {old} to {new}.",
)
_FIRST: Final = ("Let's begin with {new}.", "We'll start with {new}.")


class QuestionReply(BaseModel):
    """A model's reply with a question."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(min_length=1, max_length=800)
    expectations: list[str] = Field(default_factory=list, max_length=20)
    sources: list[int] = Field(default_factory=list, max_length=20)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Something the examiner said before in the same exam, its Task, and the item it came from."""

    text: str
    task: str = ""
    item: str = ""
    task_title: str = ""
    area_title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The examiner's words, and who wrote them. `degraded` says why they are not the usual ones."""

    text: str
    transition: str = ""
    provenance: dict[str, Any] = field(default_factory=dict)
    degraded: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    """One thing to word, with all that it is made from and checked by.

    `own` are the item's words for it, empty where there is no item; `wordings` are others that the item has.
    """

    form: Form
    kind: ElementKind
    own: str
    expectations: tuple[Expectation, ...]
    citations: tuple[Citation, ...]
    givens: tuple[str, ...] = ()
    element_text: str = ""
    element_code: str = ""
    task: str = ""
    difficulty: str = "standard"
    question: str = ""
    said: str = ""
    aim: str = ""
    recent: tuple[str, ...] = ()
    wordings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    context: GroundedContext = NO_SOURCES
    evidence: dict[str, Any] = field(default_factory=dict)


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
    """The opening question about a briefing. `notes` are operators' instructions about manner; they are not a source.

    Raises NoSupport where there is no item and no model's question passes the checks.
    """
    element, item, values = briefing.element, briefing.item, briefing.values or {}
    order = _Order(
        form="opening",
        kind=element.kind,
        own=fill_slots(item.stem, values) if item else "",
        givens=tuple(str(value) for value in values.values()),
        element_text=element.text,
        element_code=element.code,
        task=element.task_title,
        expectations=briefing.expectations,
        citations=briefing.citations,
        difficulty=difficulty,
        recent=tuple(one.text for one in history),
        wordings=(fill_slots(item.again, values), *(one.ask for one in briefing.expectations))
        if item
        else (),
        notes=tuple(notes),
        context=briefing.context,
        evidence={
            "evidence": briefing.versions,
            **({"item": item.key, "item_version": item.version, "values": dict(values)} if item else {}),
        },
    )
    words = _word_order(order, model)
    if not words.text:
        raise NoSupport(f"{element.code}: no question about its claims passed the checks")
    transition = transition_to(element.task, element.task_title, element.area_title, history, seed=seed)
    return replace(words, transition=transition)


def write_follow_up(
    form: Form,
    *,
    question: str,
    points: Sequence[Point],
    expectations: Sequence[Expectation],
    citations: Sequence[Citation],
    answer: str = "",
    context: GroundedContext = NO_SOURCES,
    notes: Sequence[str] = (),
    model: ChatModel | None = None,
) -> Words:
    """A neutral probe at the most important point that is open, or a hint at where to look for it.

    A probe challenges what was said wrongly in the student's own words, and asks for more of what is half right.
    """
    aim = weakest_point(points)
    wanted = aim.key if aim else ""
    expected = next((one for one in expectations if one.key == wanted), expectations[0])
    is_hint = form == "hint"
    if is_hint:
        places = [one.section or one.document for one in citations if one.n in expected.citations]
        place = f"Think of what you have read in {places[0]}." if places else ASKS[expected.kind]
        own = expected.hint or place
    else:
        own = expected.ask or ASKS[expected.kind]
        wrong = aim.said if aim and aim.met == "contradicted" and aim.said in answer else ""
        if wrong and len(wrong.split()) <= QUOTED_BACK_WORDS:
            own = f"You said: “{wrong.strip().rstrip('.!?')}”. {own}"
        elif wrong:
            own = f"Think once more about one thing you said. {own}"
        elif aim and aim.met == "half":
            own = f"{FURTHER} {own}"
    order = _Order(
        form=form,
        kind="risk" if any(one.kind == "hazard" for one in expectations) else "knowledge",
        own=own,
        aim=expected.text,
        expectations=tuple(expectations),
        citations=tuple(citations),
        context=context,
        question=question,
        said="" if is_hint else answer,
        notes=tuple(notes),
    )
    return _word_order(order, model)


def transition_to(task: str, title: str, area: str, history: Sequence[Asked], *, seed: str = "") -> str:
    """The sentence between two Tasks; between two Areas it names the Area. Empty within a Task."""
    last = next((one for one in reversed(history) if one.task), None)
    if not title or (last and last.task == task):
        return ""
    wordings: tuple[str, ...] = _FIRST
    old = ""
    if last is not None:
        across = bool(area and last.area_title and area != last.area_title)
        old = last.area_title if across else last.task_title
        wordings = _TRANSITIONS if old else (_TRANSITIONS[0], _TRANSITIONS[2])
        seed = f"{seed}/{len(history)}"
    drawn = int(sha256(seed.encode()).hexdigest(), 16) % len(wordings)
    return wordings[drawn].format(old=_spoken_title(old), new=_spoken_title(title))


def _spoken_title(title: str) -> str:
    """A title as it is said in a sentence: acronyms and names keep their capitals."""
    words = title.strip(" .").split()
    return " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in words)


# --- wording and checking -------------------------------------------------------------------------------------


def _word_order(order: _Order, model: ChatModel | None) -> Words:
    """The item's own words, or what a vendor's model makes of them if it passes the checks."""
    model = model or chat_model(ROLE)
    because, faults = "", list[str]()
    try:
        for _ in range(conf.QUESTION_TRIES if model.external else 0):
            because = REFUSED
            prompt = _prompt_for(order, faults)
            request = ChatRequest(
                role=ROLE,
                system=prompt.text,
                messages=(Message("user", "Write it now."),),
                schema=QuestionReply,
                material=order,
                prompt_version=prompt.version,
                timeout=conf.EXAMINER_TIMEOUT_S,
            )
            reply = ask_model(model, request)
            faults = _faults_in(order, reply.value)
            if not faults:
                provenance = {
                    "provider": reply.provider,
                    "model": reply.model,
                    "prompt_version": reply.prompt_version,
                    "repaired": reply.repaired,
                    **order.evidence,
                }
                return Words(text=" ".join(reply.value.text.split()), provenance=provenance)
            log.info("question_refused", element=order.element_code, form=order.form, faults=faults)
    except ModelError as error:
        log.warning("examiner_away", element=order.element_code, code=error.code)
        because = AWAY
    own = {"provider": "offline", "model": "item bank", "prompt_version": "", **order.evidence}
    return Words(text=order.own, provenance={**own, "because": because} if because else own, degraded=because)


def _faults_in(order: _Order, reply: QuestionReply) -> list[str]:
    """What is wrong with a model's question, as sentences to the model."""
    # Amounts of the item's own words are givens; the other amounts of the expectations are asked for.
    given = figures_in(order.own)
    wanted = [figure for one in order.expectations for figure in figures_in(one.text)]
    secret = [figure.text for figure in wanted if not any(figure.same_as(one) for one in given)]
    texts, quotes = [one.text for one in order.expectations], [one.quote for one in order.citations]
    found = list(
        faults_of(
            reply.text,
            expectations=[*texts, *quotes],
            element_text=order.element_text,
            previous=order.recent[-1] if order.recent else "",
            own_words=order.said,
            secret_amounts=secret,
            support=(*quotes, *texts, order.own, order.element_text, order.question),
        )
    )
    found += faults_beside(reply.text, order.own)
    stated = unsupported_statements(
        reply.text,
        told=(order.own, *order.givens, order.element_text, order.question, *order.wordings),
        secrets=(*texts, *quotes),
        own_words=order.said,
    )
    found += [
        f"Tell nothing that the item's own words do not tell, as in “{one[:200]}”." for one in stated[:3]
    ]
    lost = [given for given in order.givens if given not in reply.text]
    numbers, keys = {one.n for one in order.citations}, {one.key for one in order.expectations}
    wrong = [n for n in reply.sources if n not in numbers]
    unknown = [key for key in reply.expectations if key not in keys]
    if lost:
        found.append(f"Keep the given “{lost[0]}” in the question.")
    if wrong:
        found.append(f"There is no source {wrong[0]}.")
    if unknown:
        found.append(f"There is no expectation {unknown[0]!r}.")
    return found


def _prompt_for(order: _Order, faults: Iterable[str]) -> Prompt:
    reasons = "".join(f"\n* {fault}" for fault in faults)
    about_the_answer = []
    if order.form != "opening":
        about_the_answer = [
            f"The question was: {order.question}",
            f"Aim at this, without naming it: {order.aim}",
        ]
        if order.said:
            about_the_answer.append(fence_text("answer", order.said))
    sources = [
        f"[{one.n}] {one.label or one.document}, {one.edition} (relevance {one.relevance:.2f})\n{one.quote}"
        for one in order.citations
    ]
    return load_prompt(
        "exams",
        "examiner",
        form=order.form,
        element=order.element_code or "-",
        kind=order.kind,
        topic=order.element_text,
        task=order.task or "-",
        difficulty=order.difficulty,
        own=order.own or "none; write the question yourself",
        expectations=listed_expectations(order.expectations),
        sources="\n".join(fence_text("source", one) for one in sources),
        quality=how_good(order.context),
        authority=OF_AUTHORITY,
        disagreements=listed_disagreements(order.context),
        around=listed_surroundings(order.context),
        asked="\n".join(f"* {text}" for text in order.recent[-5:]) or "nothing yet",
        notes="\n".join(fence_text("note", one) for one in order.notes) or "none",
        follow_up="\n".join(about_the_answer),
        reasons=f"\n\nYour last attempt was not shown, because:{reasons}" if reasons else "",
    )
