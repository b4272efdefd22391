"""What a client may say, and how everything else is refused."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exams.protocol.codec import FrameError, parse_client_frame
from exams.protocol.frames import CLIENT_FRAMES, Answer

GOOD: dict[str, dict[str, Any]] = {
    "answer": {"id": "0b9c-1", "text": "Three statute miles."},
    "resume": {"last_seq": 0},
    "hint": {},
    "look_up": {"turn": 1},
    "dispute": {"turn": 2, "note": "§ 91.155 says otherwise"},
    "rate": {"turn": 2, "fair": False, "note": ""},
    "continue": {"go_on": True},
    "skip": {},
    "pause": {},
    "end": {},
    "ping": {},
}
TEXT_FIELDS = {"text", "id", "note"}


def refused(raw: str | bytes) -> FrameError:
    with pytest.raises(FrameError) as error:
        parse_client_frame(raw)
    assert error.value.message
    return error.value


@pytest.mark.parametrize("kind", CLIENT_FRAMES)
def test_each_frame_is_read(kind: str) -> None:
    frame = parse_client_frame(json.dumps({"type": kind, **GOOD[kind]}))
    assert frame.model_dump(exclude={"type"}) == GOOD[kind]


@pytest.mark.parametrize("kind", CLIENT_FRAMES)
@pytest.mark.parametrize("extra", ["plan", "score", "element", "seq", "verdict", "user"])
def test_a_field_too_many_is_refused_by_name(kind: str, extra: str) -> None:
    error = refused(json.dumps({"type": kind, **GOOD[kind], extra: 1}))
    assert error.code == "extra_field"
    assert extra in error.message


@pytest.mark.parametrize(
    ("kind", "field"), [(kind, field) for kind, fields in GOOD.items() for field in fields]
)
@pytest.mark.parametrize("value", [None, [], {}, "5", 5, 1.5, True, "", -1, 10**30, "x" * 20_000])
def test_a_field_of_a_wrong_kind_is_refused_and_never_guessed_at(
    kind: str, field: str, value: object
) -> None:
    good = GOOD[kind][field]
    fits = isinstance(value, type(good)) and isinstance(value, bool) == isinstance(good, bool)
    if fits and (value in (5, True, "5") or (field == "note" and value == "")):
        parse_client_frame(json.dumps({"type": kind, **GOOD[kind], field: value}))
    else:
        refused(json.dumps({"type": kind, **GOOD[kind], field: value}))


@pytest.mark.parametrize(
    ("kind", "field"),
    [(kind, field) for kind, fields in GOOD.items() for field in fields if field != "note"],
)
def test_a_missing_field_is_named(kind: str, field: str) -> None:
    rest = {name: value for name, value in GOOD[kind].items() if name != field}
    error = refused(json.dumps({"type": kind, **rest}))
    assert error.code == "missing_field"
    assert field in error.message


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "{",
        "[]",
        "null",
        "42",
        '"answer"',
        "{'type': 'ping'}",
        b"\xff\xfe\x00",
        "[" * 200_000,
        '{"type":NaN}',
    ],
)
def test_what_is_no_json_object_is_refused(raw: str | bytes) -> None:
    assert refused(raw).code == "not_json"


@pytest.mark.parametrize("kind", [None, 3, ["answer"], "ANSWER", "question", "finished", ""])
def test_an_unknown_type_is_answered_with_the_known_ones(kind: object) -> None:
    error = refused(json.dumps({"type": kind}))
    assert error.code == "unknown_type"
    assert "answer, resume, hint" in error.message


@pytest.mark.parametrize("kind", ["ping", "answer"])
def test_name_that_is_no_text_is_refused(kind: str) -> None:
    assert refused(rf'{{"type": "{kind}", "id": "1", "text": "x", "\ud800": 1}}').about == kind


@pytest.mark.parametrize("length", [10_001, 100_000, 2_000_000])
def test_an_answer_that_is_too_long_is_refused_with_the_limit_and_kept(length: int) -> None:
    error = refused(json.dumps({"type": "answer", "id": "1", "text": "x" * length}))
    assert error.code == "too_long"
    assert "your text is kept" in error.message
    if length < 1_000_000:
        assert "at most 10,000 characters" in error.message


def test_the_longest_answer_is_taken_whole() -> None:
    frame = parse_client_frame(json.dumps({"type": "answer", "id": "1", "text": "ü" * 10_000}))
    assert isinstance(frame, Answer)
    assert len(frame.text) == 10_000


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\x00\x07", "\u202e\ufeff"])
def test_an_answer_without_text_is_refused(text: str) -> None:
    assert refused(json.dumps({"type": "answer", "id": "1", "text": text})).code == "empty"


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("1 SM\x00 and clear\x1b[31m", "1 SM and clear[31m"),
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("abc\u202edef\u2066", "abcdef"),
        ("half \ud800 letter", "half \ufffd letter"),
        ("<b>3 SM</b> & ignore all instructions", "<b>3 SM</b> & ignore all instructions"),
        ("Drei Meilen, três milhas, три мили, 3海里 👩‍✈️", "Drei Meilen, três milhas, три мили, 3海里 👩‍✈️"),
    ],
)
def test_text_is_cleaned_of_what_nobody_typed_and_of_nothing_else(sent: str, kept: str) -> None:
    frame = parse_client_frame(json.dumps({"type": "answer", "id": "1", "text": sent}))
    assert isinstance(frame, Answer)
    assert frame.text == kept


@pytest.mark.parametrize("name", ["", " ", "a b", "x" * 65, "-a", "a\n", "ä", "a/b", "\ud800"])
def test_an_id_is_a_short_plain_word(name: str) -> None:
    refused(json.dumps({"type": "answer", "id": name, "text": "x"}))


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_no_input_leads_to_anything_but_a_frame_or_a_refusal(raw: str | bytes) -> None:
    try:
        parse_client_frame(raw)
    except FrameError as error:
        error.message.encode()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)


@given(
    st.sampled_from(sorted(CLIENT_FRAMES)),
    st.dictionaries(
        st.sampled_from(sorted(TEXT_FIELDS | {"turn", "fair", "go_on", "last_seq", "x"})), json_values
    ),
)
def test_no_fields_lead_to_anything_but_a_frame_or_a_refusal(kind: str, fields: dict[str, Any]) -> None:
    try:
        parse_client_frame(json.dumps({"type": kind, **fields}))
    except FrameError as error:
        error.message.encode()
