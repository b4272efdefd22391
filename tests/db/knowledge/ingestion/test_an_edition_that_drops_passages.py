"""A new edition that drops much of the one in force, or comes from a damaged file, asks before it replaces anything."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from knowledge.ingestion.editions.replacement import replacement_by
from knowledge.ingestion.folder_import import FoundFile, files_in
from knowledge.models import Document, IngestionJob
from knowledge.models.tenancy import Role
from tests.doubles import editions
from tests.doubles.claims import make_user
from tests.doubles.editions import FIRST, SECOND, document_of, feed
from tests.doubles.library import make_document

pytestmark = pytest.mark.django_db
SHORT = FIRST[:4]  # a third of the sections is gone


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(make_user("olga", Role.OPERATOR))
    return client


@pytest.fixture
def old(tmp_path: Path) -> Document:
    return document_of(feed(editions.markdown(tmp_path / "first.md")))


def fed_short(folder: Path, **options: Any) -> IngestionJob:
    return feed(editions.markdown(folder / "second.md", SHORT), **options)


def in_force() -> list[str]:
    found = Document.objects.filter(status="published", superseded_by=None)
    return list(found.values_list("source_name", flat=True))


def test_it_stays_a_draft_and_says_what_would_go(old: Document, tmp_path: Path, operator: Client) -> None:
    job = fed_short(tmp_path)
    assert in_force() == ["first.md"]
    assert job.counts["asks"]["before"] == str(old.pk)
    assert job.counts["asks"]["dropped"] == 2
    told = operator.get(f"/operations/jobs/{job.pk}/").content.decode()
    assert "Nothing was replaced. It would drop 2 of" in told
    page = operator.get(f"/operations/documents/{job.document_id}/").content.decode()
    assert "Publish anyway" in page
    assert "Logbook" in page
    assert "Oxygen" in page


def test_published_anyway_it_replaces_the_old_one(old: Document, tmp_path: Path, operator: Client) -> None:
    job = fed_short(tmp_path)
    operator.post(f"/operations/documents/{job.document_id}/publish/")
    assert in_force() == ["second.md"]
    old.refresh_from_db()
    assert old.superseded_by_id == job.document_id


def test_the_old_one_can_be_kept(old: Document, tmp_path: Path, operator: Client) -> None:
    job = fed_short(tmp_path)
    operator.post(f"/operations/documents/{job.document_id}/keep-old/")
    assert in_force() == ["first.md"]
    assert document_of(job).trashed_at is not None


@pytest.mark.long
def test_many_at_once_do_not_publish_it(old: Document, tmp_path: Path, operator: Client) -> None:
    job = fed_short(tmp_path)
    sent = {"act": "publish", "row": [str(job.document_id)]}
    page = operator.post("/operations/library/change/", sent, follow=True)
    assert "would drop 2 of" in str(next(iter(page.context["messages"])))
    assert in_force() == ["first.md"]


def test_whoever_names_the_status_has_decided(old: Document, tmp_path: Path) -> None:
    fed_short(tmp_path, status="published")
    assert in_force() == ["second.md"]


def test_the_status_in_a_table_decides_nothing(old: Document, tmp_path: Path) -> None:
    editions.markdown(tmp_path / "second.md", SHORT)
    (tmp_path / "library.csv").write_text("file,status\nsecond.md,published\n")
    (file,) = (one for one in files_in([tmp_path / "second.md"]) if isinstance(one, FoundFile))
    options: dict[str, Any] = dict(file.options)
    assert feed(file.path, **options).counts["asks"]["dropped"] == 2
    assert in_force() == ["first.md"]


def test_an_edition_that_is_worded_anew_replaces_at_once(old: Document, tmp_path: Path) -> None:
    feed(editions.markdown(tmp_path / "second.md", SECOND))  # one of six sections is gone
    assert in_force() == ["second.md"]


def test_a_damaged_file_that_had_to_be_repaired_asks(tmp_path: Path) -> None:
    document_of(feed(editions.pdf(tmp_path / "first.pdf")))
    whole = editions.pdf(tmp_path / "second.pdf", SECOND).read_bytes()
    (tmp_path / "second.pdf").write_bytes(whole[: whole.rindex(b"startxref")])
    job = feed(tmp_path / "second.pdf")
    assert job.counts["repaired"] is True
    assert "damaged" in job.counts["asks"]["told"]
    assert in_force() == ["first.pdf"]
    found = replacement_by(document_of(job))
    assert found is not None
    assert found.asks


def test_a_file_without_a_date_is_not_fresh(tmp_path: Path) -> None:
    document = document_of(feed(editions.markdown(tmp_path / "first.md")))
    assert document.edition_date is None
    assert document.check_by == timezone.now().date() - timedelta(days=1)


@pytest.mark.long
def test_overdue_editions_are_counted_alike_by_page_job_and_metrics(operator: Client) -> None:
    from knowledge.documents.edition_checks import report_overdue

    day = timezone.now().date()
    for number in range(3):
        make_document(f"Book {number}", check_by=day - timedelta(days=number))
    report_overdue(day)
    report = report_overdue(day)  # an hour later
    assert len(report.overdue) == 2
    make_document("Another", check_by=day - timedelta(days=5))  # since the job ran
    page = operator.get("/operations/editions/")
    assert page.context["overdue"].count == 3
    assert f"{report.created_at:%H:%M} it found 2 overdue among your documents" in page.content.decode()
    assert len(operator.get("/operations/library/?edition=overdue").context["rows"]) == 3
    assert "heydpe_documents_overdue 3.0" in operator.get("/metrics").content.decode()
