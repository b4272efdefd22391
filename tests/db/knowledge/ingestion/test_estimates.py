"""What a file will take, said before it is uploaded; and what it took, said after."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from knowledge.ingestion.estimates import estimate_file, total_estimate
from knowledge.ingestion.jobs.jobs import submit_file
from knowledge.ingestion.pipeline import run_job
from knowledge.ingestion.vectors.sets import build_set
from knowledge.library_version import model_in_use
from knowledge.models import Document, IngestionJob
from tests.doubles.source_files import handbook, locked
from tests.doubles.vector_models import LOCAL, REMOTE, two_models
from tests.doubles.vendors import Fails, Vectors

pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]

TEXT = "# Rules\n\n" + "\n\n".join(
    f"## Rule {n}\n\nAircraft {n} of the club is washed by whoever flew it last, and dried by hand after that."
    for n in range(40)
)


def said(*arguments: str) -> Any:
    out = StringIO()
    call_command(*arguments, "--json", stdout=out)
    return json.loads(out.getvalue())


@pytest.mark.long
def test_an_estimate_is_near_what_it_takes(tmp_path: Path) -> None:
    path = handbook(tmp_path / "phak_ch07.pdf", 4)
    with two_models(Vectors()):
        told = estimate_file(path)
        job = submit_file(path, wake=False)
        run_job(job.pk)
        job.refresh_from_db()
    assert (told.pages, told.error, told.cost_usd) == (4, "", 0.0)
    assert told.tokens == pytest.approx(job.counts["embedding"][LOCAL]["tokens"], rel=0.35)
    assert told.seconds > 0


def test_passages_of_a_text_are_counted_by_its_sections(tmp_path: Path) -> None:
    path = tmp_path / "rules.md"
    words = "A pilot in command looks at the fuel before each flight and says what was found there. "
    path.write_text("\n\n".join(f"## Section {n}\n\n{words * (1 + 4 * (n % 9))}" for n in range(1, 19)))
    with two_models(Vectors()):
        told = estimate_file(path)
        job = submit_file(path, wake=False)
        run_job(job.pk)
        job.refresh_from_db()
    assert told.passages == pytest.approx(job.counts["chunks"], rel=0.2)


@pytest.mark.long
def test_with_a_vendor_s_vectors_kept_it_counts_its_requests_and_price(tmp_path: Path) -> None:
    path = tmp_path / "rules.md"
    path.write_text(TEXT)
    with two_models(Vectors()):
        before = estimate_file(path)
        build_set(REMOTE, wake=False)
        both = estimate_file(path)
    assert (before.requests, before.cost_usd) == (0, 0.0)
    assert both.requests == 1
    assert both.models == (REMOTE, LOCAL)
    assert both.cost_usd == pytest.approx((both.tokens - before.tokens) * 0.02 / 1e6, abs=1e-6)


def test_what_cannot_be_read_is_said_and_nothing_raises(tmp_path: Path) -> None:
    assert "password" in estimate_file(locked(tmp_path / "a.pdf")).error
    (tmp_path / "b.pdf").write_bytes(b"%PDF-1.7 nothing")
    assert estimate_file(tmp_path / "b.pdf").error
    assert estimate_file(tmp_path / "c.docx").error
    assert estimate_file(tmp_path / "gone.md").error
    assert total_estimate([]).cost_usd == 0


def test_the_command_says_it_and_feeds_in_nothing(tmp_path: Path) -> None:
    (tmp_path / "rules.md").write_text(TEXT)
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.7 nothing")
    with two_models(Vectors()):
        answer = said("ingest", str(tmp_path), "--estimate")
        out = StringIO()
        call_command("ingest", str(tmp_path), "--estimate", stdout=out)
    found = {Path(one["path"]).name: one for one in answer["documents"]}
    assert found["bad.pdf"]["error"]
    assert answer["total"]["tokens"] == found["rules.md"]["tokens"] > 400
    assert "at no cost" in out.getvalue()
    assert not Document.objects.exists()
    assert not IngestionJob.objects.filter(state="queued").exists()


def test_the_vectors_command_builds_switches_and_removes(tmp_path: Path) -> None:
    path = tmp_path / "rules.md"
    path.write_text(TEXT)
    with two_models(Vectors()):
        (fed,) = said("ingest", str(path), "--type", "sop")["documents"]
        assert fed["embedding"][LOCAL]["misses"] == fed["chunks"] == 40
        assert said("embeddings", "estimate", REMOTE)["estimate"]["passages"] == 40
        built = said("embeddings", "build", REMOTE)
        assert built["job"]["embedding"][REMOTE]["requests"] == 1
        assert [one["ready"] for one in built["sets"]] == [False, True]
        assert said("embeddings", "switch", REMOTE)["before"] == LOCAL
        assert model_in_use() == REMOTE
        assert said("embeddings", "remove", LOCAL)["removed"] == 40
        out = StringIO()
        call_command("embeddings", stdout=out)
    assert out.getvalue().splitlines() == [
        f"{REMOTE}: 40 vectors, in use",
        f"{LOCAL}: 0 vectors, can be built",
    ]


def test_a_vendor_that_is_away_ends_the_command_with_a_line_and_the_job_waits(tmp_path: Path) -> None:
    path = tmp_path / "rules.md"
    path.write_text(TEXT)
    with two_models(Fails(429, {"retry-after": "120"})):
        said("ingest", str(path), "--type", "sop")
        with pytest.raises(CommandError, match="a worker goes on later") as ended:
            said("embeddings", "build", REMOTE)
        with pytest.raises(CommandError, match="have no vector"):
            said("embeddings", "switch", REMOTE)
        with pytest.raises(CommandError, match="say which model"):
            said("embeddings", "switch")
    assert ended.value.returncode == 2
    job = IngestionJob.objects.get(kind="vectors")
    assert job.state == "queued"
    assert job.lease_until is not None
    assert (job.lease_until - job.updated_at).total_seconds() > 100  # what the vendor asked for


def test_a_job_says_how_long_it_still_takes(tmp_path: Path) -> None:
    left: list[float | None] = []
    path = tmp_path / "rules.md"
    path.write_text(TEXT)
    with two_models(Vectors()):
        job = submit_file(path, wake=False)
        run_job(job.pk, lambda progress: left.append(progress.seconds_left))
    job.refresh_from_db()
    assert all(seconds is not None and seconds >= 0 for seconds in left)
    assert job.seconds_left is None


def test_the_bytes_of_a_pdf_say_nothing_of_the_time_left(tmp_path: Path) -> None:
    """A scan of three pages has as many as a handbook of text."""
    said: list[tuple[str, float | None]] = []
    path = handbook(tmp_path / "phak_ch07.pdf", 4)
    path.write_bytes(path.read_bytes() + b"\n%" + b" " * 20_000_000)
    with two_models(Vectors()):
        job = submit_file(path, wake=False)
        run_job(job.pk, lambda progress: said.append((progress.step, progress.seconds_left)))
    assert said[0] == ("read", None)
    numbers = [left for _, left in said if left is not None]
    assert {step for step, left in said if left is None} == {"read"}
    assert max(numbers) < 60
