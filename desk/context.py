"""Template variables of every page: where answers are sent, what the user may do, and the navigation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest
from django.template.defaultfilters import capfirst
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from curation.views.kinds import kinds_waiting
from knowledge.access.people import chosen_school, read_memberships, slug_of
from knowledge.models.tenancy import Role
from knowledge.text.word_tables import read_yaml
from llm import registry


@dataclass(frozen=True, slots=True)
class Link:
    """A page or a table; `under` are the paths that belong to it, its own among them."""

    title: str
    url: str
    under: tuple[str, ...]

    def holds(self, path: str) -> int:
        """How long the prefix is that the path shares with it; 0 if it is not under it."""
        return max((len(start) for start in self.under if path.startswith(start)), default=0)


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    under: tuple[str, ...]
    pages: tuple[Link, ...]
    tables: tuple[Link, ...]

    @property
    def url(self) -> str:
        return self.pages[0].url

    @property
    def home(self) -> Link:
        """The section itself as a place for paths that no page or table claims."""
        return Link(self.title, self.url, self.under)


@dataclass(frozen=True, slots=True)
class Here:
    """The navigation of a user, and where the page that is shown is in it."""

    sections: tuple[Section, ...] = ()
    section: Section | None = None
    link: Link | None = None
    path: str = ""

    @property
    def crumbs(self) -> list[Link]:
        """The way to the page, without the page: its section, and the page or table that it belongs to."""
        way = [self.section.home, self.link] if self.section and self.link else []
        return [one for one in {link.url: link for link in reversed(way)}.values() if one.url != self.path][
            ::-1
        ]

    @property
    def within(self) -> str:
        """The end of a page's title that names its section."""
        return f" · {self.section.title}" if self.section else ""


@cache
def read_sections() -> tuple[dict[str, Any], ...]:
    """The sections as navigation.yaml has them."""
    return tuple(read_yaml(Path(__file__).with_name("navigation.yaml")))


def navigation_for(request: HttpRequest, kinds: set[str]) -> Here:
    """The sections that a user of these kinds may open (the words of `for` in navigation.yaml)."""
    sections = [one for one in (_section_for(request, kinds, row) for row in read_sections()) if one.pages]
    places = [
        (link.holds(request.path), section, link)
        for section in sections
        for link in (section.home, *section.pages, *section.tables)
    ]
    longest, section, link = max(places, key=lambda place: place[0], default=(0, None, None))
    return Here(tuple(sections), *((section, link) if longest else (None, None)), request.path)


def _section_for(request: HttpRequest, kinds: set[str], written: dict[str, Any]) -> Section:
    pages, tables = [], []
    for row in written["pages"]:
        if row.get("for", "everybody") in kinds:
            url = reverse(row["page"])
            pages.append(Link(row["title"], url, (url, *row.get("under", ()))))
    for model in map(apps.get_model, written.get("tables", ()) if kinds & {"staff", "instructor"} else ()):
        if admin.site._registry[model].has_view_permission(request):
            url = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
            tables.append(Link(capfirst(model._meta.verbose_name_plural), url, (url,)))
    return Section(written["title"], tuple(written["under"]), tuple(pages), tuple(tables))


def house(request: HttpRequest) -> dict[str, Any]:
    user = getattr(request, "user", None)
    signed_in = bool(user and user.is_authenticated)
    held = read_memberships(user) if user else []
    schools = list(dict.fromkeys(row.tenant for row in held))
    superuser = bool(user and user.is_superuser)
    is_operator = superuser or any(row.role == Role.OPERATOR for row in held)
    is_reviewer = superuser or any(row.role == Role.REVIEWER for row in held)
    shared = superuser or any(row.role == Role.OPERATOR and row.tenant is None for row in held)
    kinds = {
        "everybody": signed_in,
        "reviewer": is_reviewer,
        "operator": is_operator,
        "staff": is_reviewer or is_operator,
        "house": shared,
        "instructor": any(row.role == Role.INSTRUCTOR for row in held),
        "student": any(row.role == Role.STUDENT and row.tenant for row in held),
    }
    return {
        # Called where a page says it: the admin renders many templates that do not.
        "answers_go_to": partial(
            registry.external_readers, "assessor", "" if signed_in else settings.EMBEDDING_MODEL
        ),
        "assessed_by": registry.external_name("assessor"),
        "source_url": settings.ENV.source_url,
        "is_operator": is_operator,
        "is_reviewer": is_reviewer,
        "kinds": partial(kinds_waiting, request),
        "here": SimpleLazyObject(
            lambda: navigation_for(request, {kind for kind, is_one in kinds.items() if is_one})
        ),
        "header_schools": [(slug_of(school), school or "The shared library") for school in schools],
        "chosen_school": chosen_school(request) if signed_in else "",
    }
