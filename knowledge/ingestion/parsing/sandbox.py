"""Run a command on an untrusted file in a process of its own (`fork_server`), and read its messages.

The process limits its own memory (`limit_self`) and its processor time, piece by piece (`Allowance`), so that a busy
machine refuses no file that an idle one reads. This side limits wall time. Any failure there is raised here as
RefusedFile with a message that says what to do. Must not know Django.
"""

import json
import math
import os
import resource
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BufferedReader
from typing import Any

from knowledge import conf
from knowledge.ingestion.errors import ReadingKilled, RefusedFile
from knowledge.ingestion.parsing.fork_server import Fork, NotStarted, Program
from knowledge.text.tokens import plain_words

Message = dict[str, Any]

SAVE_AGAIN = "Save it again from its program, or download it again."
_MEMORY_WORDS = frozenset({"malloc", "calloc", "realloc", "memory"})  # of a library's message
_KEPT_ENVIRONMENT = ("PATH", "LANG", "LD_LIBRARY_PATH", "TMPDIR")
_OWN_ENVIRONMENT = {
    "PYMUPDF_MESSAGE": "fd:2",
    "PYMUPDF_LOG": "fd:2",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OPENBLAS_NUM_THREADS": "1",  # numpy starts a thread a core, which no fork would have
}
_programs: dict[str, Program] = {}  # by module


def messages_of(module: str, *arguments: str, seconds: float, stdin: int | None = None) -> Iterator[Message]:
    """What the program `module` says, line by line, up to its “done”. The process is gone when this generator ends,
    however it ends. `seconds` are wall time; `stdin` is a file open for reading, for a program that is told more.
    """
    with tempfile.TemporaryFile() as errors:
        child, output = _start_fork(module, arguments, stdin, errors.fileno())
        late = threading.Event()

        def kill_late() -> None:
            late.set()
            child.kill()

        timer = threading.Timer(seconds, kill_late)
        timer.start()
        is_over = False
        try:
            with output:
                is_over = yield from _read_messages(child, output, late)
        finally:
            timer.cancel()
            if is_over:
                child.let_go()
            else:
                child.kill()
                child.wait()


def _start_fork(
    module: str, arguments: Sequence[str], stdin: int | None, stderr: int
) -> tuple[Fork, BufferedReader]:
    """A run of the program, and its output."""
    kept = {name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}
    program = _programs.setdefault(module, Program(module, kept | _OWN_ENVIRONMENT))
    reads, writes = os.pipe()
    output = os.fdopen(reads, "rb")
    try:
        with open(os.devnull) as nothing:
            files = (nothing.fileno() if stdin is None else stdin, writes, stderr)
            return program.fork(arguments, files), output
    except BaseException as error:
        output.close()
        if isinstance(error, NotStarted):
            why = "The program that reads files could not be started."
            raise ReadingKilled(why, "over_limits") from error
        raise
    finally:
        os.close(writes)


def _read_messages(
    child: Fork, output: BufferedReader, late: threading.Event
) -> Generator[Message, None, bool]:
    """The messages before “done”; True when that came. Raises RefusedFile or ReadingKilled."""
    while line := output.readline(conf.LINE_BYTES):
        if not line.endswith(b"\n"):
            if len(line) < conf.LINE_BYTES:
                break  # it was stopped in the middle of a line
            raise RefusedFile("The file holds more text in one piece than may be. Split it.", "over_limits")
        message: Message = json.loads(line)
        if message["type"] == "error":
            raise RefusedFile(message["message"], message["code"])
        if message["type"] == "done":
            return True
        yield message
    status = child.wait()
    if late.is_set() or status == -signal.SIGXCPU:
        why = "Reading the file took too long and was stopped. Split it, or save it again."
        raise RefusedFile(why, "over_limits")
    if status >= 0:
        why = f"Reading the file ended early (status {status}). Save it again from its program and try again."
        raise RefusedFile(why, "over_limits")
    kind = ReadingKilled if status == -signal.SIGKILL else RefusedFile
    raise kind(
        f"Reading the file was stopped (signal {-status}): it needs more than one file may take, or is damaged."
        " Split it, or save it again.",
        "over_limits",
    )


# --- in the program ------------------------------------------------------------


class BadPart(Exception):
    """A part of a file, named by the argument, cannot be read; its cause says why."""


def limit_self(memory: int, seconds: int) -> None:
    """Called by the program before it opens anything: bytes that it may take, seconds of processor."""
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    resource.setrlimit(resource.RLIMIT_AS, (2 * memory, 2 * memory))  # with all that is mapped
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


@dataclass(slots=True)
class Allowance:
    """Seconds of processor for a file of many pieces: `first` for opening it, `each` more for every piece, and never
    more than `most` for one. The kernel ends the process that uses them up, wherever it is.
    """

    first: float
    each: float
    most: float
    pieces: int = 0

    def next_piece(self) -> None:
        """Called by the program before each piece."""
        self.pieces += 1
        until = min(time.process_time() + self.most, self.first + self.each * self.pieces)
        resource.setrlimit(resource.RLIMIT_CPU, (max(1, math.ceil(until)), resource.RLIM_INFINITY))


def send_messages(messages: Iterable[Message], what: str) -> int:
    """Send all messages, then `done`; a failure is sent as `error`, in words for the operator. `what` names the file.

    The words of libraries name places in memory and on the disk: they go to stderr alone.
    """
    try:
        for message in messages:
            _send_message(message)
        _send_message({"type": "done"})
    except RefusedFile as refused:
        _send_message({"type": "error", "code": refused.code, "message": str(refused)})
    except Exception as error:  # whatever a broken file makes a library raise is the file's fault
        cause = error.__cause__ if isinstance(error, BadPart) else error
        what = str(error) if isinstance(error, BadPart) else what
        print(f"{type(cause).__name__}: {cause}"[:500], file=sys.stderr)
        code, why = "broken", f"{what} is damaged and cannot be read. {SAVE_AGAIN}"
        if isinstance(cause, MemoryError) or not _MEMORY_WORDS.isdisjoint(plain_words(str(cause)).split()):
            code = "over_limits"
            why = f"{what} needs more memory than one file may take. Split it, or save it again."
        _send_message({"type": "error", "code": code, "message": why})
    return 0


def encode_message(message: Message) -> str:
    return json.dumps(message, ensure_ascii=True, separators=(",", ":")) + "\n"


def _send_message(message: Message) -> None:
    sys.stdout.write(encode_message(message))
    sys.stdout.flush()
