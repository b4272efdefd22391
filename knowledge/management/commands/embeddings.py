"""List the library's vectors by model, build another model's beside those in use, switch, or remove."""

import sys
import time
from typing import Any

from django.core.management.base import CommandParser

from knowledge.ingestion.chunking.token_counting import estimate_line, spent_line
from knowledge.ingestion.jobs.eta import duration_in_words
from knowledge.ingestion.jobs.jobs import FINISHED_STATES
from knowledge.ingestion.pipeline import run_job
from knowledge.ingestion.run import Progress
from knowledge.ingestion.vectors.sets import (
    WrongSet,
    build_set,
    estimate_set,
    remove_set,
    switch_to_set,
    vector_sets,
)
from knowledge.management.job_commands import WAIT_SECONDS
from knowledge.management.json_command import JsonCommand
from knowledge.models.telemetry import JobState

ACTS = ("list", "estimate", "build", "switch", "remove")


class Command(JsonCommand):
    refusals = (WrongSet,)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("act", nargs="?", choices=ACTS, default="list")
        parser.add_argument("model", nargs="?", default="", help="the name of an embedding model")

    def answer(self, options: dict[str, Any]) -> Any:
        act, name = options["act"], options["model"]
        if act != "list" and not name:
            raise WrongSet(f"say which model: embeddings {act} MODEL")
        if act == "estimate":
            return {"estimate": estimate_set(name).to_dict()}
        found: dict[str, Any] = {}
        if act == "build":
            found = {"job": _build(name)}
        if act == "switch":
            found = {"before": switch_to_set(name)}
        if act == "remove":
            found = {"removed": remove_set(name)}
        return {**found, "sets": [one.to_dict() for one in vector_sets()]}

    def show(self, answer: Any) -> None:
        if "estimate" in answer:
            self.stdout.write(estimate_line(answer["estimate"]))
            return
        if "job" in answer:
            for name, spent in answer["job"]["embedding"].items():
                self.stdout.write(spent_line(name, spent))
        if "removed" in answer:
            self.stdout.write(f"{answer['removed']:,} vectors are removed.")
        for one in answer["sets"]:
            self.stdout.write(_line(one))


def _line(one: dict[str, Any]) -> str:
    if one["in_use"]:
        state = "in use"
    elif one["ready"]:
        state = "complete, can be switched to"
    elif one["kept"]:
        state = f"{one['behind']:,} passages behind" + (", being built" if one["job"] else "")
    else:
        state = "remains of a removed set" if one["vectors"] else "can be built"
    missing = "" if one["set_up"] else "; NOT SET UP HERE"
    return f"{one['model']}: {one['vectors']:,} vectors, {state}{missing}"


def _build(name: str) -> dict[str, Any]:
    """Build in this process, or watch the process that does, until it is done."""
    show = _show_bar if sys.stderr.isatty() else lambda progress: None
    job = build_set(name, wake=False)
    while job.state not in FINISHED_STATES:
        run_job(job.pk, show)
        job.refresh_from_db()
        if job.state == JobState.QUEUED and job.error:
            raise WrongSet(
                f"{job.error} {job.counts.get('embedded', 0)} passages are done; a worker goes on later."
            )
        if job.state not in FINISHED_STATES:
            time.sleep(WAIT_SECONDS)
    show(Progress(job.pk, "", 0, 0))
    if job.state != JobState.SUCCEEDED:
        raise WrongSet(job.error or "The job was cancelled. Build again to go on.")
    return {"id": str(job.pk), "passages": job.counts["chunks"], "embedding": job.counts.get("embedding", {})}


def _show_bar(progress: Progress) -> None:
    left = "" if progress.seconds_left is None else f", {duration_in_words(progress.seconds_left)} left"
    line = f"{progress.done}/{progress.total} passages{left}" if progress.step else ""
    sys.stderr.write(f"\r\033[K{line}")
    sys.stderr.flush()
