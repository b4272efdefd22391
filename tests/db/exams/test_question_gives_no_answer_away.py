"""Before a verdict or a recorded look-up nothing that reaches the student holds the sentence that is the answer."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from exams.models import Exam, Frame, Turn
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import Enter, Room, new_exam, opened

pytestmark = pytest.mark.django_db(transaction=True)

RUN = 5  # words in a row that are no chance
FOLDED = {"n", "label", "document"}
FIGURE = {
    "image_id": str(uuid4()),
    "figure_label": "Figure 3-1",
    "caption": "Between sunset and sunrise keep three statute miles",
    "page": 3,
    "relevance": 0.9,
    "strategy": "figure_ref",
    "is_evidence": True,
}


def runs_of(text: str) -> set[str]:
    words = re.findall(r"\w+", text.lower())
    return {" ".join(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}


def texts_in(value: Any) -> list[str]:
    match value:
        case str():
            return [value]
        case dict():
            return [text for one in value.values() for text in texts_in(one)]
        case list():
            return [text for one in value for text in texts_in(one)]
        case _:
            return []


def given_away(turn: Turn, *shown: Any, asked: str = "") -> set[str]:
    """Runs of words of the turn's evidence in what was shown, without those of the questions themselves."""
    secret = set().union(*(runs_of(citation["quote"]) for citation in turn.citations))
    found = set().union(*(runs_of(text) for text in texts_in(list(shown))))
    return secret & found - runs_of(turn.text) - runs_of(asked)


def last_turn(exam: Exam) -> Turn:
    return Turn.objects.filter(exam=exam).latest("number")


def test_no_frame_before_the_verdict_holds_the_answer(demo: Demo, enter: Enter) -> None:
    """Also none that is sent again to a page that was opened anew. The follow-ups of an element share its sources."""
    exam = new_exam(demo.student, questions=8)
    room = enter(exam, demo.student)
    said = 0
    open_frames: list[Any] = []
    while True:
        frame = room.hear("question", "assessment", "finished")
        if frame["type"] == "finished":
            break
        if frame["type"] == "assessment":
            open_frames = [] if frame["final"] else [*open_frames, frame]
            continue
        turn = last_turn(exam)
        assert turn.citations
        open_frames.append(frame)
        asked = "\n".join(one["text"] for one in open_frames if one["type"] == "question")
        assert given_away(turn, *open_frames, asked=asked) == set(), frame
        assert all(set(citation) == FOLDED for citation in frame["citations"])
        if said == 0:
            room.leave()
            room = enter(exam, demo.student)
            again = room.hear("question")
            assert again == frame
        room.say({"type": "answer", "id": f"a{(said := said + 1)}", "text": "I do not know."})
    assert said > 8


@pytest.mark.long
def test_nothing_else_of_an_open_oral_holds_it(demo: Demo, client: Client) -> None:
    exam = opened(new_exam(demo.student))
    turn = last_turn(exam)
    client.force_login(demo.student)
    for path in (
        f"/exams/{exam.pk}/",
        f"/exams/{exam.pk}/download/",
        f"/api/v1/exams/{exam.pk}/",
        f"/api/v1/exams/{exam.pk}/report/",
        "/api/v1/exams/",
        "/exams/",
    ):
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert given_away(turn, answer.content.decode()) == set(), path


@pytest.mark.long
def test_a_frame_that_an_earlier_version_stored_is_sent_without_it(
    demo: Demo, enter: Enter, client: Client
) -> None:
    exam = opened(new_exam(demo.student))
    turn, frame = last_turn(exam), Frame.objects.get(exam=exam, type="question")
    frame.payload |= {"citations": turn.citations, "images": [FIGURE]}
    frame.save()
    question = enter(exam, demo.student).hear("question")
    assert given_away(turn, question) == set()
    assert [set(citation) for citation in question["citations"]] == [FOLDED] * len(turn.citations)
    assert question["images"] == [{key: FIGURE[key] for key in ("image_id", "figure_label", "page")}]
    client.force_login(demo.student)
    assert given_away(turn, client.get(f"/exams/{exam.pk}/download/").content.decode()) == set()


def looked_up(room: Room, turn: int) -> dict[str, Any]:
    room.say({"type": "look_up", "turn": turn})
    return room.hear("sources", "error")


def test_the_sources_come_whole_after_a_look_up_that_is_recorded(demo: Demo, enter: Enter) -> None:
    exam = new_exam(demo.student)
    room = enter(exam, demo.student)
    room.hear("question")
    sources, turn = looked_up(room, 1), last_turn(exam)
    assert turn.looked_up
    assert (sources["turn"], sources["citations"]) == (1, turn.citations)
    assert all(citation["quote"] and citation["url"] for citation in sources["citations"])
    room.say({"type": "look_up", "turn": 1})  # once more: there is no second frame
    room.say({"type": "answer", "id": "a1", "text": "I do not know."})
    assert room.hear("sources", "assessment")["type"] == "assessment"
    room.hear("question")
    room.leave()
    again = enter(exam, demo.student)
    again.say({"type": "resume", "last_seq": 0})
    assert again.hear("sources") == sources
