"""The programs that read files load PyMuPDF without its companions, which may be loaded all the same."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_a_reading_program_loads_no_companion_of_pymupdf() -> None:
    loaded = python("import sys, knowledge.ingestion.parsing.pdf_worker; print(*sys.modules)").split()
    assert "pymupdf" in loaded
    assert not {name for name in loaded if name.split(".")[0] in ("pymupdf4llm", "onnxruntime")}
    assert "pymupdf.layout" not in loaded


def test_who_wants_a_companion_may_load_it_afterwards() -> None:
    assert (
        python("import knowledge.mupdf, importlib.util as u; print(bool(u.find_spec('pymupdf4llm')))")
        == "True"
    )
