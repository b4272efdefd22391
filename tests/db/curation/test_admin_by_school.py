"""Every page of the admin shows a person the rows of the schools in which that person holds the role, and no others.

The table below names every page: one that is registered and not placed here fails, and so does one without a policy.
All rows are made once; the tests only read them.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from html.parser import HTMLParser
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, User
from django.contrib.messages.storage.fallback import FallbackStorage
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model
from django.http import Http404
from django.test import RequestFactory
from django.urls import NoReverseMatch, get_resolver, resolve, reverse
from pytest_django import DjangoDbBlocker
from waffle.models import Flag

from curation.models import Claim, DecisionKind, GraphDecision, ParkedGroup, ReviewDecision
from desk.admin import FlagAdmin, SuperuserAdmin
from desk.context import read_sections
from exams.models import Answer, Assessment, DecidedDispute, Dispute, Exam, Rating, Turn
from knowledge.access.people import memberships_read_once
from knowledge.admin import OfOwnSchools
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
    Membership,
    Note,
    RetrievalLog,
    Standard,
    Tenant,
)
from knowledge.models.tenancy import Role
from rules.models import RuleAnswer, RuleAnswerChange, RuleQuestion
from tests.doubles.library import join, make_chunk, make_document, make_figure, make_node
from tests.doubles.schools import Schools, make_schools

pytestmark = pytest.mark.django_db

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
        student=student, tenant=school, certificate="private", standard="x", scope=scope, status="ended"
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
    # A school is a row of its own; the FAA's standards and the flags belong to no school.
    Tenant: Page(lambda school: school),
    Standard: Page(standard, shared=True),
    AcsElement: Page(element, shared=True),
    Flag: Page(lambda school: None if school else Flag.objects.first(), (Role.OPERATOR,)),
    # Accounts show the people of every school.
    User: Page(person_of, ()),
    Group: Page(lambda school: Group.objects.create(name=name_of(school)), ()),
}


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


# --- policy ---


def schools_behind(model: type[Model], depth: int = 3) -> bool:
    """Whether foreign keys lead from the model to a school."""
    targets = [field.related_model for field in model._meta.fields if field.remote_field]
    return Tenant in targets or (
        depth > 1 and any(schools_behind(one, depth - 1) for one in targets if one and one is not model)
    )


def faults_of(page: Any) -> list[str]:
    """What is wrong with how a page of the admin chooses its rows."""
    if isinstance(page, (SuperuserAdmin, FlagAdmin)):
        return []
    if not isinstance(page, OfOwnSchools):
        return ["has no policy: derive it from OfOwnSchools or SuperuserAdmin"]
    if not page.tenant_field and schools_behind(page.model):
        return ["has rows of schools and no tenant_field"]
    return []


def test_every_page_of_the_admin_has_a_policy_and_a_place_in_the_table() -> None:
    faults = {model.__name__: faults_of(page) for model, page in admin.site._registry.items()}
    assert not {name: found for name, found in faults.items() if found}
    assert set(admin.site._registry) == set(PAGES)


def test_a_page_without_a_policy_is_found() -> None:
    class Open(admin.ModelAdmin):  # type: ignore[type-arg]
        pass

    class Forgetful(OfOwnSchools):
        pass

    assert "no policy" in faults_of(Open(Membership, admin.site))[0]
    assert "no tenant_field" in faults_of(Forgetful(Assessment, admin.site))[0]


# --- rows ---


def sees(schools: Schools, visitor: str, page: Page, school: Tenant | None) -> bool:
    user = schools.people[visitor]
    if user.is_superuser:
        return True
    held = Membership.objects.filter(user=user)
    if held.filter(tenant=school, role__in=page.roles).exists():
        return True
    return page.shared and school is None and held.filter(role__in=page.roles).exists()


def address_of(model: type[Model], what: str, *args: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{what}", args=args)


def content_of(page: Any) -> str:
    """What a page says beside the visitor's own schools in its header; a lazy one is rendered now."""
    content = page.render().content if hasattr(page, "render") else getattr(page, "content", b"")
    return re.sub(r'<select id="school".*?</select>', "", content.decode(), flags=re.DOTALL)


