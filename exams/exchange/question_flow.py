"""One exchange: passes stored data to the examiner and the assessor, and turns their replies into rows.

A failed assessment is `ungraded`, never a grade. If the assessor is unavailable, the whole exchange fails (ModelError).
An element that the library cannot support is left out.
"""

from collections.abc import Iterable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import accumulate
from typing import Any, Final

import structlog
from django.core.cache import caches
from django.urls import reverse
from pydantic import TypeAdapter

from exams import conf
from exams.bank.selection import MixUpKnown, choose_item, draw_values
from exams.domain.asides import REPLIES, is_non_answer, says_expected
from exams.domain.feedback import feedback_for
from exams.domain.planner import Action
from exams.domain.sampling import Planned
from exams.domain.scenes.clarifying import reply_beside, reply_to_request, without_questions
from exams.domain.scenes.scene import AFTER_THE_FLIGHT, Change, ChangeQuestion, Fact, Scene
from exams.domain.values import Exchange, Expectation, Point
from exams.domain.verdicts import ASKED_AGAIN, GIVEN_ASKED, NON_ANSWER, UNGRADED, Decision, decide_verdict
from exams.examiner.answer_retrieval import NearPassages, passages_near, quotes_near
from exams.examiner.assessor import ROLE as ASSESSOR
from exams.examiner.assessor import Aids, Judged, OnTable, assess_answer, offline_skills
from exams.examiner.beliefs import beliefs_held
from exams.examiner.briefing import (
    EXAMINER,
    Briefing,
    LibraryState,
    NoSupport,
    bank_at_hand,
    briefing_for_item,
    briefing_from_claims,
    citation_at_source,
    may_ask_freely,
)
from exams.examiner.examiner import Asked, asked_next, write_challenge, write_follow_up, write_opening
from exams.examiner.expectations import choose_focus
from exams.exchange.exam_repository import Ladder, asked_in, items_met, ladder_before
from exams.exchange.executors import while_thinking
from exams.exchange.flight import (
    FlightNews,
    Stay,
    coming_change,
    flight_so_far,
    lead_on_flight,
    news_of_flight,
    put_on_flight,
)
from exams.models import Answer, Assessment, Exam, Turn
from exams.offline.answer_filter import filter_answer
from exams.offline.asides import Aside, read_aside
from exams.offline.flight_answers import answer_from
from knowledge.conf import TOKEN_CHARACTERS
from knowledge.decision_tables.answers import facts_for_element
from knowledge.flags import JUDGED_HERE
from knowledge.grounding.citations import Citation
from knowledge.grounding.context import GroundedContext
from knowledge.library_version import generations_of
from knowledge.models import Image
from knowledge.notes import notes_for
from knowledge.standards.elements import UnknownElement
from knowledge.text.slots import fill_slots
from llm.errors import BudgetSpent, ModelError
from llm.interfaces import ChatModel
from llm.offline import OfflineChatModel
from llm.registry import chat_model, embedding_model

log = structlog.get_logger(__name__)

Json = dict[str, Any]

_CONTEXT: Final = TypeAdapter(GroundedContext)
_MIXUPS: Final = TypeAdapter(tuple[MixUpKnown, ...])


@dataclass(frozen=True, slots=True)
class Assessed:
    """A decision, its row that is not yet stored, and the search that found the quotes near to the answer; of words
    that are no answer, what they mean, and what is `told` to who asks something inside an answer. `challenged` are
    false words of an answer that says all it has to, which is final once they were asked about."""

    decision: Decision
    row: Assessment
    looked_up: int | None = None
    aside: str = ""
    told: str = ""
    challenged: str = ""


# --- asking --------------------------------------------------------------------------------------------------


