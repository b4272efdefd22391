"""A statement beside its quote: what both say alike is read once."""

import pytest

from curation.reading.wording import compare_wording, is_repeated, look_closely, marked_runs, stands_in

QUOTE = "(b) No person may operate an aircraft closer than 500 feet to any person, vessel, or structure."


@pytest.mark.parametrize(
    "statement",
    [
        QUOTE,
        "No person may operate an aircraft closer than 500 feet to any person, vessel, or structure",
        "no person may operate an aircraft closer than 500 feet to any person vessel or structure.",
    ],
)
def test_the_same_words_are_verbatim(statement: str) -> None:
    wording = compare_wording(statement, ["Something else.", QUOTE])
    assert wording is not None
    assert wording.is_verbatim
    assert " ".join(words for _, words in wording.parts) == statement


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Visibility is 15 statute miles.", "Visibility is 1.5 statute miles."),
        ("Visibility is 34 mile.", "Visibility is 3/4 mile."),
        ("Icing begins at 5 °C.", "Icing begins at -5 °C."),
        ("A reserve of 5 gallons is required.", "A reserve of .5 gallons is required."),
    ],
)
def test_another_figure_is_another_word(statement: str, quote: str) -> None:
    wording = compare_wording(statement, [quote])
    assert wording is not None
    assert not wording.is_verbatim


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Fly at 1200 feet, not below.", "Fly at 1,200 feet (not below)."),
        ("A 30-minute reserve, as in 91.151(a)(1).", "a 30‑minute reserve as in “91.151(a)(1)”"),
    ],
)
def test_marks_around_a_figure_and_between_thousands_do_not_count(statement: str, quote: str) -> None:
    wording = compare_wording(statement, [quote])
    assert wording is not None
    assert wording.is_verbatim


def test_what_was_added_and_what_was_dropped_from_the_middle_is_marked() -> None:
    wording = compare_wording(
        "No person may operate an airplane closer than 500 feet to any structure.", [QUOTE]
    )
    assert wording is not None
    assert not wording.is_verbatim
    assert wording.parts == (
        ("same", "No person may operate an"),
        ("dropped", "aircraft"),
        ("added", "airplane"),
        ("same", "closer than 500 feet to any"),
        ("dropped", "person, vessel, or"),
        ("same", "structure."),
    )


@pytest.mark.parametrize("quotes", [[], [""], ["Nothing of it"]])
def test_without_a_word_in_common_there_is_nothing_to_set_beside(quotes: list[str]) -> None:
    assert compare_wording("Tie down every airplane.", quotes) is None


@pytest.mark.parametrize(
    ("statement", "facts", "found"),
    [
        ("For a local flight that information must include forecasts.", {}, ["“that information”"]),
        ("An airplane for hire must also have a beacon.", {}, ["“also”"]),
        ("Such a pilot must log it within 2 days.", {"numbers": ["2 days"]}, ["“Such a pilot”"]),
        ("A pilot who carries passengers must log that pilot's landings, such as night ones.", {}, []),
        (
            "You must make three landings within 90 days.",
            {"numbers": ["90 days"], "quotes": ["three"]},
            ["three landings"],
        ),
        ("You must make three landings within 90 days.", {"landings": 3, "within_days": 90}, []),
        ("A pilot must wait 8 hours under § 91.17.", {"conditions": ["within 8 hours"]}, []),
    ],
)
def test_what_points_elsewhere_and_amounts_that_no_key_fact_has_are_to_be_looked_at(
    statement: str, facts: dict[str, object], found: list[str]
) -> None:
    told = look_closely(statement, facts)
    assert [one.partition(" may point")[0].partition(" is in no")[0] for one in told] == found


@pytest.mark.parametrize(
    ("words", "stand"),
    [
        ("a Structure,", True),
        ("500 feet", True),
        ("closer than 500 feet to any person", True),
        ("50 feet", False),
        ("any structure", False),
        ("…", False),
    ],
)
def test_words_stand_in_a_statement_whole_and_in_a_row(words: str, stand: bool) -> None:
    said = "No person may operate closer than 500 feet to any person, vessel, or a structure."
    assert stands_in(words, said) is stand


