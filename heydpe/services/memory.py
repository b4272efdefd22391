"""How much memory there is for what runs here: the machine's, or less where a container is given less."""

from pathlib import Path

import psutil

LIMIT = Path("/sys/fs/cgroup/memory.max")  # "max" where there is none


def memory_bytes(limit: Path = LIMIT) -> int:
    machine = int(psutil.virtual_memory().total)
    try:
        return min(machine, int(limit.read_text()))
    except (OSError, ValueError):
        return machine
