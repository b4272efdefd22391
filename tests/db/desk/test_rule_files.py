"""Rules loaded by page: what would change is shown first, and a job does only that."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from knowledge.ingestion.pipeline import run_job
from knowledge.models import IngestionJob, Membership, Tenant
from knowledge.models.telemetry import JobKind, JobState
from knowledge.models.tenancy import Role
from rules.data.load import store_rules
from rules.data.parse import read_rules
from rules.models import QuestionVector, RuleAnswer, RuleAnswerChange, RuleQuestion
from tests.doubles.rule_files import PLAN, cell, question, two_questions
from tests.doubles.workbooks import workbook

pytestmark = pytest.mark.django_db
PAGE, LOAD = "/operations/rules/", "/operations/rules/load/"


def operator_of(school: Tenant | None, name: str = "olga") -> Client:
    user = get_user_model().objects.create_user(name, is_staff=True)
    Membership.objects.create(user=user, tenant=school, role=Role.OPERATOR)
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture(autouse=True)
def media(settings: LazySettings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def operator() -> Client:
    return operator_of(None)


def upload(client: Client, content: list[Any] | bytes, name: str = "rules.json") -> Any:
    data = content if isinstance(content, bytes) else json.dumps({"questions": content}).encode()
    return client.post(PAGE, {"file": SimpleUploadedFile(name, data)})


def confirm(client: Client, page: Any) -> Any:
    """Load it, and run the job that this starts; the page that follows."""
    form = {name: page.context[name] for name in ("digest", "name", "expected")}
    told = client.post(LOAD, form, follow=True)
    for job in IngestionJob.objects.filter(kind=JobKind.RULES, state=JobState.QUEUED):
        run_job(job.pk)
    return client.get(told.redirect_chain[-1][0]) if told.redirect_chain else told


def test_nothing_changes_before_the_operator_says_so(operator: Client) -> None:
    page = upload(operator, two_questions())
    text = page.content.decode()
    assert "3 added" in text
    assert "an empty answer" in text
    assert "Row 1" in text
    assert RuleQuestion.objects.count() == 0
    done = confirm(operator, page)
    assert "2 questions read. Answers: 3 added" in done.content.decode()
    assert RuleAnswer.objects.count() == 3
    assert QuestionVector.objects.count() == 2
    assert RuleAnswerChange.objects.filter(by__username="olga").count() == 3


def test_the_preview_shows_old_and_new_words(operator: Client) -> None:
    confirm(operator, upload(operator, two_questions()))
    changed = question(PLAN, "International", ["flight plan"], FR="Not any more.", DE="Yes.")
    page = upload(operator, [changed])
    steps = [(step.done, step.country, step.before, step.after) for step in page.context["would"].steps]
    assert ("changed", "FR", "Yes, one hour before.", "Not any more.") in steps
    assert ("removed", "FR", "Overhead, then downwind.", "") in steps
    assert len(RuleQuestion.objects.all()) == 2


def test_what_changed_since_is_shown_again_and_not_overwritten(operator: Client) -> None:
    page = upload(operator, two_questions())
    other = operator_of(None, "otto")
    confirm(other, upload(other, [question(PLAN, "International", [], FR="Otto says no.")]))
    late = confirm(operator, page)
    assert "The rules have changed since you looked" in late.content.decode()
    assert RuleAnswer.objects.get(country="FR").text == "Otto says no."
    confirm(operator, late)
    assert RuleAnswer.objects.get(question__key=PLAN, country="FR").text == "Yes, one hour before."


def test_what_changes_after_the_job_was_started_is_not_overwritten(operator: Client) -> None:
    page = upload(operator, two_questions())
    operator.post(LOAD, {name: page.context[name] for name in ("digest", "name", "expected")})
    late = json.dumps({"questions": [question(PLAN, "International", [], FR="Otto says no.")]}).encode()
    store_rules(read_rules(late, {"FR", "DE"}))
    job = IngestionJob.objects.get()
    run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.counts["code"]) == ("failed", "outdated")
    assert "Upload the file again" in operator.get(f"/operations/jobs/{job.pk}/").content.decode()
    assert RuleAnswer.objects.get().text == "Otto says no."


def test_a_workbook_loads_as_well(operator: Client) -> None:
    rows = [["question", "category", "tags", "FR"], [PLAN, "VFR", "", "Yes"], ["", "VFR", "", "lost"]]
    page = upload(operator, workbook(rows), "rules.xlsx")
    assert "Row 3: a question without a name" in page.content.decode()
    confirm(operator, page)
    assert RuleAnswer.objects.get().text == "Yes"


@pytest.mark.parametrize("content", [b"", b"nonsense", b'{"questions": []}', b"PK\x03\x04broken"])
def test_a_file_that_is_none_is_said_on_the_page(operator: Client, content: bytes) -> None:
    page = upload(operator, content)
    assert page.status_code == 400
    assert 'role="alert"' in page.content.decode()


def test_a_file_that_is_no_longer_kept_is_asked_for_again(operator: Client) -> None:
    told = operator.post(LOAD, {"digest": "0" * 64, "name": "x", "expected": ""}, follow=True)
    assert "upload it again" in told.content.decode()


def test_a_school_s_operator_loads_for_the_school_alone() -> None:
    school = Tenant.objects.create(slug="school", name="School")
    client = operator_of(school)
    confirm(client, upload(client, [question(PLAN, "VFR", [], FR=cell("Ours."))]))
    assert RuleQuestion.objects.get().tenant == school


def test_only_operators_come_in(client: Client) -> None:
    client.force_login(get_user_model().objects.create_user("stella"))
    assert client.get(PAGE).status_code == 403
    assert client.post(LOAD).status_code == 403
