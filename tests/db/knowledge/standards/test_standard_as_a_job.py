"""Loading a certification standard is a job: it tells its total, waits where it changes exams, and refuses clearly."""

from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from knowledge.documents.standard_jobs import request_standard
from knowledge.ingestion.jobs.jobs import cancel_job, retry_job
from knowledge.ingestion.pipeline import run_job
from knowledge.ingestion.run import Progress
from knowledge.models import AcsElement, IngestionJob, Standard
from knowledge.models.telemetry import JobKind
from tests.doubles.acs_pdfs import LAYOUTS, acs_pdf
from tests.doubles.schools import Schools
from tests.doubles.source_files import one_page
from tests.doubles.standards import printed_standard

pytestmark = [pytest.mark.long, pytest.mark.django_db]


@pytest.fixture
def printed(settings: LazySettings, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    return acs_pdf(tmp_path / "acs.pdf", printed_standard(), LAYOUTS[0])


def sent(client: Client, path: Path) -> Any:
    file = SimpleUploadedFile(path.name, path.read_bytes())
    return client.post(reverse("desk:standards"), {"file": file}, follow=True)


def test_it_tells_its_pages_and_elements_before_it_reads_and_stores_them(printed: Path) -> None:
    told: list[Progress] = []
    job = request_standard("acs.pdf", path=printed, wake=False)
    run_job(job.pk, told.append)
    assert [(one.step, one.done) for one in told if one.total][:1] == [("read", 0)]
    job.refresh_from_db()
    elements = AcsElement.objects.count()
    assert (job.state, job.counts["elements"], job.steps[1]["total"]) == ("succeeded", elements, elements)


def test_the_operator_reads_what_it_changes_and_then_starts_it(schools: Schools, printed: Path) -> None:
    operator = schools.client("operator-of-shared")
    page = sent(operator, printed).content.decode()
    job = IngestionJob.objects.get(kind=JobKind.STANDARD)
    assert job.held
    assert "there is none yet" in page
    assert not run_job(job.pk)
    operator.post(reverse("desk:start_job", args=[job.pk]))
    assert run_job(job.pk)
    page = operator.get(reverse("desk:job", args=[job.pk])).content.decode()
    assert "2 Areas, 2 Tasks, 8 elements" in page
    assert Standard.objects.get().number in operator.get(reverse("desk:standards")).content.decode()


def test_the_same_standard_again_changes_nothing_and_does_not_wait(schools: Schools, printed: Path) -> None:
    run_job(request_standard("acs.pdf", path=printed, wake=False).pk)
    before = list(AcsElement.objects.order_by("pk").values_list("pk", "text"))
    sent(schools.client("operator-of-shared"), printed)
    job = IngestionJob.objects.get(state="queued")
    assert not job.held
    assert run_job(job.pk)
    assert list(AcsElement.objects.order_by("pk").values_list("pk", "text")) == before


def test_a_file_that_is_no_standard_is_refused_on_the_page_and_starts_nothing(
    schools: Schools, printed: Path, tmp_path: Path
) -> None:
    operator = schools.client("operator-of-shared")
    for path in (one_page(tmp_path / "letter.pdf", ["A letter about nothing"]), Path(__file__)):
        page = sent(operator, path).content.decode()
        assert "It is no certification standard" in page
        assert "Nothing was changed" in page
    assert not IngestionJob.objects.exists()


def test_a_file_that_changed_since_fails_and_says_what_to_do(schools: Schools, printed: Path) -> None:
    job = request_standard("acs.pdf", path=one_page(printed, ["A letter"]), wake=False)
    run_job(job.pk)
    page = schools.client("operator-of-shared").get(reverse("desk:job", args=[job.pk])).content.decode()
    assert "It is no certification standard" in page
    assert "Nothing was changed. Download the PDF from the FAA again" in page


def test_cancelled_before_it_stores_it_stores_nothing_and_a_retry_does_all(printed: Path) -> None:
    job = request_standard("acs.pdf", path=printed, wake=False)

    def cancel(progress: Progress) -> None:
        if progress.step == "load":
            cancel_job(job)

    run_job(job.pk, cancel)
    job.refresh_from_db()
    assert job.state == "cancelled"
    assert not cancel_job(job)
    assert not Standard.objects.exists()
    assert retry_job(job)
    assert not retry_job(job)
    assert run_job(job.pk)
    assert Standard.objects.exists()


@pytest.mark.parametrize("name", ["operator-of-first", "reviewer-of-first"])
def test_standards_belong_to_the_house(schools: Schools, printed: Path, name: str) -> None:
    client = schools.client(name)
    assert client.get(reverse("desk:standards")).status_code == 403
    assert sent(client, printed).status_code == 403
