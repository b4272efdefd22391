"""`manage.py load_items`: loads item files into the bank and anchors their points."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from exams.bank.anchor_jobs import item_folders, request_loading
from exams.bank.files import ITEMS, FileFault, read_items
from exams.bank.loading import Loaded, load_item_files
from knowledge.management.job_commands import bar_for, run_to_end
from knowledge.management.json_command import JsonCommand
from knowledge.models import AnchorState, KeyPoint
from knowledge.models.telemetry import JobKind


class NoSuchPath(ValueError):
    """A path does not exist."""


class NotLoaded(CommandError):
    """The job failed or was cancelled; the message says why."""


class Command(JsonCommand):
    help = "Load item files into the bank and find the passages that support their points."
    refusals = (NoSuchPath,)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument(
            "paths", nargs="*", type=Path, help="files or folders; none: those of the project"
        )
        parser.add_argument("--certificate", default="", help="only the project's items of this certificate")
        parser.add_argument(
            "--later",
            action="store_true",
            help="only for certificates whose standard is loaded, and leave the passages to the worker",
        )
        parser.add_argument(
            "--check", action="store_true", help="list faults in the files without loading them"
        )

    def answer(self, options: dict[str, Any]) -> Any:
        if options["later"]:
            folders = item_folders()
            loaded = load_item_files(folders) if folders else Loaded()
            return _answer_for(loaded.items, loaded.points, loaded.faults)
        paths = options["paths"] or [ITEMS / options["certificate"]]
        absent = [path for path in paths if not path.exists()]
        if absent:
            raise NoSuchPath(f"there is no {absent[0]}")
        if options["check"]:
            read = read_items(paths)
            return _answer_for(len(read.items), sum(len(item.points) for item in read.items), read.faults)
        job = request_loading(paths, wake=False)
        if error := run_to_end(job, bar_for(JobKind.ITEMS)):
            raise NotLoaded(error)
        held = KeyPoint.objects.filter(item__withdrawn=False)
        unanchored = [
            {
                "item": point.item.key,
                "point": point.key,
                "source": "; ".join(point.sources),
                "missing_document": point.missing_document,
            }
            for point in held.filter(anchor=AnchorState.MISSING).select_related("item")
        ]
        anchored = held.exclude(anchor__in=[AnchorState.MISSING, AnchorState.WAITING]).count()
        faults = [FileFault(**fault) for fault in job.counts["faults"]]
        return _answer_for(job.counts["items"], job.counts["loaded_points"], faults, anchored, unanchored)

    def show(self, answer: Any) -> None:
        self.stdout.write(
            f"{answer['items']} items with {answer['points']} points; {answer['anchored']} points have a passage"
        )
        for one in answer["unanchored"]:
            self.stdout.write(f"  no passage: {one['item']} {one['point']} ({one['missing_document']})")
        for one in answer["errors"]:
            self.stdout.write(f"  {one['file']}:{one['line']}: {one['message']}")


def _answer_for(
    items: int, points: int, faults: Iterable[Any], anchored: int = 0, unanchored: Sequence[Any] = ()
) -> Any:
    """CONTRACT's shape of `manage.py load_items --json`."""
    return {
        "items": items,
        "points": points,
        "anchored": anchored,
        "unanchored": list(unanchored),
        "errors": [{"file": one.file, "line": one.line, "message": one.message} for one in faults],
    }
