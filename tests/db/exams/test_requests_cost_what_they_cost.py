"""Search, laboratory, exam creation and uploads share one budget a minute: pages and the API alike."""

from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from threading import Barrier
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connections
from django.http import HttpResponse
from django.test import Client, override_settings
from rest_framework.test import APIClient

from desk.api_limits import CostRate, SchoolCostRate
from desk.conf import LABORATORY_COST
from exams.conf import EXAM_COST, OPEN_EXAMS_MOST
from exams.domain.exam_request import order_from
from exams.exchange import session
from exams.models import Exam, ExamStatus
from knowledge.conf import RERANK_COST
from knowledge.models import Membership, Tenant
from tests.doubles.demo_library import Demo
from tests.doubles.live_web import free_port
from tests.doubles.rooms import Enter, new_exam

pytestmark = pytest.mark.django_db
MOST = 20
SEARCH, LABORATORY = "/api/v1/search/?q=airspace", "/operations/search/?q=airspace"


@pytest.fixture(autouse=True)
def rates(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in (CostRate, SchoolCostRate):
        monkeypatch.setattr(kind, "THROTTLE_RATES", {"cost": f"{MOST}/min", "school_cost": f"{2 * MOST}/min"})


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def asked(client: Client, path: str, times: int) -> list[int]:
    return [client.get(path).status_code for _ in range(times)]


def test_a_search_costs_one_and_a_page_five_of_the_same_budget(demo: Demo) -> None:
    client = signed_in(demo.operator)
    assert asked(client, LABORATORY, 3) == [200] * 3
    assert asked(client, SEARCH, MOST - 3 * LABORATORY_COST) == [200] * (MOST - 3 * LABORATORY_COST)
    assert asked(client, SEARCH, 1) == asked(client, LABORATORY, 1) == [429]
    assert asked(client, "/operations/search/", 1) == [200]  # an empty form searches nothing


def test_what_is_refused_costs_nothing(demo: Demo) -> None:
    client = signed_in(demo.operator)
    assert asked(client, SEARCH, MOST - LABORATORY_COST + 1) == [200] * (MOST - LABORATORY_COST + 1)
    assert asked(client, LABORATORY, 3) == [429] * 3
    assert asked(client, SEARCH, LABORATORY_COST - 1) == [200] * (LABORATORY_COST - 1)


@pytest.mark.long
def test_reading_passages_again_costs_more(demo: Demo) -> None:
    assert asked(signed_in(demo.student), f"{SEARCH}&arm=hybrid%2Brerank", MOST // RERANK_COST + 1)[-1] == 429


@pytest.mark.long
def test_who_waits_is_told_how_long_in_words(demo: Demo) -> None:
    client = signed_in(demo.operator)
    asked(client, SEARCH, MOST)
    api, page = client.get(SEARCH), client.get(LABORATORY)
    assert (api.status_code, api.json()["code"]) == (page.status_code, "throttled") == (429, "throttled")
    for answer in (api, page):
        assert 0 < int(answer["Retry-After"]) <= 60
        assert f"Wait {answer['Retry-After']} seconds, then try again" in answer.content.decode()


def test_a_school_has_a_budget_of_its_own(demo: Demo, django_user_model: Any) -> None:
    school = Tenant.objects.create(slug="north", name="North")
    people = [django_user_model.objects.create_user(f"pilot{n}") for n in range(4)]
    for one in people:
        Membership.objects.create(user=one, tenant=school, role="student")
    clients = [signed_in(one) for one in people]
    assert [asked(client, SEARCH, MOST)[-1] for client in clients[:2]] == [200, 200]
    assert asked(clients[2], SEARCH, 1) == [429]
    assert asked(signed_in(demo.student), SEARCH, 1) == [200]


@pytest.mark.long
def test_one_who_is_refused_does_not_use_up_what_the_school_has(demo: Demo, django_user_model: Any) -> None:
    school = Tenant.objects.create(slug="north", name="North")
    eager, calm = (django_user_model.objects.create_user(name) for name in ("eager", "calm"))
    for one in (eager, calm):
        Membership.objects.create(user=one, tenant=school, role="student")
    assert asked(signed_in(eager), SEARCH, 4 * MOST).count(200) == MOST
    assert asked(signed_in(calm), SEARCH, MOST) == [200] * MOST


def begin(client: Client) -> HttpResponse:
    return client.post("/exams/begin/", {"questions": "2"})  # type: ignore[return-value]


@pytest.mark.long
def test_beginning_an_oral_costs_the_same_on_the_page_and_over_the_api(demo: Demo) -> None:
    client = signed_in(demo.student)
    assert begin(client).status_code == 302
    answer = client.post("/api/v1/exams/", {"questions": 2}, content_type="application/json")
    assert (answer.status_code, 2 * EXAM_COST) == (201, MOST)
    assert begin(client).status_code == 429
    again = client.post("/api/v1/exams/", {"questions": 2}, content_type="application/json")
    assert (again.status_code, again.json()["code"]) == (429, "throttled")
    assert Exam.objects.count() == 2


@pytest.mark.long
def test_an_upload_costs_by_its_size(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knowledge.conf.UPLOAD_BYTES_A_POINT", 1000)
    client = APIClient()
    client.force_login(demo.operator)
    files = [BytesIO(b"Some words of no document. " * 400) for _ in range(3)]
    codes = []
    for number, file in enumerate(files):
        file.name = f"file{number}.txt"
        codes.append(client.post("/api/v1/documents/", {"file": file}, format="multipart").status_code)
    assert codes == [202, 429, 429]


def test_without_redis_nobody_is_turned_out(demo: Demo) -> None:
    away = f"redis://127.0.0.1:{free_port()}/0"
    redis = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": away}
    with override_settings(CACHES={"default": redis, "process": {"BACKEND": f"{MEMORY}"}}):
        client = signed_in(demo.student)
        assert begin(client).status_code == 302


MEMORY = "django.core.cache.backends.locmem.LocMemCache"


# --- open orals ---------------------------------------------------------------------------------------------------


@pytest.fixture
def full(demo: Demo) -> list[Exam]:
    return [new_exam(demo.student) for _ in range(OPEN_EXAMS_MOST)]


def test_one_open_oral_too_many_is_refused_by_name(demo: Demo, full: list[Exam]) -> None:
    client = signed_in(demo.student)
    answer = client.post("/api/v1/exams/", {"questions": 2}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_open")
    assert set(answer.json()["fields"]["open"]) == {str(exam.pk) for exam in full}
    assert "end or delete one" in answer.json()["message"]
    page = begin(client)
    assert (page.status_code, "end or delete one" in page.content.decode()) == (409, True)
    assert Exam.objects.count() == OPEN_EXAMS_MOST


@pytest.mark.long
def test_an_oral_that_ends_makes_room_and_others_have_their_own(demo: Demo, full: list[Exam]) -> None:
    new_exam(demo.reviewer)
    session.end_exam(full[0].pk)
    new_exam(demo.student)
    with pytest.raises(session.TooManyOpen):
        new_exam(demo.student)


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_the_cap_holds_for_requests_at_once(demo: Demo) -> None:
    clients = 12
    together = Barrier(clients)

    def client(_: int) -> bool:
        together.wait(timeout=30)
        try:
            session.create_exam(demo.student, None, order_from({"questions": 2}))
        except session.TooManyOpen:
            return False
        finally:
            connections.close_all()
        return True

    with ThreadPoolExecutor(clients) as pool:
        assert list(pool.map(client, range(clients))).count(True) == OPEN_EXAMS_MOST
    assert Exam.objects.filter(status=ExamStatus.ACTIVE).count() == OPEN_EXAMS_MOST


# --- frames -------------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_a_room_that_sends_without_end_is_told_to_wait(
    demo: Demo, enter: Enter, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.clear()
    exam = new_exam(demo.student)
    monkeypatch.setattr("exams.realtime.consumer.FRAMES_A_MINUTE", 5)
    room = enter(exam, demo.student)
    room.hear("question")
    for _ in range(8):
        room.say({"type": "ping"})
    told = room.hear("error")
    assert (told["code"], told["retryable"]) == ("too_fast", True)
    assert "go on in" in told["message"]
    assert [frame["type"] for frame in room.heard].count("pong") == 5