def strangers_of(house: House, visitor: str) -> list[str]:
    """What pages may not say: names of rows, schools and people where the visitor is no staff."""
    user = house.schools.people[visitor]
    if user.is_superuser:
        return []
    staffed = set(Membership.objects.filter(user=user, role__in=STAFF).values_list("tenant", flat=True))
    foreign = [school for school in (house.schools.first, house.schools.second) if school.pk not in staffed]
    names = [*map(name_of, foreign), *(f"-of-{school.slug}" for school in foreign)]
    return [name for name in names if name not in visitor]


@pytest.mark.parametrize("model", PAGES, ids=lambda model: model.__name__)
def test_a_page_shows_the_rows_of_the_own_schools_only(house: House, model: type[Model]) -> None:
    page, rows = PAGES[model], house.rows[model]
    for visitor in VISITORS:
        seen = {school for school in rows if sees(house.schools, visitor, page, school)}
        shown = house.listed(visitor, model)
        for school, row in rows.items():
            told = f"{visitor} and the {name_of(school)}"
            assert (row.pk in shown) == (school in seen), told
            assert house.opens(visitor, row) == (school in seen), told
            for what in ("history", "delete"):
                opened = house.open_page(visitor, address_of(model, what, row.pk))
                assert opened is None or school in seen, f"{what}: {told}"


@pytest.mark.parametrize("model", PAGES, ids=lambda model: model.__name__)
def test_what_a_page_says_is_of_the_own_schools(house: House, model: type[Model]) -> None:
    """Lists, filters, forms, inlines and histories name no row, school or person of another school."""
    for visitor in ("operator-of-first", "reviewer-of-first", "operator-of-shared"):
        addresses = [address_of(model, what) for what in ("changelist", "add")]
        for row in house.rows[model].values():
            addresses += [address_of(model, what, row.pk) for what in ("change", "history", "delete")]
        pages = [house.open_page(visitor, address) for address in addresses]
        shown = "".join(map(content_of, pages))
        assert not [name for name in strangers_of(house, visitor) if name in shown], visitor


@pytest.mark.parametrize("visitor", ["both", "reviewer-and-student", "operator-of-second", "stranger"])
def test_autocomplete_and_search_offer_rows_of_the_own_schools_only(house: House, visitor: str) -> None:
    foreign, asked = strangers_of(house, visitor), []
    for model in admin.site._registry:
        for field in model._meta.get_fields():
            related = field.related_model if field.concrete else None
            if related in admin.site._registry and admin.site._registry[related].search_fields:
                named = f"app_label={model._meta.app_label}&model_name={model._meta.model_name}"
                asked.append(f"/admin/autocomplete/?{named}&field_name={field.name}")
    assert len(asked) > 20
    for address in (*asked, "/admin/", "/admin/search/?s=row"):
        shown = content_of(house.open_page(visitor, address))
        assert not [name for name in foreign if name in shown], address


@pytest.mark.parametrize("visitor", VISITORS)
def test_drafts_of_the_house_are_of_the_house(house: House, visitor: str) -> None:
    draft = make_document("a draft", status="draft")
    passage = make_chunk("a draft", draft, embed=False)
    client = house.schools.client(visitor)
    may_see = visitor in ("operator-of-shared", "superuser")
    for row in (draft, passage, make_figure(passage, "Figure 1", "caption")):
        assert (row.pk in house.listed(visitor, type(row))) == may_see
        assert house.opens(visitor, row) == may_see
    assert (client.get(f"/library/{draft.pk}/").status_code == 200) == may_see


@pytest.mark.parametrize("visitor", ["operator-of-first", "reviewer-of-first", "operator-of-shared"])
def test_only_a_superuser_writes_to_a_school(house: House, visitor: str) -> None:
    client, school = house.schools.client(visitor), house.schools.first
    shown = client.get(address_of(Tenant, "change", school.pk))
    assert ("student-of-first" in shown.content.decode()) == visitor.endswith("first")
    sent = client.post(address_of(Tenant, "change", school.pk), {"slug": "mine", "name": "Mine"})
    assert sent.status_code in (302, 403)
    assert client.get(address_of(Tenant, "add")).status_code == 403
    school.refresh_from_db()
    assert school.slug == "first"


