"""An oral may open with a qualification: papers are shown, what is out of order is found or not, and nothing of it
counts."""

import re
from dataclasses import replace
from datetime import date
from typing import Any, get_args

import pytest
from django.test import Client
from django.utils import timezone

from exams.bank.folders.folder import folder_for
from exams.bank.trips.trip import read_trips
from exams.conf import QUALIFICATION_EXCHANGES_MOST
from exams.domain.qualification.papers import Qualification, Side
from exams.examiner.briefing import bank_at_hand, library_state
from exams.exchange import answer_processing, session
from exams.exchange.qualification import asking
from exams.exchange.qualification.asking import WORDS
from exams.models import Answer, Assessment, Exam, Mastery, Turn
from exams.report import report_context, report_of
from exams.report_pdf import pdf_of_report
from knowledge.library_version import library_changed
from knowledge.models import Item
from tests.doubles.demo_library import Demo
from tests.doubles.library import make_chunk, make_document
from tests.doubles.rooms import Enter, Frame, Room, answer_and_settle, new_exam, opened, right_answer

pytestmark = pytest.mark.django_db(transaction=True)

TRIP = next(trip for trip in read_trips() if trip.id == "eye-clinic")
FINE = "Everything is in order."
MAY, MAY_NOT = "Yes, we may begin.", "No, we cannot begin today."


def exam_with(student: Any, *planted: str, asks: int = 0, **order: Any) -> Exam:
    """A checkride that opens with the papers of one folder, in which these faults are planted; before `asks` of its
    halves a question is asked that the oral owes as well."""
    exam = new_exam(student, **{"manner": "checkride", "questions": 5, "qualification": True, **order})
    text = folder_for(exam.certificate, exam.aircraft_class)
    assert text is not None
    folder = text.draw(TRIP, timezone.localdate(), "seed", planted)
    owed = [item.code for item in exam.read_planner().queue]
    bank = bank_at_hand(library_state(None, student.pk)).by_element
    alone = {
        code: item.key
        for code in owed
        for item in bank.get(code, ())
        if item.elements == (code,) and not item.artifacts
    }
    sides = get_args(Side)[:asks]
    assert len(alone) >= len(sides), "the oral owes too few questions without papers of their own"
    questions = {side: (key,) for side, key in zip(sides, alone.values(), strict=False)}
    folder = replace(folder, questions=questions)
    exam.qualification = Qualification(folder=folder).to_dict()
    exam.save(update_fields=["qualification"])
    return exam


def asked_next(room: Room) -> Frame:
    """The next question, or the outcome."""
    return room.hear("question", "qualified", "finished")


def show_papers(room: Room, pilot: str, airplane: str, decision: str) -> Frame:
    """Answers the whole qualification, follow-ups in the same words; its outcome."""
    said, told = {"pilot": pilot, "airplane": airplane, "decision": decision}, asked_next(room)
    for number in range(QUALIFICATION_EXCHANGES_MOST):
        if told["type"] != "question":
            break
        assert told["form"] == "qualification"
        step = Turn.objects.latest("pk").rubric["step"]
        taken = room.answer(said[step], f"paper-{number}")
        assert (taken["withheld"], taken["verdict"], taken["points"], taken["final"]) == (
            True,
            None,
            [],
            False,
        )
        told = asked_next(room)
    return told


def papers_of(exam: Exam) -> Any:
    exam.refresh_from_db()
    return report_of(exam).papers


