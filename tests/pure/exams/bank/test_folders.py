"""The folders of qualifications: what is planted is a fault under its rule, and nothing else is.

The rules are counted here anew, from the words of the cards, and not from the folder's own slots.
"""

import re
from calendar import monthrange
from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from exams.bank.folders.folder import FaultText, FolderText, folder_for, month_from, read_folders
from exams.bank.trips.trip import Trip, read_trips
from exams.domain.exam_request import AIRCRAFT_CLASSES
from exams.domain.qualification.papers import Folder
from exams.domain.qualification.reading import hear_faults
from exams.domain.question_checks import tells_rule
from tests.sampling import sample_of

FOLDERS = read_folders()
NAMES = [f"{one.certificate}-{one.aircraft_class}" for one in FOLDERS]
DAYS = [
    date(2024, 2, 29),
    date(2026, 1, 31),
    date(2026, 3, 1),
    date(2026, 11, 30),
    date(2027, 12, 31),
    date(2028, 2, 29),
    *(date(2026, 1, 1) + timedelta(days=11 * step) for step in range(70)),
]


def trips_for(text: FolderText) -> list[Trip]:
    return [
        trip
        for trip in read_trips()
        if text.certificate in trip.certificates and trip.airplane.aircraft_class == text.aircraft_class
    ]


def faults_of(text: FolderText) -> list[FaultText]:
    """Those on papers that some airplane's folder has."""
    cards = {card.id for card in text.cards for trip in trips_for(text) if card.lies_there(trip)}
    return [fault for fault in text.faults if fault.card in cards]


def drawn(text: FolderText, number: int, planted: tuple[str, ...] | None = None) -> Folder:
    cards = {fault.card for fault in text.faults if fault.id in (planted or ())}
    trips = [
        trip
        for trip in trips_for(text)
        if all(card.lies_there(trip) for card in text.cards if card.id in cards)
    ]
    return text.draw(trips[number % len(trips)], DAYS[number % len(DAYS)], f"seed-{number}", planted)


# --- the rules, counted from what lies on the table ------------------------------------------------------------


def text_of(folder: Folder, key: str) -> str:
    return next(card.text for card in folder.cards if card.key == key)


def dates_in(text: str) -> list[date]:
    return [
        datetime.strptime(one, "%B %d, %Y").date() for one in re.findall(r"[A-Z][a-z]+ \d{1,2}, \d{4}", text)
    ]


def months_between(then: date, day: date) -> int:
    return (day.year - then.year) * 12 + day.month - then.month


def figures_before(text: str, words: str) -> list[float]:
    return [float(one) for one in re.findall(rf"(\d+(?:\.\d+)?) {words}", text)]


def age_on(born: date, day: date) -> int:
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


def medical_is_expired(folder: Folder, day: date) -> bool:
    [examined] = dates_in(text_of(folder, "medical"))
    [born] = dates_in(text_of(folder, "identification"))
    age = age_on(born, examined)
    assert f"examination {age}" in text_of(folder, "medical")
    good_for = 60 if age < 40 else 24
    last = month_from(examined, good_for)
    return day > last.replace(day=monthrange(last.year, last.month)[1])


def older_than(key: str, months: int, at: int = 0) -> Callable[[Folder, date], bool]:
    return lambda folder, day: months_between(dates_in(text_of(folder, key))[at], day) > months


def past(key: str, at: int = 0) -> Callable[[Folder, date], bool]:
    return lambda folder, day: dates_in(text_of(folder, key))[at] < day


def lacks(key: str, words: str) -> Callable[[Folder, date], bool]:
    return lambda folder, day: words not in text_of(folder, key)


def has_at_least(key: str, least: float, words: str, at: int = 0) -> Callable[[Folder, date], bool]:
    return lambda folder, day: figures_before(text_of(folder, key), words)[at] < least


def preparation_is_short(folder: Folder, day: date) -> bool:
    text = text_of(folder, "preparation")
    flown = zip(dates_in(text), figures_before(text, "h dual"), strict=True)
    return sum(hours for on, hours in flown if months_between(on, day) <= 2) < 3


def directive_is_overdue(folder: Folder, day: date) -> bool:
    found = re.search(r"tachometer ([\d.]+) \(today ([\d.]+)\)", text_of(folder, "directives"))
    assert found
    due, now = map(float, found.groups())
    return now > due


