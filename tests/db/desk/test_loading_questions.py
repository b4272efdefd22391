"""The operator of the shared library loads the project's questions from a page, as a job."""

import pytest
from django.urls import reverse

from exams.bank.files import ITEMS
from knowledge.models import IngestionJob
from knowledge.models.telemetry import JobKind
from knowledge.standards.loading import load_rows
from tests.doubles.schools import Schools
from tests.doubles.standards import printed_standard

pytestmark = pytest.mark.django_db


def test_questions_are_loaded_for_certificates_with_a_standard_by_one_job(schools: Schools) -> None:
    operator = schools.client("operator-of-shared")
    page = operator.post(reverse("desk:standards"), {"questions": "1"}, follow=True)
    assert "Load the standard of a certificate first" in page.content.decode()
    assert not IngestionJob.objects.exists()
    load_rows(printed_standard())
    for _ in range(2):  # a second press finds the job that waits
        page = operator.post(reverse("desk:standards"), {"questions": "1"}, follow=True)
    job = IngestionJob.objects.get()
    assert (job.kind, job.options["paths"]) == (JobKind.ITEMS, [str(ITEMS / "private")])
    assert job.created_by == schools.people["operator-of-shared"]
    assert "Question files" in page.content.decode()


def test_a_schools_operator_loads_no_questions_for_all(schools: Schools) -> None:
    client = schools.client("operator-of-first")
    assert client.post(reverse("desk:standards"), {"questions": "1"}).status_code == 403
    assert not IngestionJob.objects.exists()
