"""A parsed PDF becomes figures with their files: two looks into the file, through one process of its own.

What is wanted is decided in `detection`, opened in `image_worker`. A picture that kills its process, by memory or time,
is refused alone: the next process goes on with the one after it. Knows no Django.
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
from knowledge.ingestion.figures.deduplication import Settled, settled_figures
from knowledge.ingestion.figures.detection import drawing_wishes, embedded_wishes, found_figures
from knowledge.ingestion.figures.image_requests import Granted, Wish, granted_from
from knowledge.ingestion.parsing.sandbox import Message, messages_of

CHILD = "knowledge.ingestion.figures.image_worker"
BATCH = 200  # wishes told at once, and after which a process is replaced: some 40 s of rendering
DEATHS = 5  # processes that may be lost over one file, before the rest of its pictures is given up
TOO_COSTLY = "needs more than one picture may take"
Tick = Callable[[int, int], None]


def illustrated(
    path: Path,
    document: ParsedDocument,
    out: Path,
    tick: Tick,
    *,
    seconds: float = conf.CHILD_WALL_SECONDS,
) -> Settled:
    """The figures of a PDF; their files are in `out` under the names that each picture has."""
    opener = _Opener(path, out, tick, seconds)
    try:
        texts = texts_by_page(document)
        embedded, refused = embedded_wishes(document)
        granted = opener.grant(embedded)
        shown = [wish for wish in embedded if not granted[wish.number].refused]
        found = found_figures(document, texts, shown)
        overlaid = [wish.xref for wish in shown if granted[wish.number].overlaid]
        drawn, drawings = drawing_wishes(document, texts, found, overlaid, len(embedded))
        granted |= opener.grant(drawings)
    finally:
        opener.close()
    settled = settled_figures(texts, found, drawn, (*embedded, *drawings), granted)
    return replace(settled, refused=settled.refused + refused)


class _Opener:
    """The process that opens one file's pictures: started when it is first needed, replaced when it died."""

    def __init__(self, path: Path, out: Path, tick: Tick, seconds: float) -> None:
        self.path, self.out, self.tick, self.seconds = path, out, tick, seconds
        self.messages: Iterator[Message] | None = None
        self.told = -1
        self.deaths = 0
        self.again: set[int] = set()
        self.answered = 0
        self.killed = False

    def grant(self, wishes: Sequence[Wish]) -> dict[int, Granted]:
        """What became of each wish, by its number."""
        granted: dict[int, Granted] = {}
        left = list(wishes)
        while left:
            for one in self._answers(left[:BATCH]):
                granted[one.number] = one
                self.tick(len(granted), len(wishes))
            lost = [wish for wish in left[:BATCH] if wish.number not in granted]
            if lost and not self._may_try_again(lost[0]):
                granted |= {
                    wish.number: _too_costly(wish) for wish in (left if self._gives_up() else lost[:1])
                }
            left = [wish for wish in left if wish.number not in granted]
        return granted

    def close(self) -> None:
        if self.messages is not None:
            os.close(self.told)
            self.messages.close()  # type: ignore[attr-defined]
            self.messages = None

    def _answers(self, wishes: Sequence[Wish]) -> Iterator[Granted]:
        """What the process makes of some wishes; fewer than these when it dies."""
        file = self.out / "wishes.json"
        file.write_text(json.dumps([wish.to_dict() for wish in wishes]))
        self.killed, told = False, False
        try:
            messages = self._started()
            told = self._tell(f"{file.name}\n")
            while (message := next(messages))["type"] != "answered":
                yield granted_from(message)
        except ReadingKilled:
            self.killed = True
            self.close()
            if not told:  # it had no picture yet that could be the reason: the job starts again
                raise
        except RefusedFile as refused:
            self.close()
            if refused.code != "over_limits":
                raise
        self.answered += len(wishes)
        if self.answered >= BATCH:
            self.close()

    def _tell(self, line: str) -> bool:
        try:
            return bool(os.write(self.told, line.encode()))
        except BrokenPipeError:  # it is gone, and its messages say why
            return False

    def _started(self) -> Iterator[Message]:
        if self.messages is None:
            heard, self.told = os.pipe()
            self.answered = 0
            self.messages = messages_of(
                CHILD, "wishes", str(self.path), str(self.out), seconds=self.seconds, stdin=heard
            )
            try:
                next(self.messages)  # it says that it is there: from now on it has the pipe's other end
            finally:
                os.close(heard)
        return self.messages

    def _may_try_again(self, wish: Wish) -> bool:
        """Once, where the process was killed from outside: the picture that it had before it may not be the reason."""
        if not self.killed or wish.number in self.again:
            return False
        self.again.add(wish.number)
        return True

    def _gives_up(self) -> bool:
        self.deaths += 1
        return self.deaths > DEATHS


def _too_costly(wish: Wish) -> Granted:
    return Granted(number=wish.number, refused=TOO_COSTLY)
