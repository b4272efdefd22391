"""A command becomes JSON messages, through a process of its own (`fork_server`): where untrusted files are opened.

The process limits its own memory (`limit_self`) and its processor time, piece by piece (`Allowance`), so that a busy
machine refuses no file that an idle one reads; this side has a limit on wall time and ends it when that is over.
Whatever goes wrong there arrives here as `RefusedFile` with a message that says what to do. Knows no Django.
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
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from io import BufferedReader
from typing import Any

from knowledge import conf
from knowledge.ingestion.errors import ReadingKilled, RefusedFile
from knowledge.ingestion.parsing.fork_server import Fork, NotStarted, Program

Message = dict[str, Any]

_programs: dict[str, Program] = {}  # by module


def messages_of(module: str, *arguments: str, seconds: float, stdin: int | None = None) -> Iterator[Message]:
    """What the program `module` says, line by line, up to its “done”; it is gone when this generator ends,
    however it ends. `seconds` are of the wall's clock; `stdin` is a file that is open
    for reading, where the program is to be told more.
    """
    with tempfile.TemporaryFile() as errors:
        child, said = _started(module, arguments, stdin, errors.fileno())
        late = threading.Event()
        timer = threading.Timer(seconds, _kill_late, (child, late))
        timer.start()
        over = False
        try:
            with said:
                over = yield from _spoken(child, said, late)
        finally:
            timer.cancel()
            if over:
                child.let_go()
            else:
                child.kill()
                child.wait()


def _started(
    module: str, arguments: Sequence[str], stdin: int | None, stderr: int
) -> tuple[Fork, BufferedReader]:
    """A run of the program, and what it says."""
    program = _programs.setdefault(module, Program(module, _environment()))
    heard, speaks = os.pipe()
    said = os.fdopen(heard, "rb")
    try:
        if stdin is not None:
            return program.fork(arguments, (stdin, speaks, stderr)), said
        with open(os.devnull) as nothing:
            return program.fork(arguments, (nothing.fileno(), speaks, stderr)), said
    except NotStarted as error:
        said.close()
        raise ReadingKilled("The program that reads files could not be started.", "over_limits") from error
    except BaseException:
        said.close()
        raise
    finally:
        os.close(speaks)


def limit_self(memory: int, seconds: int) -> None:
    """Called by the program itself before it opens anything: bytes that it may take, seconds of processor."""
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
        used = time.process_time()
        until = min(used + self.most, self.first + self.each * self.pieces)
        resource.setrlimit(resource.RLIMIT_CPU, (max(1, math.ceil(until)), resource.RLIM_INFINITY))


def say(message: Message) -> None:
    """Called by the program: one message to the side that started it."""
    sys.stdout.write(encoded(message))
    sys.stdout.flush()


def encoded(message: Message) -> str:
    return json.dumps(message, ensure_ascii=True, separators=(",", ":")) + "\n"


def _kill_late(child: Fork, late: threading.Event) -> None:
    late.set()
    child.kill()


def _spoken(child: Fork, said: BufferedReader, late: threading.Event) -> Generator[Message, None, bool]:
    """What it says, and, when that is over, that it said so itself."""
    while line := said.readline(conf.LINE_BYTES):
        message = _decoded(line)
        if message["type"] == "error":
            raise RefusedFile(message["message"], message["code"])
        if message["type"] == "done":
            return True
        yield message
    status = child.wait()
    if late.is_set() or status == -signal.SIGXCPU:
        raise RefusedFile(
            "Reading the file took too long and was stopped. Split it, or save it anew.", "over_limits"
        )
    kind = ReadingKilled if status == -signal.SIGKILL else RefusedFile
    raise kind(_death(status), "over_limits")


def _decoded(line: bytes) -> Message:
    if not line.endswith(b"\n"):
        raise RefusedFile("The file holds more text in one piece than may be. Split it.", "over_limits")
    message: Message = json.loads(line)
    return message


def _death(status: int) -> str:
    if status < 0:
        return (
            f"Reading the file was stopped (signal {-status}): it needs more than one file may take, or is damaged."
            " Split it, or save it anew."
        )
    return f"Reading the file ended early (status {status}). Save it anew from its program and try again."


def _environment() -> dict[str, str]:
    kept = {
        name: os.environ[name] for name in ("PATH", "LANG", "LD_LIBRARY_PATH", "TMPDIR") if name in os.environ
    }
    return kept | {
        "PYMUPDF_MESSAGE": "fd:2",
        "PYMUPDF_LOG": "fd:2",
        "PYTHONDONTWRITEBYTECODE": "1",
        "OPENBLAS_NUM_THREADS": "1",  # numpy starts a thread a core, which no fork would have
    }
