"""PyMuPDF without its companions, which lay pages out by a neural network and which nothing here asks for.

It loads them wherever their runtime is installed: three quarters of the time that loading takes and two thirds of the
memory, which every fork of a reading process has to map; and they change how high the lines of a page are told, so that
a document's rectangles would depend on what else is installed. MuPDF's own messages go to stderr: stdout is a program's
result.
"""

import os
import sys
from importlib import import_module
from types import ModuleType
from typing import Any, cast

_COMPANIONS = ("pymupdf.layout", "pymupdf4llm")

os.environ.setdefault("PYMUPDF_MESSAGE", "fd:2")
os.environ.setdefault("PYMUPDF_LOG", "fd:2")


def _alone() -> ModuleType:
    """Loaded as where they are not installed; whoever wants one of them may still load it afterwards."""
    hidden = [name for name in _COMPANIONS if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden, cast(ModuleType, None)))
    try:
        return import_module("pymupdf")
    finally:
        for name in hidden:
            del sys.modules[name]


mupdf: Any = _alone()  # it comes without types
