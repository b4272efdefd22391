"""What a signed-in user saw is in no cache afterwards; metrics are for this machine; the admin has a policy."""

import pytest
from django.conf import LazySettings
from django.core.checks import run_checks
from django.test import Client
from django.urls import reverse

from heydpe.env import read_environment
from knowledge.models import Chunk, Document
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import new_exam

pytestmark = pytest.mark.django_db


@pytest.fixture
def student(demo: Demo, client: Client) -> Client:
    client.force_login(demo.student)
    return client


def test_no_page_of_a_signed_in_user_is_kept(demo: Demo, student: Client) -> None:
    exam, chunk = new_exam(demo.student), Chunk.objects.all()[0]
    pages = [
        "/",
        "/exams/",
        "/library/",
        "/rules/",
        "/accounts/",
        "/api/v1/exams/",
        "/api/v1/search/?q=airspace",
    ]
    pages += [
        reverse("exams:room", args=[exam.pk]),
        reverse("library:passage", args=[chunk.pk]),
        "/nothing-here/",
    ]
    for path in pages:
        kept = student.get(path)["Cache-Control"]
        assert "no-store" in kept, path
        assert "private" in kept, path


def test_the_admin_and_operations_are_kept_by_nobody_either(demo: Demo, client: Client) -> None:
    client.force_login(demo.operator)
    for path in ["/admin/", "/operations/", "/operations/search/?q=airspace"]:
        assert {"private", "no-store"} <= set(
            client.get(path)["Cache-Control"].replace(" ", "").split(",")
        ), path


def test_a_picture_is_kept_by_the_readers_browser_alone(demo: Demo, student: Client) -> None:
    document = Document.objects.get()
    kept = student.get(reverse("library:page_picture", args=[document.pk, 3]))["Cache-Control"]
    assert "private" in kept
    assert "public" not in kept


def metrics(**more: object) -> int:
    return Client().get("/metrics", **more).status_code  # type: ignore[arg-type]


def test_metrics_are_for_this_machine_alone(settings: LazySettings) -> None:
    assert metrics() == 200
    assert metrics(REMOTE_ADDR="192.0.2.7") == 403
    assert metrics(headers={"X-Forwarded-For": "192.0.2.7"}) == 403
    assert metrics(REMOTE_ADDR="192.0.2.7", headers={"Authorization": "Bearer "}) == 403


def test_metrics_are_for_whoever_has_the_token(settings: LazySettings) -> None:
    settings.ENV = read_environment({"METRICS_TOKEN": "abc"})
    far = {"REMOTE_ADDR": "192.0.2.7"}
    assert metrics(**far, headers={"Authorization": "Bearer abc"}) == 200
    assert metrics(**far, headers={"Authorization": "Bearer abd"}) == 403
    assert metrics(**far) == 403


def test_the_check_says_what_is_open() -> None:
    told = {one.id: one for one in run_checks(include_deployment_checks=True)}
    assert "/metrics answers this machine only" in told["heydpe.I003"].msg
    assert "TRUSTED_PROXIES" in told["heydpe.I004"].msg
