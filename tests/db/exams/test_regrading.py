"""A reviewer overrules a verdict or withdraws an item: exams with the same fault are graded again, students told."""

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from curation.models import CaseDecision
from curation.oversight.audit import verify_chains
from exams.bank.loading import GONE
from exams.exchange import answer_processing, session
from exams.exchange.regrading import (
    CannotRegrade,
    answer_report,
    final_of,
    finals_judged_alike,
    overrule_verdict,
    report_item,
    withdraw_item,
)
from exams.models import Assessment, Dispute, Exam, ExamStatus, Frame, Mastery, Turn
from exams.protocol.frames import Dispute as DisputeFrame
from exams.report import report_of
from knowledge.models import Item, ItemReport, Membership
from knowledge.models.tenancy import Role
from tests.doubles.claims import make_user
from tests.doubles.demo_library import Demo
from tests.doubles.library import make_tenant
from tests.doubles.rooms import new_exam

pytestmark = pytest.mark.django_db
WRONG = "I would ask the tower about the weather, I think."
MET_ALL = "Every point was in the answer."


def say(exam: Exam, text: str, name: str) -> None:
    work = session.take_answer(exam.pk, exam.epoch, name, text).work
    assert work is not None
    function, key = work
    function(key)


def fail_first_element(student: Any) -> Exam:
    """An open exam in which the first element was answered wrong twice, so that its verdict is final."""
    exam = new_exam(student)
    session.open_connection(exam.pk, student.pk)
    answer_processing.begin_exam(exam.pk)
    exam.refresh_from_db()
    say(exam, WRONG, "a1")
    say(exam, WRONG, "a2")
    exam.refresh_from_db()
    return exam


def dispute_first(exam: Exam) -> Dispute:
    turn = Turn.objects.get(exam=exam, number=1)
    session.take_frame(exam.pk, exam.epoch, DisputeFrame(turn=turn.number, note="I said it!"))
    return Dispute.objects.select_related("turn").get(exam=exam)


def met_all(dispute: Dispute) -> dict[str, Any]:
    final = final_of(dispute)
    assert final is not None
    return {point["key"]: "met" for point in final.decision["points"]}


@pytest.fixture
def dispute(demo: Demo) -> Dispute:
    return dispute_first(fail_first_element(demo.student))


def outcome_of(exam: Exam, code: str) -> str:
    exam.refresh_from_db()
    return next((one.verdict for one in exam.read_planner().outcomes if one.code == code), "none")


def test_an_overruled_verdict_counts_in_an_open_exam_and_its_student_is_told(
    demo: Demo, dispute: Dispute
) -> None:
    exam, code = dispute.exam, dispute.turn.element
    assert outcome_of(exam, code) == "unsatisfactory"
    old = final_of(dispute)
    assert overrule_verdict(dispute, demo.reviewer, met=met_all(dispute), resolution=MET_ALL) == 1
    assert outcome_of(exam, code) == "satisfactory"
    new = Assessment.objects.get(turn__exam=exam, element=code, final=True)
    assert old is not None
    assert new.provenance["overrules"] == old.pk
    assert Assessment.objects.get(pk=old.pk).verdict == "unsatisfactory"
    told = Frame.objects.filter(exam=exam, type="assessment").last()
    assert told is not None
    assert (told.payload["verdict"], MET_ALL in told.payload["feedback"]) == ("satisfactory", True)
    assert Mastery.objects.get(student=demo.student, element=code).last_verdict == "satisfactory"
    say(exam, "I would look it up in the regulations.", "a3")  # the oral goes on


def test_a_finished_exam_is_graded_again(demo: Demo, dispute: Dispute) -> None:
    exam, code = dispute.exam, dispute.turn.element
    session.end_exam(exam.pk)
    exam.refresh_from_db()
    assert exam.status == ExamStatus.ENDED
    assert code in report_of(exam).weak
    overrule_verdict(dispute, demo.reviewer, met=met_all(dispute), resolution=MET_ALL)
    exam.refresh_from_db()
    report = report_of(exam)
    assert code not in report.weak
    assert code in report.strengths
    shown = next(
        one for area in report.areas for task in area.tasks for one in task.elements if one.code == code
    )
    assert MET_ALL in shown.disputed
    assert [(one["code"], one["verdict"], one["words"]) for one in report.judged_again] == [
        (code, "satisfactory", MET_ALL)
    ]
    assert Frame.objects.filter(exam=exam).last().payload["type"] == "finished"  # type: ignore[union-attr]


