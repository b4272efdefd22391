"""Every page of the admin shows a person the rows of the schools in which that person holds the role, and no others.

The table below names every page: one that is registered and not placed here fails.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, User
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from rest_framework.authtoken.models import TokenProxy
from waffle.models import Flag

from curation.models import Claim, DecisionKind, ParkedGroup, ReviewDecision
from exams.models import Answer, Assessment, DecidedDispute, Dispute, Exam, Rating, Turn
from knowledge.models import (
    Abbreviation,
    AcsElement,
    Artifact,
    Chunk,
    ConceptRelation,
    Document,
    Image,
    IngestionJob,
    Item,
    Membership,
    Note,
    RetrievalLog,
    Standard,
    Tenant,
)
from knowledge.models.tenancy import Role
from rules.models import RuleAnswer, RuleAnswerChange, RuleQuestion
from tests.doubles.library import join, make_chunk, make_document, make_figure, make_node
from tests.doubles.schools import Schools

VISITORS = (
    "operator-of-first",
    "reviewer-of-first",
    "operator-of-second",
    "both",
    "reviewer-and-student",
    "operator-of-shared",
    "stranger",
    "superuser",
)
STAFF = (Role.OPERATOR, Role.REVIEWER)


@dataclass(frozen=True)
class Page:
    """How a school's row is made, which roles see it there, and whether all staff see those of the shared library."""

    make: Callable[[Tenant | None], Model]
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
        before={},
        after={},
    )


def parked_group(school: Tenant | None) -> ParkedGroup:
    reviewer = get_user_model().objects.get(username="superuser")
    return ParkedGroup.objects.create(tenant=school, source=name_of(school), reviewer=reviewer)


def exam(school: Tenant | None) -> Exam:
    student = get_user_model().objects.get(username="stranger")
    return Exam.objects.create(student=student, tenant=school, certificate="private", standard="x")


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
    return join(claim(school, "source"), "related_to", claim(school, "target"))


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
    Item: Page(item, shared=True),
    Artifact: Page(
        lambda school: Artifact.objects.create(
            tenant=school, key="sheet", kind="papers", title="Sheet", text="x"
        ),
        shared=True,
    ),
    RuleQuestion: Page(question, (Role.OPERATOR,)),
    RuleAnswerChange: Page(
        lambda school: RuleAnswerChange.objects.create(
            tenant=school, question_key=name_of(school), country="FR", kind="added", text="Yes."
        ),
        (Role.OPERATOR,),
    ),
}
EVERYBODYS: tuple[type[Model], ...] = (Standard, AcsElement)  # published by the FAA: no school's
OF_THE_HOUSE: tuple[type[Model], ...] = (User, Group, TokenProxy, Flag)
BY_THEMSELVES: tuple[type[Model], ...] = (Tenant,)


def test_every_page_of_the_admin_has_a_place_in_the_table() -> None:
    placed = {*PAGES, *EVERYBODYS, *OF_THE_HOUSE, *BY_THEMSELVES}
    assert set(admin.site._registry) == placed