def hundred_hour_is_overdue(folder: Folder, day: date) -> bool:
    found = re.search(r"today ([\d.]+)\. Next due at ([\d.]+)", text_of(folder, "hundred-hour"))
    assert found
    now, due = map(float, found.groups())
    return now > due


COMMON: dict[str, tuple[Callable[[Folder, date], bool], ...]] = {
    "medical": (medical_is_expired,),
    "knowledge-test": (older_than("knowledge-test", 24),),
    "preparation": (preparation_is_short,),
    "endorsement": (
        lacks("endorsement", "areas missed on the knowledge test"),
        lacks("endorsement", "Signed: flight instructor"),
        lacks("endorsement", "2 calendar months before the month of application"),
        lacks("endorsement", "is prepared for the required practical test"),
    ),
    "complex-endorsement": (
        lacks("complex-endorsement", "Signed: flight instructor"),
        lacks("complex-endorsement", "Ground and flight training in a complex airplane, found proficient"),
    ),
    "high-performance-endorsement": (
        lacks("high-performance-endorsement", "Signed: flight instructor"),
        lambda folder, day: figures_before(text_of(folder, "high-performance-endorsement"), "h")[0] <= 200,
    ),
    "tailwheel-endorsement": (
        lacks("tailwheel-endorsement", "Signed: flight instructor"),
        lacks("tailwheel-endorsement", "normal and crosswind takeoffs and landings"),
    ),
    "application": (lacks("application", "Signed by the applicant and the recommending instructor"),),
    "registration": (past("registration"),),
    "limitations": (lacks("limitations", "in the seat pocket"),),
    "annual": (older_than("annual", 12),),
    "hundred-hour": (hundred_hour_is_overdue,),
    "transponder": (older_than("transponder", 24),),
    "altimeter": (older_than("altimeter", 24),),
    "elt": (older_than("elt", 12), past("elt", at=1)),
    "directives": (directive_is_overdue,),
    "inoperative": (lacks("inoperative", "Deactivated, placarded"),),
}
BY_CERTIFICATE: dict[str, dict[str, tuple[Callable[[Folder, date], bool], ...]]] = {
    "private": COMMON
    | {
        "flight-time": (
            has_at_least("flight-time", 40, "h, all"),
            has_at_least("flight-time", 20, "h, of it cross-country"),
            has_at_least("flight-time", 3, "h\nInstrument"),
            lambda folder, day: float(text_of(folder, "flight-time").split()[-2]) < 3,
        ),
        "night": (
            lambda folder, day: float(text_of(folder, "night").split()[2]) < 3,
            has_at_least("night", 10, "landings"),
            has_at_least("night", 10, "takeoffs"),
            has_at_least("night", 100.1, "NM in all"),
        ),
        "solo": (
            has_at_least("solo", 10, "h, of it"),
            lambda folder, day: float(text_of(folder, "solo").split("cross-country ")[1].split()[0]) < 5,
            has_at_least("solo", 150, "NM, full-stop"),
            has_at_least("solo", 50.1, "NM in a straight"),
            has_at_least("solo", 3, "takeoffs"),
            has_at_least("solo", 3, "full-stop landings\\b"),
        ),
        "hood": (lacks("hood", "a hood"),),
    },
    "commercial": COMMON
    | {
        "flight-time": (
            lambda folder, day: float(text_of(folder, "flight-time").split()[1]) < 250,
            lambda folder, day: float(text_of(folder, "flight-time").split("command ")[1].split()[0]) < 100,
            lambda folder, day: float(text_of(folder, "flight-time").split()[-2]) < 50,
        ),
        "training": (
            lambda folder, day: float(text_of(folder, "training").split("device ")[1].split()[0]) < 10,
            lambda folder, day: float(text_of(folder, "training").split("airplane ")[1].split()[0]) < 10,
            has_at_least("training", 100.1, "NM straight"),
            has_at_least("training", 100.1, "NM straight", at=1),
        ),
        "solo": (
            has_at_least("solo", 10, "h in \\w+"),
            has_at_least("solo", 300, "NM, landings"),
            has_at_least("solo", 250, "NM straight"),
            has_at_least("solo", 5, "h, "),
            has_at_least("solo", 10, "landings\\b"),
            has_at_least("solo", 10, "takeoffs"),
        ),
    },
}