def test_forms_offer_rows_of_the_own_school(house: House) -> None:
    own, theirs = (
        house.rows[RuleQuestion][house.schools.first],
        house.rows[RuleQuestion][house.schools.second],
    )
    client = house.schools.client("both")
    offered = client.get(
        "/admin/autocomplete/", {"app_label": "rules", "model_name": "ruleanswer", "field_name": "question"}
    ).json()["results"]
    assert [row["id"] for row in offered] == [str(own.pk)]
    sent = {"question": str(theirs.pk), "country": "FR", "text": "No.", "links": "", "reason": ""}
    assert client.post("/admin/rules/ruleanswer/add/", sent).status_code == 200
    assert not RuleAnswer.objects.filter(text="No.").exists()


# --- one look ---

FORBIDDEN = {
    "tenant": "people say school",
    "chunk": "people say passage",
    "ingestion job": "people say job",
    "retrieval log": "people say search",
    "waffle": "a package's name",
    "django": "a package's name",
    "unfold": "a package's name",
    "axes": "a package's name",
    "authentication and authorization": "an app's name",
    "site administration": "the admin is no site of its own",
}
"""Words that no page shows, and why."""


class Shown(HTMLParser):
    """What a page shows: its title, headings, text, and the links of its navigation."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.title, self.words = "", ""
        self.headings = 0
        self.sections: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.headings += tag == "h1"
        if tag in ("title", "script", "style", "nav", "code"):
            self.open.append(f"nav {given.get('aria-label')}" if tag == "nav" else tag)
        if tag == "a" and "nav Main" in self.open:
            self.sections.append(given["href"] or "")

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1].split()[0] == tag:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if "title" in self.open and not self.headings:  # drawings have titles, too
            self.title += data
        if not {"script", "style", "code"} & set(self.open):
            self.words += f" {data}"

    def faults(self) -> list[str]:
        found = [f"says {word!r}" for word in FORBIDDEN if re.search(rf"\b{word}", self.words, re.IGNORECASE)]
        if not re.fullmatch(r"\S.* · HeyDPE", self.title.strip()) or "None" in self.title:
            found.append(f"has the title {self.title.strip()!r}")
        return found if self.headings == 1 else [*found, f"has {self.headings} headings of the first level"]


def addresses_of_pages(rows: dict[type[Model], dict[Tenant | None, Model]]) -> list[str]:
    """Each page of the admin, with a row, and the desk's pages whose addresses need none."""
    found = []
    for model, of_schools in rows.items():
        found += [address_of(model, what) for what in ("changelist", "add")]
        row = of_schools.get(None) or next(iter(of_schools.values()))
        found += [address_of(model, what, row.pk) for what in ("change", "history", "delete")]
    for namespace in ("desk", "exams", "library", "rules"):
        for name in filter(
            lambda name: isinstance(name, str), get_resolver().namespace_dict[namespace][1].reverse_dict
        ):
            with suppress(NoReverseMatch):
                found.append(reverse(f"{namespace}:{name}"))
    found += [reverse(page["page"]) for section in read_sections() for page in section["pages"]]
    return list(dict.fromkeys(found))


@pytest.mark.parametrize(
    "visitor", ["superuser", "operator-of-first", "reviewer-of-first", "student-of-first"]
)
def test_desk_and_admin_have_one_frame_and_one_set_of_words(house: House, visitor: str) -> None:
    """Each page that the visitor may open has a title, one heading, the navigation of the others, and no word of ours
    for what people call otherwise."""
    client = house.schools.client(visitor)
    faults, navigations, opened = {}, set(), 0
    for address in addresses_of_pages(house.rows):
        answer = client.get(address)
        if answer.status_code != 200 or "<html" not in (page := content_of(answer)):
            continue
        opened += 1
        shown = Shown(page)
        navigations.add(tuple(shown.sections))
        if found := shown.faults():
            faults[address] = found
    assert not faults
    assert len(navigations) == 1
    assert opened > {"superuser": 110, "student-of-first": 8}.get(visitor, 50)


def test_every_table_of_the_admin_is_in_the_navigation() -> None:
    tables = [label.lower() for section in read_sections() for label in section.get("tables", ())]
    pages = [page["page"] for section in read_sections() for page in section["pages"]]
    placed = {*tables, *("exams.dispute" for page in pages if page == "admin:exams_dispute_changelist")}
    assert placed == {model._meta.label_lower for model in admin.site._registry}
    assert len(tables) == len(set(tables))
