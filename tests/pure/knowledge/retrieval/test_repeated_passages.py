"""What another passage has said is not given again; what only sounds alike is."""

from hypothesis import example
from hypothesis import given as each_of
from hypothesis import strategies as st

from knowledge import conf
from knowledge.retrieval.results import Source, compared_text, drop_repeats

DAY = (
    "No person may begin a flight in an airplane under VFR by day unless, considering wind and forecast weather, there"
    " is enough fuel to fly to the first point of intended landing and after that for at least 30 minutes."
)
NIGHT = DAY.replace("by day", "at night").replace("30", "45")
LONG = f"Fuel. {DAY} Water in a tank is drained before the flight, and the caps are looked at."
OTHER = (
    "A steady green light from the tower means that an aircraft in flight is cleared to land on the runway."
)


def given(*passages: Source, said: tuple[str, ...] = ()) -> list[Source]:
    return drop_repeats(passages, lambda one: one, said)


def test_the_same_text_of_two_documents_is_given_once() -> None:
    one, same, other = Source(DAY, "a", "aim"), Source(DAY.upper(), "b", "aim"), Source(OTHER, "c", "aim")
    assert given(one, same, other) == [one, other]


def test_the_more_authoritative_takes_the_place() -> None:
    handbook, rule, other = Source(DAY, "a", "handbook"), Source(DAY, "b", "cfr"), Source(OTHER, "c", "aim")
    assert given(handbook, other, rule) == [rule, other]
    assert given(rule, other, handbook) == [rule, other]


def test_a_part_of_what_is_given_says_nothing_new() -> None:
    assert given(Source(LONG, "a", "cfr"), Source(DAY, "b", "cfr")) == [Source(LONG, "a", "cfr")]


def test_day_and_night_are_two() -> None:
    both = [Source(DAY, "a", "cfr"), Source(NIGHT, "a", "cfr")]
    assert given(*both) == both


def test_one_number_makes_another_passage() -> None:
    both = [Source(LONG, "a", "cfr"), Source(LONG.replace("30", "20"), "b", "cfr")]
    assert given(*both) == both


def test_neighbours_that_share_most_are_one() -> None:
    first, second = f"{OTHER} {DAY}", f"{DAY} It is drained before the flight."
    assert given(Source(first, "a", "cfr"), Source(second, "a", "cfr")) == [Source(first, "a", "cfr")]
    assert given(Source(second, "a", "cfr"), Source(first, "a", "cfr"))[0] == Source(second, "a", "cfr")


def test_two_sections_with_one_list_are_two() -> None:
    fuel, alternate = (
        f"What a tank holds is read from its dipstick first. {DAY}",
        f"An alternate is named. {DAY}",
    )
    both = [Source(alternate, "a", "cfr"), Source(fuel, "a", "cfr")]
    assert given(*both) == both


def test_what_the_evidence_says_is_not_given_again() -> None:
    assert given(Source(DAY, "a", "cfr"), Source(OTHER, "b", "aim"), said=(LONG,)) == [
        Source(OTHER, "b", "aim")
    ]


def test_a_passage_without_words_says_nothing() -> None:
    assert given(Source("–", "a", "cfr"), Source(OTHER, "b", "aim"), said=(DAY,)) == [
        Source(OTHER, "b", "aim")
    ]


WORDS = ("fuel", "oil", "water", "tower", "light", "runway", "signal", "beacon", "marking", "taxi")
SAID = st.lists(st.sampled_from(WORDS), max_size=60)


@each_of(SAID, st.sets(st.integers(0, 60), max_size=4), st.integers(0, 6))
@example(list("abcdefghijklmnopqrstuvwxyz"), set(), 4)
def test_what_the_words_alone_rule_out_shares_too_few_runs(
    said: list[str], places: set[int], at_the_end: int
) -> None:
    """Words of its own at some places, and at the end, where they take the fewest runs along."""
    places |= set(range(len(said) - at_the_end, len(said)))
    changed = [f"other{chr(97 + at % 26)}" if at in places else word for at, word in enumerate(said)]
    for one, other in ((said, changed), (changed, said), (said, said[3:]), (said[3:], said)):
        own, compared = compared_text(" ".join(one)), compared_text(" ".join(other))
        shared = len(own.runs & compared.runs)
        assert own.repeats(compared) == (not one or shared >= conf.REPEATED_SHARE * len(own.runs))
