"""Lessons 37 and 38 on plain values: facts count however near the words are, and missing is missing."""

from collections.abc import Sequence

import pytest

from rules.answers.reasons import explain_difference
from rules.statements.diff_highlight import differing_words
from rules.statements.differences import Difference, Said, difference_between, rank_differences

QUESTION = "Is a flight plan required?"
NEAR = ((1.0, 0.05), (1.0, 0.0))  # vectors that a model would call nearly the same


def compared(
    one: str, other: str, question: str = QUESTION, vectors: Sequence[Sequence[float]] = NEAR
) -> Difference:
    said = (
        Said(country="FR", text=one, vector=vectors[0] if one else ()),
        Said(country="DE", text=other, vector=vectors[1] if other else ()),
    )
    return difference_between(said, question)


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("File it 2 hours before the flight", "File it 24 hours before the flight", "time"),
        ("Yes", "No", "position"),
        ("A flight plan is required", "A flight plan is not required", "position"),
        ("Cross at 500 ft AGL", "Cross at 1500 ft AGL", "height or length"),
        ("Keep 1500 ft clear", "Keep 1500 m clear", "height or length"),
        ("Squawk 7000", "Squawk 2000", "transponder code"),
        ("The border post opens at 06:00 UTC", "The border post opens at 09:00 UTC", "time of day"),
        ("Mode S", "Mode A and C", "transponder mode"),
        ("5 NM out", "10 NM out", "distance"),
    ],
)
def test_other_facts_are_a_difference_though_the_words_are_near(one: str, other: str, kind: str) -> None:
    found = compared(one, other)
    assert found.difference >= 0.7
    assert kind in [reason.kind for reason in found.pairs[0].reasons]


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        (
            "at least 1 hour before",
            "at most 1 hour before",
            "“at least 1 hour” in FR; “at most 1 hour” in DE.",
        ),
        ("Above 3000 ft MSL", "Above 3000 ft AGL", "“Above 3000 ft MSL” in FR; “Above 3000 ft AGL” in DE."),
        ("Fly left hand circuits there", "Fly right hand circuits there", "“left” in FR; “right” in DE."),
    ],
)
def test_one_figure_on_another_side_is_a_difference(one: str, other: str, told: str) -> None:
    found = compared(one, other, "How?")
    assert found.difference > 0.5
    assert told in explain_difference(found)


def test_day_and_night_are_told_apart() -> None:
    found = compared("Allowed by day", "Allowed by day and at night", "When?")
    assert found.difference > 0.3
    assert explain_difference(found) == "Day or night: day in FR; day+night in DE."


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("yes", "Yes."),
        ("Clearance required", "clearance required!"),
        ("2 hours before", "120 minutes before"),
        ("n/a", "Not applicable"),
    ],
)
def test_the_same_said_otherwise_is_no_difference(one: str, other: str) -> None:
    assert compared(one, other).difference < 0.1


def test_units_are_converted_before_they_are_compared() -> None:
    assert not compared("within 2 hours", "within 120 minutes").pairs[0].reasons


def test_a_missing_answer_is_missing_and_never_the_same() -> None:
    found = compared("Yes", "")
    assert found.missing == ("DE",)
    assert found.pairs == ()
    assert not rank_differences({"q": found}, most=15, least=0.0)


def test_two_missing_answers_agree_on_nothing() -> None:
    found = compared("", "-")
    assert set(found.missing) == {"FR", "DE"}
    assert found.pairs == ()


def test_no_experience_is_no_answer_to_compare() -> None:
    found = compared("Yes", "no experience")
    assert found.unstated == ("DE",)
    assert found.pairs == ()


def test_a_limit_in_one_country_is_a_small_difference() -> None:
    found = compared("no", "no unless TMZ")
    assert 0.1 < found.difference < compared("no", "yes").difference
    assert "unless TMZ" in explain_difference(found)


def test_a_rule_that_does_not_apply_is_told_from_one_that_says_no() -> None:
    found = compared("n/a no class E here", "no")
    assert found.pairs[0].reasons[0].kind == "does not apply"
    assert explain_difference(found, {"FR": "France"}) == "Said not to apply in France."