def test_the_same_words_in_another_open_exam_are_judged_again_and_others_not(
    demo: Demo, dispute: Dispute
) -> None:
    code = dispute.turn.element
    same, other = fail_first_element(demo.operator), fail_first_element(demo.reviewer)
    for exam in (same, other):  # the same item in each
        Turn.objects.filter(exam=exam, element=outcome_code(exam)).update(
            item=dispute.turn.item, element=code
        )
        Assessment.objects.filter(turn__exam=exam).update(element=code)
        decision = final_of(dispute).decision  # type: ignore[union-attr]
        Assessment.objects.filter(turn__exam=exam, final=True).update(decision=decision)
    for answer in other.answers.all():
        answer.text = "Something else."
        answer.save()
    assert overrule_verdict(dispute, demo.reviewer, met=met_all(dispute), resolution=MET_ALL) == 2
    verdicts = Assessment.objects.filter(final=True)
    assert verdicts.get(turn__exam=same).verdict == "satisfactory"
    assert verdicts.get(turn__exam=other).verdict == "unsatisfactory"


def same_item(dispute: Dispute, student: Any, said: str) -> Exam:
    """An open exam of the student in which the disputed item was answered in these words, and judged as there."""
    exam = fail_first_element(student)
    code = dispute.turn.element
    Turn.objects.filter(exam=exam, element=outcome_code(exam)).update(item=dispute.turn.item, element=code)
    planner = exam.read_planner()
    exam.planner = replace(
        planner, outcomes=tuple(replace(one, code=code) for one in planner.outcomes)
    ).to_dict()
    exam.save()
    decision = final_of(dispute).decision  # type: ignore[union-attr]
    Assessment.objects.filter(turn__exam=exam).update(element=code)
    Assessment.objects.filter(turn__exam=exam, final=True).update(decision=decision)
    exam.answers.update(text=said)
    return exam


@pytest.mark.long
def test_open_exams_judged_alike_in_other_words_are_listed_and_follow_where_they_are_ticked(
    demo: Demo, dispute: Dispute
) -> None:
    code, browser = dispute.turn.element, Client()
    ticked, left = (same_item(dispute, one, f"In words of {one}.") for one in (demo.operator, demo.reviewer))
    same = same_item(dispute, demo.operator, WRONG)
    browser.force_login(demo.reviewer)
    address = f"/admin/exams/dispute/{dispute.pk}/regrade/"
    assert "Relations <b>" in browser.get(address).content.decode()  # what waits by kind, as on other pages
    listed = {one.final.turn.exam_id: one for one, _ in browser.get(address).context["alike"]}
    assert listed.keys() == {ticked.pk, left.pk}  # the same words follow anyway
    assert listed[ticked.pk].said == (f"In words of {demo.operator}.",) * 2
    met = {f"met_{key}": value for key, value in met_all(dispute).items()}
    sent = {"decision": "overrule", **met, "also": [listed[ticked.pk].final.pk, "²", "9" * 30]}
    refused = browser.post(address, sent | {"resolution": ""}).content.decode()
    assert f'value="{listed[ticked.pk].final.pk}" checked' in refused
    assert refused.count(" checked>") == 1
    browser.post(address, sent | {"resolution": MET_ALL})
    verdicts = {exam.pk: outcome_of(exam, code) for exam in (dispute.exam, same, ticked, left)}
    assert verdicts == {
        dispute.exam.pk: "satisfactory",
        same.pk: "satisfactory",
        ticked.pk: "satisfactory",
        left.pk: "unsatisfactory",
    }
    told = Frame.objects.filter(exam=ticked, type="assessment").last()
    assert told is not None
    assert MET_ALL in told.payload["feedback"]


