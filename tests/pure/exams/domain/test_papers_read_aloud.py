"""What a student says of papers: which are out of order, which are not, and whether we may begin."""

import pytest

from exams.domain.qualification.papers import Card, FalseAlarm, Fault, Folder, Qualification
from exams.domain.qualification.reading import hear_decision, hear_faults

CARDS = tuple(
    Card(key=key, side="pilot", name=name, text="…", called=called)
    for key, name, called in (
        ("medical", "Medical certificate", ("medical", "third class")),
        ("test", "Knowledge test report", ("knowledge test", "written")),
        ("night", "Logbook, night training", ("night landings", "night")),
        ("annual", "Annual inspection", ("annual",)),
        ("registration", "Registration", ("registration",)),
        ("elt", "Emergency locator transmitter", ("elt",)),
        ("light", "Deferred items", ("map light", "placard")),
    )
)


def folder(*faulty: str) -> Folder:
    faults = tuple(
        Fault(key=f"{card}-bad", card=card, what=f"The {card} is bad.", law="…", rule="14 CFR 61.3")
        for card in faulty
    )
    return Folder(day="2026-11-28", flight="today", cards=CARDS, faults=faults)


@pytest.mark.parametrize(
    ("said", "cards"),
    [
        ("My medical has expired.", ["medical"]),
        ("The medical isn't current any more.", ["medical"]),
        ("The medical is no longer valid and the annual is overdue.", ["medical", "annual"]),
        ("The medical and the registration are expired.", ["medical", "registration"]),
        ("The medical, the written, and the annual are all out of date.", ["medical", "test", "annual"]),
        ("Everything is fine except the annual.", ["annual"]),
        ("All good but the ELT: its date has passed, it is overdue.", ["elt"]),
        ("I looked at the medical and it is fine, but the annual was due last month.", ["annual"]),
        ("The annual was done thirteen months ago, which is more than 12 calendar months.", ["annual"]),
        ("My written is too old. It is older than 24 months.", ["test"]),
        ("There are only eight night landings.", ["night"]),
        ("I don't have enough night landings.", ["night"]),
        ("There is no placard on the map light.", ["light"]),
        ("The map light isn’t placarded.", ["light"]),
        ("I would say the registration is expired.", ["registration"]),
        ("The medical. It ran out in June.", ["medical"]),
        ("Registration: expired. Annual: fine.", ["registration"]),
        ("The annual is overdue. No, wait, the annual is current.", []),
        ("The annual is current. No, I was wrong, the annual is overdue.", ["annual"]),
        ("The medical is expired.\n\nOh, it's good until the end of the month.", []),
        ("The annual is overdue. The medical is expired\n\nNo, wait, it is still good.", ["annual"]),
        ("Medical, annual, registration, written, so the registration is missing.", ["registration"]),
        ("The medical, the annual, but the registration is missing.", ["registration"]),
        (
            "Medical, annual, registration, so those are all out of date.",
            ["medical", "annual", "registration"],
        ),
        ("The registration is at the shop, that has to be in the airplane, so no.", ["registration"]),
        ("I left the medical at home.", ["medical"]),
        ("The ELT was checked in the shop in May. The annual was done at the shop.", []),
        ("Everything is in order.", []),
        ("Nothing is missing or out of date.", []),
        ("I don't see anything that is expired, the medical is current.", []),
        ("Nothing's out of date.", []),
        ("I can't find anything out of date. None of them is expired.", []),
        ("No paper is missing, each one is there.", []),
        ("The annual might be overdue, or the ELT could be expired.", []),
        ("The medical is not expired and the annual isn't overdue.", []),
        ("The annual is good until June, and the registration expires in 2029.", []),
        ("If the annual were overdue we could not fly.", []),
        ("We can't fly it until the annual is signed off.", ["annual"]),
        ("I won't go before the ELT is replaced and signed.", ["elt"]),
        ("The ELT needs a new battery.", ["elt"]),
        ("The map light should be fixed first.", ["light"]),
        ("The map light still must be fixed.", ["light"]),
        ("The map light must first be fixed.", ["light"]),
        ("The medical isn't signed. It should be signed.", ["medical"]),
        ("The medical should be signed, and it is.", []),
        ("The medical has to be signed, and it is.", []),
        ("The medical needs to be signed and it was, and the annual is overdue.", ["annual"]),
        ("The annual must be done again in March 2027.", []),
        ("The annual has to be done again next March.", []),
        ("The annual needs to be done again before we fly.", ["annual"]),
        ("The registration needs to be renewed in 2029.", []),
        ("The registration has to be renewed in four years.", []),
        (
            "The registration is good. It doesn't expire until 2029, the medical is current, and the annual is signed.",
            [],
        ),
        (
            "The ELT is overdue. The medical doesn't expire until 2028, and the registration is valid and the annual "
            "is good.",
            ["elt"],
        ),
        ("The medical isn't due until 2028, the registration is current.", []),
        ("The medical doesn't go out of date until 2028, the registration is current.", []),
        ("The ELT is old and we can't fly this Archer until the battery's changed and signed off.", ["elt"]),
        ("The annual is overdue, so it isn't airworthy until it's signed.", ["annual"]),
        ("We can't go until the ELT is replaced, the annual is signed, and the medical is current.", ["elt"]),
        ("We can't go until the annual and the ELT are signed off.", ["annual", "elt"]),
        ("We can't go until the annual is signed off and the ELT is replaced.", ["annual", "elt"]),
        ("We can't go until everything is in order.", []),
        ("The annual must be done every 12 calendar months, and it was.", []),
        ("The annual isn't due until March.", []),
        ("The ELT doesn't need to be replaced.", []),
        ("Is the medical expired?", []),
        ("The registration has no expiration. The medical has no expiration date on it.", []),
        ("The medical is third class. We cannot begin today.", []),
        ("I have no problem with the medical.", []),
        ("The medical is good till the end of January since I was over forty, two years.", []),
        ("", []),
    ],
)
def test_what_is_called_out_of_order_is_heard(said: str, cards: list[str]) -> None:
    names = {card.key: card.name for card in CARDS}
    whole = folder(*names)
    assert sorted(hear_faults([said], whole).found) == sorted(f"{card}-bad" for card in cards)
    assert sorted(hear_faults([said], folder()).false_alarms) == sorted(names[card] for card in cards)


