"""Words with opposite meanings: a table, and answers that say the one where the other is meant."""

import pytest

from knowledge.text.opposites import is_turned_round, opposite_pairs, said_opposite

HOT = "To cool the cylinder heads, increase airspeed, enrich the mixture, and reduce power."
WORDINGS = ("more air and a richer mixture cool it", "speed up, richen it, less power")
QUESTION = "The cylinder heads are hot. What can you do?"


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("Lower the nose. I'd speed up and lean the mixture to cool it.", True),
        ("I'd speed up, less power, mixture leaner.", True),
        ("I'd speed up and enrich the mixture; leaning it makes the heads hotter.", False),
        ("Full rich, not lean, more airspeed, less power.", False),
        ("I'd speed up and reduce the power.", False),
        ("", False),
    ],
)
def test_an_answer_that_says_the_opposite_is_noticed(answer: str, wrong: bool) -> None:
    assert bool(said_opposite(HOT, (*WORDINGS, QUESTION), answer)) is wrong


def test_a_word_of_the_question_or_of_a_wording_is_no_opposite() -> None:
    expected, answer = "Turn left to the magnetic heading.", "Fly the true course right around to it."
    assert said_opposite(expected, (), answer)
    assert not said_opposite(expected, ("add the variation to the true course on the right",), answer)


def test_a_pair_is_listed_once() -> None:
    pairs = [frozenset(pair) for pair in opposite_pairs()]
    assert all(len(pair) == 2 for pair in pairs)
    assert len(pairs) == len(set(pairs))


@pytest.mark.parametrize(
    ("said", "turned"),
    [
        ("I said more stable.", True),
        ("It's not more stable, as I said.", False),
        ("It's less stable, and more of it aft makes it worse.", False),
        ("More weight in the tail.", False),
    ],
)
def test_an_opposite_beside_the_same_word_turns_a_sentence_round(said: str, turned: bool) -> None:
    assert is_turned_round("As the CG moves aft the airplane becomes less stable.", said) is turned


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        (
            "Stall speed increases as weight increases: more weight, a higher stall speed.",
            "Less weight, a lower stall speed.",
        ),
        ("A forward CG means a higher stall speed.", "At the aft limit a lower stall speed."),
        ("Stay 500 feet below clouds.", "And 1,000 feet above clouds."),
    ],
)
def test_two_words_turned_or_another_case_are_no_opposite(expected: str, said: str) -> None:
    assert not is_turned_round(expected, said)
