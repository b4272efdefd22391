"""Every page of the admin shows a person the rows of the schools in which that person holds the role, and no others.

`PAGES` names every page: one that is registered and not placed there fails, and so does one without a policy.
"""

import re
from contextlib import suppress
from html.parser import HTMLParser
from typing import Any

import pytest
from django.contrib import admin
from django.db.models import Model
from django.urls import NoReverseMatch, get_resolver, reverse

from desk.admin import FlagAdmin, SuperuserAdmin
from desk.context import read_sections
from exams.models import Assessment
from knowledge.admin import OfOwnSchools
from knowledge.models import (
    Membership,
    Tenant,
)
from rules.models import RuleAnswer, RuleQuestion
from tests.doubles.library import make_chunk, make_document, make_figure
from tests.doubles.rows_of_schools import PAGES, STAFF, House, Page, address_of, content_of, house, name_of
from tests.doubles.schools import Schools
from tests.sampling import sample_of

__all__ = ["house"]
pytestmark = pytest.mark.django_db

VISITORS = (
    "operator-of-first",
    "reviewer-of-first",
    "instructor-of-first",
    "operator-of-second",
    "both",
    "reviewer-and-student",
    "operator-of-shared",
    "stranger",
    "superuser",
)


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


def strangers_of(house: House, visitor: str) -> list[str]:
    """What pages may not say: names of rows, schools and people where the visitor is no staff."""
    user = house.schools.people[visitor]
    if user.is_superuser:
        return []
    staffed = set(Membership.objects.filter(user=user, role__in=STAFF).values_list("tenant", flat=True))
    foreign = [school for school in (house.schools.first, house.schools.second) if school.pk not in staffed]
    names = [*map(name_of, foreign), *(f"-of-{school.slug}" for school in foreign)]
    return [name for name in names if name not in visitor]


@pytest.mark.parametrize("model", sample_of([*PAGES], 3), ids=lambda model: model.__name__)
def test_a_page_shows_the_rows_of_the_own_schools_only(house: House, model: type[Model]) -> None:
    page, rows = PAGES[model], house.rows[model]
    for visitor in VISITORS:
        seen = {school for school in rows if sees(house.schools, visitor, page, school)}
        shown = house.listed(visitor, model)
        for school, row in rows.items():
            told = f"{visitor} and the {name_of(school)}"
            assert (row.pk in shown) == (school in seen), told
            assert house.opens(visitor, row) == (school in seen), told
            for what in () if school in seen else ("history", "delete"):
                assert house.open_page(visitor, address_of(model, what, row.pk)) is None, f"{what}: {told}"


@pytest.mark.parametrize("model", sample_of([*PAGES], 4), ids=lambda model: model.__name__)
def test_what_a_page_says_is_of_the_own_schools(house: House, model: type[Model]) -> None:
    """Lists, filters, forms, inlines and histories name no row, school or person of another school."""
    for visitor in ("operator-of-first", "reviewer-of-first", "operator-of-shared"):
        addresses = [address_of(model, what) for what in ("changelist", "add")]
        for row in house.rows[model].values():
            addresses += [address_of(model, what, row.pk) for what in ("change", "history", "delete")]
        pages = [house.open_page(visitor, address) for address in addresses]
        shown = "".join(map(content_of, pages))
        assert not [name for name in strangers_of(house, visitor) if name in shown], visitor
        assert "/admin/auth/user/" not in shown, f"{visitor} may not open the accounts"


@pytest.mark.parametrize(
    "visitor",
    sample_of(["both", "reviewer-and-student", "operator-of-second", "instructor-of-first", "stranger"], 5),
)
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


@pytest.mark.parametrize("visitor", sample_of(VISITORS, 3))
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


def addresses_of_pages(rows: dict[type[Model], dict[Tenant | None, Model]], *, all_forms: bool) -> list[str]:
    """The lists of the admin, with `all_forms` the other pages of a row as well, and the desk's pages whose addresses
    need none."""
    found = []
    for model, of_schools in rows.items():
        found.append(address_of(model, "changelist"))
        row = of_schools.get(None) or next(iter(of_schools.values()))
        if all_forms:
            found += [address_of(model, "add")]
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
    "visitor",
    sample_of(
        ["reviewer-of-first", "operator-of-first", "instructor-of-first", "student-of-first", "superuser"], 5
    ),
)
def test_desk_and_admin_have_one_frame_and_one_set_of_words(house: House, visitor: str) -> None:
    """Each page that the visitor may open has a title, one heading, the navigation of the others, and no word of ours
    for what people call otherwise."""
    client = house.schools.client(visitor)
    faults, navigations, opened = {}, set(), 0
    for address in addresses_of_pages(house.rows, all_forms=visitor == "superuser"):
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
    assert opened > {"superuser": 110, "student-of-first": 8, "instructor-of-first": 14}.get(visitor, 30)


def test_every_table_of_the_admin_is_in_the_navigation() -> None:
    tables = [label.lower() for section in read_sections() for label in section.get("tables", ())]
    pages = [page["page"] for section in read_sections() for page in section["pages"]]
    placed = {*tables, *("exams.dispute" for page in pages if page == "admin:exams_dispute_changelist")}
    assert placed == {model._meta.label_lower for model in admin.site._registry}
    assert len(tables) == len(set(tables))
