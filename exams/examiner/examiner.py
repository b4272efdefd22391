"""Writes the examiner's words: an opening question, a probe, a hint, and the sentence between two questions.

The words are the item's own, which people have read; no model is called for them. Only about an element without an
item, with the flag `exams.free_questions`, a vendor's model words the question. Its words are checked: sources exist,
the answer is not given away, nothing is stated beside a scene (`statement_checks`), and the question is one that an
examiner would ask. If there are faults, it is asked once more, with the faults; after that the element is not asked.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import structlog
from pydantic import BaseModel, ConfigDict, Field

from exams import conf
from exams.domain.feedback import vary
from exams.domain.question_checks import faults_of
from exams.domain.sampling import Because
from exams.domain.scenes.clarifying import without_questions
from exams.domain.values import Expectation, ExpectationKind, Form, Point
from exams.domain.verdicts import NOT_SAID, SAID_OTHERWISE, TURNED_ROUND, open_points
from exams.examiner.briefing import EXAMINER as ROLE
from exams.examiner.briefing import Briefing, NoSupport
from exams.examiner.expectations import listed_expectations
from exams.examiner.source_quality import told_of_sources
from exams.examiner.statement_checks import unsupported_statements
from exams.offline.answer_filter import gaps_admitted
from knowledge.grounding.citations import Citation
from knowledge.text.quantities import quantities_in
from knowledge.text.sentences import sentences_in
from knowledge.text.slots import fill_slots
from knowledge.text.synonyms import idea_set
from knowledge.text.word_tables import read_yaml
from llm.errors import ModelError
from llm.interfaces import ChatModel, ChatRequest, Message
from llm.prompts import Prompt, fence_text, load_prompt
from llm.registry import chat_model
from llm.structured import ask_model

log = structlog.get_logger(__name__)

QUOTED_BACK_WORDS: Final = 14
"""Words of a contradicted statement up to which it is quoted back; a longer one is left out, not clipped."""
SAID_BACK_LEAST, SAID_BACK_MOST = 4, 18
"""Words of what was heard in part that are quoted; of a longer sentence the clause that is nearest to the point."""
SAID_BACK_NEAR: Final = 0.25
"""Share of the ideas of a point, or of a wording accepted for it, from which words of an answer speak of it."""
ASKED_AGAIN_FROM: Final = 0.8
"""Share of its ideas that a probe has from the questions before it, from which it would only ask them again."""

WORDS_ALIKE: Final = 8
"""Characters with which two transitions begin alike from which they sound the same."""
_CLAUSE: Final = r"[,;:—–]\s+|\s+(?=(?:but|so|because)\s)"
_FILLERS: Final = r"(?i)^(?:(?:and|but|so|well|um+|uh+|hm+|because|then|okay|like i said|i think)\b[,.\s]*)+"
_GOES_ON: Final = re.compile(r"(and|also|besides|then|so)\b", re.IGNORECASE)
_TRANSITIONS: Final[dict[str, Any]] = read_yaml(Path(__file__).with_name("transitions.yaml"))
MAYBE_HEARD: Final[list[str]] = _TRANSITIONS["maybe heard"]
QUOTED_BACK: Final[list[str]] = _TRANSITIONS["quoted back"]
CHALLENGED: Final[list[str]] = _TRANSITIONS["challenged"]
GO_BACK: Final[list[str]] = _TRANSITIONS["go back"]
SAY_MORE: Final[list[str]] = _TRANSITIONS["say more"]
PUT_A_FIGURE: Final[list[str]] = _TRANSITIONS["put a figure on it"]
ALL_FIGURES: Final[list[str]] = _TRANSITIONS["all the figures"]
GO_THROUGH: Final[list[str]] = _TRANSITIONS["go through it"]
ASKS: Final[dict[ExpectationKind, str]] = _TRANSITIONS["asks"]
_PERSONAS: Final[dict[str, dict[str, list[str]]]] = _TRANSITIONS["personas"]
_WITHIN_A_TASK: Final[dict[Because, str]] = {
    "bridging": "leads on",
    "drill_down": "one step back",
    "doubt": "stays",
}


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
    transition: str = ""
    task: str = ""
    item: str = ""
    task_title: str = ""
    area_title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The examiner's words, and who wrote them; of a probe, the keys of the points that it is `about`, and whether it
    only `goes_on` to what the item asks for next."""

    text: str
    transition: str = ""
    about: tuple[str, ...] = ()
    goes_on: bool = False
    provenance: dict[str, Any] = field(default_factory=dict)


