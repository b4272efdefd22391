"""Each row of a table can be read alone."""

from knowledge.ingestion.formats.html_tables import table_rows


def table(*rows: tuple[str, ...]) -> str:
    cells = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def test_an_empty_cell_says_what_the_one_above_says() -> None:
    found = table_rows(
        table(("Airspace", "Distance"), ("Class C", "500 feet below."), ("   ", "1,000 feet above."))
    )
    assert found == ("Airspace | Distance", "Class C | 500 feet below.", "Class C | 1,000 feet above.")


def test_a_row_that_names_a_group_stands_before_the_rows_of_the_group() -> None:
    rows = table_rows(
        table(
            ("Airspace", "Visibility"),
            ("Class E:", ""),
            ("Less than 10,000 feet MSL", "3 statute miles"),
            ("At or above 10,000 feet MSL", "5 statute miles"),
            ("Class G:", ""),
            ("1,200 feet or less above the surface", ""),
            ("For aircraft:", ""),
            ("Day", "1 statute mile"),
            ("For helicopters:", ""),
            ("Day", "1⁄2 statute mile"),
            ("More than 1,200 feet above the surface", ""),
            ("Night", "3 statute miles"),
            ("More than 1,200 feet above the surface and high", "5 statute miles"),
        )
    )
    assert rows[1:] == (
        "Class E: Less than 10,000 feet MSL | 3 statute miles",
        "Class E: At or above 10,000 feet MSL | 5 statute miles",
        "Class G: 1,200 feet or less above the surface: For aircraft: Day | 1 statute mile",
        "Class G: 1,200 feet or less above the surface: For helicopters: Day | 1⁄2 statute mile",
        "Class G: More than 1,200 feet above the surface: Night | 3 statute miles",
        "Class G: More than 1,200 feet above the surface and high | 5 statute miles",
    )


def test_a_group_named_within_its_first_row_is_a_group() -> None:
    rows = table_rows(
        table(("Class E<br/>Less than 10,000", "<br/>3 miles"), ("At or above 10,000", "5 miles"))
    )
    assert rows == ("Class E: Less than 10,000 | 3 miles", "Class E: At or above 10,000 | 5 miles")


def test_a_row_with_one_cell_is_kept_where_no_row_stands_in_it() -> None:
    rows = (
        ("Message", "Phrase"),
        ("On the first call", ""),
        ("On the next call", "Unable"),
        ("See 4-6-9", ""),
    )
    assert table_rows(table(*rows)) == (
        "Message | Phrase",
        "On the first call",
        "On the next call | Unable",
        "See 4-6-9",
    )


def test_lines_of_a_cell_are_parted() -> None:
    assert table_rows(table(("Class C", "500 below<br />1,000 above"))) == (
        "Class C | 500 below; 1,000 above",
    )


def test_spans_fill_the_cells_they_cover() -> None:
    rows = "<tr><td rowspan='2'>A</td><td>1</td></tr><tr><td>2</td></tr><tr><td colspan='2'>B</td></tr>"
    markup = f"<table>{rows}</table>"
    assert table_rows(markup)[:2] == ("A | 1", "A | 2")


def test_raised_digits_stay_raised() -> None:
    assert table_rows(table(("10<sup>2</sup>", "x"))) == ("10² | x",)


def test_a_bold_first_letter_stays_with_its_word() -> None:
    assert table_rows(table(("<strong>I</strong>llness",), ("<b>M</b>edi<i>cation</i>",))) == (
        "Illness",
        "Medication",
    )