def cards_out_of_order(certificate: str, folder: Folder) -> set[str]:
    day = date.fromisoformat(folder.day)
    rules = BY_CERTIFICATE[certificate]
    return {card.key for card in folder.cards if any(rule(folder, day) for rule in rules.get(card.key, ()))}


# --- what is drawn -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", FOLDERS, ids=NAMES)
def test_a_thousand_folders_have_the_planted_faults_and_no_others(text: FolderText) -> None:
    counted = dict.fromkeys((0, 1, 2), 0)
    seen = set()
    numbers = sample_of(range(1000), 3)
    for number in numbers:
        folder = drawn(text, number)
        planted = {fault.card for fault in folder.faults}
        assert cards_out_of_order(text.certificate, folder) == planted, (number, folder)
        assert len(planted) == len(folder.faults)
        assert age_on(dates_in(text_of(folder, "identification"))[0], date.fromisoformat(folder.day)) >= 18
        assert not [card.text for card in folder.cards if "{" in card.text]
        counted[len(planted)] += 1
        seen |= {fault.key for fault in folder.faults}
    assert all(count > len(numbers) / 5 for count in counted.values())
    assert seen == {fault.id for fault in faults_of(text)}


@pytest.mark.parametrize("text", FOLDERS, ids=NAMES)
def test_each_fault_is_one_on_every_day_and_says_what_lies_there(text: FolderText) -> None:
    for fault in faults_of(text):
        for number in sample_of(range(len(DAYS)), 4):
            folder = drawn(text, number, (fault.id,))
            assert cards_out_of_order(text.certificate, folder) == {fault.card}, (fault.id, folder.day)
            [planted] = folder.faults
            card = text_of(folder, fault.card)
            told = re.findall(r"\d+\.\d|[A-Z][a-z]+ \d{1,2}, \d{4}", planted.what)
            shown = [one for one in told if one in card]
            assert "{" not in planted.what
            assert shown or not told or fault.card == "medical", (planted.what, card)


@pytest.mark.parametrize("text", FOLDERS, ids=NAMES)
def test_a_paper_in_order_says_why_by_its_own_dates_and_figures(text: FolderText) -> None:
    for number in sample_of(range(len(DAYS)), 4):
        folder = drawn(text, number)
        faulty = {fault.card for fault in folder.faults}
        for card in folder.cards:
            assert bool(card.why) == (card.key not in faulty)
            assert "{" not in card.why + card.law
            assert re.match(r"14 CFR \d+\.\d+", card.rule)
            told = re.findall(r"until ([A-Z][a-z]+ \d{1,2}, \d{4})", card.why)
            assert all(until >= date.fromisoformat(folder.day) for one in told for until in dates_in(one))
            for figure in re.findall(r"\d+\.\d", card.why):
                assert figure in card.text or card.key == "preparation", (card.why, card.text)


def test_an_airplane_has_the_endorsements_that_it_takes_and_no_others() -> None:
    rules = {}
    for text in FOLDERS:
        for trip in trips_for(text):
            folder = text.draw(trip, DAYS[0], "any", ())
            cited = [card.rule for card in folder.cards if card.rule.startswith("14 CFR 61.31")]
            rules[text.certificate, trip.airplane.type] = " ".join(
                rule[len("14 CFR 61.31") :] for rule in cited
            )
    assert {key: rule for key, rule in rules.items() if rule} == {
        ("private", "Piper Seminole"): "(e)(1)",
        ("private", "Cessna A185F on floats"): "(e)(1) (f)(1)",
        ("private", "Cessna U206G on amphibious floats"): "(e)(1) (f)(1)",
        ("private", "Grumman G-44 Widgeon"): "(i)(1)",
        ("commercial", "Piper Seminole"): "(e)(1)",
        ("commercial", "Piper Arrow III"): "(e)(1)",  # 200 horsepower is not more than 200
        ("commercial", "Cessna 182T"): "(f)(1)",  # its gear is fixed
    }


def test_papers_of_a_trip_are_dated_from_its_last_day() -> None:
    for trip in read_trips():
        for day in DAYS:
            flown = trip.last_flown(day)
            assert f"{flown:%B} {flown.day}" == trip.route.day
            assert 0 <= (day - flown).days <= 366


