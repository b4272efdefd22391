"""Addresses that cost: each is charged before its work is done, by the same throttle for pages and API."""

from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from desk.api_limits import CostRate, SchoolCostRate
from tests.db.heydpe.test_doors import plain_routes
from tests.doubles.schools import Schools

pytestmark = pytest.mark.django_db
CHARGED = {
    "/api/v1/documents/",
    "/api/v1/documents/<pk>/rechunk/",
    "/api/v1/documents/<pk>/recognise/",
    "/api/v1/elements/<code>/bundle/",
    "/api/v1/exams/",
    "/api/v1/jobs/<pk>/retry/",
    "/api/v1/jobs/<pk>/start/",
    "/api/v1/rules/ask/",
    "/api/v1/rules/compare/",
    "/api/v1/search/",
    "/api/v1/tables/<slug:domain>/",
    "/api/v1/token/",
    "/exams/assigned/",
    "/exams/class/<int:student_id>/assign/",
    "/exams/<uuid:exam_id>/dispute/",
    "/exams/<uuid:exam_id>/report.pdf",
    "/exams/begin/",
    "/exams/preview/",
    "/library/graph/<uuid:node_id>/",
    "/library/search/",
    "/library/tables/<slug:domain>/",
    "/operations/backups/",
    "/operations/documents/<uuid:document_id>/<slug:what>/",
    "/operations/evaluations/",
    "/operations/extract/<uuid:document_id>/",
    "/operations/jobs/<uuid:job_id>/cancel/",  # for nothing, by the view of the next four
    "/operations/jobs/<uuid:job_id>/dismiss/",
    "/operations/jobs/<uuid:job_id>/first/",
    "/operations/jobs/<uuid:job_id>/retry/",
    "/operations/jobs/<uuid:job_id>/start/",
    "/operations/jobs/change/",
    "/operations/library/change/",
    "/operations/people/invite/",
    "/operations/rules/",
    "/operations/rules/load/",
    "/operations/search/",
    "/operations/standards/",
    "/operations/upload/",
    "/operations/vectors/change/",
}
BY_A_COUNT_OF_THEIR_OWN = {  # tests/db/rules/test_asking_too_often.py
    "/rules/ask/",
    "/rules/asked/<uuid:turn_id>/again/",
    "/rules/compare/",
}


def is_charged(callback: Any) -> bool:
    """A view of the API has the cost of each of its actions."""
    kind = getattr(callback, "cls", None)
    if kind is None:
        return bool(getattr(callback, "throttle_cost", 0))
    if getattr(kind, "throttle_scope", ""):
        return True
    cost = getattr(kind, "throttle_cost", None)
    if cost is None:
        return False
    actions = set(getattr(callback, "actions", {"get": ""}).values())
    return any(cost(Asking(action), Asking(action)) for action in actions)


class Asking:
    """A view that does `action`, and its request."""

    META: dict[str, str] = {}
    query_params: dict[str, str] = {}

    def __init__(self, action: str) -> None:
        self.action = action


def test_what_costs_is_charged() -> None:
    charged = {route for route, pattern in plain_routes().items() if is_charged(pattern.callback)}
    assert charged == CHARGED
    assert plain_routes().keys() > BY_A_COUNT_OF_THEIR_OWN


@pytest.fixture(autouse=True)
def rates(monkeypatch: pytest.MonkeyPatch) -> None:
    """One such request a minute."""
    for kind in (CostRate, SchoolCostRate):
        monkeypatch.setattr(kind, "THROTTLE_RATES", {"cost": "1/min", "school_cost": "20/min"})


NOWHERE = UUID(int=1)


@pytest.mark.parametrize(
    ("visitor", "path"),
    [
        ("operator-of-first", f"/operations/documents/{NOWHERE}/rechunk/"),
        ("operator-of-first", f"/operations/documents/{NOWHERE}/recognise/"),
        ("operator-of-first", f"/operations/jobs/{NOWHERE}/retry/"),
        ("operator-of-first", "/operations/rules/load/"),
        ("operator-of-first", "/operations/people/invite/"),
        ("operator-of-shared", "/operations/backups/"),
        ("student-of-first", f"/exams/{NOWHERE}/dispute/"),
        ("operator-of-first", f"/api/v1/jobs/{NOWHERE}/retry/"),
    ],
)
def test_the_second_within_a_minute_waits_and_is_told_how_long(
    schools: Schools, visitor: str, path: str
) -> None:
    client = schools.client(visitor)
    assert client.post(path).status_code != 429
    answer = client.post(path)
    assert answer.status_code == 429
    assert f"Wait {answer['Retry-After']} seconds, then try again" in answer.content.decode()


@pytest.mark.parametrize(
    "path", ["/library/search/?q=ropes", "/library/tables/weather_minimums/", f"/library/graph/{NOWHERE}/"]
)
def test_reading_what_is_computed_waits_as_well(schools: Schools, path: str) -> None:
    client = schools.client("student-of-first")
    assert [client.get(path).status_code == 429 for _ in range(2)] == [False, True]


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        (f"/operations/jobs/{NOWHERE}/cancel/", {}),
        (f"/operations/documents/{NOWHERE}/label/", {}),
        ("/operations/jobs/change/", {"act": "cancel"}),
    ],
)
def test_cancelling_and_describing_are_never_refused(
    schools: Schools, path: str, sent: dict[str, str]
) -> None:
    client: Client = schools.client("operator-of-first")
    assert 429 not in {client.post(path, sent).status_code for _ in range(4)}