@pytest.mark.long
def test_a_ticked_exam_follows_only_in_the_points_that_were_judged_alike(
    demo: Demo, dispute: Dispute
) -> None:
    other = same_item(dispute, demo.operator, "Something else.")
    final = Assessment.objects.get(turn__exam=other, final=True)
    points = [point | {"met": "contradicted"} for point in final.decision["points"]]
    final.decision["points"] = [final.decision["points"][0], *points[1:]]
    final.save()
    also = [str(final.pk)]
    overrule_verdict(dispute, demo.reviewer, met=met_all(dispute), resolution=MET_ALL, also=also)
    now = Assessment.objects.get(turn__exam=other, final=True).decision["points"]
    assert [point["met"] for point in now] == ["met", *("contradicted" for _ in points[1:])]


def test_exams_that_the_reviewer_may_not_judge_are_not_listed_and_do_not_follow(
    demo: Demo, dispute: Dispute
) -> None:
    ended, elsewhere = (same_item(dispute, demo.operator, text) for text in ("One.", "Two."))
    session.end_exam(ended.pk)
    Exam.objects.filter(pk=elsewhere.pk).update(tenant=make_tenant())
    final = final_of(dispute)
    assert final is not None
    assert finals_judged_alike(final, demo.reviewer) == []
    finals = Assessment.objects.filter(turn__exam__in=[ended, elsewhere], final=True)
    also = [str(pk) for pk in finals.values_list("pk", flat=True)]
    met = met_all(dispute)
    assert overrule_verdict(dispute, demo.reviewer, met=met, resolution=MET_ALL, also=also) == 1


@pytest.mark.long
def test_a_dispute_keeps_who_decided_it(demo: Demo, dispute: Dispute) -> None:
    overrule_verdict(dispute, demo.reviewer, met=met_all(dispute), resolution=MET_ALL)
    dispute.refresh_from_db()
    assert dispute.reviewer == demo.reviewer
    browser = Client()
    browser.force_login(demo.reviewer)
    page = browser.get(f"/admin/exams/dispute/{dispute.pk}/regrade/").content.decode()
    assert f"decided by {demo.reviewer}" in page


@pytest.mark.long
def test_a_verdict_that_stands_keeps_who_let_it_stand(demo: Demo, dispute: Dispute) -> None:
    browser = Client()
    browser.force_login(demo.reviewer)
    address = f"/admin/exams/dispute/{dispute.pk}/change/"

    def save(**given: str) -> Any:
        seen = browser.get(address).context["adminform"].form.initial["seen"]
        browser.post(address, {"resolution": "It stands.", "seen": seen, **given})
        dispute.refresh_from_db()
        return dispute.reviewer

    assert save(resolved="on") == demo.reviewer
    assert str(demo.reviewer) in browser.get("/admin/exams/dispute/").content.decode()
    assert save() is None  # waits again
    recorded = CaseDecision.objects.count()
    assert save() is None
    assert CaseDecision.objects.count() == recorded  # nothing was changed


@pytest.mark.long
def test_the_list_leads_to_the_decision_and_shows_what_students_raised_first(
    demo: Demo, dispute: Dispute
) -> None:
    turn = Turn.objects.exclude(pk=dispute.turn_id).filter(exam=dispute.exam)[0]
    doubt = Dispute.objects.create(exam=dispute.exam, turn=turn, by_sample=True)
    browser = Client()
    browser.force_login(demo.reviewer)
    page = browser.get("/admin/exams/dispute/").content.decode()
    first, second = (page.index(f'href="/admin/exams/dispute/{one.pk}/regrade/"') for one in (dispute, doubt))
    assert first < second
    assert f"/admin/exams/dispute/{dispute.pk}/change/" not in page
    assert "The sample" in page  # as a filter
    page = browser.get("/admin/exams/dispute/?by_sample__exact=1").content.decode()
    assert (f"/{dispute.pk}/regrade/" in page, f"/{doubt.pk}/regrade/" in page) == (False, True)