def test_who_finds_what_is_out_of_order_has_found_it_and_the_oral_goes_on(demo: Demo, enter: Enter) -> None:
    exam = exam_with(demo.student, "annual-overdue", "night-landings-short")
    room = enter(exam, demo.student)
    first = room.hear("question")
    assert (
        "show me that we may begin" in f"{first['transition']} {first['text']}".lower() or first["transition"]
    )
    assert {given["kind"] for given in first["givens"]} == {"card"}
    assert first["budget"] == {"asked": 0, "planned": 0}
    assert (first["element"], first["citations"], first["images"]) == ("", [], [])
    room.answer("There are not enough night landings, I need ten to a full stop.", "a")
    second = room.hear("question")
    assert "Annual inspection" in {given["name"] for given in second["givens"]}
    assert second["transition"] == ""
    room.answer("The annual inspection is overdue, it was more than 12 calendar months ago.", "b")
    assert room.hear("question")["givens"] == []
    room.answer("No, not today.", "c")
    told = room.hear("qualified")
    assert told["outcome"] == "not today"
    assert [fault["rule"] for fault in told["faults"]] == ["14 CFR 61.109(a)(2)", "14 CFR 91.409(a)"]
    assert "found" not in str(told)
    opening = room.hear("question")
    assert opening["form"] == "opening"
    assert opening["element"]

    found = papers_of(exam)
    assert [fault["found"] for fault in found["faults"]] == [True, True]
    assert (found["false_alarms"], found["may_begin"], found["decided_right"]) == ([], False, True)
    assert not Assessment.objects.filter(final=True).exists()
    assert not Mastery.objects.exists()
    room.answer(right_answer(exam), "d")
    room.hear("question", "finished")
    assert [one.code for one in exam.read_planner().outcomes] == []  # as it was read before
    exam.refresh_from_db()
    assert len(exam.read_planner().outcomes) >= 1


@pytest.mark.long
@pytest.mark.parametrize("pilot", [FINE, "I have my medical and my passport here."])
def test_who_calls_everything_in_order_has_not_found_it(demo: Demo, enter: Enter, pilot: str) -> None:
    exam = exam_with(demo.student, "medical-expired-after-forty")
    told = show_papers(enter(exam, demo.student), pilot, FINE, MAY)
    assert told["outcome"] == "not today"
    found = papers_of(exam)
    assert [fault["found"] for fault in found["faults"]] == [False]
    assert (found["may_begin"], found["decided_right"], found["false_alarms"]) == (True, False, [])


@pytest.mark.long
def test_who_calls_everything_out_of_order_has_found_nothing(demo: Demo, enter: Enter) -> None:
    exam = exam_with(demo.student, "annual-overdue")
    everything = [card.name for card in exam_papers(exam).folder.on_side("airplane")]
    told = show_papers(
        enter(exam, demo.student), FINE, f"{', '.join(everything)} are all expired or missing.", MAY_NOT
    )
    assert told["outcome"] == "not today"
    found = papers_of(exam)
    assert [fault["found"] for fault in found["faults"]] == [False]
    assert len(found["false_alarms"]) > 5
    assert found["too_many"]


@pytest.mark.long
def test_who_reads_the_cards_aloud_has_found_nothing(demo: Demo, enter: Enter) -> None:
    exam = exam_with(demo.student, "annual-overdue", "medical-expired-under-forty")
    pilot, airplane = (
        ". ".join(f"{card.name}: {card.text}" for card in exam_papers(exam).folder.on_side(side))
        for side in get_args(Side)
    )
    show_papers(enter(exam, demo.student), pilot, airplane, MAY)
    assert [fault["found"] for fault in papers_of(exam)["faults"]] == [False, False]


def test_one_false_alarm_is_explained_and_studied(demo: Demo, enter: Enter, client: Client) -> None:
    exam = exam_with(demo.student)
    room = enter(exam, demo.student)
    told = show_papers(room, FINE, "The transponder check is out of date, the rest is fine.", MAY_NOT)
    assert (told["outcome"], told["faults"]) == ("ready", [])
    room.hear("question")
    room.say({"type": "end"})
    room.hear("finished")
    found = papers_of(exam)
    [alarm] = found["false_alarms"]
    assert (alarm["card"], alarm["corrected"], found["decided_right"]) == ("Transponder check", False, False)
    assert (alarm["rule"], alarm["citation"]) == ("14 CFR 91.413(a)", None)
    client.force_login(demo.student)
    page = client.get(f"/exams/{exam.pk}/report/").content.decode()
    assert "Before the flight" in page
    assert "You called out of order what was in order:" in page
    transponder = next(card for card in exam_papers(exam).folder.cards if card.key == "transponder")
    assert re.match(r"The test of .* counts for the 24 calendar months .*, which is until ", transponder.why)
    assert page.count(transponder.why) == 2  # at the papers, and on the list of what to study
    assert "Look it up in 14 CFR 91.413(a)." in page
    [item] = [one for one in report_of(exam).study if one.code == "PA.I.B.K1b"]
    assert item.reason == "wrong about the papers"
    assert "With these papers we may." in page
    assert pdf_of_report(report_context(exam)).startswith(b"%PDF")
    assert (exam.result or {})["result"] == "incomplete"