@pytest.mark.parametrize("text", FOLDERS, ids=NAMES)
def test_the_same_exam_draws_the_same_folder(text: FolderText) -> None:
    assert drawn(text, 7) == drawn(text, 7)
    assert drawn(text, 7) != drawn(text, 77)


@pytest.mark.parametrize("text", FOLDERS, ids=NAMES)
@pytest.mark.parametrize("missed", [(), ("PA.I.C.K2", "PA.I.F.K1")])
def test_the_report_in_it_names_the_codes_that_the_folder_says(
    text: FolderText, missed: tuple[str, ...]
) -> None:
    folder = text.draw(trips_for(text)[0], DAYS[0], "any", missed=missed)
    [report] = [card for card in folder.cards if card.name == "Knowledge test report"]
    assert f"Missed: {', '.join(folder.missed)}" in report.text
    assert folder.missed == missed or not missed


@pytest.mark.parametrize("text", FOLDERS, ids=NAMES)
def test_a_folder_fits_each_of_its_trips(text: FolderText) -> None:
    assert trips_for(text)
    for trip in trips_for(text):
        folder = text.draw(trip, DAYS[0], "any")
        assert trip.airplane.type in text_of(folder, "airworthiness")
        assert folder.flight == f"{DAYS[0]:%B} {DAYS[0].day}, {DAYS[0].year}, in the {trip.airplane.type}"
        assert "transponder" in trip.airplane.equipment


@pytest.mark.parametrize("text", FOLDERS, ids=NAMES)
def test_cards_tell_no_rule_and_every_fault_names_one(text: FolderText) -> None:
    assert text.certificate in {
        path.stem for path in Path(__file__).parents[4].glob("exams/bank/folders/*.yaml")
    }
    for card in text.cards:
        if card.id != "endorsement":  # its words are those of the rule
            assert not tells_rule(card.text), card.id
    for fault in text.faults:
        assert re.match(r"14 CFR \d+\.\d+", fault.rule)


@pytest.mark.parametrize("text", FOLDERS, ids=NAMES)
def test_each_fault_is_found_by_its_own_wordings(text: FolderText) -> None:
    """Where the words name the state; the others are left to the judge, and never are a false alarm."""
    for fault in faults_of(text):
        folder = drawn(text, 3, (fault.id,))
        for said in fault.accept:
            heard = hear_faults([said], folder)
            assert fault.id in heard.found + heard.undecided, (fault.id, said, heard)
            assert not heard.false_alarms, (fault.id, said, heard)


@pytest.mark.parametrize("text", FOLDERS, ids=NAMES)
def test_the_questions_before_the_halves_are_in_the_bank(text: FolderText) -> None:
    files = Path(__file__).parents[4].glob(f"exams/bank/items/{text.certificate}/*.yaml")
    bank = " ".join(path.read_text("utf-8") for path in files)
    assert set(text.questions) == {"pilot", "airplane"}
    for key in (one for keys in text.questions.values() for one in keys):
        assert f"id: {key}\n" in bank


def test_what_no_folder_is_written_for_has_none() -> None:
    assert folder_for("commercial", "ASES") is None
    assert folder_for("instrument", "ASEL") is None
    assert all(folder_for("private", one) is not None for one in AIRCRAFT_CLASSES)


def test_every_mock_opens_with_papers() -> None:
    flown = {
        (certificate, trip.airplane.aircraft_class)
        for trip in read_trips()
        for certificate in trip.certificates
    }
    assert all(folder_for(*one) is not None for one in flown)


@pytest.mark.parametrize("text", FOLDERS, ids=NAMES)
def test_hours_are_those_of_the_class_sought(text: FolderText) -> None:
    folder = drawn(text, 5)
    paragraph = "a" if text.aircraft_class.startswith("ASE") else "b"
    kind = {"L": "land", "S": "sea"}[text.aircraft_class[-1]]
    engines = {"a": "single-engine", "b": "multiengine"}[paragraph]
    assert f"pilot, airplane {engines} {kind}. " in text_of(folder, "application")
    hours = [card for card in folder.cards if card.rule.startswith(("14 CFR 61.109", "14 CFR 61.129"))]
    assert len(hours) >= 3
    assert all(f"9({paragraph})" in card.rule for card in hours)
    others = {"single-engine", "multiengine"} - {engines}
    assert not [card.name for card in hours if any(one in card.text + card.law for one in others)]