@pytest.mark.long
def test_a_verdict_is_let_stand_on_the_page_of_its_dispute(demo: Demo, dispute: Dispute) -> None:
    code, browser = dispute.turn.element, Client()
    browser.force_login(demo.reviewer)
    address = f"/admin/exams/dispute/{dispute.pk}/regrade/"
    page = browser.get(address).content.decode()
    for decision in ("uphold", "overrule", "withdraw"):
        assert f'name="decision" value="{decision}"' in page
    refused = browser.post(address, {"decision": "uphold", "resolution": " "})
    assert refused.status_code == 400
    assert "why the verdict stands. The student reads it." in refused.content.decode()
    told = browser.post(address, {"decision": "uphold", "resolution": "The limit is missing."}, follow=True)
    assert "Decided: the verdict stands." in told.content.decode()
    dispute.refresh_from_db()
    assert (dispute.resolved, dispute.reviewer) == (True, demo.reviewer)
    assert outcome_of(dispute.exam, code) == "unsatisfactory"
    assert CaseDecision.objects.get(kind="dispute").decision == "uphold"
    again = browser.post(address, {"decision": "uphold", "resolution": "Still."})
    assert "Somebody decided on this dispute meanwhile" in again.content.decode()


@pytest.mark.long
def test_a_doubt_of_the_sample_is_let_stand_without_a_word_and_without_a_final_verdict(
    demo: Demo, dispute: Dispute
) -> None:
    Dispute.objects.filter(pk=dispute.pk).update(by_sample=True)
    Assessment.objects.filter(turn__exam=dispute.exam).update(final=False)
    session.end_exam(dispute.exam_id)
    browser = Client()
    browser.force_login(demo.reviewer)
    address = f"/admin/exams/dispute/{dispute.pk}/regrade/"
    page = browser.get(address).content.decode()
    assert 'value="uphold"' in page
    assert 'value="overrule"' not in page
    assert browser.post(address, {"decision": "uphold"}).status_code == 302
    dispute.refresh_from_db()
    assert dispute.resolved


@pytest.mark.long
def test_decisions_on_disputes_are_in_the_chain_of_decisions(demo: Demo, dispute: Dispute) -> None:
    browser = Client()
    browser.force_login(demo.reviewer)
    address = f"/admin/exams/dispute/{dispute.pk}/change/"
    for given in ({"resolution": "It stands.", "resolved": "on"}, {"resolution": "It stands."}):
        seen = browser.get(address).context["adminform"].form.initial["seen"]
        browser.post(address, {"seen": seen, **given})
    dispute.refresh_from_db()
    met = met_all(dispute)
    overrule_verdict(dispute, demo.reviewer, met=met, resolution=MET_ALL)
    rows = CaseDecision.objects.filter(kind="dispute", row=str(dispute.pk)).order_by("number")
    assert [one.decision for one in rows] == ["uphold", "reopen", "overrule"]
    assert rows[2].after["met"] == met
    assert rows[2].after["reason"] == MET_ALL
    assert rows[2].reviewer == demo.reviewer
    assert WRONG not in str([one.content for one in rows])  # no word of the student's
    assert not verify_chains().broken


# --- items ----------------------------------------------------------------------------------------------------


@pytest.fixture
def school_dispute(dispute: Dispute) -> tuple[Dispute, Any]:
    """The same dispute in an exam of a school, and the school's reviewer."""
    school = make_tenant()
    Exam.objects.filter(pk=dispute.exam_id).update(tenant=school)
    person = make_user("of the school", None)
    Membership.objects.create(user=person, tenant=school, role=Role.REVIEWER)
    return Dispute.objects.select_related("turn", "exam").get(pk=dispute.pk), person


ITEMS = "/admin/exams/dispute/items/"


