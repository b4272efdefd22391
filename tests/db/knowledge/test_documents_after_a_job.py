"""The operator's page learns of a new document when its job ends, without being loaded again."""

import pytest
from django.test import Client

from knowledge.models import IngestionJob
from knowledge.models.telemetry import JobState
from knowledge.models.tenancy import Role
from tests.doubles.claims import make_user
from tests.doubles.library import make_document

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(make_user("olga", Role.OPERATOR))
    return client


def test_the_end_of_a_job_is_told_once(operator: Client) -> None:
    job = IngestionJob.objects.create(source_name="a.pdf", content_hash="0" * 64, state=JobState.RUNNING)
    before = operator.get("/operations/jobs/now/")
    assert 'name="over" value="0"' in before.content.decode()
    assert "HX-Trigger" not in operator.get("/operations/jobs/now/", {"over": "0"}).headers
    IngestionJob.objects.filter(pk=job.pk).update(state=JobState.SUCCEEDED)
    assert operator.get("/operations/jobs/now/", {"over": "0"}).headers["HX-Trigger"] == "library"
    assert "HX-Trigger" not in operator.get("/operations/jobs/now/", {"over": "1"}).headers


def test_the_documents_can_be_asked_for_alone(operator: Client) -> None:
    make_document("A handbook")
    shown = operator.get("/operations/documents/").content.decode()
    assert "A handbook" in shown
    assert "<html" not in shown
