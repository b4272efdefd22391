"""A program that opens untrusted files is started once, and each file gets a fork of it.

    python -m knowledge.ingestion.parsing.fork_server MODULE SOCKET

loads MODULE, opens nothing, and forks for every request that comes through SOCKET; the fork calls
`MODULE.run(arguments)`, which limits itself before it opens its file. Loading MuPDF takes as long as reading fifty
pages, so it is paid for once a worker and not once a file. The next fork is always there already, and has run
`MODULE.warm_up()` where there is one: what it writes for the first time it must copy, which takes as long as reading
three pages. What one file does to its fork, no other sees. Nobody outlives who asked for it: the program ends with the
process that started it, its forks with the program, and a fork that is let go is killed. Knows no Django.
"""

import contextlib
import ctypes
import gc
import importlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[3]
IDLE_SECONDS = 60.0  # without a request, after which the program ends: it holds 45 to 80 MB
_REQUEST = 64 * 1024  # bytes of one request: a few paths
_FILES = 1024  # more than the program ever has open
_DIES_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux
_KILLED = -signal.SIGKILL


class NotStarted(OSError):
    """The program ended twice before it could fork: it was killed, or the machine has no room for it."""


class Fork:
    """One run of a program, seen from the process that asked for it."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._status: int | None = None

    def kill(self) -> None:
        """End it, wherever it is."""
        with contextlib.suppress(OSError):
            self._line.shutdown(socket.SHUT_WR)

    def let_go(self) -> None:
        """It has said all that there is; how it ends is nobody's business any more."""
        self._line.close()

    def wait(self) -> int:
        """Its status when it is over; minus the signal that ended it."""
        if self._status is None:
            told = b""
            while part := _received(self._line):
                told += part
            self._line.close()
            self._status = (
                int(told) if told else _KILLED
            )  # the program itself was killed, and its forks with it
        return self._status


def _received(line: socket.socket, most: int = 100) -> bytes:
    try:
        return line.recv(most)
    except ConnectionError:
        return b""


class Program:
    """A program that is loaded when it is first needed. Many threads may ask at once; a process that was itself forked
    loads its own."""

    def __init__(self, module: str, environment: dict[str, str]) -> None:
        self._module, self._environment = module, environment
        self._lock = threading.Lock()
        self._owner = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None

    @property
    def pid(self) -> int:
        """Its process, 0 before it was needed."""
        return self._process.pid if self._process and self._owner == os.getpid() else 0

    def fork(self, arguments: Sequence[str], files: tuple[int, int, int]) -> Fork:
        """Run it with these arguments, and these open files as stdin, stdout and stderr."""
        with self._lock:
            for fresh in (False, True):
                if fresh or not self.pid:
                    self._load()
                forked = self._asked(arguments, files)
                if forked is not None:
                    return forked
        raise NotStarted(f"{self._module} could not be started")

    def _load(self) -> None:
        if self._process is not None and self.pid:
            self._process.kill()
            self._process.wait()
        if self._line is not None:
            self._line.close()
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, self._module, str(theirs.fileno())],
                cwd=ROOT,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        self._line, self._owner = ours, os.getpid()

    def _asked(self, arguments: Sequence[str], files: tuple[int, int, int]) -> Fork | None:
        """None if the program is gone, as it is when nobody needed it for long."""
        assert self._line is not None
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                socket.send_fds(self._line, [json.dumps(list(arguments)).encode()], [*files, theirs.fileno()])
            except OSError:
                ours.close()
                return None
        if _received(ours, 1) == b"+":
            return Fork(ours)
        ours.close()
        return None


# --- in the program ------------------------------------------------------------


@dataclass(slots=True)
class _Spare:
    """A fork that waits for its request. It starts as soon as it is told."""

    pid: int
    line: socket.socket

    def told(self, request: bytes, files: Sequence[int]) -> bool:
        """False where it is gone, which costs nobody more than another fork."""
        try:
            socket.send_fds(self.line, [request], files)
        except OSError:
            os.waitpid(self.pid, 0)
            return False
        finally:
            self.line.close()
        return True


@dataclass(slots=True)
class _Server:
    """The forks that are running, who asked for them, and the one that waits."""

    module: ModuleType
    asked: socket.socket
    looking: selectors.DefaultSelector = field(default_factory=selectors.DefaultSelector)
    lines: dict[int, socket.socket] = field(default_factory=dict)

    def serve(self, woken: int) -> None:
        self.looking.register(self.asked, selectors.EVENT_READ)
        self.looking.register(woken, selectors.EVENT_READ)
        spare = self._forked()
        while True:
            found = self.looking.select(None if self.lines else IDLE_SECONDS)
            if not found and not self.lines:
                return
            for key, _ in found:
                if key.fileobj is self.asked:
                    if not self._answer(spare):
                        return
                    spare = self._forked()
                elif key.fd == woken:
                    os.read(woken, 1000)
                else:
                    self._let_go(key.data)
            self._bury()

    def _answer(self, spare: _Spare) -> bool:
        """Hand one request on to a fork; false when there is nobody left to ask."""
        told, files, _, _ = socket.recv_fds(self.asked, _REQUEST, 4)
        if not told:
            return False
        line = socket.socket(fileno=files[3])
        while not spare.told(told, files[:3]):
            spare = self._forked()
        for file in files[:3]:
            os.close(file)
        self.lines[spare.pid] = line
        self.looking.register(line, selectors.EVENT_READ, data=spare.pid)
        line.sendall(b"+")
        return True

    def _forked(self) -> _Spare:
        ours, theirs = socket.socketpair()
        with theirs:
            fork = os.fork()
            if fork == 0:
                self._run(theirs)
            return _Spare(fork, ours)

    def _run(self, line: socket.socket) -> None:
        status = 1
        try:
            _die_with_parent()
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.closerange(3, line.fileno())  # what others wait for must not stay open here
            os.closerange(line.fileno() + 1, _FILES)
            warm_up(self.module)
            told, files, _, _ = socket.recv_fds(line, _REQUEST, 3)
            for name, file in enumerate(files):
                os.dup2(file, name)
            os.closerange(3, _FILES)
            status = self.module.run(json.loads(told)) if told else 0
            sys.stdout.flush()
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)

    def _let_go(self, fork: int) -> None:
        """Whoever asked for it wants it no more, or is gone."""
        self.looking.unregister(self.lines[fork])
        os.kill(fork, signal.SIGKILL)  # it is ours, and not yet buried

    def _bury(self) -> None:
        for fork in list(self.lines):
            buried, status = os.waitpid(fork, os.WNOHANG)
            if buried:
                line = self.lines.pop(fork)
                with contextlib.suppress(KeyError):
                    self.looking.unregister(line)
                with line, contextlib.suppress(OSError):
                    line.sendall(str(os.waitstatus_to_exitcode(status)).encode())


def _die_with_parent() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIES_WITH_PARENT, signal.SIGKILL)


def warm_up(module: ModuleType) -> None:
    getattr(module, "warm_up", lambda: None)()


def main(arguments: Sequence[str]) -> int:
    name, line = arguments
    module = importlib.import_module(name)
    warm_up(module)
    gc.collect()
    gc.freeze()
    woken, wake = os.pipe()
    os.set_blocking(woken, False)
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    with socket.socket(fileno=int(line)) as asked:
        _Server(module, asked).serve(woken)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