@pytest.mark.long
def test_a_school_reports_an_item_of_the_shared_library_and_is_answered(
    demo: Demo, school_dispute: tuple[Dispute, Any]
) -> None:
    dispute, person = school_dispute
    school, house = Client(), Client()
    school.force_login(person)
    house.force_login(demo.reviewer)
    address = f"/admin/exams/dispute/{dispute.pk}/regrade/"
    page = school.get(address).content.decode()
    assert 'value="withdraw"' not in page
    assert "Say in a sentence" in school.post(address, {"decision": "report"}).content.decode()
    words = "It asks for what Part 61 no longer says."
    sent = {"decision": "report", "resolution": words}
    page = school.post(address, sent, follow=True).content.decode()
    assert "Not answered yet." in page
    assert "has reported this item before" in school.post(address, sent).content.decode()
    (report,) = ItemReport.objects.all()
    assert school.get(ITEMS).context["waiting"].count() == 0  # its own, which the house answers
    answer = {"report": report.pk, "decision": "withdraw", "answer": "Part 61 changed in May."}
    assert school.post(ITEMS, answer).status_code == 400
    board = "/admin/curation/claim/items/"
    assert "Reported by schools (1)" in house.get(board).content.decode()
    assert "Reported by schools" not in school.get(board).content.decode()
    assert words in house.get(ITEMS).content.decode()
    open_one = same_item(dispute, demo.operator, "In other words.")
    assert "Say in a sentence" in house.post(ITEMS, answer | {"answer": " "}).content.decode()
    assert "1 open exam graded again" in house.post(ITEMS, answer, follow=True).content.decode()
    assert "answered this report meanwhile" in house.post(ITEMS, answer).content.decode()
    assert Item.objects.get(key=dispute.turn.item).withdrawn
    assert outcome_of(open_one, dispute.turn.element) == "none"
    assert outcome_of(dispute.exam, dispute.turn.element) == "unsatisfactory"  # the school's own to decide
    assert "Part 61 changed in May." in school.get(ITEMS).content.decode()
    assert CaseDecision.objects.get(kind="item").decision == "withdraw"
    stranger = make_user("elsewhere", None)
    Membership.objects.create(user=stranger, tenant=make_tenant("another"), role=Role.REVIEWER)
    elsewhere = Client()
    elsewhere.force_login(stranger)
    assert words not in elsewhere.get(ITEMS).content.decode()


@pytest.mark.long
def test_a_report_may_be_answered_by_keeping_the_item(
    demo: Demo, school_dispute: tuple[Dispute, Any]
) -> None:
    dispute, person = school_dispute
    report = report_item(dispute, person, "It is hard.")
    assert answer_report(report.pk, demo.reviewer, withdraw=False, answer="Hard, and right.") == 0
    assert not Item.objects.get(key=dispute.turn.item).withdrawn
    assert report_item(dispute, person, "It is still hard.").pk != report.pk
    with pytest.raises(CannotRegrade, match="no item of the shared library"):
        report_item(Dispute(exam=dispute.exam, turn=Turn(item="")), person, "None.")


@pytest.mark.long
def test_a_withdrawn_item_is_asked_again_by_one_decision(demo: Demo, dispute: Dispute) -> None:
    withdraw_item(dispute, demo.reviewer, resolution="It asks two things.")
    item = Item.objects.get(key=dispute.turn.item)
    gone = Item.objects.exclude(pk=item.pk).filter(tenant=None)[0]
    Item.objects.filter(pk=gone.pk).update(withdrawn=True, withdrawn_reason=GONE)
    browser = Client()
    browser.force_login(demo.reviewer)
    page = browser.get(ITEMS)
    assert [one.pk for one in page.context["withdrawn"]] == [item.pk]
    assert "It asks two things." in page.content.decode()
    sent = {"decision": "restore", "item": item.pk}
    assert f"Asked again: {item.key}" in browser.post(ITEMS, sent, follow=True).content.decode()
    item.refresh_from_db()
    assert (item.withdrawn, item.withdrawn_reason) == (False, "")
    for wrong in (sent, {"decision": "restore", "item": gone.pk}, {"decision": "restore"}):
        assert "cannot be taken back here" in browser.post(ITEMS, wrong).content.decode()
    assert "Choose what to do" in browser.post(ITEMS, {"item": "x"}).content.decode()
    assert [one.decision for one in CaseDecision.objects.filter(kind="item")] == ["restore", "withdraw"]


