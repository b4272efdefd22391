"""Extract the figures of a parsed PDF, with their files: two passes over the file, in a process of its own.

`detection` decides which images are needed, `image_worker` opens them. If a picture kills its process, by memory or
time, only that picture is refused: the next process continues with the one after it. Must not know Django.
"""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from knowledge import conf
from knowledge.ingestion.document_model import ParsedDocument
from knowledge.ingestion.errors import ReadingKilled, RefusedFile
from knowledge.ingestion.figures.captions import texts_by_page
from knowledge.ingestion.figures.deduplication import ExtractedFigures, build_figures
from knowledge.ingestion.figures.detection import find_figures, request_drawings, request_embedded
from knowledge.ingestion.figures.image_requests import ImageRequest, ImageResult, result_from
from knowledge.ingestion.parsing.sandbox import Message, messages_of

CHILD = "knowledge.ingestion.figures.image_worker"
BATCH = 200  # requests sent at once, and after which a process is replaced: some 40 s of rendering
DEATHS = 5  # processes that may be lost over one file, before the rest of its pictures is given up
TOO_COSTLY = "needs more than one picture may take"
Tick = Callable[[int, int], None]


def extract_figures(
    path: Path,
    document: ParsedDocument,
    out: Path,
    tick: Tick,
    *,
    seconds: float = conf.CHILD_WALL_SECONDS,
) -> ExtractedFigures:
    """The figures of a PDF; their files are in `out` under the names in their images. `tick` is called with the
    progress of each pass (done, total); `seconds` is the wall time of one process."""
    opener = _ImageOpener(path, out, tick, seconds)
    try:
        texts = texts_by_page(document)
        embedded, refused = request_embedded(document)
        results = opener.open_images(embedded)
        shown = [one for one in embedded if not results[one.number].refused]
        found = find_figures(document, texts, shown)
        overlaid = [one.xref for one in shown if results[one.number].overlaid]
        drawn, drawings = request_drawings(document, texts, found, overlaid, len(embedded))
        results |= opener.open_images(drawings)
    finally:
        opener.close()
    settled = build_figures(texts, found, drawn, (*embedded, *drawings), results)
    return replace(settled, refused=settled.refused + refused)


class _ImageOpener:
    """The process that opens one file's images: started when it is first needed, replaced when it died."""

    def __init__(self, path: Path, out: Path, tick: Tick, seconds: float) -> None:
        self.path, self.out, self.tick, self.seconds = path, out, tick, seconds
        self.messages: Iterator[Message] | None = None
        self.stdin = -1
        self.asked = 0  # requests sent to this process
        self.deaths = 0
        self.was_killed = False
        self.tried_again: set[int] = set()

    def open_images(self, requests: Sequence[ImageRequest]) -> dict[int, ImageResult]:
        """The result of each request, by its number."""
        results: dict[int, ImageResult] = {}
        left = list(requests)
        while left:
            batch = left[:BATCH]
            for result in self._ask_process(batch):
                results[result.number] = result
                self.tick(len(results), len(requests))
            left = [one for one in left if one.number not in results]
            lost = next((one for one in batch if one.number not in results), None)
            if lost is None:
                continue
            # Killed from outside: the picture that the process had before it may not be the reason, the first time.
            if self.was_killed and lost.number not in self.tried_again:
                self.tried_again.add(lost.number)
                continue
            self.deaths += 1
            for one in left if self.deaths > DEATHS else [lost]:
                results[one.number] = ImageResult(number=one.number, refused=TOO_COSTLY)
            left = [one for one in left if one.number not in results]
        return results

    def close(self) -> None:
        if self.messages is not None:
            os.close(self.stdin)
            self.messages.close()  # type: ignore[attr-defined]
            self.messages = None

    def _ask_process(self, requests: Sequence[ImageRequest]) -> Iterator[ImageResult]:
        """What the process makes of some requests; fewer results than these when it dies."""
        file = self.out / "wishes.json"
        file.write_text(json.dumps([one.to_dict() for one in requests]))
        self.was_killed, is_told = False, False
        try:
            if self.messages is None:
                reads, self.stdin = os.pipe()
                self.asked = 0
                self.messages = messages_of(
                    CHILD, "wishes", str(self.path), str(self.out), seconds=self.seconds, stdin=reads
                )
                try:
                    next(self.messages)  # it says that it is there: from now on it has the pipe's other end
                finally:
                    os.close(reads)
            messages = self.messages
            try:
                os.write(self.stdin, f"{file.name}\n".encode())
                is_told = True
            except BrokenPipeError:  # it is gone, and its messages say why
                pass
            while (message := next(messages)).pop("type") != "answered":
                yield result_from(message)
        except ReadingKilled:
            self.was_killed = True
            self.close()
            if not is_told:  # it had no picture yet that could be the reason: the job starts again
                raise
        except RefusedFile as refused:
            self.close()
            if refused.code != "over_limits":
                raise
        self.asked += len(requests)
        if self.asked >= BATCH:
            self.close()