ITEM_BANK: Final = {"provider": "offline", "model": "item bank", "prompt_version": ""}
"""The provenance of an item's own words."""


# --- the three things an examiner says ------------------------------------------------------------------------


def write_opening(
    briefing: Briefing,
    *,
    history: Sequence[Asked] = (),
    because: Because = "sampled",
    difficulty: str = "standard",
    persona: str = "steady",
    seed: str = "",
    notes: Sequence[str] = (),
    model: ChatModel | None = None,
) -> Words:
    """The opening question about a briefing. `notes` are operators' instructions about manner; they are not a source.

    Raises NoSupport where there is no item, and no model can be reached or no question of it passes the checks.
    """
    element, item = briefing.element, briefing.item
    if item is not None:
        values = briefing.values or {}
        text = fill_slots(item.stem, values)
        provenance = ITEM_BANK | {"item": item.key, "item_version": item.version, "values": dict(values)}
    else:
        text, provenance = _free_question(briefing, history, difficulty, notes, model or chat_model(ROLE))
    return Words(
        text=text,
        transition=transition_to(
            element.task,
            element.task_title,
            element.area_title,
            history,
            because=because,
            persona=persona,
            seed=seed,
        ),
        provenance={**provenance, "evidence": briefing.versions},
    )


def asked_next(points: Sequence[Point], expectations: Sequence[Expectation]) -> Expectation | None:
    """What the item asks for once its opening question is answered; None where that was said already, or where
    something else comes first: the student said nothing to the point, or something wrongly."""
    found = {point.key: point for point in points}
    expected = next((one for one in expectations if one.then and one.key in found), None)
    answered = any(point.met != "missing" or point.conveyed >= conf.HALF_HEARD for point in points)
    wrong = any(
        point.met == "contradicted" or point.why in (TURNED_ROUND, SAID_OTHERWISE) for point in points
    )
    if expected is None or not answered or wrong:
        return None
    point = found[expected.key]
    return expected if point.met == "missing" and point.conveyed < conf.HALF_HEARD else None


