"""8 MB in one line become passages within the memory of a small machine."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.long

MEGABYTES_MOST = 512
PROGRAM = """
from pathlib import Path
import pytest
from knowledge.ingestion.chunking.chunker import chunk_pages
from knowledge.ingestion.formats.plain_text import text_document

line = ("The pilot must carry 3 things at night. " * 200_000)[:8_000_000]
chunks = chunk_pages(text_document(line, file_name="line.txt"), count_tokens=lambda said: len(said) // 4 + 1)
assert len(chunks) > 1000
# Of this program alone: `ru_maxrss` begins with what its parent had.
status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
print(int(status["VmHWM"].split()[0]) // 1024)
"""


def test_one_line_of_eight_megabytes_fits() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=300, check=True
    )
    assert int(done.stdout) <= MEGABYTES_MOST