def ask_opening(action: Action, exam: Exam, library: LibraryState, *, stay: Stay) -> Turn | None:
    """The turn of an opening question about the action's element, not yet stored.

    `stay` is what the student has just decided against going on the flight of a mock oral. None if the library cannot
    support one after all.
    """
    if action.element is None:
        return None
    code = action.element.code
    seed = f"{exam.pk}/{code}"
    scene = exam.read_scene()
    so_far = flight_so_far(exam.pk) if scene else None
    history = asked_in(exam)
    coming = None
    if scene and so_far:
        met = {one.item for one in history}
        known = bank_at_hand(library).items_for(code, exam.aircraft_class)
        items = {item.key for item in known if item.elements[0] == code} - met
        coming = coming_change(scene, so_far, items, action.element.moment)
    change = coming[0] if coming else None
    spoken = history
    over = bool(scene) and action.element.moment >= AFTER_THE_FLIGHT
    if over and so_far and so_far.on_flight:  # the talk comes from the flight, not from a Task
        spoken = tuple(replace(one, task="-", task_title="", area_title="") for one in history)
    try:
        with while_thinking(embedding_model()):
            briefing = _find_briefing(action.element, seed, exam, scene, library, history, coming)
            if scene and so_far and not (so_far.over or over):
                briefing = put_on_flight(briefing, scene.slots, coming, since=so_far.moment)
        # Only a model that words the question itself reads notes.
        area, now = briefing.element.area, library.generations
        notes = (
            () if briefing.item else notes_for(EXAMINER, tenant=library.tenant, area=area, generations=now)
        )
        with nullcontext() if briefing.item else while_thinking(chat_model(EXAMINER)):
            words = write_opening(
                briefing,
                history=spoken,
                because=action.element.because,
                difficulty=exam.difficulty,
                persona=exam.request.get("persona", "steady"),
                seed=seed,
                notes=notes,
            )
    except (NoSupport, UnknownElement) as error:
        log.info("element_without_support", element=code, reason=str(error))
        return None
    on_flight = bool(scene) and _is_on_flight(briefing)
    moment = briefing.item.moment if on_flight and briefing.item else ""
    on_trip: Json = {"over": True} if over and not on_flight else {}
    flight = FlightNews()
    if scene and on_flight and briefing.item:
        ends = fill_slots(briefing.item.ends, briefing.values or {})
        on_trip = {"trip": scene.trip, "moment": moment, "ends": ends}
    if scene and so_far:
        flight = news_of_flight(
            scene,
            so_far,
            history,
            change,
            seed=seed,
            on_flight=on_flight,
            stay=stay,
            moment=moment,
            place=action.element.moment,
            question=words.text,
        )
    # On the flight its course is the thread: the title of a Task would sound like a form.
    leads = words.transition
    if so_far and so_far.asked and (flight.moved or (so_far.on_flight and on_flight)):
        led = flight.told or flight.news
        task = action.element.task
        leads = (
            ""
            if led
            else lead_on_flight(so_far, task, history, seed=seed, moment=moment, question=words.text)
        )
    transition = (flight.told, leads, flight.news)
    grounds = grounds_of(briefing, library)
    return Turn(
        element=code,
        task=action.element.task,
        kind=action.element.kind,
        form=action.form,
        attempt=action.attempt,
        text=words.text,
        transition=" ".join(filter(None, transition)),
        provenance=words.provenance | on_trip,
        **grounds | {"givens": grounds["givens"] + flight.givens},
    )


def _is_on_flight(briefing: Briefing) -> bool:
    return briefing.item is not None and briefing.item.stem == briefing.item.on_trip


def grounds_of(briefing: Briefing, library: LibraryState) -> Json:
    """What a turn stores of its briefing, by column: all that its answers are judged by."""
    item = briefing.item
    # A figure of the passage that the answer rests on may be the answer: only an item puts figures on the table.
    images = briefing.images if item is None else [one.image for one in briefing.artifacts if one.image]
    return {
        "expectations": [expectation.to_dict() for expectation in briefing.expectations],
        "context": {
            "flags": list(library.flags),
            "quality": briefing.context.quality,
            "disagreeing": [asdict(one) for one in briefing.context.disagreeing],
            "retrieval": briefing.retrieval,
            "passages": [asdict(passage) for passage in briefing.context.passages],
            "around": [asdict(one) for one in briefing.context.around],
        },
        "citations": [citation.to_dict() for citation in briefing.citations],
        "images": [{**image, "url": reverse("library:figure", args=[image["image_id"]])} for image in images],
        "givens": [
            {"name": one.title, "value": one.text, "kind": one.kind} for one in briefing.artifacts if one.text
        ],
        "item": item.key if item else "",
        "rubric": {
            "elements": list(item.elements),
            "again": fill_slots(item.again, briefing.values or {}),
            "why": item.why,
            "mixups": [
                {"text": one.text, "answer": one.answer, "contradicts": list(one.contradicts)}
                for one in item.mixups
            ],
        }
        if item
        else {},
    }