def write_follow_up(
    form: Form,
    *,
    points: Sequence[Point],
    expectations: Sequence[Expectation],
    citations: Sequence[Citation],
    answer: str = "",
    asked: str = "",
    question: str = "",
    turn: int = 0,
    asked_about: Collection[str] = (),
    opening: bool = False,
) -> Words:
    """A neutral probe at the most important point that is open, or a hint at where to look for it.

    After the `opening` question, the first one may only go on to what the item asks for next. A probe challenges what
    was said wrongly in the student's own words, and is led in where a point is half heard. Where it would only ask the
    `question` of the element, or what was `asked` since, once more, these words stand for it. It also asks for a second
    must that was left out. A second probe leaves out the points that were `asked_about`. A hint is about an open point
    and says nothing that was in the `answer` or is `asked` already. `turn` varies the wording; it goes up by one with
    each follow-up.
    """
    if opening and form == "probe" and (coming := asked_next(points, expectations)):
        text = _without_so(coming.ask) if turn % 2 else coming.ask  # many of the bank's begin so
        return Words(text=text, about=(coming.key,), goes_on=True, provenance=ITEM_BANK)
    by_key = {one.key: one for one in expectations}
    aims = tuple(point for point in open_points(points) if point.key in by_key)
    if opening:  # what the opening question did not ask for comes last
        aims = tuple(sorted(aims, key=lambda one: (one.importance != "must", by_key[one.key].then)))
    aims = tuple(point for point in aims if point.key not in asked_about) or aims
    open_ones = [by_key[point.key] for point in aims] or expectations
    if form == "hint":
        return Words(text=_hint_for(open_ones, citations, f"{answer} {asked}"), provenance=ITEM_BANK)
    text = open_ones[0].ask or ASKS[open_ones[0].kind]
    aim = aims[0] if aims else None
    about = [one.key for one in aims if (by_key[one.key].ask or ASKS[by_key[one.key].kind]) == text]
    just_asked = _without_so(text) == _without_so(asked)
    if just_asked:
        text = ASKS[open_ones[0].kind]
    # Who does not know is asked for one thing.
    others = aims[1:] if any(one.met != "missing" or one.conveyed for one in points) else ()
    left_out = (one for one in others if one.importance == "must" and one.met == "missing")
    second = next((one for one in left_out if by_key[one.key].ask and one.key not in about), None)
    known = idea_set(f"{question} {asked}")
    ideas = idea_set(open_ones[0].ask)
    asks_again = just_asked or len(ideas & known) >= ASKED_AGAIN_FROM * max(1, len(ideas))
    heard = aim and not (opening and by_key[aim.key].then) and _is_heard(aim) and not gaps_admitted(answer)
    said_back = ""
    if aim and heard and asks_again and (aim.met == "half" or aim.conveyed >= conf.HALF_SURE):
        said_back = _words_near(open_ones[0], aim.said or answer, 0 if aim.said else SAID_BACK_NEAR)
    if aim and aim.met == "contradicted" and aim.said and aim.said in answer:
        wordings = QUOTED_BACK if len(aim.said.split()) <= QUOTED_BACK_WORDS else GO_BACK
        if asks_again and wordings is QUOTED_BACK:
            text = vary(GO_THROUGH, turn)
        text = f"{vary(wordings, turn).format(said=aim.said.strip().rstrip('.!?'))} {text}"
    elif aim and said_back:
        wordings = SAY_MORE
        if aim.why.startswith(NOT_SAID) and quantities_in(aim.why):
            wordings = ALL_FIGURES if quantities_in(answer) else PUT_A_FIGURE
        if aim.why == TURNED_ROUND:
            wordings = [f"{one} {vary(GO_THROUGH, turn)}" for one in QUOTED_BACK]
        text = vary(wordings, turn).format(said=said_back)
    elif heard and not second:
        text = f"{vary(MAYBE_HEARD, turn)} {text}".lstrip()
    text = _without_so(text) if turn % 2 else text
    if second:
        asks = [text, by_key[second.key].ask]
        about += [one.key for one in aims if by_key[one.key].ask == asks[1]]
        order = [one.key for one in expectations]
        if aims[0].met == "missing" and not said_back and order.index(second.key) < order.index(aims[0].key):
            asks.reverse()  # neither was said: they are asked about in the order of the rubric
        text, also = asks
        text = f"{text} {also if _GOES_ON.match(also) else f'And {also[0].lower()}{also[1:]}'}"
    return Words(text=text, about=tuple(about), provenance=ITEM_BANK)


def write_challenge(said: str, turn: int) -> Words:
    """The question about something false in an answer that says all it has to."""
    return Words(text=vary(CHALLENGED, turn).format(said=said.strip().rstrip(".!,;")), provenance=ITEM_BANK)


def _is_heard(point: Point) -> bool:
    return point.met == "half" or (point.met == "missing" and point.conveyed >= conf.HALF_HEARD)


def _without_so(text: str) -> str:
    rest = re.sub("^So,? ", "", text)
    return rest[:1].upper() + rest[1:]


