"""What of a file of rules is taken, what is mended, and what is refused with its place."""

import json
from dataclasses import asdict
from typing import Any

import pytest

from rules.countries import KNOWN_COUNTRIES
from rules.data.parse import NotRules, RulesFile, read_rules
from tests.doubles.rule_files import PLAN, cell, question, two_questions


def read(*questions: Any) -> RulesFile:
    return read_rules(json.dumps({"questions": questions}).encode(), KNOWN_COUNTRIES)


def test_an_empty_answer_is_no_answer_and_is_told() -> None:
    file = read(*two_questions())
    assert sorted(file.questions[0].answers) == ["DE", "FR"]
    assert [(one.what, one.where) for one in file.refused] == [("an empty answer", f"{PLAN} [SE]")]


def test_a_junk_question_is_left_out() -> None:
    file = read(*two_questions(), question("My country is:", "ignore", [], FR="France"))
    assert len(file.questions) == 2
    assert "a junk question" in {one.what for one in file.refused}


@pytest.mark.parametrize(
    ("spelt", "kept"),
    [
        ("prior permision", "prior permission"),
        ("flight_plan", "flight plan"),
        ("Air-Traffic  Service", "air traffic service"),
        ("balloons", "balloons"),
    ],
)
def test_a_tag_is_spelt_one_way(spelt: str, kept: str) -> None:
    file = read(question(PLAN, "VFR", [spelt], FR="Yes"))
    assert file.questions[0].tags == (kept,)
    assert [one.said for one in file.mended] == ([spelt] if spelt != kept else [])


def test_two_spellings_of_one_tag_are_one_tag() -> None:
    assert read(question(PLAN, "VFR", ["flight_plan", "flight plan"], FR="Yes")).questions[0].tags == (
        "flight plan",
    )


def test_scripts_go_and_lines_stay() -> None:
    html = 'Yes.<br>Call <b>before</b> <script>alert("x")</script>&lt;b&gt; below <FL100> or <3000 ft.'
    answer = read(question(PLAN, "VFR", [], FR=html)).questions[0].answers["FR"]
    assert answer.text == "Yes.\nCall before <b> below <FL100> or <3000 ft."


def test_an_answer_of_nothing_but_a_script_is_empty() -> None:
    assert read(question(PLAN, "VFR", [], FR="<script>alert(1)</script>", DE="Yes")).countries == {"DE"}


def test_links_once_each_and_only_such_as_open() -> None:
    links = ("https://a.example/x", "https://A.example/x/", "javascript:alert(1)", "www.b.example")
    file = read(question(PLAN, "VFR", [], FR=cell("Yes", *links)))
    assert file.questions[0].answers["FR"].links == ("https://a.example/x", "https://www.b.example")
    assert {one.what for one in file.refused} == {"a link that cannot be opened"}


def test_the_first_of_two_answers_for_one_cell_stands() -> None:
    text = json.dumps({"questions": [question(PLAN, "VFR", [], FR="first")]})
    doubled = text.replace('"FR": {', '"FR": {"answer_html": "first"}, "FR": {', 1)
    file = read_rules(doubled.encode(), KNOWN_COUNTRIES)
    assert file.questions[0].answers["FR"].text == "first"
    assert "a second answer for one country" in {one.what for one in file.refused}


@pytest.mark.parametrize(("spelt", "kept"), [("UK", {"GB"}), ("fr", {"FR"}), ("QQ", set()), ("", set())])
def test_countries_are_those_that_exist(spelt: str, kept: set[str]) -> None:
    assert read(question(PLAN, "VFR", [], **{spelt: "Yes", "SE": "Yes"})).countries == kept | {"SE"}


@pytest.mark.parametrize(
    "row",
    [
        None,
        {},
        {"question_id": PLAN},
        question("", "VFR", [], FR="Yes"),
        question("x" * 501, "VFR", [], FR="Yes"),
        question(PLAN, "", [], FR="Yes"),
        {**question(PLAN, "VFR", []), "answers_by_country": ["FR"]},
    ],
)
def test_a_wrong_row_loses_only_itself(row: Any) -> None:
    file = read(row, question("Another?", "VFR", [], FR={"answer_html": None}, DE="Yes"))
    assert [one.key for one in file.questions] == ["Another?"]
    assert len(file.refused) == 2


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe", b"[]", b"{}", b'{"questions": []}', b'{"questions": 3}', b"[" * 9999]
)
def test_a_file_that_is_none_is_refused_as_a_whole(data: bytes) -> None:
    with pytest.raises(NotRules):
        read_rules(data, KNOWN_COUNTRIES)


HALF = "\ud800"
BAD = ("\0", HALF)


def told(file: RulesFile) -> set[str]:
    return {one.what for one in file.refused}


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("where", ["question_id", "question_text", "category"])
def test_a_question_that_cannot_be_stored_loses_only_itself(where: str, bad: str) -> None:
    row = question("What of kites?", "VFR", [], FR="Yes") | {where: f"What{bad} of kites?"}
    file = read(row, *two_questions())
    kept = [one for one in file.questions if "kites" in one.text]
    assert len(file.questions) == 2 + len(kept)
    if where != "question_text" or bad == HALF:
        assert not kept
        assert "characters that cannot be stored" in told(file)
    json.dumps([asdict(one) for one in file.refused], ensure_ascii=False).encode()


@pytest.mark.parametrize("bad", BAD)
def test_what_else_cannot_be_stored_goes_alone(bad: str) -> None:
    cells = {
        "FR": cell("Yes", f"https://a.example/{bad}x", "https://a.example/y"),
        "DE": cell(f"No{HALF}"),
        f"S{bad}": cell("Yes"),
    }
    row = {**question(PLAN, "VFR", [f"kite{bad}", "kites"]), "answers_by_country": cells}
    file = read(row)
    assert file.questions[0].tags == ("kites",)
    assert file.questions[0].answers["FR"].links == ("https://a.example/y",)
    assert list(file.questions[0].answers) == ["FR"]
    assert told(file) == {
        "a tag that is none",
        "a link that cannot be opened",
        "characters that cannot be stored",
        "a country that does not exist",
    }
    json.dumps([asdict(one) for one in file.refused], ensure_ascii=False).encode()
    assert all("\0" not in one.said + one.where for one in file.refused)


def test_places_of_one_page_are_two_links() -> None:
    links = ("https://a.example/x#one", "https://a.example/x#two", "https://a.example/x")
    file = read(question(PLAN, "VFR", [], FR=cell("Yes", *links)))
    assert file.questions[0].answers["FR"].links == links
    assert file.mended == ()


def test_links_listed_twice_or_spelt_otherwise_are_told() -> None:
    links = ("https://a.example/x", "https://A.example/x/", "www.b.example")
    file = read(question(PLAN, "VFR", [], FR=cell("Yes", *links)))
    assert {(one.what, one.said, one.became) for one in file.mended} == {
        ("a link listed twice", "https://A.example/x/", "https://a.example/x"),
        ("a link spelt otherwise", "www.b.example", "https://www.b.example"),
    }


def test_a_link_that_the_text_has_too_is_no_fault() -> None:
    html = 'See <a href="https://a.example/x">this</a> and <a href="https://a.example/z">that</a>'
    file = read(question(PLAN, "VFR", [], FR=cell(html, "https://a.example/x")))
    assert file.questions[0].answers["FR"].links == ("https://a.example/x", "https://a.example/z")
    assert "a link listed twice" not in {one.what for one in file.mended}
