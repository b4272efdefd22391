"""Every address, by everybody: who passes stands in `doors.yaml`, and an address that nobody placed there fails.

Each address is asked for by every visitor, by GET and POST, with a row of a school and of the shared library where it
names one. Who is refused changes nothing. The tables of the admin are in `tests/db/curation/test_admin_by_school.py`.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, product
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.contrib import admin
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.files.base import ContentFile
from django.db import connection, transaction
from django.db.models import Model
from django.template.base import Template
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from curation.models import Claim, ReviewDecision
from exams.models import Dispute, Exam, SharedPractice, Turn
from exams.realtime.routing import websocket_urlpatterns
from knowledge.models import Chunk, Document, Image, IngestionJob, Item, Membership, Page, Tenant
from knowledge.models.tenancy import Role
from rules.models import RuleAnswer, RuleConversation, RuleTurn
from tests.doubles.rows_of_schools import AUTHORS, STAFF, House, house
from tests.sampling import WHOLE

__all__ = ["house"]
pytestmark = pytest.mark.django_db

Place = tuple[str, str]  # GET or POST, and the route
DOORS: dict[str, list[str]] = yaml.safe_load(Path(__file__).with_name("doors.yaml").read_text("utf-8"))
METHODS = ("GET", "POST")


def places_in(entries: list[str], *methods: str) -> list[Place]:
    return [
        (method, entry.partition(" -> ")[0].split()[-1])
        for entry in entries
        for method in methods
        if entry.startswith((method, *(["/"] if method in METHODS else [])))
    ]


PLACES: dict[str, list[Place]] = {who: places_in(entries, *METHODS) for who, entries in DOORS.items()}
HANDS_OUT: dict[str, str] = {
    entry.partition(" -> ")[0].split()[-1]: entry.partition(" -> ")[2]
    for entry in chain(*DOORS.values())
    if " -> " in entry
}
"""What an address answers that is neither a page nor the API's JSON."""
ELSEWHERE = "elsewhere"
WRITES = re.compile(r"\s*(?:WITH\b.*\b)?(INSERT|UPDATE|DELETE)\b", re.DOTALL)
BY_ROLE = (
    "anonymous",
    "student-of-first",
    "instructor-of-first",
    "reviewer-of-first",
    "operator-of-first",
    "operator-of-shared",
    "superuser",
)
BY_ROW = (
    *BY_ROLE,
    "student-of-second",
    "instructor-of-second",
    "reviewer-of-second",
    "operator-of-second",
    "operator-of-two",
)
BY_SHARED_ROW = (
    "stranger",
    "instructor-of-first",
    "reviewer-of-first",
    "operator-of-first",
    "operator-of-shared",
    "superuser",
)
"""Those who are told apart where an address names no row, one of the first school, and one of the shared library."""
BODY = {"version": 1, "turn": 1, "reason": "No reason.", "note": "No.", "statement": "It is so."}
"""Sent with every POST: enough for the views that read it before they look for a row."""
PARAMETERS: dict[str, type[Model]] = {
    "exam_id": Exam,
    "document_id": Document,
    "chunk_id": Chunk,
    "image_id": Image,
    "job_id": IngestionJob,
    "claim_id": Claim,
    "item_id": Item,
    "node_id": Claim,
    "dispute_id": Dispute,
    "decision_id": ReviewDecision,
    "answer_id": RuleAnswer,
    "turn_id": RuleTurn,
    "conversation_id": RuleConversation,
    "student_id": User,
    "id": User,
}
OF_THE_API = {"documents": Document, "jobs": IngestionJob, "claims": Claim, "exams": Exam}
OTHERS = {
    **{"number": "1", "domain": "weather_minimums", "what": "checked"},
    **{"secret": "none", "uidb64": "MQ", "token": "none"},
    "batch_id": "00000000-0000-4000-8000-000000000000",
}


def routes_of(urls: list[URLPattern | URLResolver], prefix: str = "/") -> Iterator[tuple[str, URLPattern]]:
    for one in urls:
        place = prefix + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from routes_of(one.url_patterns, place)
        else:
            yield place, one