def _words_near(expected: Expectation, said: str, least: float) -> str:
    """Words of the student to be said back that come nearest to a point: a sentence, or a clause of a long one; ""
    where none shares an idea with it, or the `least` of its ideas."""
    wanted = [ideas for one in (expected.text, *expected.also) if (ideas := idea_set(one))]
    sentences = [one.text for one in sentences_in(without_questions(said))]
    long = [one for one in sentences if len(one.split()) > SAID_BACK_MOST]
    parts = [*sentences, *(clause for one in long for clause in re.split(_CLAUSE, one))]
    parts = [re.sub(_FILLERS, "", one.strip()).strip(" .,;:!?") for one in parts]
    parts = [one for one in parts if SAID_BACK_LEAST <= len(one.split()) <= SAID_BACK_MOST]

    def nearness(part: str) -> float:
        return max((len(idea_set(part) & ideas) / len(ideas) for ideas in wanted), default=0.0)

    nearest = max(parts, key=nearness, default="")
    return nearest if nearest and (near := nearness(nearest)) and near >= least else ""


def _hint_for(open_ones: Sequence[Expectation], citations: Sequence[Citation], known: str) -> str:
    """The first hint at an open point that is not made of words already said; else the place to think of."""
    said = idea_set(known)
    for expected in open_ones:
        ideas = idea_set(expected.hint)
        if ideas and len(ideas & said) <= conf.HINT_SAID * len(ideas):
            return expected.hint
    places = [one.section or one.document for one in citations if one.n in open_ones[0].citations]
    return f"Think of what you have read in {places[0]}." if places else ASKS[open_ones[0].kind]


def transition_to(
    task: str,
    title: str,
    area: str,
    history: Sequence[Asked],
    *,
    because: Because = "sampled",
    persona: str = "steady",
    seed: str = "",
) -> str:
    """The sentence between two questions, never in the words of the one before it. Empty within a Task where the
    persona says nothing there. Between two Areas it names the Area."""
    last = next((one for one in reversed(history) if one.task), None)
    old, new = "", _spoken_title(title)
    if last is None:
        kind = "first"
    elif last.task == task:
        kind = _WITHIN_A_TASK.get(because, "same subject")
    else:
        across = bool(area and last.area_title and area != last.area_title)
        old = _spoken_title(last.area_title if across else last.task_title)
        kind = "from old to new" if old and int(_lot(seed, len(history)), 16) % 2 else "new subject"
        if because in ("bridging", "drill_down"):
            kind = "leads to a new subject"
    known = _PERSONAS[persona].get(kind, _PERSONAS["steady"].get(kind)) if kind and title else None
    if not known:
        return ""
    return _draw_wording(known, history, seed).format(old=old, new=new)


def signpost_to(task: str, history: Sequence[Asked]) -> str:
    """What is said on a flight where the talk comes to a Task for the first time, if that has words there."""
    _, _, place = task.partition(".")  # the same for every certificate
    return "" if any(one.task == task for one in history) else _TRANSITIONS["signposts"].get(place, "")


def words_on_flight(kind: str, history: Sequence[Asked], *, seed: str) -> str:
    """What is said in a mock oral before a question that leaves its flight, returns to it, goes on or back in time on
    it, or supposes one that the student has called off, and before a change: a `kind` of `transitions.yaml`. The slots
    of the trip are still to be filled."""
    return _draw_wording(_PERSONAS["steady"][kind], history, seed)


def _draw_wording(known: Sequence[str], history: Sequence[Asked], seed: str) -> str:
    """One of them by lot, of those that were used least, and never in the words of the transition before."""
    said = [one.transition for one in history if one.transition]

    def rank_of(wording: str) -> tuple[bool, int, str]:
        opening = wording.split("{")[0][:WORDS_ALIKE]
        used = [opening in one for one in said]
        return bool(used) and used[-1], sum(used), _lot(seed, f"{len(history)}/{wording}")

    return min(known, key=rank_of)


