"""Word by word: what is repeated, moved, put in and left out between a statement and an answer."""

from hypothesis import given
from hypothesis import strategies as st

from exams.offline.alignment import in_order, likeness, says_only, signs_along, signs_beside, words_of

CLICKS = (
    "With pilot-controlled lighting seven clicks within 5 seconds give the highest intensity, "
    "five give medium and three give low."
)
WORDS = st.lists(st.sampled_from("abcde"), max_size=40)


def _longest(one: list[str], other: list[str]) -> int:
    """The longest common subsequence by the textbook's table."""
    row = [0] * (len(other) + 1)
    for word in one:
        before = row[:]
        for place, rival in enumerate(other, start=1):
            row[place] = before[place - 1] + 1 if word == rival else max(before[place], row[place - 1])
    return row[-1]


@given(WORDS, WORDS)
def test_the_order_is_counted_as_by_the_table(one: list[str], other: list[str]) -> None:
    assert in_order(one, other) == in_order(other, one) == _longest(one, other)


@given(WORDS)
def test_likeness_is_whole_with_itself(words: list[str]) -> None:
    assert likeness(words, words) == (1 if words else 0)


def test_numbers_and_negations_are_words_and_articles_are_none() -> None:
    assert words_of("You can't fly within half an hour, nor below 1,200 feet") == words_of(
        "can not fly within 0.5 hour nor below one thousand two hundred feet"
    )


def test_a_statement_repeated_differs_in_nothing() -> None:
    signs = signs_along(CLICKS, "What do you do?", CLICKS)
    assert signs["along"] == signs["along_new"] == 1
    assert not any(signs[name] for name in ("moved", "foreign", "lost", "foreign_figures", "lost_negations"))


def test_swapped_figures_are_moved_words() -> None:
    swapped = "Three clicks within 5 seconds give the highest intensity, five give medium and seven give low."
    signs = signs_along(CLICKS, "What do you do?", swapped)
    assert signs["moved"] >= 1
    assert not signs["foreign_figures"]


def test_another_figure_is_foreign_and_the_right_one_lost() -> None:
    signs = signs_along("Wait 8 hours.", "How long?", "Wait 12 hours.")
    assert (signs["foreign_figures"], signs["lost_figures"]) == (1, 1)


def test_what_the_question_says_and_what_others_state_is_not_foreign() -> None:
    signs = signs_along(
        "Wait 8 hours.", "When may you fly after a beer?", "After a beer 8 hours, and 0.04.", "Below 0.04."
    )
    assert not signs["foreign"]


def test_a_negation_put_in_is_seen() -> None:
    signs = signs_along("Overtake on the right.", "How?", "Never overtake on the right.")
    assert signs["foreign_negations"] == 1


def test_the_likest_graded_text_leads() -> None:
    signs = signs_beside(
        "I trust my senses and not the instruments",
        {
            "met": ["I trust the instruments and not my senses"],
            "contradicted": ["trust the senses and not the instruments"],
        },
    )
    assert signs["order_contradicted"] > signs["order_met"]
    assert signs["order_lead"] < 0


def test_nothing_is_like_nothing() -> None:
    assert signs_beside("", {"met": ["Wait 8 hours."]})["order_met"] == 0


def test_the_statement_s_own_words_in_their_order_are_only_those() -> None:
    said = "Seven clicks within 5 seconds give the highest intensity, five medium and three low."
    assert says_only(signs_along(CLICKS, "What do you do?", said))


def test_clauses_may_change_places() -> None:
    review = (
        "You need a review with at least 1 hour of flight training, within the preceding 24 calendar months."
    )
    said = "Within the preceding 24 calendar months, with at least 1 hour of flight training."
    assert says_only(signs_along(review, "When?", said))


def test_words_that_change_places_inside_a_clause_are_not_only_those() -> None:
    minima = "500 feet below, 1,000 feet above and 2,000 feet horizontally"
    assert not says_only(
        signs_along(minima, "", "500 feet above, 1,000 feet below and 2,000 feet horizontally")
    )
    code = "Transponder code 7600 tells air traffic control that the radio has failed."
    assert not says_only(signs_along(code, "Your radio has failed. Which code?", "7700 for the radio."))


def test_a_negation_left_out_is_not_only_its_words() -> None:
    rule = "An airplane on final may not cut in front of another on final."
    assert not says_only(
        signs_along(rule, "May you?", "An airplane on final may cut in front of another on final.")
    )
