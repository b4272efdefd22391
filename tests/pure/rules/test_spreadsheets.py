"""Rules from an Excel workbook: two layouts, refusals by row, and files that mean harm."""

from datetime import date

import pytest

from rules import conf
from rules.countries import KNOWN_COUNTRIES
from rules.data.parse import NotRules, RulesFile, read_rules
from tests.doubles.workbooks import workbook

HEAD = ["Question", "Category", "Tags", "France", "DE", "Remarks"]
PLAN = "Is a flight plan required?"


def read(*rows: list[str], **more: object) -> RulesFile:
    return read_rules(workbook(rows, **more), KNOWN_COUNTRIES)  # type: ignore[arg-type]


def test_a_column_for_each_country() -> None:
    file = read(
        HEAD,
        [PLAN, "VFR", "flight plan, vfr", "No. See https://a.example/fpl.", "", "ask again"],
        [],
        ["Who answers?", "Tools", "", "", "FIS"],
    )
    plan, who = file.questions
    assert (plan.key, plan.category, plan.tags) == (PLAN, "VFR", ("flight plan", "vfr"))
    assert plan.answers["FR"].text == "No. See https://a.example/fpl."
    assert plan.answers["FR"].links == ("https://a.example/fpl",)
    assert (set(plan.answers), set(who.answers)) == ({"FR"}, {"DE"})
    assert [one.where for one in file.refused] == ["the column 'Remarks', which is no country"]


def test_a_row_for_each_answer() -> None:
    head = ["question", "category", "tags", "country", "answer", "links", "last reviewed", "source link"]
    file = read(
        head,
        [PLAN, "VFR", "", "France", "No", "https://a.example/1", "46082", "https://law.example/2"],
        [PLAN, "VFR", "", "DE", "Yes", "", "2026-03-02"],
        [PLAN, "VFR", "", "FR", "Maybe"],
        [PLAN, "VFR", "", "Atlantis", "Yes"],
    )
    answers = file.questions[0].answers
    assert answers["FR"].text == "No"
    assert answers["FR"].date_checked == date(2026, 3, 1)
    assert answers["FR"].source_link == "https://law.example/2"
    assert answers["DE"].date_checked == date(2026, 3, 2)
    assert {one.what for one in file.refused} == {
        "a second answer for one country",
        "a country that does not exist",
    }


def test_a_refused_row_is_told_by_name_and_row() -> None:
    file = read(
        HEAD,
        ["", "VFR", "", "Yes"],
        [PLAN, "VFR", "", "Yes", '=HYPERLINK("https://evil.example")'],
        [PLAN, "VFR", "", "No"],
    )
    told = [(one.row, one.where, one.what) for one in file.refused if one.row]
    assert told == [
        (2, "row 2", "a question without a name"),
        (3, f"{PLAN} [DE]", "a formula: paste its value instead"),
        (4, PLAN, "a question that is there twice"),
    ]
    assert set(file.questions[0].answers) == {"FR"}


def test_a_second_sheet_is_said_to_be_unread() -> None:
    file = read(HEAD, [PLAN, "VFR", "", "No"], second_sheet="Notes")
    assert "the sheet 'Notes': only the first one is read" in [one.where for one in file.refused]


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"xl/vbaProject.bin": b"macro"}, "macros"),
        ({"xl/externalLinks/externalLink1.xml": "<a/>"}, "links to other files"),
        ({"xl/sharedStrings.xml": '<!DOCTYPE a [<!ENTITY b "c">]><sst>&b;</sst>'}, "document type"),
        ({"xl/sharedStrings.xml": "<sst><si>"}, "damaged"),
        ({"xl/sharedStrings.xml": "<sst/>".encode("utf-16")}, "damaged"),
        ({"xl/workbook.xml": "<workbook><sheets/></workbook>"}, "no visible sheet"),
        ({"xl/_rels/workbook.xml.rels": "<Relationships/>"}, "missing"),
        ({"xl/theme.xml": b" " * (conf.SHEET_BYTES + 1)}, "unpacks to more than 64 MB"),
        ({f"xl/part{n}.bin": b"" for n in range(conf.SHEET_PARTS)}, "parts"),
    ],
)
def test_a_workbook_that_means_harm_or_is_broken_is_refused(parts: dict[str, str | bytes], said: str) -> None:
    with pytest.raises(NotRules, match=said):
        read(HEAD, [PLAN, "VFR", "", "No"], more_parts=parts)


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (["A", "B"], "has no column for: question, category, a country. Its first row must name"),
        (["Question", "Tags", "France"], "has no column for: category. "),
        (["Question", "Category", "Remarks"], "has no column for: a country. "),
        (["Question", "Category", "Country"], "has no column for: answer. "),
    ],
)
def test_a_sheet_without_the_columns_is_told_which_it_needs(head: list[str], said: str) -> None:
    with pytest.raises(NotRules, match=f"the first sheet, “Rules”, {said}"):
        read(head, [PLAN, "VFR"])


def test_rules_in_another_sheet_are_told_to_move_to_the_front() -> None:
    with pytest.raises(NotRules, match=r"“Rules”, is empty.*move the rules to the front"):
        read(second_sheet="Rules of 2026")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "the file is empty"),
        (b"question;category;France\nMay I?;VFR;Yes", r"JSON in UTF-8\Z"),
        (b'{"questions": [}', "As JSON it is wrong: Expecting value: line 1"),
    ],
)
def test_a_text_file_under_a_workbooks_name_is_told_what_it_is_not(data: bytes, said: str) -> None:
    with pytest.raises(NotRules, match=said):
        read_rules(data, KNOWN_COUNTRIES)


def test_too_many_rows_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conf, "SHEET_ROWS", 2)
    with pytest.raises(NotRules, match="more than 2 rows"):
        read(HEAD, *[[f"{PLAN} {n}", "VFR", "", "No"] for n in range(3)])


def test_an_old_or_locked_workbook_and_a_truncated_one_are_refused() -> None:
    with pytest.raises(NotRules, match="password"):
        read_rules(b"\xd0\xcf\x11\xe0" + b"\0" * 600, KNOWN_COUNTRIES)
    with pytest.raises(NotRules, match="damaged: save it again"):
        read_rules(workbook([HEAD])[:200], KNOWN_COUNTRIES)