@pytest.mark.parametrize(
    ("name", "words", "is_read_already"),
    [
        ("conditions", "when flying at night", True),  # in the statement
        ("conditions", "class C", True),  # another fact
        ("conditions", "below_2500_agl", True),
        ("conditions", "controlled airspace", False),
        ("certificate", "student pilot", True),
        ("aircraft_class", "glider", False),
        ("knots", "200", True),
        ("reserve_minutes", "30", False),
        ("subject", "A pilot", False),
        ("modality", "may_not", False),
        ("modality", "must", True),
        ("applies_to", "pilot", True),
        ("airspace_class", "C", True),
        ("airspace_class", "D", False),
        ("effective_date", "2020-01-01", True),
        ("effective_date", "2021-01-01", False),
        ("effective_date", "soon", False),
        ("altitude_band", "below_2500_agl", False),
        ("cloud_clearance", "500_below_1000_above", True),
        ("cloud_clearance", "1000_above_500_below", False),
    ],
)
def test_what_is_read_already_is_shown_once(name: str, words: str, is_read_already: bool) -> None:
    facts = {
        "applies_to": ["student pilot", "airplane"],
        "airspace_class": ["C", "D"],
        "altitude_band": "below_2500_agl",
        "numbers": ["more than 200 knots"],
        "knots": 200,
        "reserve_minutes": 30,
    }
    statement = (
        "After January 1, 2020, a pilot must fly at most 200 knots when flying at night in Class C airspace, with"
        " clouds 500 feet below or 1,000 feet above."
    )
    assert is_repeated(name, words, statement, facts) is is_read_already


@pytest.mark.parametrize(
    ("statement", "is_read_already"),
    [
        ("The pilot must descend.", True),
        ("A balloon has the right-of-way.", False),  # says neither must nor may
        ("The pilot must descend; the copilot may turn.", False),
    ],
)
def test_must_is_folded_only_where_the_statement_says_it_alone(statement: str, is_read_already: bool) -> None:
    assert is_repeated("modality", "must", statement, {"modality": "must"}) is is_read_already


def test_a_lead_in_that_is_quoted_after_its_item_is_found_in_both_orders() -> None:
    quotes = [
        "(1) The student pilot has received flight training on that airspace area;",
        "(a) A student pilot may not operate an aircraft in Class B airspace unless:",
    ]
    wording = compare_wording(
        "A student pilot may not operate an aircraft in Class B airspace unless the student pilot has received flight"
        " training on that airspace area.",
        quotes,
    )
    assert wording is not None
    assert wording.is_verbatim


def test_what_is_left_out_within_one_of_two_quotes_is_marked() -> None:
    quotes = ["carry at least 30 minutes of fuel in reserve.", "No person may, unless authorized, take off"]
    wording = compare_wording("No person may take off carry at least 30 minutes of fuel in reserve", quotes)
    assert wording is not None
    assert [words for kind, words in wording.parts if kind == "dropped"] == ["unless authorized,"]


@pytest.mark.parametrize(
    ("row", "dropped"),
    [
        ("Class C | 3 statute miles | 500 feet below. Class C | 3 statute miles | 1,000 feet above.", []),
        (
            "Class C | 3 statute miles | 500 feet below. Class D | 3 statute miles | 1,000 feet above.",
            ["Class D | 3 statute miles |"],
        ),
    ],
)
def test_cells_of_a_table_that_the_statement_says_elsewhere_are_not_left_out(
    row: str, dropped: list[str]
) -> None:
    statement = "In Class C airspace 3 statute miles and 500 feet below. 1,000 feet above."
    wording = compare_wording(statement, [row])
    assert wording is not None
    left_out = [words for kind, words in wording.parts if kind == "dropped"]
    assert [words for words in left_out if words != "|"] == dropped


def test_labels_of_a_list_are_not_left_out() -> None:
    wording = compare_wording("Fly high, and fly fast.", ["Fly (1) high, and (ii) fly fast."])
    assert wording is not None
    assert wording.is_verbatim


def test_conditions_exceptions_and_numbers_are_marked_where_the_statement_has_them() -> None:
    statement = "Except by ATC, no person may fly below 500 feet when landing at night."
    facts = {
        "conditions": ["when landing at night", "at night", "by day"],
        "exceptions": ["Except by ATC"],
        "numbers": ["500 feet"],
    }
    runs = marked_runs(statement, None, facts)
    assert [(one.words, one.facts) for one in runs] == [
        ("Except by ATC,", ("exceptions",)),
        ("no person may fly below", ()),
        ("500 feet", ("numbers",)),
        ("when landing at night.", ("conditions",)),
    ]


@pytest.mark.parametrize(
    ("before", "read"),
    [
        (
            "When flying in Class A airspace, each pilot must have a clearance.",
            "When flying in Class A airspace,",
        ),
        ("When flying in Class B airspace, nobody may turn.", ""),  # few words
        ("When flying in Class A airspace, nobody may turn.", ""),  # all of it: it is read again
        ("", ""),
    ],
)
def test_a_lead_in_that_the_claim_before_had_too_is_told_apart(before: str, read: str) -> None:
    runs = marked_runs("When flying in Class A airspace, nobody may turn.", None, {}, before)
    assert " ".join(one.words for one in runs if one.read) == read