def plain_routes() -> dict[str, URLPattern]:
    """Each route as `doors.yaml` writes it. The API's other spelling of an address, with ".json", has the same view."""
    found: dict[str, URLPattern] = {}
    for route, pattern in routes_of(get_resolver().url_patterns):
        if "format" in route:
            continue
        plain = re.sub(r"\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)", r"<\1>", route)
        found[re.sub(r"[\^$\\]", "", plain)] = pattern
    return found


def is_of_a_table(route: str, pattern: URLPattern) -> bool:
    """Whether the admin makes it for every table."""
    labels = [f"{one._meta.app_label}_{one._meta.model_name}" for one in admin.site._registry]
    views = ("changelist", "add", "history", "delete", "change")
    return pattern.name in {f"{label}_{view}" for label in labels for view in views} or route.endswith(
        "/<path:object_id>/"
    )


def unplaced(routes: Iterable[str]) -> set[Place]:
    return {(method, route) for route in routes for method in ("GET", "POST")} - set(chain(*PLACES.values()))


def test_every_address_is_placed_once() -> None:
    routes = {route for route, pattern in plain_routes().items() if not is_of_a_table(route, pattern)}
    assert not unplaced(routes), "place them in doors.yaml"
    placed = list(chain(*PLACES.values()))
    assert not {route for _, route in placed} - plain_routes().keys(), "doors.yaml names what is gone"
    assert len(placed) == len(set(placed)), "doors.yaml places an address twice"


def test_an_address_that_is_not_placed_is_found() -> None:
    assert unplaced(["/", "/new/"]) == {("GET", "/new/"), ("POST", "/new/")}


def test_sockets_are_placed() -> None:
    """Who gets in, and who stays: `test_sockets.py`."""
    placed = {route for entries in DOORS.values() for _, route in places_in(entries, "SOCKET")}
    assert {f"/{one.pattern}" for one in websocket_urlpatterns} == placed


# --- who passes ---


def schools_of(house: House, visitor: str, *roles: Role) -> set[int | None]:
    """The schools in which the visitor has one of the roles; None is the shared library."""
    held = Membership.objects.filter(user=house.schools.people[visitor], role__in=roles or Role.values)
    return set(held.values_list("tenant", flat=True))


ROLES: dict[str, tuple[Role, ...]] = {
    "student": (Role.STUDENT,),
    "instructor": (Role.INSTRUCTOR,),
    "operator": (Role.OPERATOR,),
    "reviewer": (Role.REVIEWER,),
    "staff": STAFF,
    "authors": AUTHORS,
    "house": (Role.OPERATOR,),
    "house reviewer": (Role.REVIEWER,),
    "reader": (),
    "member": (),
}
"""Without any, every role counts."""
NOT_BY_RANK = ("member", "student", "instructor")
"""A superuser passes as these only with a membership."""


def may_pass(house: House, visitor: str, who: str, school: Tenant | None) -> bool:
    if who == "anyone" or visitor == "anonymous":
        return who == "anyone"
    role, _, row = who.partition(" of ")
    if role == "owner":
        return visitor == (f"student-of-{school.slug}" if school else "stranger")
    reads = role in ("reader", "member")
    if who == "signed in" or (reads and school is None):
        return True
    if visitor == "superuser" or who == "superuser":
        return visitor == "superuser" and role not in NOT_BY_RANK
    if who.startswith("house"):
        return None in schools_of(house, visitor, *ROLES[who])
    held = schools_of(house, visitor, *ROLES[role])
    return (school.pk if school else None) in held if row else bool(held)


@pytest.fixture(scope="module")
def clients(house: House) -> dict[str, Client]:
    """Each visitor's, and beside the house's rows conversations, pages, and pictures."""
    for school in (house.schools.first, house.schools.second, None):
        student = house.schools.people[f"student-of-{school.slug}" if school else "stranger"]
        talk = RuleConversation.objects.create(user=student)
        turn = RuleTurn.objects.create(
            conversation=talk, position=1, message="Fuel?", answer={"citations": [], "sections": []}
        )
        house.rows[RuleConversation] = house.rows.get(RuleConversation, {}) | {school: talk}
        house.rows[RuleTurn] = house.rows.get(RuleTurn, {}) | {school: turn}
        Page.objects.create(document_id=house.rows[Document][school].pk, number=1, width=1, height=1)
        Turn.objects.create(exam_id=house.rows[Exam][school].pk, number=1, element="PA.I.A.K1", text="?")
        house.rows[Image][school].file.save("figure.webp", ContentFile(b"RIFF"))  # type: ignore[attr-defined]
        if school:
            SharedPractice.objects.create(student=student, tenant=school)
    found = {
        name: Client() if name == "anonymous" else house.schools.client(name)
        for name in {*BY_ROW, *BY_SHARED_ROW}
    }
    for client in found.values():
        client.raise_request_exception = False
    return found