@pytest.mark.parametrize(
    ("decision", "found"),
    [
        ("No, not today. Once the ELT is in order, signed and complete, we go.", True),
        ("We can't fly this until the ELT is changed and signed off.", True),
        ("Yes, we can begin. I was wrong, the ELT is current.", False),
        ("", True),
    ],
)
def test_a_decision_not_to_begin_takes_back_no_fault(decision: str, found: bool) -> None:
    said = ["Everything of mine is fine.", "The ELT is overdue."]
    assert bool(hear_faults(said, folder("elt"), decision).found) is found


@pytest.mark.parametrize(
    ("decision", "alarms"),
    [
        ("No, not today, because of the ELT. The annual is fine, I misread it.", ()),
        ("No, not today, because of the ELT.", ("Annual inspection",)),
    ],
)
def test_a_decision_not_to_begin_may_correct_a_false_alarm(decision: str, alarms: tuple[str, ...]) -> None:
    heard = hear_faults(["The annual is overdue, and the ELT is overdue."], folder("elt"), decision)
    assert (heard.found, heard.false_alarms) == (("elt-bad",), alarms)


def test_a_paper_that_is_named_without_its_state_is_left_to_the_judge() -> None:
    heard = hear_faults(["The medical is from May 2021, I was 42."], folder("medical"))
    assert (heard.found, heard.undecided, heard.false_alarms) == ((), ("medical-bad",), ())
    assert heard.credits("medical-bad", ["medical-bad"])
    assert not heard.credits("medical-bad", [])


def test_a_fault_that_nobody_named_is_not_found_whatever_the_judge_says() -> None:
    heard = hear_faults(["Everything is in order."], folder("medical"))
    assert not heard.credits("medical-bad", ["medical-bad"])


def test_one_false_alarm_is_forgiven_and_two_are_not() -> None:
    said = "The medical is expired, and so is the annual, it is overdue."
    assert hear_faults([said], folder("medical")).credits("medical-bad", [])
    more = f"{said} The registration is expired."
    assert not hear_faults([more], folder("medical")).credits("medical-bad", [])
    assert hear_faults(["Everything is expired."], folder("medical")).credits("medical-bad", []) is False


def test_the_last_word_on_a_paper_counts_over_all_answers() -> None:
    heard = hear_faults(["The annual is overdue.", "The annual is current after all."], folder("annual"))
    assert (heard.found, heard.undecided) == ((), ())


@pytest.mark.parametrize(
    ("said", "may"),
    [
        ("Yes, we may begin.", True),
        ("We're good to go.", True),
        ("Everything is in order, so yes.", True),
        ("Yes, we may begin; the medical is good until 2028.", True),
        ("Ready, no problems with any of it.", True),
        ("We may begin, the registration runs until the end of March.", True),
        ("I'd wait until the ELT is in.", False),
        ("No.", False),
        ("Not today, the medical has expired.", False),
        ("We can't start until the placard is there.", False),
        ("I would have to cancel.", False),
        ("We may not begin.", False),
        ("We are ready to cancel.", False),
        ("I am not sure I follow.", None),
        ("The medical is from 2021.", None),
    ],
)
def test_the_decision_is_heard(said: str, may: bool | None) -> None:
    assert hear_decision(said) is may


def test_a_qualification_is_stored_and_read_again() -> None:
    alarm = FalseAlarm(card=CARDS[3], corrected=True)
    whole = Qualification(folder=folder("medical"), outcome="not today", alarms=(alarm,))
    assert Qualification.from_dict(whole.to_dict()) == whole


def test_who_names_every_paper_and_says_nothing_of_it_has_found_none() -> None:
    said = ". ".join(f"{card.name} of May 2021" for card in CARDS)
    heard = hear_faults([said], folder("medical"))
    assert (heard.found, heard.undecided, heard.false_alarms) == ((), (), ())
