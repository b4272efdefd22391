"""What a model says of a country is held against the rules that it names."""

import pytest

from rules.answers.verify import Rule, Statement, faults_of

PLAN = "Is an FPL required for a VFR flight?"
MILITARY = "Are military airfields generally available for civilian use?"
RULES = {
    1: Rule(n=1, country="FR", question=PLAN, text="no"),
    2: Rule(n=2, country="DE", question=PLAN, text="Yes, it is filed 1 hour before the flight"),
    3: Rule(
        n=3,
        country="DE",
        question="What are the transponder requirements in Class D?",
        text="Mode S, code 7000",
    ),
    4: Rule(
        n=4, country="FR", question=MILITARY, text="No. See the list", links=("https://example.org/list",)
    ),
    5: Rule(n=5, country="BE", question=PLAN, text="Required when crossing the border with France"),
    6: Rule(
        n=6,
        country="GB",
        question="How is the circuit joined?",
        text="Overhead join at 1,000 ft above the circuit",
    ),
}
COUNTRIES = ("FR", "DE", "BE", "GB")


def faults(country: str, text: str, *numbers: int) -> tuple[str, ...]:
    return faults_of(Statement(country=country, text=text, rules=numbers), RULES, COUNTRIES)


@pytest.mark.parametrize(
    ("country", "text", "numbers"),
    [
        ("FR", "A flight plan (FPL) is not required for a VFR flight.", (1,)),
        ("FR", "In France no FPL is required for a VFR flight.", (1,)),
        ("FR", "No.", (1,)),
        ("DE", "An FPL is required for a VFR flight; it is filed 1 hour before the flight.", (2,)),
        ("DE", "In Class D, transponder Mode S with code 7000.", (3,)),
        (
            "FR",
            "Military airfields are generally not available for civilian use, see https://example.org/list.",
            (4,),
        ),
        ("BE", "An FPL is required when crossing the border with France.", (5,)),
        ("GB", "The circuit is joined overhead, 1,000 ft above the circuit.", (6,)),
    ],
)
def test_what_the_rules_say_may_be_shown(country: str, text: str, numbers: tuple[int, ...]) -> None:
    assert faults(country, text, *numbers) == ()


@pytest.mark.parametrize(
    ("country", "text", "numbers", "fault"),
    [
        ("ES", "No FPL is required.", (1,), "Nobody asked about ES"),
        ("FR", "No FPL is required.", (), "names no rule"),
        ("FR", "No FPL is required.", (99,), "There is no rule 99"),
        ("FR", "An FPL is required, filed 1 hour before the flight.", (2,), "Rule 2 is of DE"),
        ("FR", "An FPL is required for a VFR flight.", (1,), "contrary of rule 1"),
        ("DE", "No FPL is required for a VFR flight.", (2,), "contrary of rule 2"),
        ("FR", "Military airfields are generally available for civilian use.", (4,), "contrary of rule 4"),
        ("DE", "An FPL is filed 2 hours before the flight, it is required.", (2,), "2 hours"),
        ("DE", "In Class D, transponder Mode C with code 7000.", (3,), "“C” is not in the rules"),
        ("DE", "In Class D, transponder Mode S with code 2000.", (3,), "2000"),
        ("GB", "The circuit is joined overhead at 500 ft above the circuit.", (6,), "500 ft"),
        ("FR", "No FPL is required for a VFR flight, as in Italy.", (1,), "“Italy” is not in the rules"),
        ("FR", "Military airfields are not available, see https://evil.example/x.", (4,), "is no link"),
        (
            "FR",
            "No FPL is required, but pilots should telephone the nearest police station.",
            (1,),
            "no rule says",
        ),
    ],
)
def test_what_they_do_not_say_is_refused_with_the_reason(
    country: str, text: str, numbers: tuple[int, ...], fault: str
) -> None:
    found = faults(country, text, *numbers)
    assert found
    assert any(fault in one for one in found), found


@pytest.mark.parametrize(
    ("question", "text", "said"),
    [
        (
            "What are the rules on Danger Areas?",
            "Keep out; you may ask for a transit",
            "You may cross without asking for it.",
        ),
        (
            "Is an FPL required at the border?",
            "At that with Spain, not required for Malta",
            "Not required at that with Spain.",
        ),
        (
            "Is PPR required?",
            "Not at state fields, but most private ones require it",
            "Most private ones do not require PPR.",
        ),
        (
            "Is an FPL required?",
            "Yes (except between XA and XB)",
            "An FPL is required only between XA and XB.",
        ),
        (
            "Is a transponder required?",
            "no unless TMZ",
            "A transponder is never required, not even in a TMZ.",
        ),
        ("Is a transponder required?", "no unless TMZ", "A transponder is not required."),
        (
            "What are the rules on glider sites?",
            "a sharp lookout, recommended to avoid",
            "They are recommended.",
        ),
        ("Is an FPL required?", "No, but at night it is required", "An FPL is not required."),
    ],
)
def test_what_a_later_clause_says_is_not_turned_either(question: str, text: str, said: str) -> None:
    rule = Rule(n=1, country="FR", question=question, text=text)
    assert faults_of(Statement(country="FR", text=said, rules=(1,)), {1: rule}, ("FR",))
