"""Run programs that open untrusted files: each is loaded once, and each file gets a fork of it.

    python -m knowledge.ingestion.parsing.fork_server MODULE SOCKET

loads MODULE, opens nothing, and forks for every request that comes through SOCKET; the fork calls
`MODULE.run(arguments)`, which limits itself before it opens its file. The next fork is always there already, and has
run `MODULE.warm_up()` where there is one. Forks are isolated per file, and everything dies with the process that
started it. Must not know Django.

Loading MuPDF takes as long as reading fifty pages, and warming up as three. `multiprocessing`'s forkserver was tried:
it gives workers the parent's environment with its secrets, and starts none from a forked or daemonic process (Celery).
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
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[3]
IDLE_SECONDS = 60.0  # without a request, after which the program ends: it holds 45 to 80 MB
_REQUEST = 64 * 1024  # bytes of one request: a few paths
_FILES = 1024  # more than the program ever has open
_DIES_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux


class NotStarted(OSError):
    """The program ended twice before it could fork: it was killed, or the machine has no room for it."""


class Fork:
    """One run of a program, seen from the process that asked for it."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._status: int | None = None

    def kill(self) -> None:
        with contextlib.suppress(OSError):
            self._line.shutdown(socket.SHUT_WR)

    def let_go(self) -> None:
        """It has said all that there is: nobody waits for its end, and it is killed if it goes on."""
        self._line.close()

    def wait(self) -> int:
        """Its exit status when it is over; minus the signal that ended it."""
        if self._status is None:
            status = b""
            while part := _receive_bytes(self._line, 100):
                status += part
            self._line.close()
            # Without a status the program itself was killed, and its forks with it.
            self._status = int(status) if status else -signal.SIGKILL
        return self._status


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
            for must_load in (not self.pid, True):
                program = self._load_program() if must_load or self._line is None else self._line
                ours, theirs = socket.socketpair()
                with theirs, contextlib.suppress(OSError):
                    request = json.dumps(list(arguments)).encode()
                    socket.send_fds(program, [request], [*files, theirs.fileno()])
                if _receive_bytes(ours, 1) == b"+":
                    return Fork(ours)
                ours.close()  # the program is gone, as it is when nobody needed it for long
        raise NotStarted(f"{self._module} could not be started")

    def _load_program(self) -> socket.socket:
        if self._process is not None and self.pid:
            self._process.kill()
            self._process.wait()
        if self._line is not None:
            self._line.close()
        self._line, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, self._module, str(theirs.fileno())],
                cwd=ROOT,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        self._owner = os.getpid()
        return self._line


def _receive_bytes(line: socket.socket, most: int) -> bytes:
    try:
        return line.recv(most)
    except ConnectionError:
        return b""


# --- in the program ------------------------------------------------------------


class _Server:
    """The forks that are running, the lines to those who asked for them, and the spare fork that waits."""

    def __init__(self, module: ModuleType, requests: socket.socket) -> None:
        self.module, self.requests = module, requests
        self.selector = selectors.DefaultSelector()
        self.lines: dict[int, socket.socket] = {}  # by the process of the fork
        self.spare = self._prepare_fork()

    def serve(self, wakeup: int) -> None:
        """Until whoever started the program is gone, or nobody needed it for long. `wakeup` is written to when a fork
        has ended."""
        self.selector.register(self.requests, selectors.EVENT_READ)
        self.selector.register(wakeup, selectors.EVENT_READ)
        while True:
            ready = self.selector.select(None if self.lines else IDLE_SECONDS)
            if not ready and not self.lines:
                return
            for key, _ in ready:
                if key.fileobj is self.requests:
                    if not self._answer_request():
                        return
                elif key.fd == wakeup:
                    os.read(wakeup, 1000)
                else:  # the process that asked for this fork no longer needs it, or is gone
                    self.selector.unregister(key.fileobj)
                    os.kill(key.data, signal.SIGKILL)  # it is ours, and not yet reaped
            for pid in list(self.lines):
                ended, status = os.waitpid(pid, os.WNOHANG)
                if ended:
                    line = self.lines.pop(pid)
                    with contextlib.suppress(KeyError):
                        self.selector.unregister(line)
                    with line, contextlib.suppress(OSError):
                        line.sendall(str(os.waitstatus_to_exitcode(status)).encode())

    def _answer_request(self) -> bool:
        """Hand one request on to the spare fork; false when there is nobody left to ask."""
        request, files, _, _ = socket.recv_fds(self.requests, _REQUEST, 4)
        if not request:
            return False
        while True:
            pid, spare = self.spare
            with spare, contextlib.suppress(OSError):
                socket.send_fds(spare, [request], files[:3])
                break
            os.waitpid(pid, 0)  # the spare fork was killed
            self.spare = self._prepare_fork()
        for file in files[:3]:
            os.close(file)
        line = socket.socket(fileno=files[3])
        self.lines[pid] = line
        self.selector.register(line, selectors.EVENT_READ, data=pid)
        line.sendall(b"+")
        self.spare = self._prepare_fork()
        return True

    def _prepare_fork(self) -> tuple[int, socket.socket]:
        """A fork that starts as soon as it has a request, and the line to it."""
        ours, theirs = socket.socketpair()
        with theirs:
            pid = os.fork()
            if pid != 0:
                return pid, ours
            status = 1
            try:
                if sys.platform == "linux":
                    ctypes.CDLL(None).prctl(_DIES_WITH_PARENT, signal.SIGKILL)
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                os.closerange(3, theirs.fileno())  # what others wait for must not stay open here
                os.closerange(theirs.fileno() + 1, _FILES)
                _warm_up(self.module)
                request, files, _, _ = socket.recv_fds(theirs, _REQUEST, 3)
                for name, file in enumerate(files):
                    os.dup2(file, name)
                os.closerange(3, _FILES)
                status = self.module.run(json.loads(request)) if request else 0
                sys.stdout.flush()
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(status)


def _warm_up(module: ModuleType) -> None:
    getattr(module, "warm_up", lambda: None)()


def main(arguments: Sequence[str]) -> int:
    name, requests = arguments
    module = importlib.import_module(name)
    _warm_up(module)
    gc.collect()
    gc.freeze()
    wakeup, wakes = os.pipe()
    os.set_blocking(wakeup, False)
    os.set_blocking(wakes, False)
    signal.set_wakeup_fd(wakes)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    with socket.socket(fileno=int(requests)) as line:
        _Server(module, line).serve(wakeup)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