def listed(client: Client, model: type[Model]) -> set[Any]:
    answer = client.get(reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"))
    if answer.status_code != 200 or "cl" not in (answer.context or {}):
        assert answer.status_code in (302, 403)
        return set()
    return {row.pk for row in answer.context["cl"].result_list}


def opens(client: Client, row: Model, what: str = "change") -> bool:
    """Django sends whoever asks for a row that is not there to the admin's first page."""
    address = reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_{what}", args=[row.pk])
    answer = client.get(address)
    if answer.status_code == 302 and "/queue/" in answer["Location"]:
        answer = client.get(answer["Location"])
    assert answer.status_code in (200, 302, 403, 404)
    return answer.status_code == 200


def sees(schools: Schools, visitor: str, page: Page, school: Tenant | None) -> bool:
    user = schools.people[visitor]
    if user.is_superuser:
        return True
    held = Membership.objects.filter(user=user)
    if held.filter(tenant=school, role__in=page.roles).exists():
        return True
    return page.shared and school is None and held.filter(role__in=page.roles).exists()


@pytest.mark.parametrize("model", PAGES, ids=lambda model: model.__name__)
def test_a_page_shows_the_rows_of_the_own_schools_only(schools: Schools, model: type[Model]) -> None:
    page = PAGES[model]
    rows = {school: page.make(school) for school in (schools.first, schools.second, None)}
    for visitor in VISITORS:
        client = schools.client(visitor)
        shown = listed(client, model)
        for school, row in rows.items():
            expected = sees(schools, visitor, page, school)
            told = f"{visitor} and the {name_of(school)}"
            assert (row.pk in shown) == expected, told
            assert opens(client, row) == expected, told
            if not expected and visitor == "both":
                assert not opens(client, row, "history"), told
                assert not opens(client, row, "delete"), told


@pytest.mark.parametrize("visitor", VISITORS)
def test_drafts_of_the_house_are_of_the_house(schools: Schools, visitor: str) -> None:
    draft = document(None, status="draft")
    rows = (draft, chunk(None), make_figure(chunk(None), "Figure 1", "caption"))
    client = schools.client(visitor)
    for row in rows:
        assert (row.pk in listed(client, type(row))) == (visitor in ("operator-of-shared", "superuser"))
        assert opens(client, row) == (visitor in ("operator-of-shared", "superuser"))
    on_the_page = client.get(f"/library/{draft.pk}/").status_code == 200
    assert on_the_page == (visitor in ("operator-of-shared", "superuser"))


@pytest.mark.parametrize("visitor", VISITORS)
def test_a_school_shows_its_members_to_its_own_staff(schools: Schools, visitor: str) -> None:
    client = schools.client(visitor)
    staffed = {row.tenant for row in Membership.objects.filter(user=schools.people[visitor], role__in=STAFF)}
    for school in (schools.first, schools.second):
        expected = visitor == "superuser" or school in staffed
        assert (school.pk in listed(client, Tenant)) == expected
        assert opens(client, school) == expected
    if visitor not in ("superuser",):
        for school in {schools.first, schools.second} & staffed:
            shown = client.get(f"/admin/knowledge/tenant/{school.pk}/change/").content.decode()
            other = schools.second if school == schools.first else schools.first
            assert f"student-of-{school.slug}" in shown
            assert f"student-of-{other.slug}" not in shown
            address = f"/admin/knowledge/tenant/{school.pk}/change/"
            assert client.post(address, {"slug": "mine", "name": "Mine"}).status_code == 403
        assert client.get("/admin/knowledge/tenant/add/").status_code in (302, 403)


@pytest.mark.parametrize("visitor", VISITORS)
def test_accounts_and_tokens_are_the_superuser_s(schools: Schools, visitor: str) -> None:
    client = schools.client(visitor)
    stranger = schools.people["stranger"]
    token = TokenProxy.objects.create(user=stranger)
    group = Group.objects.create(name="a group")
    for row in (User.objects.get(pk=stranger.pk), token, group):
        assert (row.pk in listed(client, type(row))) == (visitor == "superuser")
        assert opens(client, row) == (visitor == "superuser")
    house = visitor in ("operator-of-shared", "superuser")
    assert (client.get("/admin/waffle/flag/").status_code == 200) == house


@pytest.mark.parametrize("visitor", VISITORS[:4])
def test_standards_are_everybody_s(schools: Schools, visitor: str) -> None:
    standard = Standard.objects.create(
        number="X", certificate="private", title="X", edition_date=date(2026, 1, 1), current=True
    )
    assert standard.pk in listed(schools.client(visitor), Standard)


def test_forms_offer_rows_of_the_own_school(schools: Schools) -> None:
    own, theirs = question(schools.first), question(schools.second)
    client = schools.client("both")
    offered = client.get(
        "/admin/autocomplete/", {"app_label": "rules", "model_name": "ruleanswer", "field_name": "question"}
    ).json()["results"]
    assert [row["id"] for row in offered] == [str(own.pk)]
    sent = {"question": str(theirs.pk), "country": "FR", "text": "No.", "links": "", "reason": ""}
    assert client.post("/admin/rules/ruleanswer/add/", sent).status_code == 200
    assert not RuleAnswer.objects.exists()
