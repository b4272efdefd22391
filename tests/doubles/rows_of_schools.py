"""One row of every page of the admin for each of two schools and for the shared library, made once; tests read them.

`PAGES` names every page: how its row is made, and who sees it there.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, User
from django.contrib.messages.storage.fallback import FallbackStorage
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model
from django.http import Http404
from django.test import RequestFactory
from django.urls import resolve, reverse
from pytest_django import DjangoDbBlocker
from waffle.models import Flag

from curation.models import CaseDecision, Claim, DecisionKind, GraphDecision, ParkedGroup, ReviewDecision
from exams.domain.planner import start_oral
from exams.domain.scope import Scope
from exams.models import Answer, Assessment, DecidedDispute, Dispute, Exam, Rating, Turn
from knowledge.access.people import memberships_read_once
from knowledge.models import (
    Abbreviation,
    AcsArea,
    AcsElement,
    AcsTask,
    Artifact,
    Chunk,
    ConceptRelation,
    Document,
    Image,
    IngestionJob,
    Item,
    Note,
    RetrievalLog,
    Standard,
    Tenant,
)
from knowledge.models.tenancy import Role
from rules.models import RuleAnswer, RuleAnswerChange, RuleQuestion
from tests.doubles.library import join, make_chunk, make_document, make_figure, make_node
from tests.doubles.schools import Schools, make_schools

STAFF = (Role.OPERATOR, Role.REVIEWER)
AUTHORS = (*STAFF, Role.INSTRUCTOR)


@dataclass(frozen=True)
class Page:
    """How a school's row is made (None where there is none), which roles see it there, and whether all staff see those
    of the shared library. Without roles only a superuser sees a row."""

    make: Callable[[Tenant | None], Model | None]
    roles: tuple[Role, ...] = STAFF
    shared: bool = False


def name_of(school: Tenant | None) -> str:
    return f"row of {school.slug if school else 'the shared library'}"


def document(school: Tenant | None, **fields: Any) -> Document:
    return make_document(name_of(school), tenant=school, doc_type="sop", **fields)


def chunk(school: Tenant | None) -> Chunk:
    found = Document.objects.filter(tenant=school, title=name_of(school)).first()
    return make_chunk(name_of(school), found or document(school), embed=False)


def claim(school: Tenant | None, name: str = "claim") -> Claim:
    node = make_node(f"{name} {name_of(school)}", tenant=school)
    return Claim.objects.get(pk=node.pk)


def decision(school: Tenant | None) -> ReviewDecision:
    reviewer = get_user_model().objects.get(username="superuser")
    return ReviewDecision.objects.create(
        claim=claim(school, "decided"),
        reviewer=reviewer,
        decision=DecisionKind.EDIT,
        version_read=1,
        before={"version": 1},
        after={"version": 2},
    )


def graph_decision(school: Tenant | None) -> GraphDecision:
    reviewer = get_user_model().objects.get(username="superuser")
    return GraphDecision.objects.create(
        tenant=school,
        concept=claim(school, "joined"),
        reviewer=reviewer,
        decision=DecisionKind.APPROVE,
        version_read=1,
        before={},
        after={},
    )


def case_decision(school: Tenant | None) -> CaseDecision:
    reviewer = get_user_model().objects.get(username="superuser")
    return CaseDecision.objects.create(
        tenant=school, kind="dispute", row="1", reviewer=reviewer, decision="uphold", before={}, after={}
    )


def parked_group(school: Tenant | None) -> ParkedGroup:
    reviewer = get_user_model().objects.get(username="superuser")
    return ParkedGroup.objects.create(tenant=school, source=name_of(school), reviewer=reviewer)


def exam(school: Tenant | None) -> Exam:
    name = f"student-of-{school.slug}" if school else "stranger"
    student = get_user_model().objects.get(username=name)
    scope = {
        "certificate": "private",
        "aircraft_class": "ASEL",
        "mode": "full",
        "questions": 1,
        "tasks": [],
        "all_tasks": [],
    }
    return Exam.objects.create(
        student=student,
        tenant=school,
        certificate="private",
        standard="x",
        scope=scope,
        planner=start_oral(Scope.from_dict(scope), "coach").to_dict(),
        status="ended",
    )


def turn(school: Tenant | None) -> Turn:
    return Turn.objects.create(
        exam=exam(school), number=1, element="PA.I.A.K1", task="PA.I.A", kind="knowledge", text="?"
    )


def assessment(school: Tenant | None) -> Assessment:
    asked = turn(school)
    answer = Answer.objects.create(exam=asked.exam, turn=asked, client_id="1", text="yes")
    return Assessment.objects.create(answer=answer, turn=asked, element=asked.element, verdict="satisfactory")


def dispute(school: Tenant | None) -> Dispute:
    asked = turn(school)
    return Dispute.objects.create(exam=asked.exam, turn=asked, note="why?")


def question(school: Tenant | None) -> RuleQuestion:
    return RuleQuestion.objects.get_or_create(
        tenant=school, key=name_of(school), defaults={"text": name_of(school), "category": "Fuel"}
    )[0]


def item(school: Tenant | None) -> Item:
    return Item.objects.create(
        tenant=school,
        key="pa.i.a.k1.x",
        task="PA.I.A",
        elements=["PA.I.A.K1"],
        stem=name_of(school),
        again="?",
        why=".",
    )


def job(school: Tenant | None) -> IngestionJob:
    return IngestionJob.objects.create(tenant=school, source_name=name_of(school), content_hash="0" * 64)


def relation(school: Tenant | None) -> ConceptRelation:
    return join(claim(school, "source"), "requires_knowledge_of", claim(school, "target"))


def person_of(school: Tenant | None) -> User:
    name = f"student-of-{school.slug}" if school else "stranger"
    return User.objects.get(username=name)


def standard(school: Tenant | None) -> Standard | None:
    given = {"certificate": "private", "title": "X", "edition_date": date(2026, 1, 1), "current": True}
    return None if school else Standard.objects.get_or_create(number="X", defaults=given)[0]


def element(school: Tenant | None) -> AcsElement | None:
    published = standard(school)
    if published is None:
        return None
    area = AcsArea.objects.create(standard=published, numeral="I", title="X", order=1)
    task = AcsTask.objects.create(area=area, code="PA.I.A", letter="A", title="X")
    return AcsElement.objects.create(task=task, code="PA.I.A.K1", kind="knowledge", text="X", edition="1")


PAGES: dict[type[Model], Page] = {
    Document: Page(document, shared=True),
    Chunk: Page(chunk, shared=True),
    Image: Page(lambda school: make_figure(chunk(school), name_of(school), "caption"), shared=True),
    IngestionJob: Page(job, (Role.OPERATOR,)),
    ConceptRelation: Page(relation, shared=True),
    Note: Page(
        lambda school: Note.objects.create(tenant=school, role="examiner", text="Be kind."),
        (Role.OPERATOR,),
        shared=True,
    ),
    Abbreviation: Page(
        lambda school: Abbreviation.objects.create(tenant=school, short="XYZ", long="x y z"),
        (Role.OPERATOR,),
        shared=True,
    ),
    RetrievalLog: Page(lambda school: RetrievalLog.objects.create(tenant=school, query="q", latency_ms=1)),
    Claim: Page(claim, (Role.REVIEWER,)),
    ReviewDecision: Page(decision, (Role.REVIEWER,)),
    GraphDecision: Page(graph_decision, (Role.REVIEWER,)),
    CaseDecision: Page(case_decision, (Role.REVIEWER,)),
    ParkedGroup: Page(parked_group, (Role.REVIEWER,)),
    Exam: Page(exam),
    Assessment: Page(assessment),
    Rating: Page(lambda school: Rating.objects.create(turn=turn(school), fair=True)),
    DecidedDispute: Page(
        lambda school: DecidedDispute.objects.create(tenant=school, element="PA.I.A.K1", question="?"),
        (Role.REVIEWER,),
    ),
    Dispute: Page(dispute, (Role.REVIEWER,)),
    RuleAnswer: Page(
        lambda school: RuleAnswer.objects.create(question=question(school), country="FR", text="Yes."),
        (Role.OPERATOR,),
    ),
    Item: Page(item, AUTHORS, shared=True),
    Artifact: Page(
        lambda school: Artifact.objects.create(
            tenant=school, key="sheet", kind="papers", title="Sheet", text="x"
        ),
        AUTHORS,
        shared=True,
    ),
    RuleQuestion: Page(question, (Role.OPERATOR,)),
    RuleAnswerChange: Page(
        lambda school: RuleAnswerChange.objects.create(
            tenant=school, question_key=name_of(school), country="FR", kind="added", text="Yes."
        ),
        (Role.OPERATOR,),
    ),
    # A school is a row of its own; the FAA's standards and the flags belong to no school.
    Tenant: Page(lambda school: school),
    Standard: Page(standard, shared=True),
    AcsElement: Page(element, shared=True),
    Flag: Page(lambda school: None if school else Flag.objects.first(), (Role.OPERATOR,)),
    # Accounts show the people of every school.
    User: Page(person_of, ()),
    Group: Page(lambda school: Group.objects.create(name=name_of(school)), ()),
}


def address_of(model: type[Model], what: str, *args: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{what}", args=args)


def content_of(page: Any) -> str:
    """What a page says beside the visitor's own schools in its header; a lazy one is rendered now."""
    with memberships_read_once():
        content = page.render().content if hasattr(page, "render") else getattr(page, "content", b"")
    return re.sub(r'<select id="school".*?</select>', "", content.decode(), flags=re.DOTALL)


