"""The steps and questions of a qualification, and whether an oral opens with one.

The steps follow from the folder that the exam stores and from its turns; no other state is stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final, cast
from uuid import UUID

import structlog
from django.utils import timezone

from exams.bank.folders.folder import folder_for, in_words
from exams.bank.selection import draw_values
from exams.bank.trips.trip import fitting_trip
from exams.conf import QUALIFICATION_EXCHANGES_MOST
from exams.domain.exam_request import ExamOrder, OrderRefused
from exams.domain.qualification.papers import Folder, Qualification, Side
from exams.domain.sampling import draw_lot
from exams.examiner.briefing import NoSupport, bank_at_hand, briefing_for_item, library_state
from exams.exchange.executors import while_thinking
from exams.exchange.flight import put_on_flight
from exams.exchange.question_flow import grounds_of
from exams.models import Exam, Turn
from knowledge.standards.elements import UnknownElement
from knowledge.text.slots import fill_slots
from knowledge.text.word_tables import read_yaml
from llm.registry import embedding_model

log = structlog.get_logger(__name__)

FORM: Final = "qualification"
DECISION: Final = "decision"
_ASKED: Final[Mapping[str, Side]] = {"ask pilot": "pilot", "ask airplane": "airplane"}
"""The steps that ask a question of the bank, and the half of the folder that it is about."""
STEPS: Final = ("ask pilot", "pilot", "ask airplane", "airplane", DECISION)
WORDS: Final[dict[str, list[str]]] = read_yaml(Path(__file__).with_name("words.yaml"))


def draw_qualification(order: ExamOrder, seed: str) -> Qualification | None:
    """The qualification that an ordered oral opens with; None for an oral without one. Raises OrderRefused where it is
    asked for and there is none."""
    wanted = order.qualification
    if wanted is None:
        wanted = order.mode == "mock" and order.continues is None
    if not wanted:
        return None
    text, trip = folder_for(order.certificate, order.aircraft_class), fitting_trip(order, seed)
    if not order.may_qualify:
        raise OrderRefused.of(
            "qualification", "It opens a full or a mock oral, or one in the manner checkride. Leave it out."
        )
    if text is None or trip is None:
        if order.qualification is None:
            return None
        words = f"No folder of papers is written for {order.certificate} pilots in {order.aircraft_class}."
        raise OrderRefused.of("qualification", f"{words} Leave it out.")
    today = timezone.localdate()
    flown = trip.last_flown(today) if order.mode == "mock" else today
    return Qualification(folder=text.draw(trip, flown, seed, missed=order.codes))


def next_turn_of(exam: Exam, folder: Folder) -> Turn | None:
    """The turn of the next step, not yet stored; None where all have been asked.

    A question of the bank is left out where none that would do can be asked with this library, and where follow-ups
    have left no room for it.
    """
    so_far = _so_far(exam.pk)
    opening = "" if so_far.asked else words_for("opening", exam).format(flight=folder.flight)
    steps = [step for step in so_far.left if step not in _ASKED or so_far.has_room]
    turns = (
        _question_about(_ASKED[step], exam, folder) if step in _ASKED else _showing(step, exam, folder)
        for step in steps
    )
    turn = next((turn for turn in turns if turn), None)
    if turn is not None:
        turn.transition = " ".join(filter(None, (opening, turn.transition)))
    return turn


def may_follow_up(turn: Turn) -> bool:
    """Whether the last turn may have a follow-up: one a step, as far as there is room."""
    return not turn.rubric.get("probe") and _so_far(turn.exam_id).has_room


def follow_up_on(turn: Turn, exam: Exam, *, nothing_said: bool) -> Turn:
    """The turn of a neutral follow-up on a half of the folder, not yet stored: it names no paper and no fault."""
    step = turn.rubric["step"]
    return _turn_about_papers(
        attempt=turn.attempt + 1,
        text=words_for("follow up, nothing said" if nothing_said else f"follow up {step}", exam),
        expectations=turn.expectations,
        rubric={"step": step, "probe": True},
        provenance=turn.provenance,
    )


@dataclass(frozen=True, slots=True)
class _SoFar:
    """How many exchanges a qualification has had, and the steps that are left."""

    asked: int
    left: tuple[str, ...]

    @property
    def has_room(self) -> bool:
        """Whether one more fits beside those that have to come."""
        to_come = sum(step not in _ASKED for step in self.left)
        return self.asked + to_come < QUALIFICATION_EXCHANGES_MOST


def _so_far(exam_id: UUID) -> _SoFar:
    asked = Turn.objects.filter(exam=exam_id, form=FORM).values_list("rubric__step", flat=True)
    at = [STEPS.index(step) + 1 for step in asked]
    return _SoFar(len(at), STEPS[max(at, default=0) :])


def words_for(what: str, exam: Exam) -> str:
    return min(WORDS[what], key=lambda one: draw_lot(str(exam.pk), one))


def _turn_about_papers(**fields: Any) -> Turn:
    return Turn(element="", task="", kind="knowledge", form=FORM, **fields)


def _showing(step: str, exam: Exam, folder: Folder) -> Turn:
    """A half of the folder, or the decision about all of it."""
    side: Side | None = None if step == DECISION else cast(Side, step)
    cards = folder.on_side(side) if side else ()
    return _turn_about_papers(
        text=words_for(step, exam),
        expectations=[one.to_dict() for one in folder.expectations_for(side)],
        givens=[{"name": card.name, "value": card.text, "kind": "card"} for card in cards],
        rubric={"step": step},
        provenance={"provider": "folder", "evidence": {}},
    )


def _question_about(side: Side, exam: Exam, folder: Folder) -> Turn | None:
    """The first of the questions drawn for this half that the library can support, as the oral would ask it."""
    library = library_state(exam.tenant_id, exam.student_id)
    in_force = {item.key: item for item in bank_at_hand(library).items if item.is_for(exam.aircraft_class)}
    for item in (in_force[key] for key in folder.questions.get(side, ()) if key in in_force):
        code = item.elements[0]
        values = draw_values(item, f"{exam.pk}/{code}")
        if "day" in values:  # of the test
            values |= {"day": in_words(date.fromisoformat(folder.day))}
        try:
            with while_thinking(embedding_model()):
                briefing = briefing_for_item(code, item, values, library=library, exam=exam.pk)
                if scene := exam.read_scene():  # the airplane of the flight, as its papers say
                    briefing = put_on_flight(briefing, scene.slots)
        except (NoSupport, UnknownElement) as error:
            log.info("papers_without_support", item=item.key, reason=str(error))
            continue
        grounds = grounds_of(briefing, library)
        return _turn_about_papers(
            text=fill_slots(briefing.item.stem if briefing.item else item.stem, briefing.values or values),
            transition=words_for(f"ask {side}", exam),
            provenance={"provider": "bank", "item": item.key, "evidence": briefing.versions},
            **grounds | {"rubric": {**grounds["rubric"], "step": f"ask {side}"}},
        )
    return None
