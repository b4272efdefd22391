"""A program for `knowledge.ingestion.parsing.fork_server` that does what it is told."""

import os
import resource
import sys
import time

_warm: list[int] = []


def warm_up() -> None:
    """What each fork does before it is told anything."""
    _warm.append(os.getpid())


def run(arguments: list[str]) -> int:
    """Say who it is and what it may take, then do what the first argument names."""
    for what in arguments:
        if what == "limit":
            resource.setrlimit(resource.RLIMIT_CPU, (7, resource.RLIM_INFINITY))
        elif what == "wait":
            time.sleep(600)
        elif what == "fail":
            raise ValueError("as it was told")
        elif what == "echo":
            sys.stdout.write(sys.stdin.readline())
        elif what == "warm":
            sys.stdout.write(f"{_warm[0]} {_warm[-1]} {os.getpid()}\n")
        elif what == "say":
            sys.stdout.write(f"{os.getpid()} {os.getppid()} {resource.getrlimit(resource.RLIMIT_CPU)[0]}\n")
        sys.stdout.flush()
    return 3
