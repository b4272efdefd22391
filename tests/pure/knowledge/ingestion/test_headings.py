"""Which paragraph is a heading, and what hangs below it."""

from knowledge.ingestion.document_model import OutlineEntry, ParsedDocument, Section
from knowledge.ingestion.paged_document import paged_document
from tests.doubles.pages import line, page

FULL = "this sentence is about as wide as the column on this page is, so."


def sections(document: ParsedDocument) -> list[tuple[int, str, str]]:
    return [(s.level, s.number, s.heading) for s in document.sections]


def numbered(number: str, title: str, y: float) -> object:
    lead = f"{number} {title}."
    return line(f"{lead} And {FULL}", y=y, lead=lead, block=int(y))


def test_bold_numbers_that_count_on_are_headings_that_run_in() -> None:
    heads = [
        ("1", "PURPOSE"),
        ("2", "DEFINITIONS"),
        ("2.1", "Back-Taxi"),
        ("2.1.1", "Deeper"),
        ("3", "AUDIENCE"),
    ]
    lines = [numbered(number, title, 100 + 40 * at) for at, (number, title) in enumerate(heads)]
    document = paged_document([page(1, *lines)])  # type: ignore[arg-type]
    assert sections(document) == [(n.count(".") + 1, n, title) for n, title in heads]
    assert document.sections[3].path == ("2 DEFINITIONS", "2.1 Back-Taxi", "2.1.1 Deeper")


def test_a_number_that_does_not_count_on_is_no_heading() -> None:
    lines = [numbered("1", "PURPOSE", 100), numbered("9", "Elsewhere", 140), numbered("2", "NEXT", 180)]
    document = paged_document([page(1, *lines)])  # type: ignore[arg-type]
    assert [number for _, number, _ in sections(document)] == ["1", "2"]


def test_the_outline_names_headings() -> None:
    lines = [line("Airspace", y=100, block=1), line(f"And {FULL}", y=130, block=2)]
    document = paged_document([page(1, *lines)], [OutlineEntry(2, "Airspace", 1)])
    assert sections(document) == [(2, "", "Airspace")]


def test_larger_type_is_a_heading_and_bold_below_it_a_lesser_one() -> None:
    lines = [
        line("Weather Theory", y=90, size=18, block=1),
        line("Fog", y=130, bold=True, block=2),
        *(line(f"Line {n} and {FULL}", y=150 + 12 * n, block=3) for n in range(6)),
    ]
    document = paged_document([page(1, *lines)])
    assert sections(document) == [(1, "", "Weather Theory"), (3, "", "Fog")]


def test_where_print_marks_nothing_a_short_title_above_a_sentence_is_a_heading() -> None:
    document = paged_document(
        [
            page(
                1,
                "Class A Airspace",
                f"Class A is where {FULL}",
                FULL,
                "it ends.",
                "Class B Airspace",
                f"Class B {FULL}",
            )
        ]
    )
    assert [s.heading for s in document.sections] == ["Class A Airspace", "Class B Airspace"]


def test_list_entries_are_no_headings() -> None:
    document = paged_document([page(1, f"It is here {FULL}", "•", "Class A", "•", "Class B", f"Then {FULL}")])
    assert [s.heading for s in document.sections if s.level] == []


def test_every_paragraph_belongs_to_one_section() -> None:
    document = paged_document([page(1, "Some Heading", f"Text that {FULL}", "", f"More text {FULL}")])
    kept: list[Section] = list(document.sections)
    assert sum(len(s.paragraphs) for s in kept) == 3