@dataclass(frozen=True)
class House:
    schools: Schools
    rows: dict[type[Model], dict[Tenant | None, Model]]

    def open_page(self, visitor: str, address: str) -> Any:
        """The page, not yet rendered; None if it is refused. Django sends whoever asks for a row that is not there to
        the admin's first page."""
        request = RequestFactory().get(address)
        request.user, request.session = self.schools.people[visitor], {}  # type: ignore[assignment]
        request._messages = FallbackStorage(request)  # type: ignore[attr-defined]
        view, args, named = resolve(request.path_info)
        try:
            with memberships_read_once():
                answer = view(request, *args, **named)
        except (PermissionDenied, Http404):
            return None
        if answer.status_code == 302 and "/queue/" in answer["Location"]:
            return self.open_page(visitor, answer["Location"])
        assert answer.status_code in (200, 302), address
        return answer if answer.status_code == 200 else None

    def listed(self, visitor: str, model: type[Model]) -> set[Any]:
        answer = self.open_page(visitor, address_of(model, "changelist"))
        return {row.pk for row in answer.context_data["cl"].result_list} if answer else set()

    def opens(self, visitor: str, row: Model) -> bool:
        return self.open_page(visitor, address_of(type(row), "change", row.pk)) is not None


@pytest.fixture(scope="module")
def house(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[House]:
    with django_db_blocker.unblock(), transaction.atomic():
        schools = make_schools()
        for school in (schools.first, schools.second):
            school.name = f"{name_of(school)}, a school"
            school.save()
        owners = (schools.first, schools.second, None)
        made = {model: {owner: page.make(owner) for owner in owners} for model, page in PAGES.items()}
        rows = {model: {owner: row for owner, row in of.items() if row} for model, of in made.items()}
        yield House(schools, rows)
        transaction.set_rollback(True)
