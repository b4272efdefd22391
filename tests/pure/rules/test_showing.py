"""A kept answer becomes columns and pieces: nothing is lost, nothing is added."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from rules.answers.presenters import Piece, chips_of, parts_of, pieces_of


def test_a_text_is_cut_at_its_marks() -> None:
    assert pieces_of("24 hours before", [(0, 2)]) == (Piece("24", differs=True), Piece(" hours before"))


@given(st.text(max_size=40), st.lists(st.tuples(st.integers(-5, 50), st.integers(-5, 50)), max_size=6))
def test_pieces_together_are_the_text(text: str, marks: list[tuple[int, int]]) -> None:
    assert "".join(piece.text for piece in pieces_of(text, marks)) == text


def _line(
    country: str, text: str = "", *, citations: tuple[int, ...] = (), missing: bool = False
) -> dict[str, object]:
    return {"country": country, "name": country, "text": text, "citations": list(citations), "links": [],
            "missing": missing, "marks": []}  # fmt: skip


def _answer(*lines: dict[str, object], quote: str = "no") -> dict[str, object]:
    cited = {
        "n": 1,
        "quote": quote,
        "date_checked": "2026-02-01",
        "url": "/rules/answers/a/",
        "answer_id": "a",
    }
    return {
        "citations": [cited],
        "sections": [{"question": "Q?", "category": "VFR", "why": "", "lines": list(lines)}],
    }


def test_a_models_words_stand_with_the_countrys_own_behind_them() -> None:
    answer = _answer(_line("FR", "None is required.", citations=(1,)), quote="no")
    column = parts_of(answer, {"a": "changed"})[0].columns[0]
    assert (column.quote, column.number, column.checked) == ("no", 1, date(2026, 2, 1))
    assert (column.url, column.state) == ("/rules/answers/a/", "changed")


def test_the_countrys_own_words_are_not_said_twice() -> None:
    assert parts_of(_answer(_line("FR", "no", citations=(1,))))[0].columns[0].quote == ""


def test_a_country_without_an_answer_has_an_empty_column() -> None:
    column = parts_of(_answer(_line("DE", missing=True)))[0].columns[0]
    assert (column.missing, column.pieces, column.url) == (True, (), "")


def test_chips_keep_their_order_and_say_who_has_no_rules() -> None:
    own, others = chips_of(["DE", "ES", "nowhere"], {"DE", "FR", "BE"})
    assert [(chip.country, chip.known) for chip in own] == [("DE", True), ("ES", False)]
    assert [chip.name for chip in others] == ["Belgium", "France"]