def _lot(seed: str, what: object) -> str:
    return sha256(f"{seed}/{what}".encode()).hexdigest()


def _spoken_title(title: str) -> str:
    """A title as it is said in a sentence: without its classes, with an article where it needs one. Acronyms keep
    their capitals."""
    words = title.split("(")[0].strip(" .").split()
    said = " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in words)
    return str(_TRANSITIONS["said as"].get(said, said))


# --- a question in a model's words ----------------------------------------------------------------------------


def _free_question(
    briefing: Briefing, history: Sequence[Asked], difficulty: str, notes: Sequence[str], model: ChatModel
) -> tuple[str, dict[str, Any]]:
    """A model's question about an element, and its provenance. Raises NoSupport."""
    faults: list[str] = []
    recent = [one.text for one in history]
    for _ in range(conf.QUESTION_TRIES if model.external else 0):
        prompt = _prompt_for(briefing, recent, difficulty, notes, faults)
        request = ChatRequest(
            role=ROLE,
            system=prompt.text,
            messages=(Message("user", "Write it now."),),
            schema=QuestionReply,
            material=briefing,
            prompt_version=prompt.version,
            timeout=conf.EXAMINER_TIMEOUT_S,
        )
        try:
            reply = ask_model(model, request)
        except ModelError as error:
            log.warning("examiner_away", element=briefing.element.code, code=error.code)
            raise NoSupport(f"{briefing.element.code}: the examiner's model could not be reached") from error
        faults = _faults_in(briefing, reply.value, recent)
        if not faults:
            return " ".join(reply.value.text.split()), {
                "provider": reply.provider,
                "model": reply.model,
                "prompt_version": reply.prompt_version,
                "repaired": reply.repaired,
            }
        log.info("question_refused", element=briefing.element.code, faults=faults)
    raise NoSupport(f"{briefing.element.code}: no question about its claims passed the checks")


def _faults_in(briefing: Briefing, reply: QuestionReply, recent: Sequence[str]) -> list[str]:
    """What is wrong with a model's question, as sentences to the model."""
    element_text = briefing.element.text
    texts = [one.text for one in briefing.expectations]
    quotes = [one.quote for one in briefing.citations]
    found = list(
        faults_of(
            reply.text,
            expectations=[*texts, *quotes],
            element_text=element_text,
            previous=recent[-1] if recent else "",
            secret_amounts=texts,
            support=(*quotes, *texts, element_text),
        )
    )
    stated = unsupported_statements(reply.text, topic=element_text, secrets=(*texts, *quotes))
    found += [f"Tell only of the situation, not as in “{one[:200]}”." for one in stated[:3]]
    numbers = {one.n for one in briefing.citations}
    keys = {one.key for one in briefing.expectations}
    found += [f"There is no source {n}." for n in reply.sources if n not in numbers][:1]
    found += [f"There is no expectation {key!r}." for key in reply.expectations if key not in keys][:1]
    return found


def _prompt_for(
    briefing: Briefing, recent: Sequence[str], difficulty: str, notes: Sequence[str], faults: Sequence[str]
) -> Prompt:
    element = briefing.element
    reasons = "".join(f"\n* {fault}" for fault in faults)
    sources = [
        f"[{one.n}] {one.label or one.document}, {one.edition} (relevance {one.relevance:.2f})\n{one.quote}"
        for one in briefing.citations
    ]
    return load_prompt(
        "exams",
        "examiner",
        element=element.code,
        kind=element.kind,
        topic=element.text,
        task=element.task_title or "-",
        difficulty=difficulty,
        expectations=listed_expectations(briefing.expectations),
        sources="\n".join(fence_text("source", one) for one in sources),
        asked="\n".join(f"* {text}" for text in recent[-5:]) or "nothing yet",
        reasons=f"\n\nYour last attempt was not shown, because:{reasons}" if reasons else "",
        **told_of_sources(briefing.context, notes),
    )
