"""Loading rules is a job: all or nothing, with its findings to read, and it goes on behind what it stored."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.urls import reverse

from knowledge.ingestion.jobs.jobs import cancel_job, retry_job
from knowledge.ingestion.pipeline import run_job
from knowledge.ingestion.run import Progress
from knowledge.models import IngestionJob
from llm.errors import TimedOut
from rules.data.rule_jobs import request_rules
from rules.models import AnswerVector, QuestionVector, RuleAnswer
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.rule_files import PLAN, question, rule_file, two_questions
from tests.doubles.schools import Schools

pytestmark = pytest.mark.django_db
MODEL = HashingEmbedding()


class AwayOnce(HashingEmbedding):
    away = True

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        if self.away:
            self.away = False
            raise TimedOut("no answer")
        return super().embed_passages(texts)


@pytest.fixture
def job(settings: LazySettings, tmp_path: Path) -> IngestionJob:
    settings.MEDIA_ROOT = tmp_path / "media"
    return request_rules("rules.json", path=rule_file(tmp_path, two_questions()), wake=False)


def run(job: IngestionJob, **options: object) -> IngestionJob:
    run_job(job.pk, model=MODEL, **options)  # type: ignore[arg-type]
    job.refresh_from_db()
    return job


def test_it_says_how_much_there_is_to_store_and_to_embed(job: IngestionJob) -> None:
    told: list[Progress] = []
    run(job, on_progress=told.append)
    assert {(one.step, one.total) for one in told if one.total} >= {("read", 2), ("load", 3), ("embed", 5)}
    assert [(one["name"], one["done"], one["total"]) for one in job.steps] == [
        ("read", 2, 2),
        ("load", 3, 3),
        ("embed", 5, 5),
    ]
    assert (QuestionVector.objects.count(), AnswerVector.objects.count()) == (2, 3)


def test_its_page_lists_what_was_left_out(job: IngestionJob, schools: Schools) -> None:
    run(job)
    page = schools.client("operator-of-shared").get(reverse("desk:job", args=[job.pk])).content.decode()
    assert "2 questions read. Answers: 3 added, 0 changed, 0 removed, 0 unchanged" in page
    assert "an empty answer" in page


def test_a_file_that_is_none_changes_nothing_and_says_what_is_expected(
    job: IngestionJob, schools: Schools
) -> None:
    Path(job.options["path"]).write_text("nonsense", encoding="utf-8")
    run(job)
    assert (job.state, job.counts["code"]) == ("failed", "not_rules")
    page = schools.client("operator-of-shared").get(reverse("desk:job", args=[job.pk])).content.decode()
    assert "neither an Excel workbook (.xlsx) nor JSON in UTF-8" in page
    assert "Mend the file, then upload it again" in page
    assert not RuleAnswer.objects.exists()


def test_cancelled_before_it_stores_it_stores_nothing(job: IngestionJob) -> None:
    run(job, on_progress=lambda progress: progress.step == "load" and cancel_job(job))
    assert job.state == "cancelled"
    assert not RuleAnswer.objects.exists()
    assert retry_job(job)
    assert run(job).state == "succeeded"
    assert RuleAnswer.objects.count() == 3


def test_without_its_model_the_rules_are_stored_and_the_vectors_follow(
    job: IngestionJob, tmp_path: Path
) -> None:
    model = AwayOnce()
    run_job(job.pk, model=model)
    job.refresh_from_db()
    assert (job.state, RuleAnswer.objects.count(), AnswerVector.objects.count()) == ("queued", 3, 0)
    rule_file(tmp_path, [question(PLAN, "VFR", [], FR="Changed while it waited.")])
    IngestionJob.objects.update(lease_until=None)
    run_job(job.pk, model=model)
    job.refresh_from_db()
    assert (job.state, AnswerVector.objects.count()) == ("succeeded", 3)
    assert "Changed while it waited." not in RuleAnswer.objects.values_list("text", flat=True)


def test_a_school_s_rules_are_a_job_of_the_school(schools: Schools, tmp_path: Path) -> None:
    path = rule_file(tmp_path, two_questions())
    job = request_rules("ours.json", path=path, tenant=schools.first, wake=False)
    address = reverse("desk:job", args=[job.pk])
    assert schools.client("operator-of-first").get(address).status_code == 200
    assert schools.client("operator-of-second").get(address).status_code == 404
