"""The flight of a mock oral during an exchange: its progress, and what is told before a question."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, Final, Literal
from uuid import UUID

from exams.bank.selection import ItemInForce, choose_item
from exams.domain.scenes.scene import (
    AFTER_THE_FLIGHT,
    MOMENTS,
    ON_THE_GROUND,
    Change,
    ChangeQuestion,
    Fact,
    Given,
    Moment,
    Scene,
    Scheduled,
    supposes,
)
from exams.examiner.briefing import Briefing
from exams.examiner.examiner import Asked, signpost_to, words_on_flight
from exams.models import Answer, Exam, Turn
from knowledge.text.sentences import sentences_in
from knowledge.text.slots import fill_slots
from knowledge.text.word_tables import read_phrases

_PHRASES: Final = read_phrases(Path(__file__).with_name("phrases.csv"), ignore_case=True)
_LETS_SAY: Final = "Let's say "
"""Begins some closings; before a question that begins so itself, it would be said twice."""
_STOPOVER: Final = MOMENTS.index("stopover")
_NOT_PASSED_OVER: Final[tuple[Moment, ...]] = ("takeoff", "departing")
_SAYS_WHERE: Final[Mapping[str, str]] = {
    "preflight": "at preflight",
    "taxi": "at taxi",
    "takeoff": "at takeoff",
    "en route": "at en route",
    "arrival": "at arrival",
    "stopover": "at stopover",
    "departing": "at departing",
    "return": "at return",
    "landing": "at landing",
}
"""By moment, the phrases with which a question says by itself where it plays."""


Stay = Literal["", "waits", "called off"]
"""What an answer decides against going now: nothing, to wait or have something seen to first, or not to fly at all."""


@dataclass(frozen=True)
class FlightSoFar:
    """How far a mock oral has come: its opening questions, the names of the changes that were told, whether the last
    question was about the flight, the moment of the flight that the talk was at last, the name of the change that the
    last question was about, what closes its situation ("" where nothing has to be closed), whether that was only
    supposed, and whether the flight is `over`."""

    asked: int
    told: tuple[str, ...]
    on_flight: bool
    moment: Moment = "planning"
    asked_about: str = ""
    ends: str = ""
    supposed: bool = False
    over: bool = False


def flight_so_far(exam_id: UUID) -> FlightSoFar:
    """Before the first question the talk is about the flight, since it is told then."""
    openings = Turn.objects.filter(exam_id=exam_id, form="opening").order_by("number")
    rows = list(openings.values_list("givens", "provenance", "text"))
    changes = [[one["name"] for one in givens if one.get("kind") == "change"] for givens, *_ in rows]
    _, last, question = rows[-1] if rows else ([], {"trip": ""}, "")
    moments = [provenance["moment"] for _, provenance, _ in rows if provenance.get("moment") in MOMENTS]
    asked_about = next(chain.from_iterable(changes[-1:]), "")
    return FlightSoFar(
        asked=len(rows),
        told=tuple(chain.from_iterable(changes)),
        on_flight="trip" in last,
        moment=moments[-1] if moments else "planning",
        asked_about=asked_about,
        ends=last.get("ends", ""),
        over=any("over" in provenance for _, provenance, _ in rows),
        supposed=not asked_about and supposes(question),
    )


def schedule_on_flight(
    scene: Scene,
    items: Mapping[str, Sequence[ItemInForce]],
    *,
    met: Mapping[str, int],
    seed: str,
    difficulty: str,
) -> dict[str, Scheduled]:
    """By element, when on the flight it will be asked: with the change that asks about it, else with the item that will
    be chosen from its `items`, after the flight where that does not hang on it."""
    found: dict[str, Scheduled] = {}
    told: list[str] = []  # each change comes with one element
    topics: list[str] = [change.topic for change in scene.changes]
    musts: set[frozenset[str]] = set()
    for code, known in items.items():
        coming = scene.change_among({item.key for item in known if item.elements[0] == code}, told=told)
        item = choose_item(
            [one for one in known if coming is None or one.key == coming[1].item],
            met=met,
            asked=[one.item for one in found.values()],
            topics_asked=topics,
            musts_asked=musts,
            seed=f"{seed}/{code}",
            difficulty=difficulty,
            trip=scene.slots,
        )
        if item is None:
            continue
        musts |= item.musts
        place, topic = item.place_on(scene.slots), item.topic
        if coming:
            change, _ = coming
            place, topic = change.place, change.topic
            told += [one.given.name for one in scene.changes if one.topic == topic or one is change]
        else:
            topics.append(topic)
        found[code] = Scheduled(
            place=AFTER_THE_FLIGHT if place is None else place,
            item=item.key,
            topic=topic,
            musts=item.musts,
            by_change=bool(coming),
        )
    return found


def decision_to_stay(exam: Exam) -> Stay:
    """What the last answer of a mock oral decides against going now."""
    if not exam.scene:
        return ""
    last = Answer.objects.filter(exam_id=exam.pk).values_list("text", flat=True).last() or ""
    if calls_off(last):
        return "called off"
    return "waits" if _PHRASES["waits"].search(last) else ""


def calls_off(answer: str) -> bool:
    """Whether the student decides not to fly at all, in a sentence without a condition."""
    return any(
        _PHRASES["calls off"].search(one.text) and not _PHRASES["conditional"].search(one.text)
        for one in sentences_in(answer)
    )


def facts_of_flight(exam: Exam) -> tuple[Fact, ...]:
    """What the student may ask about the exam's flight, as it stands now; nothing where it has none."""
    scene = exam.read_scene()
    if scene is None:
        return ()
    so_far = flight_so_far(exam.pk)
    return scene.facts_known(so_far.told, asked_about=so_far.asked_about)


