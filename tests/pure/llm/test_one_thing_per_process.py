"""What a parent built is not used by its child."""

import os

from llm.processes import PerProcess


def test_a_fork_builds_its_own() -> None:
    holder = PerProcess(os.getpid)
    assert holder.get() == os.getpid()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, str(holder.get() == os.getpid()).encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(write)
    assert os.read(read, 10) == b"True"
    os.close(read)
    assert holder.get() == os.getpid()


def test_it_is_built_once() -> None:
    holder = PerProcess(object)
    assert holder.get() is holder.get()


def test_a_lock_that_was_held_while_forking_does_not_hang_the_child() -> None:
    holder = PerProcess(os.getpid)
    with holder._lock:
        child = os.fork()
        if child == 0:
            os._exit(0 if holder.get() == os.getpid() else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