def test_why_names_countries_and_figures() -> None:
    told = explain_difference(
        compared("2 hours before", "24 hours before"), {"FR": "France", "DE": "Germany"}
    )
    assert "2 hours in France" in told
    assert "24 hours in Germany" in told


def test_a_figure_on_one_side_alone_is_told_as_that() -> None:
    found = compared("Mode S required", "required")
    assert explain_difference(found) == "Transponder mode given only by FR: mode S."
    assert found.difference < 0.5


def test_a_bare_number_on_one_side_alone_is_no_reason() -> None:
    assert compared("Only 9 fields sell it", "Some fields sell it", "What is odd?").pairs[0].reasons == ()


def test_why_groups_countries_of_one_position() -> None:
    said = [Said(country=code, text=text) for code, text in (("FR", "yes"), ("DE", "no"), ("BE", "Yes."))]
    assert (
        explain_difference(difference_between(said, QUESTION)) == "Required in FR and BE; not required in DE."
    )


def test_other_words_alone_are_said_to_be_other_words() -> None:
    far = compared("Overhead join", "Ask the tower", "How is the circuit joined?", ((1.0, 0.0), (0.0, 1.0)))
    assert 0.1 < far.difference < 0.7
    assert explain_difference(far) == "Worded differently."


def test_ranking_is_by_difference_and_cut_on_both_sides() -> None:
    found = {"a": compared("no", "no unless TMZ"), "b": compared("yes", "no"), "c": compared("yes", "yes")}
    assert [key for key, _ in rank_differences(found, most=15, least=0.1)] == ["b", "a"]
    assert [key for key, _ in rank_differences(found, most=1, least=0.1)] == ["b"]
    assert [key for key, _ in rank_differences(found, most=15, least=0.0)] == ["b", "a", "c"]
    assert rank_differences(found, most=15, least=1.0) == []


def test_differing_words_are_marked_and_shared_ones_are_not() -> None:
    texts = {
        "FR": "Clearance from the tower, 2 hours before",
        "DE": "Clearance from the tower, 24 hours before",
    }
    marks = differing_words(texts)
    assert {
        country: [texts[country][slice(*span)] for span in spans] for country, spans in marks.items()
    } == {
        "FR": ["2"],
        "DE": ["24"],
    }


def marked(**texts: str) -> dict[str, list[str]]:
    return {
        country: [texts[country][slice(*span)] for span in spans]
        for country, spans in differing_words(texts).items()
    }


def test_among_many_the_odd_one_out_is_marked() -> None:
    assert marked(FR="yes", GB="yes", DE="Not permitted!") == {"FR": [], "GB": [], "DE": ["Not permitted"]}
    assert marked(FR="2 hours", GB="2 hours", DE="24 hours", IE="24 hours") == {
        "FR": ["2"],
        "GB": ["2"],
        "DE": ["24"],
        "IE": ["24"],
    }


def test_words_of_grammar_are_marked_only_between_others() -> None:
    found = marked(FR="Ask for the tower", GB="Call the club of the field")
    assert found["FR"] == ["Ask", "tower"]
    assert found["GB"] == ["Call", "club", "field"]


def test_where_all_of_it_differs_what_decides_is_marked() -> None:
    long = "Mode S required, code 7000 if not otherwise instructed by the controller"
    assert marked(FR="yes", DE=long)["DE"] == ["required", "7000", "not"]
    assert marked(FR="yes", DE="call someone beforehand and tell them about your intentions")["DE"] != []


def test_a_no_that_answers_is_marked_though_others_have_the_word_further_on() -> None:
    found = marked(FR="no", DE="Yes within such zones. No contact on the radio if nobody calls there")
    assert found["FR"] == ["no"]
    assert "Yes" in found["DE"][0]
    assert marked(FR="No, never", DE="no") == {"FR": ["never"], "DE": []}


def test_a_text_alone_has_no_differing_words() -> None:
    assert differing_words({"FR": "Anything at all"}) == {"FR": ()}


@pytest.mark.parametrize("text", ["x" * 20_000, "5 " * 5_000, "(" * 2_000, "no " * 3_000, "Ünïcödé 航空"])
def test_any_text_can_be_compared(text: str) -> None:
    assert 0 <= compared(text, "no").difference <= 1