def exam_papers(exam: Exam) -> Qualification:
    papers = exam.read_qualification()
    assert papers is not None
    return papers


@pytest.mark.long
def test_it_can_be_skipped_at_any_step_and_once(demo: Demo, enter: Enter) -> None:
    exam = exam_with(demo.student, "annual-overdue")
    room = enter(exam, demo.student)
    room.hear("question")
    room.answer(FINE, "a")
    room.hear("question")
    room.say({"type": "skip"})
    told = room.hear("qualified")
    assert (told["outcome"], told["faults"]) == ("skipped", [])
    assert room.hear("question")["form"] == "opening"
    room.say({"type": "skip"})
    refused = room.hear("error", "qualified")
    assert (refused["code"], refused["retryable"]) == ("not_now", False)
    assert papers_of(exam)["outcome"] == "skipped"


@pytest.mark.long
def test_it_goes_on_after_a_lost_connection_and_a_pause(demo: Demo, enter: Enter) -> None:
    exam = exam_with(demo.student, "registration-expired")
    room = enter(exam, demo.student)
    first = room.hear("question")
    room.leave()
    room = enter(exam, demo.student)
    assert room.hear("question") == first
    room.answer("Nothing is missing.", "a")
    second = room.hear("question")
    assert "Registration" in {given["name"] for given in second["givens"]}
    room.say({"type": "pause"})
    room.leave()
    exam.refresh_from_db()
    assert (exam.status, exam.read_planner().form) == ("paused", "qualification")
    room = enter(exam, demo.student)
    assert room.hear("question") == second
    room.say({"type": "hint"})
    assert room.hear("error")["code"] == "not_now"
    taken = room.answer("The registration expired last month.", "b")
    room.hear("question")
    assert room.answer("The registration expired last month.", "b") == taken
    room.answer(MAY_NOT, "c")
    assert room.hear("qualified")["outcome"] == "not today"
    assert room.hear("question")["form"] == "opening"
    assert [fault["found"] for fault in papers_of(exam)["faults"]] == [True]
    assert Turn.objects.filter(exam=exam, form="qualification").count() == 3


@pytest.mark.long
def test_saying_it_again_and_nothing_at_all_cost_nothing(demo: Demo, enter: Enter) -> None:
    exam = exam_with(demo.student)
    room = enter(exam, demo.student)
    first = room.hear("question")
    for number, said in enumerate(("Could you say that again?", "...")):
        room.answer(said, f"again-{number}")
        assert room.hear("question")["turn"] == first["turn"]
    told = show_rest(room)
    assert told["outcome"] == "ready"
    assert papers_of(exam)["decided_right"] is True
    assert report_of(exam).ungraded == 0


def show_rest(room: Room) -> Frame:
    for number, said in enumerate((FINE, FINE, MAY)):
        room.answer(said, f"rest-{number}")
        told = asked_next(room)
    return told


@pytest.mark.long
def test_ending_in_the_middle_is_told_in_the_debrief(demo: Demo, enter: Enter, client: Client) -> None:
    exam = exam_with(demo.student, "annual-overdue")
    room = enter(exam, demo.student)
    room.hear("question")
    room.say({"type": "end"})
    assert room.hear("finished")["result"] == "incomplete"
    client.force_login(demo.student)
    page = client.get(f"/exams/{exam.pk}/report/").content.decode()
    assert "The papers were not finished." in page
    assert "annual inspection was done" not in page