def _find_briefing(
    element: Planned,
    seed: str,
    exam: Exam,
    scene: Scene | None,
    library: LibraryState,
    history: Iterable[Asked],
    coming: tuple[Change, ChangeQuestion] | None,
) -> Briefing:
    """Of the item that asks about the `coming` change, else of the planned one or the one that suits this student and
    exam, else of approved claims where they may be asked."""
    code = element.code
    bank, asked = bank_at_hand(library), [one.item for one in history if one.item]
    known = bank.items_for(code, exam.aircraft_class)
    wanted = coming[1].item if coming else element.item
    planned = [one for one in known if one.key == wanted and (coming or one.key not in asked)]
    item = choose_item(
        planned or known,
        met=items_met(exam.student_id),
        asked=asked,
        musts_asked={must for one in bank.items if one.key in asked for must in one.musts},
        topics_asked=[one.topic for one in bank.items if one.key in asked] if scene else (),
        place=element.moment if scene else None,
        seed=seed,
        difficulty=exam.difficulty,
        trip=scene.slots if scene else {},
    )
    if item is not None:
        return briefing_for_item(code, item, draw_values(item, seed), library=library, exam=exam.pk)
    if not may_ask_freely(library.flags):
        raise NoSupport(f"{code}: no item of the bank can be asked")
    whole = briefing_from_claims(code, library=library, exam=exam.pk)
    return whole.narrowed_to(choose_focus(whole.bases, seed))


def ask_follow_up(
    turn: Turn, action: Action, answer: str, assessed: Assessed | None, *, asked: int = 0
) -> Turn:
    """The turn of a probe or a hint, not yet stored, on the same passages and expectations as `turn`. So many elements
    were `asked` about before: with the turns' number they tell how many follow-ups there have been."""
    said, points = answer, assessed.decision.points if assessed else ()
    ladder = ladder_before(turn) if assessed is None or turn.form != "opening" else Ladder()
    if assessed is None or turn.rubric.get("goes_on"):  # a hint is about what is still open
        said = " ".join((*(one.said for one in ladder.exchanges), answer))
        points = points or ladder.points
    words = write_follow_up(
        action.form,
        answer="" if is_non_answer(said) else said,
        asked=turn.text,
        question=" ".join(one.asked for one in ladder.exchanges),
        points=points,
        expectations=_expectations_of(turn),
        citations=tuple(Citation(**stored) for stored in turn.citations),
        turn=turn.wording - asked,  # the next wording for the next follow-up
        asked_about=turn.rubric.get("asked_about", ()),
        opening=turn.form == "opening",
    )
    if assessed and assessed.challenged:
        words = write_challenge(assessed.challenged, turn.wording - asked)
    rubric = {
        key: value for key, value in turn.rubric.items() if key not in ("again", "goes_on", "is_challenge")
    }
    if assessed and assessed.challenged:
        rubric |= {"challenged": assessed.challenged, "is_challenge": True}
    if words.goes_on:
        rubric["goes_on"] = True
    return Turn(
        element=turn.element,
        task=turn.task,
        kind=turn.kind,
        form=action.form,
        attempt=action.attempt,
        text=words.text,
        expectations=turn.expectations,
        context=turn.context,
        citations=turn.citations,
        item=turn.item,
        rubric=rubric | {"asked_about": [*rubric.get("asked_about", ()), *words.about]},
        provenance=words.provenance,
    )


def also_about(turn: Turn) -> tuple[str, ...]:
    """The other elements that a turn's item is about."""
    return tuple(code for code in turn.rubric.get("elements", ()) if code != turn.element)


