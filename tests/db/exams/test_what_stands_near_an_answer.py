"""An answer that falls short is looked up with its element and question, and what stands near to it is quoted."""

from typing import Any

import pytest

from exams.exchange.prefetch import prepare_next
from exams.models import Assessment, Exam, Frame, Turn
from knowledge.library_version import library_changed
from knowledge.models import AcsElement, Chunk, Document, RetrievalLog, Tenant
from llm import registry
from tests.doubles.demo_library import Demo
from tests.doubles.library import make_tenant
from tests.doubles.models import Wire, wire
from tests.doubles.rooms import Enter, answer_and_settle, new_exam, opened, right_answer
from tests.doubles.vendor_orals import Vendors, anthropic_at, judges
from tests.doubles.vendors import EMPTY, VendorServer

__all__ = ["wire"]
pytestmark = pytest.mark.django_db
WRONG = "You need 3 statute miles visibility and 500 feet below the clouds there."
HOLDS = "3 statute miles of flight visibility"
ABOUT: dict[str, Any] = {
    "mode": "drill",
    "codes": ["PA.I.A.K1"],
    "questions": 1,
}  # near to it, and not about it


@pytest.fixture
def exam(demo: Demo) -> Exam:
    return opened(new_exam(demo.student, **ABOUT))


def failed(exam: Exam, text: str = WRONG) -> Assessment:
    """The final verdict on an answer that was given twice, the second time to the probe."""
    for name in ("a1", "a2"):
        answer_and_settle(exam, text, name)
    return Assessment.objects.get(final=True)


def answer_look_ups() -> list[RetrievalLog]:
    return list(RetrievalLog.objects.filter(kind="answer").order_by("id"))


def test_the_student_reads_where_the_words_belong(exam: Exam) -> None:
    found = failed(exam)
    (near,) = found.near
    assert HOLDS in near["quote"]
    assert near["quote"] in " ".join(Chunk.objects.get(pk=near["chunk_id"]).text.split())
    assert near["n"] == max(one["n"] for one in found.citations) + 1
    assert f"“{near['quote']}”" in found.feedback
    shown = Frame.objects.get(exam=exam, payload__type="assessment", payload__final=True).payload
    assert shown["near"] == [near]


def test_the_verdict_and_its_points_do_not_rest_on_it(exam: Exam) -> None:
    found = failed(exam)
    turn = Turn.objects.get(exam=exam, number=2)
    assert found.verdict == "unsatisfactory"
    assert found.citations == turn.citations
    assert turn.expectations == Turn.objects.get(exam=exam, number=1).expectations
    cited = {n for point in found.points for n in point["citations"]}
    assert found.near[0]["n"] not in cited


@pytest.mark.long
def test_the_look_up_carries_all_of_it_and_is_logged(exam: Exam) -> None:
    found = failed(exam)
    (row,) = answer_look_ups()
    assert (row.exam, row.element, row.tier) == (exam.pk, found.element, "full")
    assert row.query == Turn.objects.get(exam=exam, number=2).text
    assert row.cited == [one["chunk_id"] for one in found.near]


@pytest.mark.long
def test_before_the_verdict_is_final_nothing_is_looked_up_or_shown(exam: Exam) -> None:
    answer_and_settle(exam, WRONG, "a1")
    assert not answer_look_ups()
    assert Assessment.objects.get().near == []


@pytest.mark.long
def test_neither_is_a_right_answer_or_one_that_says_nothing(demo: Demo) -> None:
    exam = opened(new_exam(demo.student))
    answer_and_settle(exam, right_answer(exam), "a1")
    assert Assessment.objects.get().verdict == "satisfactory"
    failed_before = Assessment.objects.count()
    for name in ("b1", "b2"):
        answer_and_settle(exam, "I do not know.", name)
    assert Assessment.objects.count() == failed_before + 2
    assert not answer_look_ups()


@pytest.mark.long
def test_the_vectors_of_the_question_are_made_while_the_student_reads(exam: Exam, wire: Wire) -> None:
    asked: list[str] = []

    class Listening:
        def __init__(self, inner: Any) -> None:
            self.inner = inner

        def __getattr__(self, name: str) -> Any:
            return getattr(self.inner, name)

        def embed_query(self, text: str) -> list[float]:
            asked.append(text)
            return list(self.inner.embed_query(text))

    usual, listening = registry.chat_model(registry.ANY_ROLE), Listening(registry.embedding_model())
    registry.configure_models(chat=lambda: usual, embedding=lambda: listening)
    answer_and_settle(exam, WRONG, "a1")
    prepare_next(exam.pk)
    questions = [f"{one}?" for one in Turn.objects.get(exam=exam, number=2).text.rstrip("?").split("? ")]
    assert all(any(one in text for text in asked) for one in questions)
    asked.clear()
    answer_and_settle(exam, WRONG, "a2")
    assert asked
    assert not any(one in text for one in questions for text in asked)


@pytest.mark.long
def test_a_look_up_that_fails_costs_no_verdict(exam: Exam) -> None:
    answer_and_settle(exam, WRONG, "a1")
    AcsElement.objects.filter(code=Turn.objects.filter(exam=exam)[0].element).update(code="PA.GONE.K1")
    answer_and_settle(exam, WRONG, "a2")
    found = Assessment.objects.get(final=True)
    assert (found.verdict, found.near) == ("unsatisfactory", [])


def test_another_schools_passages_are_not_near(exam: Exam) -> None:
    other: Tenant = make_tenant()
    Document.objects.filter(pk__in=Chunk.objects.filter(text__contains=HOLDS).values("document")).update(
        tenant=other
    )
    library_changed(None)
    library_changed(other.pk)
    assert failed(exam).near == []


@pytest.mark.long
def test_the_report_shows_it(exam: Exam, client: Any) -> None:
    near = failed(exam).near[0]
    client.force_login(exam.student)
    page = client.get(f"/exams/{exam.pk}/report/").content.decode()
    assert "Close to your words" in page
    assert near["label"] in page


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_vendors_assessor_reads_what_was_found(demo: Demo, enter: Enter, wire: Wire) -> None:
    with VendorServer(EMPTY) as examiner, VendorServer(EMPTY) as assessor:
        wire(examiner=anthropic_at(examiner), assessor=anthropic_at(assessor))
        vendors = Vendors(examiner, assessor)
        exam = new_exam(demo.student, **ABOUT)
        room = enter(exam, demo.student)
        room.hear("question")
        vendors.will_judge(judges(exam, WRONG, "missing"))
        assert room.answer(WRONG, "a1")["near"] == []
        room.hear("question")
        vendors.will_judge(judges(exam, WRONG, "contradicted"))
        assert HOLDS in room.answer(WRONG, "a2")["near"][0]["quote"]
    for request in assessor.received:
        said = str(request.body)
        assert said.index("Passages that stand near") < said.rindex(HOLDS)
    assert len(answer_look_ups()) == 2
