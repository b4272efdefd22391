"""A backup is a job: its file restores into another database, and what cannot be backed up is told with what to do."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from django.conf import LazySettings
from django.urls import reverse

from desk.operations.backups import backup_folder, backup_path, backups, request_backup
from heydpe import archive
from heydpe.archive import Database, configured_database, known_migrations, restore
from knowledge.ingestion.jobs.jobs import cancel_job, retry_job
from knowledge.ingestion.pipeline import run_job
from knowledge.ingestion.run import Progress
from knowledge.models import IngestionJob
from tests.doubles.library import make_tenant
from tests.doubles.schools import Schools

pytestmark = pytest.mark.long

COPY = "backup_copy"


@pytest.fixture(autouse=True)
def folders(settings: LazySettings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    settings.MEDIA_ROOT = tmp_path / "media"
    (tmp_path / "media" / "library").mkdir(parents=True)
    (tmp_path / "media" / "library" / "a.pdf").write_bytes(b"%PDF a handbook")
    return tmp_path


def run(job: IngestionJob, **options: object) -> IngestionJob:
    run_job(job.pk, **options)  # type: ignore[arg-type]
    job.refresh_from_db()
    return job


@pytest.fixture
def other_database() -> Iterator[Database]:
    """An empty database of the same server."""
    mine = configured_database()
    with psycopg.connect(mine.conninfo, password=mine.password, autocommit=True) as server:
        server.execute(f"create database {COPY}")
        yield replace(mine, conninfo=f"{mine.conninfo} dbname={COPY}")
        server.execute(f"drop database {COPY} with (force)")


@pytest.mark.django_db(transaction=True)
def test_what_a_job_backed_up_restores_into_another_database(folders: Path, other_database: Database) -> None:
    make_tenant("kept")
    told: list[Progress] = []
    job = run(request_backup(wake=False), on_progress=told.append)
    assert job.state == "succeeded"
    assert {one.step: one.total for one in told}["files"] == 2
    assert next(one for one in told if one.total).step == "dump"
    [made] = backups()
    assert (made.name, made.size) == (job.counts["backup"], job.counts["bytes"])
    assert (backup_folder() / made.name).stat().st_mode & 0o077 == 0
    assert [path.name for path in backup_folder().iterdir()] == [made.name]

    restored = restore(backup_folder() / made.name, other_database, folders / "restored", known_migrations())
    assert restored.files == 1
    assert (folders / "restored" / "library" / "a.pdf").read_bytes() == b"%PDF a handbook"
    with psycopg.connect(other_database.conninfo, password=other_database.password) as copy:
        slugs = copy.execute("select slug from knowledge_tenant").fetchall()
    assert slugs == [("kept",)]


@pytest.mark.django_db
def test_without_the_programs_it_says_which_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "installed_binaries", list)
    monkeypatch.setattr(os, "get_exec_path", list)
    job = run(request_backup(wake=False))
    assert job.state == "failed"
    assert "pg_dump of PostgreSQL" in job.error
    assert "install postgresql-client-" in job.error
    assert not list(backup_folder().iterdir())


@pytest.mark.django_db
@pytest.mark.parametrize("step", ["dump", "files"])
def test_cancelled_it_leaves_no_file_and_a_retry_makes_one(step: str) -> None:
    job = request_backup(wake=False)

    def cancel(progress: Progress) -> None:
        if (progress.step, bool(progress.total)) == (step, True):
            cancel_job(job)

    run(job, on_progress=cancel)
    assert job.state == "cancelled"
    assert not list(backup_folder().iterdir())
    assert retry_job(job)
    assert run(job).state == "succeeded"
    assert [one.name for one in backups()] == [backup_path(job).name]


@pytest.mark.django_db
def test_asking_twice_is_one_job(schools: Schools) -> None:
    operator = schools.client("operator-of-shared")
    first = operator.post(reverse("desk:backups"))
    assert operator.post(reverse("desk:backups")).url == first.url  # type: ignore[attr-defined]


@pytest.mark.django_db
def test_the_page_lists_backups_says_how_to_restore_and_removes_one(schools: Schools) -> None:
    operator = schools.client("operator-of-shared")
    job = run(request_backup(wake=False))
    name = job.counts["backup"]
    page = operator.get(reverse("desk:backups")).content.decode()
    assert f"manage.py restore {backup_folder()}/{name} --force" in page
    for hostile in ("../media/library/a.pdf", "/etc/passwd", "none.tar"):
        page = operator.post(reverse("desk:backups"), {"remove": hostile}, follow=True).content.decode()
        assert "no such backup" in page
    operator.post(reverse("desk:backups"), {"remove": name})
    assert backups() == []


@pytest.mark.django_db
def test_backups_belong_to_the_house(schools: Schools) -> None:
    client = schools.client("operator-of-first")
    assert client.get(reverse("desk:backups")).status_code == 403
    assert client.post(reverse("desk:backups")).status_code == 403
    assert not IngestionJob.objects.exists()