def context_from_stored(stored: Json) -> GroundedContext:
    """The context that a turn was asked from; other stored values are ignored."""
    return _CONTEXT.validate_python(stored)


def mixups_of(turn: Turn) -> tuple[MixUpKnown, ...]:
    """The wrong beliefs that the turn's item knows."""
    return _MIXUPS.validate_python(turn.rubric.get("mixups", ()))


def _expectations_of(turn: Turn) -> tuple[Expectation, ...]:
    return tuple(map(Expectation.from_dict, turn.expectations))


# --- assessing -----------------------------------------------------------------------------------------------


def aside_to(turn: Turn, answer: str) -> Aside | None:
    """The aside that the words are where they do not answer the turn. Who says the same words again is judged by them,
    unless they are plainly no answer."""
    if says_expected(answer, turn.expectations):
        return None
    aside = read_aside(answer, [one["text"] for one in turn.expectations])
    if aside and aside.likely < conf.ASIDE_PLAIN:
        said_before = Assessment.objects.filter(turn=turn, answer__text=answer).exists()
        return None if said_before else aside
    return aside


def reply_to_aside(turn: Turn, aside: Aside) -> Assessed:
    """The decision on it: the question stands."""
    return Assessed(
        ASKED_AGAIN, assessment_row(turn, ASKED_AGAIN, REPLIES[aside.meaning]), aside=aside.meaning
    )


