"""Many files through the parsing process at the price of one start: it forks for each, and each limits itself.

    python -m tests.doubles.hostile.reading OUT PATH…

writes to OUT what the process says of each file, under the file's name.
"""

import os
import sys
from pathlib import Path

from knowledge.ingestion.parsing.pdf_worker import run


def read_each(out: Path, paths: list[str]) -> None:
    for path in paths:
        child = os.fork()
        if child == 0:
            said = os.open(out / Path(path).name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(said, 1)
            status = run(["read", path])
            sys.stdout.flush()
            os._exit(status)
        os.waitpid(child, 0)


if __name__ == "__main__":
    read_each(Path(sys.argv[1]), sys.argv[2:])
