"""A certification standard among the documents is recognized, told before it changes anything, and loaded; a real one
puts the demo away."""

import io
import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from django.conf import LazySettings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

from desk.demo.load import load_demo
from exams.examiner.briefing import library_state
from exams.examiner.element_facts import supported_elements
from knowledge.documents.lifecycle import publish_document
from knowledge.graph.skeleton import load_standard
from knowledge.models import Document, IngestionJob, Standard
from knowledge.standards.changes import changes_by
from knowledge.tasks import ingest_job, sweep_jobs
from tests.doubles.acs_pdfs import LAYOUTS, acs_pdf
from tests.doubles.demo_library import Demo
from tests.doubles.library import make_tenant
from tests.doubles.source_files import one_page
from tests.doubles.standards import printed_standard, small_standard

FAA = Path(__file__).parents[5] / "shared" / "data" / "faa" / "pdf"
PRIVATE = FAA / "FAA-S-ACS-6C_Private_Pilot_ACS.pdf"
COMMERCIAL = FAA / "FAA-S-ACS-7B_Commercial_Pilot_ACS.pdf"
needs_acs = pytest.mark.skipif(not PRIVATE.exists(), reason=f"{PRIVATE.name} is not there (../shared/data)")
pytestmark = pytest.mark.django_db(transaction=True)

REPLACES = "FAA-S-ACS-6B of June 2018: 2 Areas, 2 Tasks, 8 elements."


def ingest(*arguments: str) -> Any:
    out = io.StringIO()
    call_command("ingest", *arguments, "--json", stdout=out)
    return json.loads(out.getvalue())["documents"][0]


def pts(path: Path) -> Path:
    return one_page(path, ["FAA-S-8081-12C", "Commercial Pilot", "Practical Test Standards", "I. Preflight"])


def cut_off(path: Path) -> Path:
    whole = acs_pdf(path.with_name("whole.pdf"), printed_standard(), LAYOUTS[0])
    with pymupdf.open(whole) as source, pymupdf.open() as part:
        part.insert_pdf(source, to_page=2)
        part.save(path)
    return path


def without_end(path: Path) -> Path:
    content = acs_pdf(path.with_name("whole.pdf"), printed_standard(), LAYOUTS[0]).read_bytes()
    path.write_bytes(content[: content.rindex(b"startxref")])
    return path


REFUSED: list[tuple[Callable[[Path], Path], str]] = [
    (pts, "Practical Test Standard (FAA-S-8081-12C): its elements have no codes"),
    (cut_off, "cut off behind Area I, Task E: 1 of the 2 Tasks in its contents are not there"),
    (without_end, "its end is missing"),
]
by_refusal = pytest.mark.parametrize(("make", "reason"), REFUSED, ids=["pts", "cut off", "without end"])


