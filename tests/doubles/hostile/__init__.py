"""Files that are out to break whoever reads them, each with what has to become of it."""

from .hidden import HIDDEN
from .pdf_content import CONTENT
from .pdf_structure import STRUCTURE
from .pretending import PRETENDING
from .texts import TEXTS
from .values import READ, Hostile

ALL: tuple[Hostile, ...] = (*PRETENDING, *STRUCTURE, *CONTENT, *HIDDEN, *TEXTS)

__all__ = ["ALL", "CONTENT", "HIDDEN", "PRETENDING", "READ", "STRUCTURE", "TEXTS", "Hostile"]
