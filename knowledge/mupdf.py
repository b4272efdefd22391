"""Import PyMuPDF with its optional dependencies stubbed out.

It would load a neural layout model wherever that is installed: three quarters of the import time, two thirds of the
memory of every worker, and other line heights, so that a document's rectangles would depend on what else is installed.
MuPDF's messages go to stderr, since stdout is a program's result.
"""

import os
import sys
from importlib import import_module
from types import ModuleType
from typing import Any, cast

_COMPANIONS = ("pymupdf.layout", "pymupdf4llm")

os.environ.setdefault("PYMUPDF_MESSAGE", "fd:2")
os.environ.setdefault("PYMUPDF_LOG", "fd:2")


def _import_alone() -> ModuleType:
    """Import it as if they were not installed; they can still be imported afterwards."""
    hidden = [name for name in _COMPANIONS if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden, cast(ModuleType, None)))
    try:
        return import_module("pymupdf")
    finally:
        for name in hidden:
            del sys.modules[name]


mupdf: Any = _import_alone()  # it comes without types
