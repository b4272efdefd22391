"""A changed file is read again: the share that changed is measured, said, and decides whether all is chunked anew."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from knowledge.ingestion.pipeline import run_job
from knowledge.ingestion.reread_jobs import rechunk_document
from knowledge.models import IngestionJob
from knowledge.models.tenancy import Role
from tests.doubles import editions
from tests.doubles.claims import make_user
from tests.doubles.editions import CountingEmbedding, document_of, feed, ids_by_text
from tests.doubles.embedding import HashingEmbedding

pytestmark = [pytest.mark.long, pytest.mark.django_db]
RULES = [f"Rule number {number} asks every member for {number} feet of room." for number in range(100, 200)]
MORE = "One more rule is said before all the others."
CHUNKING = "fixed-60-0"


def edition(path: Path, rules: Sequence[str]) -> Path:
    return editions.markdown(path, (("4.1", "Room", "\n\n".join(rules)),))


def reworded(count: int) -> list[str]:
    """The last `count` of a hundred rules say something else, in as many letters."""
    return [*RULES[:-count], *(rule.replace("every", "other") for rule in RULES[-count:])]


def fed(folder: Path, rules: Sequence[str], **options: Any) -> IngestionJob:
    feed(edition(folder / "first.md", RULES), chunking=CHUNKING)
    return feed(edition(folder / "second.md", rules), chunking=options.pop("chunking", CHUNKING), **options)


def note_of(job: IngestionJob) -> str:
    return str(next(step["note"] for step in job.steps if step["name"] == "chunk"))


@pytest.mark.parametrize(("count", "anew"), [(29, ""), (31, "31% of it changed")])
def test_more_than_thirty_percent_are_chunked_anew_and_less_are_not(
    tmp_path: Path, count: int, anew: str
) -> None:
    job = fed(tmp_path, reworded(count))
    told = job.counts["reread"]
    assert told["changed"] == pytest.approx(count / 100, abs=0.005)
    assert told["anew"] == anew
    assert f"{count}% of the text changed since CH" in note_of(job)
    assert ("divided again completely" in note_of(job)) == bool(anew)


@pytest.mark.parametrize(("count", "kept"), [(27, True), (31, False)])
def test_only_below_it_passages_behind_a_new_one_keep_their_rows(
    tmp_path: Path, count: int, kept: bool
) -> None:
    first = document_of(feed(edition(tmp_path / "first.md", RULES), chunking=CHUNKING))
    before = ids_by_text(first)
    model = CountingEmbedding()
    job = feed(edition(tmp_path / "second.md", [MORE, *reworded(count)]), model, chunking=CHUNKING)
    after = ids_by_text(document_of(job))
    same = [text for text in before if before[text] == after.get(text)]
    assert (len(same) > len(before) * 0.6) == kept
    assert len(model.passages) == len(after) - len(same)


@pytest.mark.long
def test_another_strategy_chunks_all_of_a_changed_file_anew(tmp_path: Path) -> None:
    job = fed(tmp_path, reworded(5), chunking="fixed-40-0")
    assert job.counts["reread"]["anew"] == "divided by fixed-60-0, wanted is fixed-40-0"
    assert "divided again completely (divided by fixed-60-0" in note_of(job)


@pytest.mark.long
def test_another_model_chunks_all_of_a_changed_file_anew(tmp_path: Path) -> None:
    class Other(HashingEmbedding):
        name = "another-model"

    feed(edition(tmp_path / "first.md", RULES), chunking=CHUNKING)
    job = feed(edition(tmp_path / "second.md", reworded(5)), Other(), chunking=CHUNKING)
    assert job.counts["reread"]["anew"].startswith("counted in tokens of ")


@pytest.mark.long
def test_the_same_file_again_keeps_every_passage_also_of_an_edition_with_kept_borders(
    tmp_path: Path,
) -> None:
    second = document_of(fed(tmp_path, [MORE, *reworded(20)]))
    before = ids_by_text(second)
    job = feed(tmp_path / "second.md", chunking=CHUNKING)
    assert ids_by_text(document_of(job)) == before
    assert note_of(job).startswith("nothing changed since it was read last")


@pytest.mark.long
def test_who_asks_for_it_gets_all_of_it_chunked_anew(tmp_path: Path) -> None:
    second = document_of(fed(tmp_path, [MORE, *reworded(20)]))
    job = rechunk_document(second, wake=False)
    run_job(job.pk, model=HashingEmbedding())
    job.refresh_from_db()
    assert job.counts["reread"]["anew"] == "asked for"
    assert second.chunks.order_by("index").first().text != ""  # type: ignore[union-attr]


def test_a_file_of_a_new_work_has_nothing_to_be_compared_with(tmp_path: Path) -> None:
    job = feed(edition(tmp_path / "first.md", RULES), chunking=CHUNKING)
    assert "reread" not in job.counts


def test_the_jobs_line_says_it(tmp_path: Path) -> None:
    fed(tmp_path, reworded(29))
    client = Client()
    client.force_login(make_user("operator", Role.OPERATOR))
    page = client.get("/operations/jobs/now/").content.decode()
    assert "29% of the text changed since CH: passages that stay keep their borders" in page
