"""What the student stands behind is kept, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exams.offline.answer_filter import filter_answer
from exams.offline.assertions import Standing, asserted_part, without_recalled, without_repaired
from tests.doubles.bank import bank_items
from tests.sampling import sample_of

S = "You need 3 statute miles of visibility, 500 feet below and 1,000 feet above the clouds."
LOW = f"{S[0].lower()}{S[1:-1]}"


@pytest.mark.parametrize(
    ("answer", "standing"),
    [
        (f"Would you say that {LOW}?", "asked"),
        (f"would you say that {LOW}", "asked"),
        (f"Is it true that {LOW}?", "asked"),
        (f"A friend of mine claims that {LOW}. He has it wrong.", "not asserted"),
        (f"Some site says {LOW}, but I don't believe it.", "not asserted"),
        (f"If the book said that {LOW}, I would follow it, but it says nothing of the kind.", "not asserted"),
        (f"It is a myth that {LOW}.", "not asserted"),
        (f"It is not true that {LOW}. That goes for all of it.", "not asserted"),
        (f"I do not know whether {LOW}.", "not asserted"),
        (f"Maybe {LOW}, maybe not.", "not asserted"),
        (f"I used to think that {LOW}.", "not asserted"),
        (f"{S} Just kidding.", "taken back"),
        (f"{S} This is false.", "taken back"),
        (f"{S} I made that up.", "taken back"),
    ],
)
def test_what_is_not_asserted(answer: str, standing: Standing) -> None:
    found = asserted_part(answer)
    assert (found.text, found.standing) == ("", standing)


@pytest.mark.parametrize(
    "answer",
    [
        S,
        f"I think {LOW}.",
        f"{LOW}, right?",
        f"{S[:-1]}?",
        f"The AIM says that {LOW}.",
        f"My instructor taught me that {LOW}, and he is never wrong.",
        f"I'm not sure, but {LOW}.",
        "Is it three miles? Yes, three miles.",
        "would that be five hours i think it's five hours",
        "If the engine fails, I pitch for best glide.",
        "Should the engine quit, I land straight ahead.",
        "if i were to lose the radio i would squawk 7600",
        "Am I sick, on any meds, stressed out? Do I have enough fuel? Is the runway long enough?",
        "I don't think you may descend below 1,000 feet.",
        "The anticollision lights are on unless safety says otherwise.",
        "If the door pops open, ignore it and fly the airplane.",
        "Since I don't know whether a runway is ahead, I stop.",
        "The altimeter reads high, so it is wrong by 1,000 feet.",
        "People think the shore lights are stars. I do not trust my eyes, I go by the instruments.",
    ],
)
def test_what_is_asserted_stands_as_it_was_said(answer: str) -> None:
    assert asserted_part(answer).text == answer


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        (f"It's five miles. No wait, scratch that, {LOW}.", LOW),
        ("A, B and C. D, no, take that back, D just wants the radio.", "A, B and C. D just wants the radio."),
        (
            "It takes position lights, and a landing light, scratch that, only for hire.",
            "It takes position lights only for hire.",
        ),
        (f"{S} I made that up, but I'd ask my instructor.", "but I'd ask my instructor"),
        ("It's five miles, I think, scratch that, it's three.", "it's three."),
        ("Five miles. Oops, scratch that. Three miles.", "Three miles."),
        ("You need 1,000 feet, no, scratch that, you need 500 feet.", "you need 500 feet."),
        ("Left rudder, no, take that back, I use right rudder.", "I use right rudder."),
        (f"Some people say otherwise, but that's wrong: {LOW}.", LOW),
        ("You need three miles. Some people say five, but they're wrong.", "You need three miles."),
        ("I used to think it was five, but it's three miles.", "it's three miles."),
        ("It's not true that you may go lower; you need 500 feet.", "you need 500 feet."),
        ("I don't know if the gear is locked, so I leave the pattern.", "I leave the pattern."),
        ("I don't know if the gear is down. I'd leave the pattern.", "I'd leave the pattern."),
        (
            "It's all about wind, then of course rain, then of course fog, then of course ice, then of course snow.",
            "It's all about wind, rain, fog, ice, snow.",
        ),
    ],
)
def test_what_is_left(answer: str, left: str) -> None:
    assert asserted_part(answer).text.strip(".") == left.strip(".")


@given(
    st.lists(
        st.sampled_from([S, "No.", "it is", "but", "would you say", "is wrong", "whether", "…", "?"]),
        max_size=40,
    )
)
def test_any_words_have_an_outcome(words: list[str]) -> None:
    found = asserted_part(" ".join(words))
    assert bool(found.standing) <= (found.text == "")


def test_wordings_accepted_by_the_bank_are_answers() -> None:
    """A student who says one of them is not told that it was only asked, denied, or taken back."""
    refused = []
    for item in sample_of(bank_items(), 16):
        for said in (wording for point in item.points for wording in (point.text, *point.accept)):
            if filter_answer(said).nothing in ("asked", "not asserted", "taken back"):
                refused.append((item.id, said))
    assert len(refused) <= 2


EARLIER = "At night three miles, 500 below, 1,000 above, 2,000 to the side, and by day the same clouds."


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        (
            "By day it's clear of clouds. I gave you the night clouds for both, that's not right.",
            "By day it's clear of clouds.",
        ),
        ("Clear of clouds. I said 500 before, and that's not right.", "Clear of clouds."),
        ("Clear of clouds. So 500 below won't do, I take that back.", "Clear of clouds."),
        (
            "Clear of clouds. So 500 below won't do, I take that back, it has to be daytime.",
            "Clear of clouds. it has to be daytime.",
        ),
    ],
)
def test_what_takes_back_an_earlier_answer_leaves_this_one(answer: str, left: str) -> None:
    assert without_recalled(answer, EARLIER) == left


@pytest.mark.parametrize(
    "answer",
    [
        "I said three miles, and that's not right.",
        "Three miles. I said that, that's not right.",
        "Three miles. I said three miles, and that's not right.",
        "Three miles. I told you that off the top of my head, that's not right.",
        "Clear of clouds. What I said about night clouds, that's wrong.",
    ],
)
def test_what_takes_back_this_answer_or_everything_is_heard(answer: str) -> None:
    assert without_recalled(answer, EARLIER) == answer
    assert asserted_part(answer).standing == "taken back"


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (
            "The mixture, lean it, no wait, that's hotter, you go richer.",
            "The mixture, that's hotter, you go richer.",
        ),
        ("I'd lean it, no, wait, enrich it.", "enrich it."),
        ("It's good... no wait, the battery was due. Fine.", "the battery was due. Fine."),
        ("I'd wait, then go.", "I'd wait, then go."),
        ("I hold short, wait, then cross.", "I hold short, wait, then cross."),
        ("There's no wait at the pump, so I fill up.", "There's no wait at the pump, so I fill up."),
    ],
)
def test_a_clause_that_is_put_right_in_the_same_breath_is_not_meant(said: str, meant: str) -> None:
    assert without_repaired(said).split() == meant.split()


@pytest.mark.parametrize("denied", ["I wouldn't say that", "I don't believe it"])
def test_what_denies_only_that_names_nothing(denied: str) -> None:
    answer = f"Clear of clouds. {denied}, I take it back."
    assert without_recalled(answer, EARLIER) == answer
