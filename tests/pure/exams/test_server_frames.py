"""What the server says: the contract's frames, built from the exam's values."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from exams.domain.exam_request import ExamOrder
from exams.domain.grading import grade_oral
from exams.domain.scope import scope_for
from exams.domain.values import Point
from exams.domain.verdicts import decide_verdict
from exams.protocol.codec import (
    assessment_frame,
    encode_frame,
    finished_frame,
    question_frame,
    server_frame_from,
    without_answer,
)
from exams.protocol.frames import (
    CLIENT_FRAME,
    CLIENT_FRAMES,
    SERVER_FRAME,
    SERVER_FRAMES,
    Error,
    Pong,
    Progress,
    Taken,
    Token,
    describe_frames,
)
from tests.doubles.orals import always, facts_for, take

CONTRACT = Path(__file__).parents[3].parent / "shared" / "design" / "CONTRACT.md"
CITATION = {
    "n": 1,
    "document": "Part 91",
    "abbreviation": "14 CFR 91",
    "doc_type": "cfr",
    "section": "91.155",
    "label": "14 CFR 91.155(a)",
    "edition": "2021-07",
    "page": None,
    "page_label": "",
    "anchor": "91.155",
    "quote": "3 statute miles",
    "chunk_id": "7",
    "relevance": 1,
    "url": "/library/1/",
}
QUALIFIED = {
    "type": "qualified",
    "outcome": "not today",
    "text": "We cannot begin today.",
    "faults": [
        {"card": "Registration", "what": "It expired.", "rule": "14 CFR 91.203(a)(2)", "citation": CITATION},
        {"card": "Annual", "what": "It is overdue.", "rule": "14 CFR 91.409(a)", "citation": None},
    ],
}
POINT = Point(expectation="3 statute miles", key="a", met="missing", citations=(1,))


def question(**changes: Any) -> dict[str, Any]:
    values: dict[str, Any] = {
        "turn": 1,
        "element": "PA.I.E.K1",
        "form": "opening",
        "attempt": 1,
        "kind": "knowledge",
        "text": "What do you need?",
        "givens": [],
        "images": [],
        "transition": "",
        "budget": {"asked": 0, "planned": 5},
        "citations": [CITATION],
    }
    return question_frame(**(values | changes))


def assessment(**changes: Any) -> dict[str, Any]:
    values: dict[str, Any] = {
        "turn": 1,
        "answer_id": "a",
        "decision": decide_verdict([POINT], attempt="probe"),
        "feedback": "That does not meet what is asked here.",
        "citations": [CITATION],
    }
    return assessment_frame(**(values | changes))


def finished() -> dict[str, Any]:
    scope = scope_for(facts_for("PA.I.A", "PA.I.B"), ExamOrder(questions=2), seed="f")
    result = grade_oral(scope, take(scope, always("satisfactory")).outcomes)
    return finished_frame(result, report="/exams/1/report/")


def all_frames() -> list[dict[str, Any]]:
    return [
        question(),
        server_frame_from({"type": "sources", "turn": 1, "citations": [CITATION]}).to_dict(),
        server_frame_from(QUALIFIED).to_dict(),
        assessment(),
        finished(),
        Token(turn=1, delta="What ").to_dict(),
        Taken(turn=1, answer_id="a").to_dict(),
        Progress(areas=[], mastery={}, step="assessment", skipped=[]).to_dict(),
        Error(code="too_long", message="Shorten it.", retryable=False).to_dict(),
        Pong().to_dict(),
    ]


def test_every_kind_of_frame_goes_out_and_comes_back_the_same() -> None:
    frames = all_frames()
    assert {frame["type"] for frame in frames} == set(SERVER_FRAMES)
    for frame in frames:
        assert server_frame_from(json.loads(encode_frame(frame))).to_dict() == frame


def test_every_frame_of_client_and_server_is_described() -> None:
    client, server = (
        set(one.json_schema()["discriminator"]["mapping"]) for one in (CLIENT_FRAME, SERVER_FRAME)
    )
    assert (client, server) == (set(CLIENT_FRAMES), set(SERVER_FRAMES))
    assert {one["frame"] for one in describe_frames() if one["from"] != "part"} == client | server


def test_client_frame_is_no_server_frame() -> None:
    with pytest.raises(ValidationError):
        server_frame_from({"type": "ping"})


def test_a_stored_frame_keeps_its_seq() -> None:
    assert server_frame_from(question() | {"seq": 7}).to_dict()["seq"] == 7
    assert "seq" not in question()


def test_a_question_says_where_to_look_and_nothing_of_what_stands_there() -> None:
    figure = {
        "image_id": "1",
        "figure_label": "Figure 1",
        "caption": "3 statute miles",
        "page": 2,
        "relevance": 1,
        "url": "/f/1/",
    }
    frame = question(images=[figure])
    assert frame["citations"] == [{"n": 1, "label": "14 CFR 91.155(a)", "document": "Part 91"}]
    assert frame["images"] == [{"image_id": "1", "figure_label": "Figure 1", "page": 2, "url": "/f/1/"}]
    assert without_answer(frame) == frame
    assert without_answer(Pong().to_dict()) == {"type": "pong"}


def test_a_verdict_that_is_not_final_gives_no_point_away() -> None:
    frame = assessment(decision=decide_verdict([POINT]))
    assert (frame["final"], frame["points"], frame["citations"]) == (False, [], [])


def test_what_is_withheld_says_only_that_the_answer_was_taken() -> None:
    frame = assessment(withheld=True, feedback="Noted.")
    assert (frame["verdict"], frame["score"], frame["points"], frame["citations"]) == (None, None, [], [])


def test_an_ungraded_answer_has_no_score() -> None:
    assert assessment(decision=decide_verdict([]))["score"] is None


def test_a_final_assessment_shows_each_expectation_beside_what_was_said() -> None:
    assert assessment()["points"] == [
        {
            "expectation": "3 statute miles",
            "importance": "must",
            "met": "missing",
            "why": "",
            "said": "",
            "citations": [1],
        }
    ]


def test_the_description_lists_every_field_that_is_sent() -> None:
    described = {item["frame"]: {field["name"] for field in item["fields"]} for item in describe_frames()}
    for frame in all_frames():
        assert set(frame) <= described[frame["type"]]
    json.dumps(describe_frames())


@pytest.mark.shared
@pytest.mark.skipif(not CONTRACT.exists(), reason="../shared/design/CONTRACT.md is not there")
def test_the_description_has_every_frame_and_field_of_the_contract() -> None:
    described = {item["frame"]: {field["name"] for field in item["fields"]} for item in describe_frames()}
    promised = contract_frames(CONTRACT.read_text(encoding="utf-8"))
    assert len(promised) >= 17
    for name, fields in promised.items():
        assert fields <= described[name], name


def contract_frames(text: str) -> dict[str, set[str]]:
    """Frame → field names, as the contract's section on the live exam has them."""
    live = text.split("## Live exam", 1)[1]
    sent = {match[1]: match[2] for match in re.finditer(r'`\{"type":"(\w+)"([^`]*)\}`', live)}
    said = {match[1]: match[2] for match in re.finditer(r"^\* `(\w+)` `\{(.*?)\}`", live, re.M | re.S)}
    said |= dict.fromkeys(("pong",), "")
    citation = re.search(r"A citation is `\{(.*?)\}`", live, re.S)
    frames = {name: top_level(body) for name, body in (sent | said).items()}
    return frames | {"citation": top_level(citation[1] if citation else "")}


def top_level(body: str) -> set[str]:
    """The names outside any inner bracket."""
    while (flat := re.sub(r"\{[^{}]*\}|\[[^\[\]]*\]", "", body)) != body:
        body = flat
    return {name for name in re.findall(r'"([a-z_]+)"(?!\s*\|)', body) if f':"{name}' not in body} - {"type"}