@dataclass(frozen=True, slots=True)
class FlightNews:
    """What is said of the flight before a question, the change that is told after it, and what is given with it. Where
    the talk has `moved`, the words say so, and no other transition is needed."""

    told: str = ""
    news: str = ""
    moved: bool = False
    givens: list[dict[str, Any]] = field(default_factory=list)


def news_of_flight(
    scene: Scene,
    so_far: FlightSoFar,
    history: Sequence[Asked],
    change: Change | None,
    *,
    seed: str,
    on_flight: bool,
    stay: Stay = "",
    moment: Moment | Literal[""] = "",
    place: int = 0,
    question: str = "",
) -> FlightNews:
    """First the flight itself; later what closes the situation before, and that the talk leaves the flight, returns to
    it, or comes to the question's `moment`, unless the `question` says itself where it is. Then the change that the
    question is about. `place` is the planned one of the question's element."""

    def say(kind: str) -> str:
        return fill_slots(words_on_flight(kind, history, seed=seed), scene.slots)

    at, called_off = MOMENTS.index(so_far.moment), stay == "called off"
    over = not on_flight and place >= AFTER_THE_FLIGHT
    comes_to = MOMENTS.index(moment) if on_flight and moment else len(MOMENTS) if over else at
    kind = ""
    if on_flight and comes_to > at:
        kind = f"on to {moment}"
    elif not on_flight and so_far.on_flight:
        kind = "after the flight" if over else "beside the flight"
        if over and called_off:
            kind = "after a flight called off"
    elif on_flight and not so_far.on_flight and not change:
        kind = "back to the flight"
    elif on_flight and called_off and so_far.asked and not so_far.ends:
        kind = "flight goes on"
    stops = bool(scene.between) and at < _STOPOVER <= comes_to and not (over and called_off)
    stops = stops and not any(scene.between in one.transition for one in history)
    # Before the start, what was only supposed is over with the question, unless the student decided to wait.
    still = so_far.supposed and so_far.moment in ON_THE_GROUND and not stay
    first = next((one.text for one in sentences_in(change.said if change else question)), "")
    said = [scene.told, say("the flight in the talk")]
    if so_far.asked:
        ends = so_far.ends
        if ends.startswith(_LETS_SAY) and supposes(first):
            ends = f"Okay, {ends.removeprefix(_LETS_SAY)}"
        said = ["" if still or stops or over else ends]
    if kind.startswith("on to") and called_off and not so_far.ends:
        said.append(say("flight goes on"))
    if stops:
        said.append(scene.between)
    # A question may say itself where it plays, but not that a takeoff or the way out lies behind, nor by supposing.
    passed = any(at < MOMENTS.index(one) < comes_to for one in _NOT_PASSED_OVER)
    told_by_itself = on_flight and so_far.on_flight and comes_to > at and not passed
    told_by_itself = (
        told_by_itself and not supposes(first) and bool(_PHRASES[_SAYS_WHERE[moment]].search(first))
    )
    if kind and not (kind.startswith("on to") and (told_by_itself or (stops and moment == "stopover"))):
        said.append(say(kind))
    if over and so_far.on_flight:
        said.append(say("what is left to ask"))
    told = " ".join(filter(None, said))
    news, givens = "", []
    if change:  # with other words before it, it needs none of its own
        news = change.said if told else f"{say('change of the flight')} {change.said}"
        givens = [change.given]
    if so_far.asked_about and so_far.ends:  # what is shown beside the talk is as it was
        givens.append(Given(name=so_far.asked_about, value=so_far.ends, kind="settled"))
    moved = bool(kind and so_far.asked) and not over
    return FlightNews(told, news, moved, [asdict(given) for given in givens])