def assess_turn(
    turn: Turn,
    answer: str,
    ladder: Ladder,
    *,
    may_probe: bool,
    hinted: bool,
    tenant: int | None,
    student: int,
    manner: str,
    flight: Sequence[Fact] = (),
) -> Assessed:
    """The decision on an answer.

    A question about the `flight` is answered from these facts. An answer is judged together with all of `ladder`,
    against the opening question's expectations. Something false beside them is asked about and set right in the
    `manner` coach alone: a checkride's feedback is never shown. Raises ModelError if no model can be reached.
    """
    find = partial(answer_from, facts=flight)
    aside = aside_to(turn, answer)
    plain = aside is not None and aside.likely >= conf.ASIDE_PLAIN
    if not plain and not says_expected(answer, turn.expectations):
        expected = [one["text"] for one in turn.expectations]
        if reply := reply_to_request(answer, flight, expected, find, turn=_asked_before(turn, answer)):
            return Assessed(GIVEN_ASKED, assessment_row(turn, GIVEN_ASKED, reply))
        if filter_answer(answer).nothing == "asked":
            return Assessed(ASKED_AGAIN, assessment_row(turn, ASKED_AGAIN, REPLIES["asked back"]))
    if aside:
        return reply_to_aside(turn, aside)
    if is_non_answer(answer):
        if ladder.non_answers + 1 < conf.NON_ANSWERS_MOST:
            return Assessed(NON_ANSWER, assessment_row(turn, NON_ANSWER))
        answer = ""  # judged as "I don't know"

    def look_up() -> NearPassages:
        with while_thinking(embedding_model()):
            return passages_near(turn, answer, tenant=tenant, student=student)

    exchanges = (*ladder.exchanges, Exchange(asked=turn.text, said=answer))
    if flight:  # what is asked about it is no answer, and proves nothing
        exchanges = tuple(replace(one, said=without_questions(one.said)) for one in exchanges)
    assessor, away = _assessor_for(turn)
    # A vendor's model reads what is found; the local one does not, and does not have to wait for it.
    found = look_up() if assessor.external else None
    mixups = mixups_of(turn)

    def judge(model: ChatModel) -> Judged:
        with while_thinking(model):
            return assess_answer(
                exchanges,
                _expectations_of(turn),
                context_from_stored(turn.context),
                mixups=mixups,
                near=found.passages if found else (),
                table=table_of(turn) if model.external else OnTable(),
                aids=aids_of(model, turn.element, tenant),
                model=model,
            )

    try:
        try:
            judged = judge(assessor)
        except ModelError as error:
            judged_here = assessor.external and JUDGED_HERE in flags_of(turn)
            if not (error.away and judged_here) or isinstance(error, BudgetSpent):
                raise
            log.warning("judged_here", turn=turn.pk, error=str(error), code=error.code)
            away = assessor.provider
            caches["process"].set(
                _away_key(away), error.code, max(conf.AWAY_REST_SECONDS, error.retry_after or 0)
            )
            judged = judge(OfflineChatModel(offline_skills()))
    except ModelError as error:
        if error.away:
            raise
        log.warning("ungraded", turn=turn.pk, error=str(error), code=error.code)
        return ungraded_because(turn, error.code, str(error))
    before = turn.rubric.get("challenged", "")
    probed = turn.follows_up and not turn.rubric.get("is_challenge")  # a challenge asks about no point
    decision = decide_verdict(
        judged.points,
        attempt="probe" if probed else "opening",
        hint_used=hinted and not before,
        unsafe_held=judged.unsafe_held and probed,
        may_probe=may_probe,
        asked_about=turn.rubric.get("asked_about"),
        then=() if before else [one["key"] for one in turn.expectations if one.get("then")],
    )
    teaches = decision.final and manner == "coach"
    said = [*(one.said for one in ladder.exchanges), answer]
    beliefs = _beliefs_told(said, tenant) if teaches else ()
    stated = [words for words, _, _ in beliefs if words and not words.endswith("?")]
    challenged = ""
    if stated and decision.verdict == "satisfactory" and may_probe and not before:
        decision, challenged = replace(decision, final=False, next_step="probe"), stated[0]
    decision = replace(decision, points=without_words(decision.points, filter(None, (before, *stated))))
    goes_on = (
        turn.form == "opening"
        and not decision.final
        and asked_next(decision.points, _expectations_of(turn)) is not None
    )
    near: tuple[Citation, ...] = ()
    if decision.final and decision.verdict in ("partial", "unsatisfactory"):  # there is something to learn
        found = found or look_up()
        near = quotes_near(found.passages, answer, judged.points, turn.citations)
    row = assessment_row(
        turn,
        decision,
        feedback_for(
            decision,
            sources={citation["n"]: citation["label"] for citation in turn.citations},
            turn=turn.wording,
            manner="checkride" if goes_on else "coach",  # nothing is said of what is not complete yet
            near=[(one.quote, one.label or one.document) for one in near],
            why=turn.rubric.get("why", ""),
            mixups=[mixups[at].answer for at in judged.mixups],
            corrected=[(said, told) for said, told, _ in beliefs],
            taken_back=bool(before and not beliefs),
            before=ladder.open,
            answers=[*(one.said for one in ladder.exchanges), answer],
        ),
    )
    near += tuple(cited for _, _, cited in beliefs if decision.final)
    row.citations, row.near = turn.citations, [citation.to_dict() for citation in near]
    told = (turn.context.get("degraded", ""), judged.degraded, JUDGED_MEANWHILE.format(away) if away else "")
    row.degraded = " ".join(filter(None, told))[:300]
    row.provenance = judged.provenance
    expected = [one["text"] for one in turn.expectations]
    place = _asked_before(turn, answer)
    reply = reply_beside(answer, flight, expected, question=turn.text, turn=place, find=find)
    return Assessed(decision, row, found.log if found else None, told=reply, challenged=challenged)


def _beliefs_told(answers: Sequence[str], tenant: int | None) -> tuple[tuple[str, str, Citation], ...]:
    """The false things that the answers state, with what is true instead and the passage at its source. What the
    library has nothing on is passed over: the examiner says nothing that it can't show."""
    cited = ((one, citation_at_source(one.belief, tenant)) for one in beliefs_held(answers))
    told = [
        (one.said, f"{one.belief.answer.rstrip('.')} ({found.label}).", found)
        for one, found in cited
        if found
    ]
    return tuple(told[: conf.BELIEFS_TOLD])


def without_words(points: Iterable[Point], false: Iterable[str]) -> tuple[Point, ...]:
    """The points without quotes of the student that hold something false: that shows nothing."""
    words = tuple(false)
    return tuple(
        replace(one, said="") if any(false in one.said for false in words) else one for one in points
    )


