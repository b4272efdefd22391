"""A question that was made ready is used as long as all that it is made from is as it was, and only then."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from uuid import uuid4

import pytest
from prometheus_client import REGISTRY

from exams.exchange import executors, prefetch, session
from exams.models import Exam, Turn
from knowledge.documents.lifecycle import archive_document
from knowledge.library_version import library_changed
from knowledge.models import Document
from knowledge.models.graph import Concept, ConceptCategory, ValidationStatus
from llm import registry
from llm.errors import Unreachable
from tests.doubles.demo_library import Demo
from tests.doubles.exam_records import records_of
from tests.doubles.models import Counted, Wire, wire
from tests.doubles.rooms import Enter, answer_and_settle, do, new_exam, opened, right_answer

__all__ = ["wire"]
AtMost = Callable[[int], AbstractContextManager[Any]]
WITH_A_PREPARED_QUESTION = (
    18  # with the two savepoints of a test, the model in use, the flags and what is cited; about 30 without
)


@pytest.fixture
def exam(demo: Demo) -> Exam:
    return opened(new_exam(demo.student))


@pytest.mark.django_db
def test_it_is_found_again(exam: Exam, django_assert_max_num_queries: AtMost) -> None:
    prefetch.prepare_next(exam.pk)
    work = session.take_answer(exam.pk, exam.epoch, "a1", right_answer(exam)).work
    with django_assert_max_num_queries(WITH_A_PREPARED_QUESTION):
        do(work)
    assert Turn.objects.filter(exam=exam).count() == 2


@pytest.mark.long
@pytest.mark.django_db
def test_preparing_writes_nothing_to_the_exam(exam: Exam) -> None:
    before = records_of(exam.student)
    prefetch.prepare_next(exam.pk)
    prefetch.prepare_next(exam.pk)
    assert records_of(exam.student) == before


@pytest.mark.django_db
def test_what_was_withdrawn_meanwhile_is_not_asked(exam: Exam) -> None:
    prefetch.prepare_next(exam.pk)
    said = right_answer(exam)
    for document in Document.objects.all():
        archive_document(document)
    answer_and_settle(exam, said, "a1")
    assert Turn.objects.filter(exam=exam).count() == 1


@pytest.mark.long
@pytest.mark.django_db
def test_nor_is_a_claim_that_was_rejected(exam: Exam) -> None:
    prefetch.prepare_next(exam.pk)
    said = right_answer(exam)
    Concept.objects.filter(category=ConceptCategory.REGULATORY_CLAIM).update(
        validation_status=ValidationStatus.REJECTED
    )
    library_changed(None)  # as a reviewer's decision does
    answer_and_settle(exam, said, "a1")
    evidence = Turn.objects.filter(exam=exam, number=2).values_list("provenance", flat=True)
    assert not any("claim" in version for one in evidence for version in one["evidence"].values())


@pytest.mark.django_db
def test_a_stand_in_for_the_model_is_not_kept(exam: Exam, wire: Wire) -> None:
    answer_and_settle(
        exam, "I do not know.", "a1"
    )  # after the probe the next opening is certain, and worth its price
    wire(examiner=Counted(registry.chat_model("examiner"), external=True, fails=Unreachable("away")))
    prefetch.prepare_next(exam.pk)
    wire()
    answer_and_settle(exam, "I do not know.", "a2")
    assert "because" not in Turn.objects.get(exam=exam, number=3).provenance


@pytest.mark.long
@pytest.mark.django_db
def test_a_vendor_is_not_asked_ahead_for_what_may_not_be_wanted(exam: Exam, wire: Wire) -> None:
    examiner = Counted(registry.chat_model("examiner"), external=True)
    wire(examiner=examiner)
    prefetch.prepare_next(exam.pk)
    assert examiner.calls == 0  # a probe may come first


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize(("external", "calls"), [(False, 1), (True, 0)])
def test_an_assessor_of_this_machine_rehearses_once(
    exam: Exam, wire: Wire, external: bool, calls: int
) -> None:
    assessor = Counted(registry.chat_model("assessor"), external=external)
    wire(assessor=assessor)
    prefetch.prepare_next(exam.pk)
    prefetch.prepare_next(exam.pk)
    assert assessor.calls == calls


@pytest.mark.long
@pytest.mark.django_db
def test_a_rehearsal_that_fails_hinders_nothing(exam: Exam, wire: Wire) -> None:
    wire(assessor=Counted(registry.chat_model("assessor"), fails=Unreachable("away")))
    prefetch.prepare_next(exam.pk)
    wire()
    answer_and_settle(exam, right_answer(exam), "a1")
    assert Turn.objects.filter(exam=exam).count() == 2


@pytest.mark.long
@pytest.mark.django_db
def test_there_is_nothing_to_prepare_for_an_exam_that_is_over_or_being_assessed(
    exam: Exam, wire: Wire
) -> None:
    examiner = Counted(registry.chat_model("examiner"))
    wire(examiner=examiner)
    prefetch.prepare_next(uuid4())
    session.take_answer(exam.pk, exam.epoch, "a1", "Something.")
    prefetch.prepare_next(exam.pk)
    session.end_exam(exam.pk)
    prefetch.prepare_next(exam.pk)
    assert examiner.calls == 0


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_room_prepares_while_the_student_reads(demo: Demo, enter: Enter) -> None:
    exam = new_exam(demo.student)
    room = enter(exam, demo.student)
    room.hear("question")
    assert room.is_quiet()
    executors.finish_all()
    before = ahead()
    answer_and_settle(Exam.objects.get(pk=exam.pk), right_answer(exam), "a1")
    assert ahead() == before + 1
    assert room.hear("question")["turn"] == 2


def ahead() -> float:
    """How many opening questions were there when they were wanted."""
    return float(REGISTRY.get_sample_value("heydpe_openings_total", {"made": "ahead"}) or 0)


@pytest.mark.django_db(transaction=True)
def test_a_preparation_that_fails_costs_nothing(demo: Demo, enter: Enter, wire: Wire) -> None:
    exam = opened(new_exam(demo.student))
    broken = Counted(registry.chat_model("assessor"), fails=RuntimeError("a fault of ours"))
    wire(assessor=broken)
    room = enter(exam, demo.student)
    room.hear("question")
    assert room.is_quiet()
    executors.finish_all()
    assert broken.calls == 1
    wire()
    assert room.answer(right_answer(exam), "a1")["verdict"] == "satisfactory"
    assert room.hear("question")["turn"] == 2
