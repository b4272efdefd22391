"""The pages that are written from code are current, and have every frame of the live exam."""

import pytest

from exams.protocol.frames import CLIENT_FRAMES, SERVER_FRAMES, describe_frames
from tests.pure.docs.pages import sections, text_of
from tools import planner_page, protocol_page

# What a client may send and will get: the outside of the system, which may grow and does not shrink.
FROM_THE_CLIENT = {
    *("answer", "resume", "hint", "look_up", "dispute", "rate", "continue", "pause", "end", "ping"),
}
FROM_THE_SERVER = {"question", "sources", "token", "assessment", "progress", "finished", "error", "pong"}
FIELDS = {
    "question": "turn element form attempt kind text givens citations images transition budget",
    "sources": "turn citations",
    "token": "turn delta",
    "assessment": "turn answer_id final verdict score feedback points citations degraded withheld",
    "progress": "areas mastery step skipped",
    "finished": "result scope areas not_tested not_askable report",
    "error": "code message retryable",
    "citation": "n document abbreviation doc_type section label edition page page_label anchor quote chunk_id"
    " relevance url",
    "point": "expectation met why said citations",
}
PAGE = text_of("docs/architecture/protocol.md")


def test_the_protocols_page_is_current() -> None:
    assert protocol_page.page() == PAGE


def test_the_planners_page_is_current() -> None:
    assert text_of("docs/architecture/planner.md") == planner_page.page()


def test_every_frame_of_the_contract_is_there() -> None:
    assert set(CLIENT_FRAMES) >= FROM_THE_CLIENT
    assert set(SERVER_FRAMES) >= FROM_THE_SERVER
    assert set(sections(PAGE)) == {frame["frame"] for frame in describe_frames()}


@pytest.mark.parametrize("frame", FIELDS)
def test_every_field_of_the_contract_is_there(frame: str) -> None:
    described = next(one for one in describe_frames() if one["frame"] == frame and one["from"] != "client")
    assert {field["name"] for field in described["fields"]} >= set(FIELDS[frame].split())
    section = sections(PAGE)[frame]
    assert all(f"`{name}`" in section for name in FIELDS[frame].split())


@pytest.mark.parametrize(
    "frame", [frame for frame in describe_frames() if frame["from"] != "part"], ids=lambda f: f["frame"]
)
def test_every_frame_says_what_it_is_for(frame: dict[str, object]) -> None:
    assert frame["about"]