def _asked_before(turn: Turn, answer: str) -> int:
    """How many earlier answers of the exam asked something, or for words that speech recognition left without a mark
    how many there were, so that no reply comes twice."""
    earlier = Answer.objects.filter(exam_id=turn.exam_id, turn__number__lte=turn.number)
    return (earlier.filter(text__contains="?") if "?" in answer else earlier).count()


JUDGED_MEANWHILE: Final = "The model of {} could not be reached, so this machine judged the answer."


def _assessor_for(turn: Turn) -> tuple[ChatModel, str]:
    """The model that judges, and the vendor in whose place this machine does so, if that one was away a moment ago."""
    assessor = chat_model(ASSESSOR)
    if (
        assessor.external
        and JUDGED_HERE in flags_of(turn)
        and caches["process"].get(_away_key(assessor.provider))
    ):
        return OfflineChatModel(offline_skills()), assessor.provider
    return assessor, ""


def _away_key(provider: str) -> str:
    return f"assessor-away:{provider}"


def flags_of(turn: Turn) -> Sequence[str]:
    """The flags that were on when the turn was asked."""
    return list(turn.context.get("flags", ()))


def aids_of(assessor: ChatModel, element: str, tenant: int | None) -> Aids:
    """What a vendor's assessor is told beside an element ("PA.III.B.K1"): operators' notes for its Area, and what the
    decision tables tell within their budget of tokens. Nothing for the local one."""
    if not assessor.external:
        return Aids()
    area = element.partition(".")[2].partition(".")[0]
    notes = notes_for(ASSESSOR, tenant=tenant, area=area, generations=generations_of(tenant))
    lines = facts_for_element(element, tenant)
    lengths = accumulate(len(line) // TOKEN_CHARACTERS for line in lines)
    fits = [line for line, tokens in zip(lines, lengths, strict=True) if tokens <= conf.COMPUTED_TOKENS]
    return Aids(notes, tuple(fits))


def table_of(turn: Turn) -> OnTable:
    """What lay on the table when the element's question was asked. A figure whose file is gone or too large for a
    model is left out."""
    asked = turn
    if turn.form != "opening":
        earlier = Turn.objects.filter(exam_id=turn.exam_id, element=turn.element, form="opening")
        asked = earlier.order_by("-number").first() or turn
    figures = []
    for image in Image.objects.filter(pk__in=[one["image_id"] for one in asked.images]).order_by("pk"):
        with suppress(OSError):
            if image.file.size <= conf.FIGURE_BYTES_MOST:
                with image.file.open("rb") as content:
                    figures.append(content.read())
    return OnTable(tuple(f"{one['name']}: {one['value']}" for one in asked.givens), tuple(figures))


def ungraded_because(turn: Turn, code: str, message: str) -> Assessed:
    """A failure of ours. It earns nothing."""
    row = assessment_row(turn, UNGRADED)
    row.provenance = {"error": code, "message": message[:300]}
    return Assessed(UNGRADED, row)


def assessment_row(turn: Turn, decision: Decision, feedback: str = "") -> Assessment:
    """The row of a decision, not yet stored; without `feedback` with what is said about the decision alone."""
    stored = decision.to_dict()
    return Assessment(
        turn=turn,
        element=turn.element,
        final=decision.final,
        verdict=decision.verdict,
        score=decision.score if decision.verdict != "ungraded" else None,
        feedback=feedback or feedback_for(decision),
        points=stored["points"],
        decision=stored,
    )


def rehearse_answer(turn: Turn) -> None:
    """Judges the expected answer and discards the verdict, so that a local assessor has its comparisons cached.

    A vendor's model would not benefit.
    """
    assessor, expectations = chat_model(ASSESSOR), _expectations_of(turn)
    if assessor.external:
        return
    expected = " ".join(one.text for one in expectations)
    with while_thinking(assessor), suppress(ModelError):
        assess_answer(
            (Exchange(asked=turn.text, said=expected),), expectations, context_from_stored(turn.context)
        )
