"""The flight of a mock oral in its exchange: how far it has come, and what is said of it before a question."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from exams.domain.scenes.scene import Change, ChangeQuestion, Fact, Scene
from exams.examiner.briefing import Briefing
from exams.examiner.examiner import Asked, words_on_flight
from exams.models import Answer, Exam, Turn
from knowledge.models.items import TripMoment
from knowledge.text.sentences import sentences_in
from knowledge.text.word_tables import read_phrases

MOMENTS: Final = tuple(TripMoment.values)
"""The moments of a flight in their order."""
_PHRASES: Final = read_phrases(Path(__file__).with_name("phrases.csv"), ignore_case=True)


@dataclass(frozen=True)
class FlightSoFar:
    """How far a mock oral has come: its opening questions, the names of the changes that were told, whether the last
    question was about the flight, and the moment of the flight that the talk was at last ("" if at none yet)."""

    asked: int
    told: tuple[str, ...]
    on_flight: bool
    moment: str = ""


def flight_so_far(exam_id: UUID) -> FlightSoFar:
    """Before the first question the talk is about the flight, since it is told then."""
    openings = Turn.objects.filter(exam_id=exam_id, form="opening").order_by("number")
    rows = list(openings.values_list("givens", "provenance"))
    told = (given["name"] for givens, _ in rows for given in givens if given.get("kind") == "change")
    moments = [provenance["moment"] for _, provenance in rows if provenance.get("moment")]
    return FlightSoFar(
        len(rows), tuple(told), not rows or "trip" in rows[-1][1], moments[-1] if moments else ""
    )


def is_called_off(exam: Exam) -> bool:
    """Whether the last answer of a mock oral calls its flight off."""
    if not exam.scene:
        return False
    last = Answer.objects.filter(exam_id=exam.pk).values_list("text", flat=True).last()
    return calls_off(last or "")


def calls_off(answer: str) -> bool:
    """Whether the student decides not to fly at all, in a sentence without a condition."""
    return any(
        _PHRASES["calls off"].search(one.text) and not _PHRASES["conditional"].search(one.text)
        for one in sentences_in(answer)
    )


def facts_of_flight(exam: Exam) -> tuple[Fact, ...]:
    """What the student may ask about the exam's flight, as it stands now; nothing where it has none."""
    scene = exam.read_scene()
    return scene.facts_known(flight_so_far(exam.pk).told) if scene else ()


@dataclass(frozen=True, slots=True)
class FlightNews:
    """What is said of the flight before and after the transition to a question, and what is given with it."""

    told: str = ""
    news: str = ""
    givens: list[dict[str, Any]] = field(default_factory=list)


def news_of_flight(
    scene: Scene,
    so_far: FlightSoFar,
    history: Sequence[Asked],
    change: Change | None,
    *,
    seed: str,
    on_flight: bool,
    called_off: bool,
    moment: str = "",
) -> FlightNews:
    """First the flight itself; later that the talk leaves it, returns to it, or goes back in time to the question's
    `moment`, and the change that the question is about."""
    said: list[str] = []
    # Who has called the flight off and goes back in time is before that decision.
    if on_flight and moment and so_far.moment and MOMENTS.index(moment) < MOMENTS.index(so_far.moment):
        said.append(words_on_flight(f"back to {moment}", history, seed=seed))
    elif not on_flight and so_far.on_flight:
        said.append(words_on_flight("beside the flight", history, seed=seed))
    elif on_flight and not so_far.on_flight and not change:
        said.append(words_on_flight("back to the flight", history, seed=seed))
    elif on_flight and called_off and so_far.asked:
        said.append(words_on_flight("flight goes on", history, seed=seed))
    if change:
        said += [words_on_flight("change of the flight", history, seed=seed), change.said]
    given = [asdict(change.given)] if change else []
    told = (
        ""
        if so_far.asked
        else f"{scene.told} {words_on_flight('the flight in the talk', history, seed=seed)}"
    )
    return FlightNews(told, " ".join(said), given)


def coming_change(
    scene: Scene, so_far: FlightSoFar, items: Collection[str]
) -> tuple[Change, ChangeQuestion] | None:
    """The change that one of these items would come with; none before the flight itself has been told."""
    return scene.change_among(items, told=so_far.told) if so_far.asked else None


def put_on_flight(
    briefing: Briefing, slots: Mapping[str, str], question: ChangeQuestion | None = None
) -> Briefing:
    """The briefing with its item worded into a change of the flight or into the trip, where that can be."""
    item = briefing.item
    if item and question:
        said = question.stem
        return replace(briefing, item=replace(item, stem=said, on_trip=said, again=said, moment=""))
    if item is None or not item.hangs_on(slots):
        return briefing
    used = {name: value for name, value in slots.items() if f"{{{name}}}" in item.on_trip}
    return replace(
        briefing, item=replace(item, stem=item.on_trip), values={**used, **(briefing.values or {})}
    )