def address(house: House, route: str, school: Tenant | None) -> str:
    def fill(found: re.Match[str]) -> str:
        name = found[1]
        if name == "pk":
            return str(house.rows[OF_THE_API[route.split("/")[3]]][school].pk)
        if name == "code":
            return "FR" if route.startswith("/rules/") else "PA.I.A.K1"
        if name == "slug":
            return school.slug if school else "none"
        return OTHERS[name] if name in OTHERS else str(house.rows[PARAMETERS[name]][school].pk)

    return re.sub(r"<(?:\w+:)?(\w+)>", fill, route)


@contextmanager
def undone() -> Iterator[list[str]]:
    """What is written within, other than sessions, is collected and taken back."""
    written: list[str] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if WRITES.match(sql) and "django_session" not in sql:
            written.append(sql)
        return execute(sql, params, many, context)

    point = transaction.savepoint()
    with connection.execute_wrapper(note):
        yield written
    transaction.savepoint_rollback(point)


def is_refused(answer: Any, *, of_a_row: bool) -> bool:
    """A row that is not one's own is not there; what else is not there says nothing."""
    leads_to = answer.headers.get("Location", "") if answer.status_code == 302 else ""
    refused = (401, 403, 404) if of_a_row else (401, 403)
    return answer.status_code in refused or leads_to.startswith(("/accounts/login/", "/admin/login/"))


def ask(client: Client, path: str, body: dict[str, Any] | None) -> Any:
    if body is None:
        return client.get(path)
    if path.startswith("/api/"):
        return client.post(path, body, content_type="application/json")
    return client.post(path, body)


def kind_of(answer: Any) -> str:
    """What is handed out beside pages and the API's JSON, else nothing."""
    kind: str = answer.headers.get("Content-Type", "").partition(";")[0]
    if answer.status_code != 200 or answer.headers.get("Content-Disposition"):
        return kind if answer.status_code == 200 else ""
    return "" if kind in ("text/html", "application/json") else kind


@pytest.mark.parametrize("who", [who for who in DOORS if who not in (ELSEWHERE, "nobody")])
def test_who_passes(
    house: House, clients: dict[str, Client], who: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Pages are not rendered, which says nothing about who gets in. Each address is asked for by every second of the
    visitors, the next one by the others; in `make soak` by all.
    """
    monkeypatch.setattr(Template, "render", lambda self, context: "")
    (tmp_path / "page.webp").write_bytes(b"RIFF")
    monkeypatch.setattr("knowledge.views.picture_of_page", lambda document, number: tmp_path / "page.webp")
    of_a_row = " of " in who
    schools = (house.schools.first, None) if of_a_row else (house.schools.first,)
    for (turn, (method, route)), school in product(enumerate(PLACES[who]), schools):
        cache.clear()  # or throttles would refuse
        path, wrong = address(house, route, school), {}
        body = BODY | {"document": str(house.rows[Document][school].pk)}
        visitors = (BY_ROW if school else BY_SHARED_ROW) if of_a_row else BY_ROLE
        asking = sorted(visitors, key=lambda name: not may_pass(house, name, who, school))
        for name in asking if WHOLE else asking[turn % 2 :: 2]:
            may = may_pass(house, name, who, school)
            with undone() as written:
                answer = ask(clients[name], path, body if method == "POST" else None)
            if answer.status_code == 405:
                break  # not by this method, for nobody
            kind = kind_of(answer)
            if kind:
                assert "private" in answer.headers["Cache-Control"], path
            if (
                may == is_refused(answer, of_a_row=of_a_row)
                or kind != (HANDS_OUT.get(route, "") if answer.status_code == 200 else "")
                or answer.status_code == 500
                or (written and not may)
            ):
                wrong[name] = (answer.status_code, written, kind)
        assert not wrong, f"{method} {path}, for {who}"
