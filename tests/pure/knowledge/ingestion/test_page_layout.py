"""Raw pages become pages in reading order, without what every page repeats."""

from knowledge.ingestion.layout.page_lines import read_layout
from tests.doubles.pages import line, page


def body(number: int) -> list[str]:
    return [
        f"Sentence {number} of the text runs over the whole line here."
        for number in range(number, number + 4)
    ]


def test_a_running_head_is_no_text_and_the_printed_number_is_the_label() -> None:
    pages = read_layout(
        [
            page(n, line("Pilot Handbook", y=30), line(f"15-{n}", x=300, y=770), *["", *body(n)])
            for n in range(1, 5)
        ]
    )
    assert [p.label for p in pages] == ["15-1", "15-2", "15-3", "15-4"]
    assert all(p.running == ("Pilot Handbook", f"15-{p.number}") for p in pages)
    assert all("Handbook" not in found.text for p in pages for found in p.lines)


def test_roman_page_numbers_are_labels() -> None:
    pages = read_layout(
        [page(n, *body(n), line(numeral, x=300, y=770)) for n, numeral in ((1, "iii"), (2, "iv"))]
    )
    assert [p.label for p in pages] == ["iii", "iv"]


def test_a_number_of_a_table_at_the_edge_is_text() -> None:
    pages = read_layout(
        [page(n, line(text, y=40), *body(n)) for n, text in ((1, "100"), (2, "37"), (3, "900"))]
    )
    assert [p.label for p in pages] == ["", "", ""]
    assert [p.lines[0].text for p in pages] == ["100", "37", "900"]


def test_first_lines_that_only_stand_at_one_height_stay() -> None:
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight"]
    pages = read_layout(
        [page(n, *(f"{words[n]} {w} is text" for w in words[:4]), top=40.0) for n in range(1, 8)]
    )
    assert all(len(p.lines) == 4 for p in pages)


def test_columns_are_read_one_after_the_other() -> None:
    left = [line(f"Left line {n} goes on and on for a while", x=40, y=100 + 12 * n) for n in range(8)]
    right = [
        line(f"Right line {n} goes on and on for a bit", x=330, y=100 + 12 * n, block=1) for n in range(8)
    ]
    both = [found for pair in zip(right, left, strict=True) for found in pair]
    (read,) = read_layout([page(1, *both)])
    assert [found.text for found in read.lines] == [found.text for found in left + right]
    assert set(read.column_of) == {1, 2}


def test_cells_of_a_table_are_read_row_by_row() -> None:
    rows = [
        (line(f"PA.I.A.K{n}", x=50, y=100 + 12 * n), line(f"Short {n}", x=320, y=100 + 12 * n))
        for n in range(9)
    ]
    (read,) = read_layout([page(1, *[right for _, right in rows], *[left for left, _ in rows])])
    assert [found.text for found in read.lines[:2]] == ["PA.I.A.K0 | Short 0", "PA.I.A.K1 | Short 1"]
    assert [[cell.text for cell in cells] for cells in read.lines[0].cells] == [["PA.I.A.K0"], ["Short 0"]]


def test_a_drop_capital_begins_its_word() -> None:
    capital = line("R", x=41, y=100)
    rest = line("eferences: 14 CFR part 61", x=46.5, y=100)
    (read,) = read_layout([page(1, rest, capital)])
    assert [found.text for found in read.lines] == ["References: 14 CFR part 61"]
    assert read.lines[0].capital == capital.bbox


def test_a_large_drop_capital_begins_the_first_line_beside_it() -> None:
    capital = line("T", x=40, y=100, size=24)
    first, second = line("he pilot reads", x=46, y=101), line("the rules first", x=46, y=113)
    (read,) = read_layout([page(1, capital, first, second)])
    assert [found.text for found in read.lines] == ["The pilot reads", "the rules first"]
