"""An answer's text: each country's words with their number, and what is not known."""

from rules.answers.answer_format import CANNOT, Line, Notes, Section, answer_text, number_lines, shorten_text


def line(country: str, name: str, text: str = "", links: tuple[str, ...] = ()) -> Line:
    return Line(country=country, name=name, text=text, missing=not text, links=links)


def section(*lines: Line, why: str = "") -> Section:
    return Section(id="1", question="Is a plan required?", lines=lines, why=why)


def test_lines_that_say_something_are_numbered_and_missing_ones_are_not() -> None:
    first, second = number_lines(
        [section(line("FR", "France", "no"), line("DE", "Germany")), section(line("BE", "Belgium", "yes"))]
    )
    assert [one.citations for one in first.lines] == [(1,), ()]
    assert [one.citations for one in second.lines] == [(2,)]


def test_words_numbers_differences_and_what_is_missing() -> None:
    sections = number_lines([section(line("FR", "France", "no"), line("DE", "Germany"), why="Because.")])
    text = answer_text(sections, Notes(missing_countries=("Spain", "Austria")))
    assert "France: no [1]" in text
    assert "Germany: no answer to this question." in text
    assert "How they differ: Because." in text
    assert "There are no rules for Spain and Austria in the data." in text


def test_links_are_kept_and_not_said_twice() -> None:
    shown = line(
        "FR", "France", "See https://example.org/a", links=("https://example.org/a", "https://example.org/b")
    )
    assert shown.in_words().count("https://example.org/a") == 1
    assert shown.in_words().endswith("See https://example.org/b")


def test_what_has_no_answer_is_said_first() -> None:
    text = answer_text((), Notes(opening="The nearest:", unanswered={"How?": ["Malta"]}, cannot=True))
    assert text.splitlines()[0] == "Malta: no answer to this question: How?"
    assert text.endswith(CANNOT)


def test_a_long_answer_is_cut_at_a_word() -> None:
    assert shorten_text("one two  three", 9) == "one two …"
    assert shorten_text("one\ntwo", 9) == "one two"