@pytest.fixture
def media(settings: LazySettings, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    return tmp_path


@pytest.fixture
def printed(media: Path) -> Path:
    return acs_pdf(media / "acs.pdf", printed_standard(), LAYOUTS[3])


@pytest.fixture
def operator(demo: Demo, client: Client, media: Path) -> Client:
    client.force_login(demo.operator)
    return client


def upload(client: Client, path: Path, **more: str) -> Any:
    file = SimpleUploadedFile(path.name, path.read_bytes())
    return client.post("/operations/upload/", {"files": file, **more}, follow=True)


def post(client: Client, path: Path, **more: str) -> Any:
    file = SimpleUploadedFile(path.name, path.read_bytes())
    return client.post("/api/v1/documents/", {"file": file, **more})


# --- folders -------------------------------------------------------------------------------------------------------


@needs_acs
@pytest.mark.long
@pytest.mark.shared
@pytest.mark.parametrize(
    ("path", "told"),
    [
        (PRIVATE, "FAA-S-ACS-6C: 12 areas, 61 tasks, 1192 elements"),
        (COMMERCIAL, "FAA-S-ACS-7B: 11 areas, 60 tasks, 1192 elements"),
    ],
)
def test_faas_acs_in_a_folder_becomes_the_standard(media: Path, path: Path, told: str) -> None:
    found = ingest(str(path))
    assert found["standard"] == told
    assert Standard.objects.get(current=True).number == told.split(":")[0]


def test_folder_says_what_changes_before_it_does(printed: Path) -> None:
    out = io.StringIO()
    call_command("ingest", str(printed), stdout=out)
    said = out.getvalue()
    assert said.startswith(
        f"acs.pdf: {REPLACES} It becomes the standard of the private certificate; there is none yet."
    )
    assert Standard.objects.get(current=True).number == "FAA-S-ACS-6B"


@pytest.mark.long
def test_estimate_says_what_would_change_and_changes_nothing(printed: Path) -> None:
    out = io.StringIO()
    call_command("ingest", str(printed), "--estimate", stdout=out)
    assert REPLACES in out.getvalue()
    assert not Standard.objects.exists()


@by_refusal
def test_folder_refuses_what_cannot_be_a_standard(
    media: Path, make: Callable[[Path], Path], reason: str
) -> None:
    with pytest.raises(CommandError) as refused:
        ingest(str(make(media / "acs.pdf")))
    assert reason in str(refused.value)
    assert not Document.objects.exists()
    assert IngestionJob.objects.get().counts["code"] == "no_standard"


@pytest.mark.long
def test_older_edition_is_kept_and_does_not_become_current(printed: Path) -> None:
    load_standard(small_standard())
    found = ingest(str(printed))
    stays = "It is older than the current one: FAA-S-ACS-6C of November 2023 stays current."
    assert found["changes"]["told"] == [REPLACES, stays]
    assert found["standard"] == "FAA-S-ACS-6B: 2 areas, 2 tasks, 8 elements; FAA-S-ACS-6C stays current"
    assert Standard.objects.get(current=True).number == "FAA-S-ACS-6C"


def test_load_acs_says_what_it_would_change(printed: Path) -> None:
    out = io.StringIO()
    call_command("load_acs", str(printed), "--check", stdout=out)
    assert out.getvalue().startswith(REPLACES)
    assert not Standard.objects.exists()


# --- what changes --------------------------------------------------------------------------------------------------


def test_changes_name_what_is_added_removed_and_reworded() -> None:
    load_standard(small_standard("FAA-S-ACS-6B", date(2018, 6, 1), without=("PA.I.E.S1",)))
    changes = changes_by(small_standard(without=("PA.I.E.R1",)))
    assert (changes.added, changes.removed, changes.reworded) == (("PA.I.E.S1",), ("PA.I.E.R1",), ())
    assert changes.sentences()[1:] == [
        "It replaces FAA-S-ACS-6B of June 2018.",
        "1 element added: PA.I.E.S1.",
        "1 element removed: PA.I.E.R1.",
    ]


def test_same_standard_changes_nothing() -> None:
    load_standard(small_standard())
    changes = changes_by(small_standard())
    assert changes.nothing
    assert changes.sentences()[1] == "It is the current standard already; nothing changes."


# --- the page and the API ------------------------------------------------------------------------------------------


def test_page_waits_until_the_operator_has_read_what_changes(operator: Client, printed: Path) -> None:
    page = upload(operator, printed).content.decode()
    assert "Nothing has changed yet" in page
    assert "It replaces the demo standard." in page
    assert "is archived; its page publishes it again." in page
    job = IngestionJob.objects.get(source_name="acs.pdf")
    ingest_job(str(job.pk))
    assert Standard.objects.get(current=True).demo
    operator.post(f"/operations/jobs/{job.pk}/start/")
    ingest_job(str(job.pk))
    assert Standard.objects.get(current=True).number == "FAA-S-ACS-6B"
    assert Document.objects.get(demo=True).status == "archived"
    assert "As a standard: FAA-S-ACS-6B: 2 areas" in operator.get("/operations/jobs/now/").content.decode()


@pytest.mark.long
def test_page_says_at_once_that_an_older_edition_changes_nothing(operator: Client, printed: Path) -> None:
    load_standard(small_standard())
    page = upload(operator, printed).content.decode()
    assert "It is older than the current one: FAA-S-ACS-6C of November 2023 stays current." in page
    assert not IngestionJob.objects.get(source_name="acs.pdf").held


def test_api_answers_with_what_changes(operator: Client, printed: Path) -> None:
    answer = post(operator, printed)
    assert answer.status_code == 202
    assert answer.json()["standard"][0] == REPLACES
    ingest_job(answer.json()["id"])
    assert Standard.objects.get(current=True).number == "FAA-S-ACS-6B"


@pytest.mark.long
def test_api_waits_for_start_where_it_is_asked_to(operator: Client, printed: Path) -> None:
    job = post(operator, printed, held="true").json()
    ingest_job(job["id"])
    assert Standard.objects.get(current=True).demo
    assert operator.post(f"/api/v1/jobs/{job['id']}/start/").status_code == 200
    assert operator.post(f"/api/v1/jobs/{job['id']}/start/").status_code == 409
    ingest_job(job["id"])
    assert not Standard.objects.get(current=True).demo


@pytest.mark.long
@by_refusal
def test_page_and_api_refuse_what_cannot_be_a_standard(
    operator: Client, media: Path, make: Callable[[Path], Path], reason: str
) -> None:
    path = make(media / "acs.pdf")
    assert reason.replace("'", "&#x27;") in upload(operator, path).content.decode()
    answer = post(operator, path)
    assert answer.status_code == 400
    assert reason in answer.json()["fields"]["file"][0]
    assert not Document.objects.filter(demo=False).exists()


def test_other_documents_do_not_wait(operator: Client, media: Path) -> None:
    path = one_page(media / "rules.pdf", ["Club rules", "See FAA-S-ACS-6C for what an examiner asks."])
    upload(operator, path)
    assert not IngestionJob.objects.get(source_name="rules.pdf").held


# --- what is left over ---------------------------------------------------------------------------------------------


def test_standard_published_later_is_loaded_by_the_sweep(printed: Path) -> None:
    found = ingest(str(printed), "--status", "draft")
    sweep_jobs()
    assert not Standard.objects.exists()
    publish_document(Document.objects.get(pk=found["id"]))
    sweep_jobs()
    assert Standard.objects.get(current=True).number == "FAA-S-ACS-6B"


def test_schools_own_upload_stays_a_document_of_the_school(printed: Path) -> None:
    make_tenant("club")
    found = ingest(str(printed), "--tenant", "club")
    sweep_jobs()
    assert found["status"] == "published"
    assert not Standard.objects.exists()


def test_real_standard_puts_the_demos_handbook_away(demo: Demo) -> None:
    assert Document.objects.get(demo=True).status == "published"
    load_standard(small_standard())
    assert Document.objects.get(demo=True).status == "archived"
    support = supported_elements("private", library=library_state(None, None))
    assert not any(one.askable for one in support.values())


@pytest.mark.long
def test_demo_does_not_come_back_under_a_real_standard(demo: Demo, settings: LazySettings) -> None:
    settings.DEBUG = True
    load_standard(small_standard())
    load_demo()
    assert Document.objects.get(demo=True).status == "archived"
    assert Document.objects.get(demo=True).events.values_list("act", flat=True).first() == "archived"
    assert not Standard.objects.get(current=True).demo