@pytest.mark.long
@pytest.mark.parametrize(("withdraw", "decision"), [(True, "withdraw"), (False, "uphold")])
def test_a_report_on_an_item_that_was_withdrawn_meanwhile_changes_no_exam_again(
    demo: Demo, school_dispute: tuple[Dispute, Any], withdraw: bool, decision: str
) -> None:
    dispute, person = school_dispute
    report = report_item(dispute, person, "It is hard.")
    open_one = same_item(dispute, demo.operator, "In other words.")
    own = dispute_first(open_one)
    withdraw_item(own, demo.reviewer, resolution="It asks two things.")
    judged = Assessment.objects.filter(turn__exam=open_one).count()
    assert answer_report(report.pk, demo.reviewer, withdraw=withdraw, answer="It is withdrawn.") == 0
    assert Assessment.objects.filter(turn__exam=open_one).count() == judged
    item = Item.objects.get(key=dispute.turn.item)
    assert (item.withdrawn, item.withdrawn_reason) == (True, "It asks two things.")
    last, first = CaseDecision.objects.filter(kind="item", tenant=None)
    assert (first.decision, last.decision) == ("withdraw", decision)
    assert (first.before["withdrawn"], first.after["withdrawn"], last.after["withdrawn"]) == (
        False,
        True,
        True,
    )


def outcome_code(exam: Exam) -> str:
    return exam.read_planner().outcomes[0].code


def test_a_bad_item_is_asked_no_more_and_counts_for_nothing(demo: Demo, dispute: Dispute) -> None:
    exam, code = dispute.exam, dispute.turn.element
    assert withdraw_item(dispute, demo.reviewer, resolution="The question has two right answers.") == 1
    item = Item.objects.get(key=dispute.turn.item)
    assert (item.withdrawn, item.withdrawn_reason) == (True, "The question has two right answers.")
    assert outcome_of(exam, code) == "none"
    session.end_exam(exam.pk)
    exam.refresh_from_db()
    report = report_of(exam)
    assert code not in report.weak
    assert [(one["code"], one["words"]) for one in report.judged_again] == [
        (code, "The question has two right answers.")
    ]
    client = Client()
    client.force_login(demo.student)
    assert "two right answers" in client.get(f"/exams/{exam.pk}/report/").content.decode()
    assert "judged again by a reviewer" in client.get("/exams/").content.decode()
    assert not Mastery.objects.filter(student=demo.student, element=code).exists()


def test_what_cannot_be_decided_says_why_and_changes_nothing(demo: Demo, dispute: Dispute) -> None:
    with pytest.raises(CannotRegrade, match="at least one point"):
        overrule_verdict(dispute, demo.reviewer, met={}, resolution=MET_ALL)
    with pytest.raises(CannotRegrade, match="in a sentence"):
        overrule_verdict(dispute, demo.reviewer, met=met_all(dispute), resolution=" ")
    met = met_all(dispute)
    overrule_verdict(dispute, demo.reviewer, met=met, resolution=MET_ALL)
    again = dict.fromkeys(met, "missing")
    with pytest.raises(CannotRegrade, match="Somebody decided"):
        overrule_verdict(dispute, demo.reviewer, met=again, resolution="No.")  # type: ignore[arg-type]
    assert outcome_of(dispute.exam, dispute.turn.element) == "satisfactory"


@pytest.mark.long
def test_the_page_shows_the_exchange_and_decides(demo: Demo, dispute: Dispute) -> None:
    browser = Client()
    browser.force_login(demo.reviewer)
    address = f"/admin/exams/dispute/{dispute.pk}/regrade/"
    page = browser.get(address).content.decode()
    assert WRONG in page
    assert "I said it!" in page
    answer = browser.post(address, {"decision": "overrule", "resolution": ""})
    assert answer.status_code == 400
    met = {f"met_{key}": value for key, value in met_all(dispute).items()}
    answer = browser.post(address, {"decision": "overrule", "resolution": MET_ALL, **met})
    assert answer.status_code == 302
    assert outcome_of(dispute.exam, dispute.turn.element) == "satisfactory"
    assert "This dispute is decided" in browser.get(address).content.decode()
    student = Client()
    student.force_login(demo.student)
    assert student.get(address).status_code in (302, 403)
    assert browser.get("/admin/exams/dispute/99999999/regrade/").status_code == 404