def test_a_mock_opens_so_and_others_do_where_they_are_asked_to(
    demo: Demo, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(demo.student)

    def ordered(**order: Any) -> Any:
        Exam.objects.all().delete()
        return client.post("/api/v1/exams/", order, content_type="application/json")

    def opens(**order: Any) -> bool:
        assert ordered(**order).status_code == 201
        return bool(Exam.objects.get().qualification)

    assert opens(mode="mock")
    assert not opens(mode="mock", qualification=False)
    assert not opens(mode="full")
    assert opens(mode="full", qualification=True)
    assert opens(mode="area", areas=["I"], manner="checkride", qualification=True)
    refused = ordered(mode="area", areas=["I"], qualification=True)
    assert refused.status_code == 400
    assert "manner checkride" in str(refused.json()["fields"]["qualification"])
    assert ordered(mode="full", qualification="maybe").json()["fields"] == {
        "qualification": ["true or false, please."]
    }
    page = client.post(
        "/exams/begin/", {"mode": "full", "qualification": "yes"}, follow=True
    ).content.decode()
    assert "Skip the papers" in page
    assert "It opens with the papers, about 10 minutes." in page
    monkeypatch.setattr(asking, "folder_for", lambda *_: None)
    refused = ordered(mode="full", qualification=True)
    assert "No folder of papers is written" in str(refused.json()["fields"]["qualification"])


@pytest.mark.long
def test_a_checkride_answers_who_asks_about_the_flight(demo: Demo, enter: Enter) -> None:
    exam = new_exam(demo.student, mode="mock", manner="checkride", questions=None, qualification=False)
    room = enter(exam, demo.student)
    room.hear("question")
    scene = exam.read_scene()
    assert scene
    name = scene.slots["companion"]
    assert room.answer(f"How heavy is {name}?", "a")["feedback"].startswith(f"{name} weighs ")


@pytest.mark.long
def test_a_right_answer_to_a_question_before_a_half_counts(demo: Demo, enter: Enter, client: Client) -> None:
    exam = exam_with(demo.student, asks=1)
    room = enter(exam, demo.student)
    asked = room.hear("question")
    assert (asked["form"], asked["element"], asked["givens"]) == ("qualification", "", [])
    assert asked["citations"]
    [code] = Turn.objects.get(exam=exam).rubric["elements"]
    room.answer(right_answer(exam), "a")
    told = show_rest(room)
    assert told["outcome"] == "ready"
    assert room.hear("question")["element"] != code
    assert papers_of(exam)["credited"] == [code]
    [credited] = exam.read_planner().outcomes
    assert (credited.code, credited.by_mention, credited.because_of) == (code, True, "the papers")
    room.say({"type": "end"})
    room.hear("finished")
    client.force_login(demo.student)
    page = client.get(f"/exams/{exam.pk}/report/").content.decode()
    assert f"{code} was not asked: your answer on the papers showed it as well." in page
    assert Mastery.objects.get(element=code).by_mention


@pytest.mark.long
def test_the_rule_is_cited_where_the_library_has_it(demo: Demo, enter: Enter, client: Client) -> None:
    part = make_document("14 CFR Part 91", abbreviation="14 CFR 91", doc_type="cfr")
    rule = (
        "(a) Except as provided in paragraph (c) of this section, no person may operate an aircraft unless, within the"
        " preceding 12 calendar months, it has had—\n(1) An annual inspection in accordance with part 43 of this"
        " chapter and has been approved for return to service by a person authorized by §43.7 of this chapter; or"
    )
    make_chunk(rule, part, section="91.409", heading="Inspections.")
    exam = exam_with(demo.student, "annual-overdue", "registration-expired")
    room = enter(exam, demo.student)
    told = show_papers(room, FINE, "The annual has run out.", MAY_NOT)
    cited = {fault["rule"]: fault["citation"] for fault in told["faults"]}
    assert cited["14 CFR 91.409(a)"]["label"].startswith("14 CFR 91.409")
    assert "12 calendar months" in cited["14 CFR 91.409(a)"]["quote"]
    assert cited["14 CFR 91.203(a)(2)"] is None
    room.hear("question")
    room.say({"type": "end"})
    room.hear("finished")
    client.force_login(demo.student)
    page = client.get(f"/exams/{exam.pk}/report/").content.decode()
    assert "Look it up in 14 CFR 91.203(a)(2)." in page


@pytest.mark.long
def test_the_first_question_that_is_not_answered_is_probed_once(demo: Demo, enter: Enter) -> None:
    exam = exam_with(demo.student, asks=2)
    room = enter(exam, demo.student)
    asked = room.hear("question")
    room.answer("I don't know.", "a")
    probe = room.hear("question")
    assert (probe["form"], probe["attempt"], probe["transition"]) == ("qualification", 2, "")
    assert probe["text"] != asked["text"]
    room.answer(right_answer(exam), "b")
    assert room.hear("question")["givens"]  # the pilot's half
    room.answer(FINE, "c")
    assert room.hear("question")["givens"] == []  # the question before the airplane's half
    room.answer("I don't know.", "d")
    assert room.hear("question")["givens"]
    room.answer(FINE, "e")
    room.hear("question")
    room.answer(MAY, "f")
    assert room.hear("qualified")["outcome"] == "ready"
    [first, _, _, second, *_] = Turn.objects.filter(exam=exam).order_by("number")
    assert papers_of(exam)["credited"] == first.rubric["elements"] != second.rubric["elements"]
    assert Turn.objects.filter(exam=exam, form="qualification").count() == 6


def say_in_turn(exam: Exam, *said: str) -> list[str]:
    """Answers one after the other; the steps that were asked, a follow-up marked with "+"."""
    for number, text in enumerate(said):
        answer_and_settle(exam, text, f"said-{number}")
    rows = Turn.objects.filter(exam=exam, form="qualification").order_by("number")
    return [one["step"] + "+" * ("probe" in one) for one in rows.values_list("rubric", flat=True)]


@pytest.mark.long
def test_a_false_alarm_is_asked_about_once_and_what_is_asked_gives_nothing_away(demo: Demo) -> None:
    exam = opened(exam_with(demo.student, asks=1))
    steps = say_in_turn(
        exam, right_answer(exam), "The medical has expired.", "Two years are over, it expired.", FINE, MAY_NOT
    )
    assert steps == ["ask pilot", "pilot", "pilot+", "airplane", "decision"]
    asked = Turn.objects.get(exam=exam, rubric__probe=True)
    assert asked.text in WORDS["follow up pilot"]
    assert "medical" not in asked.text.lower()
    assert not any(card.name.lower() in asked.text.lower() for card in exam_papers(exam).folder.cards)
    found = papers_of(exam)
    assert [(one["card"], one["corrected"]) for one in found["false_alarms"]] == [
        ("Medical certificate", False)
    ]
    assert found["credited"] == []  # something that was said of this half is wrong


@pytest.mark.long
def test_a_false_alarm_that_is_corrected_costs_nothing_and_is_told(demo: Demo, client: Client) -> None:
    exam = opened(exam_with(demo.student, asks=1))
    say_in_turn(exam, right_answer(exam), "The medical has expired.", "Oh, it is still good.", FINE, MAY)
    found = papers_of(exam)
    assert [(one["card"], one["corrected"]) for one in found["false_alarms"]] == [
        ("Medical certificate", True)
    ]
    assert (len(found["credited"]), found["decided_right"], found["too_many"]) == (1, True, False)
    session.end_exam(exam.pk)
    client.force_login(demo.student)
    assert "first called it out of order" in client.get(f"/exams/{exam.pk}/report/").content.decode()
    exam.refresh_from_db()
    assert "PA.I.A.K3" in [one.code for one in report_of(exam).study]


@pytest.mark.long
def test_a_fault_that_was_left_out_is_asked_for_without_being_named(demo: Demo) -> None:
    exam = opened(exam_with(demo.student, "annual-overdue", "night-landings-short"))
    steps = say_in_turn(
        exam, FINE, "There are not enough night landings.", "I don't know.", "The annual is overdue.", MAY_NOT
    )
    assert steps == ["pilot", "pilot+", "airplane", "airplane+", "decision"]
    [first, second] = Turn.objects.filter(exam=exam, rubric__probe=True).order_by("number")
    assert first.text in WORDS["follow up pilot"]
    assert second.text in WORDS["follow up, nothing said"]
    assert [fault["found"] for fault in papers_of(exam)["faults"]] == [True, True]


@pytest.mark.long
def test_a_fault_that_stays_unfound_is_studied_and_its_half_credits_nothing(demo: Demo) -> None:
    exam = opened(exam_with(demo.student, "medical-expired-after-forty", asks=1))
    say_in_turn(exam, right_answer(exam), FINE, FINE, FINE, MAY)
    session.end_exam(exam.pk)
    assert papers_of(exam)["credited"] == []
    [item] = [one for one in report_of(exam).study if one.code == "PA.I.A.K3"]
    assert "The medical certificate has expired" in item.notes[0]


def test_follow_ups_keep_to_six_exchanges(demo: Demo) -> None:
    exam = opened(exam_with(demo.student, "annual-overdue", "medical-expired-after-forty", asks=2))
    unknown = "I don't know."
    steps = say_in_turn(exam, unknown, unknown, FINE, FINE, FINE, MAY)
    assert steps == ["ask pilot", "ask pilot+", "pilot", "pilot+", "airplane", "decision"]
    assert papers_of(exam)["outcome"] == "not today"


@pytest.mark.long
def test_an_answer_that_is_sent_again_after_a_lost_connection_is_judged_once(demo: Demo) -> None:
    exam = opened(exam_with(demo.student))
    first = session.take_answer(exam.pk, exam.epoch, "same", FINE)
    exam = opened(exam)  # the connection was lost before the verdict
    again = session.take_answer(exam.pk, exam.epoch, "same", FINE)
    assert first.work == again.work
    for work in (first.work, again.work):
        assert work is not None
        work[0](work[1])
    assert Answer.objects.filter(exam=exam).count() == Assessment.objects.filter(turn__exam=exam).count() == 1
    assert [exchange["answers"] for exchange in papers_of(exam)["exchanges"]] == [[FINE], []]


@pytest.mark.long
def test_an_answer_that_could_not_be_judged_and_was_sent_again_is_told_once(demo: Demo) -> None:
    exam = opened(exam_with(demo.student))
    session.take_answer(exam.pk, exam.epoch, "late", FINE)
    answer_processing.leave_ungraded(Answer.objects.get(exam=exam).pk)
    say_in_turn(exam, FINE)
    assert Answer.objects.filter(exam=exam).count() == 2
    assert [exchange["answers"] for exchange in papers_of(exam)["exchanges"]] == [[FINE], []]


def test_papers_of_a_mock_are_dated_from_the_day_of_its_flight(demo: Demo) -> None:
    exam = new_exam(demo.student, mode="mock", questions=None)
    scene, folder = exam.read_scene(), exam_papers(exam).folder
    assert scene
    times = next(given.value for given in scene.givens if given.name == "Times")
    month_and_day, year = folder.flight.split(",")[:2]
    assert times.startswith(f"{month_and_day}. ")
    assert date.fromisoformat(folder.day) <= timezone.localdate()
    assert int(year) == date.fromisoformat(folder.day).year


def test_a_question_about_the_test_says_its_day(demo: Demo) -> None:
    exam = exam_with(demo.student, asks=1)
    folder = exam_papers(exam).folder
    [key] = folder.questions["pilot"]
    Item.objects.filter(key=key).update(
        stem="The test is on {day}. What is due?", slots={"day": ["the first of the month"]}
    )
    library_changed(None)
    opened(exam)
    day = folder.flight.rpartition(", in the")[0]
    assert Turn.objects.get(exam=exam).text == f"The test is on {day}. What is due?"


@pytest.mark.parametrize(
    ("planted", "said", "told", "kept"),
    [
        (
            ["annual-overdue"],
            "The annual inspection is overdue.",
            "The airplane isn't airworthy",
            "You found",
        ),
        (["night-landings-short"], FINE, "An applicant who isn't eligible", "Logbook, night training"),
    ],
)
def test_a_student_who_is_coached_hears_what_stops_the_test_and_what_was_overlooked(
    demo: Demo, enter: Enter, planted: list[str], said: str, told: str, kept: str
) -> None:
    exam = exam_with(demo.student, *planted, manner="coach", mode="full")
    outcome = show_papers(enter(exam, demo.student), FINE, said, MAY_NOT)
    assert told in outcome["text"]
    assert kept in outcome["text"]


@pytest.mark.long
def test_what_was_left_out_before_the_halves_is_told_at_the_end(demo: Demo, enter: Enter) -> None:
    exam = exam_with(demo.student, asks=1, manner="coach", mode="full")
    room = enter(exam, demo.student)
    told = asked_next(room)
    for number in range(QUALIFICATION_EXCHANGES_MOST):
        if told["type"] != "question":
            break
        on_table = bool(told["givens"]) or Turn.objects.latest("pk").rubric["step"] == "decision"
        room.answer(FINE if on_table else "I don't know.", f"paper-{number}")
        told = asked_next(room)
    assert "Left out of what you told me about the papers: " in told["text"]
    assert papers_of(exam)["left_out"][0] in told["text"]