def lead_on_flight(
    so_far: FlightSoFar,
    task: str,
    history: Sequence[Asked],
    *,
    seed: str,
    moment: Moment | Literal[""],
    question: str,
) -> str:
    """What leads from one question about the flight to the next where nothing was told between them.

    On the way the talk comes back to the flight after something supposed. Where it comes to another Task, that is named
    on the ground; on the way, time has passed or something else is asked about. Nothing is said before a question that
    says where on the flight it plays.
    """
    first = next((one.text for one in sentences_in(question)), "")
    aside = supposes(first) or first.endswith("?")
    on_the_ground = moment in ON_THE_GROUND
    if so_far.supposed and not (aside or on_the_ground):
        return words_on_flight("back to the flight", history, seed=seed)
    if not history or history[-1].task == task:
        return ""
    if on_the_ground and (named := signpost_to(task, history)):
        return named
    if aside or on_the_ground:
        return words_on_flight("something else on the flight", history, seed=seed)
    where = _SAYS_WHERE.get(moment)
    return "" if where and _PHRASES[where].search(first) else words_on_flight("later", history, seed=seed)


def coming_change(
    scene: Scene, so_far: FlightSoFar, items: Collection[str], place: int
) -> tuple[Change, ChangeQuestion] | None:
    """The change that one of these items comes with at this place, if the flight has not come further; none before the
    flight itself has been told."""
    coming = scene.change_among(items, told=so_far.told, place=place) if so_far.asked else None
    moment = coming[0].moment if coming else ""
    if so_far.over or (moment and MOMENTS.index(moment) < MOMENTS.index(so_far.moment)):
        return None
    return coming


def put_on_flight(
    briefing: Briefing,
    slots: Mapping[str, str],
    coming: tuple[Change, ChangeQuestion] | None = None,
    *,
    since: Moment = "planning",
) -> Briefing:
    """The briefing with its item worded into a `coming` change of the flight or into the trip, where that can be: not
    where it plays before the moment `since` which the flight has come to."""
    item = briefing.item
    if item and coming:
        change, question = coming
        said = question.stem
        asked = replace(item, stem=said, on_trip=said, again=said, moment=change.moment, ends=change.ends)
        return replace(briefing, item=asked)
    if item is None or not item.hangs_on(slots):
        return briefing
    plays = item.moment_on(slots)
    if plays and MOMENTS.index(plays) < MOMENTS.index(since):
        return briefing
    worded = f"{item.on_trip} {item.ends}"
    used = {name: value for name, value in slots.items() if f"{{{name}}}" in worded}
    asked = replace(item, stem=item.on_trip, moment=plays)
    return replace(briefing, item=asked, values={**used, **(briefing.values or {})})
