"""The operator reads what came of each job and what to do next, whatever came of it."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from desk.operations.job_status import STEPS as STEPS_IN_WORDS
from desk.operations.job_status import JobStatus
from knowledge.ingestion.run import steps_of
from knowledge.models import Document, IngestionJob
from knowledge.models.telemetry import JobKind
from knowledge.models.tenancy import Role
from tests.doubles.claims import make_user
from tests.doubles.library import make_document
from tests.doubles.schools import Schools

CLAIMS = {"reanchored": 4, "stale": 2, "restored": 0}
EDITION = {"kept": 90, "new": 12, "gone": 4, "older": False, "claims": CLAIMS}
STEPS = [
    {"name": "read", "state": "done", "done": 28, "total": 28, "note": ""},
    {"name": "recognise", "state": "running", "done": 3, "total": 10, "note": ""},
]


def job(state: str, **fields: Any) -> IngestionJob:
    return IngestionJob(
        source_name="a.pdf", content_hash="0" * 64, state=state, updated_at=timezone.now(), **fields
    )


def next_of(found: IngestionJob) -> str:
    return " ".join(f"{one.text} {one.label}" for one in JobStatus(found).next)


def test_a_running_job_says_where_it_is_and_what_is_ahead() -> None:
    shown = JobStatus(job("running", steps=STEPS, seconds_left=130.0))
    assert [(one.name, one.state) for one in shown.steps][:3] == [
        ("read", "done"),
        ("recognise", "now"),
        ("structure", "ahead"),
    ]
    assert shown.steps[-1].name == "publish"
    assert (shown.done, shown.total, shown.left) == (3, 10, "about 2 minutes left")


def test_every_step_of_every_kind_of_job_has_words() -> None:
    assert {name for kind in JobKind for name in steps_of(kind)} == STEPS_IN_WORDS.keys()


@pytest.mark.parametrize(
    ("seconds", "said"), [(None, ""), (4.0, "a few seconds left"), (41.0, "about 40 seconds left")]
)
def test_the_time_left_is_said_in_words(seconds: float | None, said: str) -> None:
    assert JobStatus(job("running", steps=STEPS, seconds_left=seconds)).left == said


@pytest.mark.parametrize(
    ("code", "label", "said"),
    [
        ("no_pages", "refused", "Download it again"),
        ("not_a_pdf", "refused", "Nothing was stored."),
        ("internal", "failed", "Retry it"),
    ],
)
def test_a_file_that_is_refused_is_not_our_failure(code: str, label: str, said: str) -> None:
    found = job("failed", counts={"code": code}, error="Why.")
    assert JobStatus(found).label == label
    assert said in next_of(found)


def test_a_cancelled_job_says_that_nothing_is_lost() -> None:
    assert "Retry starts it again" in next_of(job("cancelled", steps=STEPS))


def test_a_new_edition_says_what_became_of_its_claims() -> None:
    found = job("succeeded", counts={"pages": 1, "chunks": 102, "edition": EDITION})
    said = " ".join(JobStatus(found).said)
    assert "90 passages unchanged, 12 new, 4 gone; 4 quotes found again" in said
    assert "no claim lost" not in said
    assert "2 claims wait for a reviewer" in next_of(found)
    assert JobStatus(found).facts == "1 page, 102 passages"


def test_what_was_left_out_is_said_with_its_reasons() -> None:
    counts = {"chunks": 1, "skipped": 3, "skipped_for": {"a plain shape": 3}, "unseen": {"page 4": 12}}
    said = " ".join(JobStatus(job("succeeded", counts=counts)).said)
    assert "3 pictures refused (3 × a plain shape)." in said
    assert "12 on page 4" in said


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"doc_type": "other"}, "its kind could not be determined. Enter its kind and publish"),
        ({"doc_type": "sop", "chunking": "fixed-800-100"}, "nobody has published it"),
        ({"doc_type": "sop", "chunking": ""}, "it has not been read yet"),
    ],
)
def test_a_draft_says_why_it_is_one(fields: dict[str, str], why: str) -> None:
    document = make_document("Notes", status="draft", **fields)
    assert why in next_of(job("succeeded", document=document, counts={"chunks": 1}))


@pytest.mark.django_db
def test_a_job_whose_document_waits_for_its_kind_waits_for_its_operator(client: Client) -> None:
    client.force_login(make_user("olga", Role.OPERATOR))
    document = make_document("notes", status="draft", doc_type="other", abbreviation="")
    found = job("succeeded", document=document, steps=[{"name": "publish", "state": "done", "note": ""}])
    found.save()
    address = f'href="/operations/documents/{document.pk}/#what">Enter its kind and publish'
    for path in ("", "jobs/", f"jobs/{found.pk}/"):
        page = client.get(f"/operations/{path}").content.decode()
        assert 'class="badge half">waits for you' in page, path
        assert address in page, path
    assert "<td>Publish</td><td>waits for you</td>" in page
    Document.objects.update(doc_type="sop", status="published")
    page = client.get("/operations/jobs/").content.decode()
    assert 'class="badge succeeded">succeeded' in page
    assert address not in page


def test_acting_for_a_school_an_upload_is_of_its_procedures(schools: Schools) -> None:
    chosen = '<option value="sop" selected>'
    assert chosen in schools.client("operator-of-first").get("/operations/").content.decode()
    assert chosen not in schools.client("operator-of-shared").get("/operations/").content.decode()


@pytest.mark.django_db
def test_what_could_not_be_told_is_said_and_published_in_one_form(client: Client) -> None:
    client.force_login(make_user("olga", Role.OPERATOR))
    found = make_document("notes", status="draft", doc_type="other", abbreviation="")
    page = client.get(f"/operations/documents/{found.pk}/").content.decode()
    assert "its kind could not be determined" in page
    told = {"doc_type": "sop", "title": "Tie-down rules", "abbreviation": "TDR", "edition": "2"}
    address = f"/operations/documents/{found.pk}/describe/"
    for wrong in ({"doc_type": "song"}, {"title": " "}, {"edition_date": "soon"}):
        page = client.post(address, {**told, **wrong, "then": "publish"}, follow=True).content.decode()
        assert 'class="error"' in page
    assert Document.objects.get(pk=found.pk).status == "draft"
    client.post(address, {**told, "edition_date": "2026-01-31", "then": "publish"})
    found.refresh_from_db()
    assert (found.status, found.doc_type, found.title, found.edition) == (
        "published",
        "sop",
        "Tie-down rules",
        "2",
    )
    assert str(found.check_by) == "2027-01-31"


@pytest.mark.django_db
def test_many_files_at_once_are_answered_in_few_lines(client: Client) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    client.force_login(make_user("olga", Role.OPERATOR))
    good = [SimpleUploadedFile(f"good{n}.md", f"# Rules {n}\n\nLook first.".encode()) for n in range(5)]
    bad = [SimpleUploadedFile(f"bad{n}.pdf", b"no") for n in range(5)]
    page = client.post("/operations/upload/", {"files": [*good, *bad]}, follow=True)
    said = [str(message) for message in page.context["messages"]]
    assert said == [
        "5 files were refused. The list below says why.",
        "5 files are queued.",
    ]


def test_a_key_that_the_vendor_refuses_is_not_sent_again_as_it_is() -> None:
    said = next_of(job("failed", kind="claims", counts={"code": "model_bad_key"}))
    assert "Set another one in the environment, then retry." in said
    assert "Nothing was changed" not in said  # an earlier start may have stored claims
