"""Look at an uploaded file in a process of its own: is it a certification standard?"""

from collections.abc import Callable
from pathlib import Path

from knowledge import conf
from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.parsing.detect import PDF_WITHIN, has_pdf_header
from knowledge.ingestion.parsing.sandbox import messages_of
from knowledge.standards.acs_pdf import MAX_ACS_PAGES, refuse_unlikely
from knowledge.standards.acs_reader import AcsStandard, NotAnAcs, read_acs
from knowledge.standards.acs_rows import Piece

CODE = "no_standard"  # of a refusal
_CHILD = "knowledge.ingestion.parsing.measure_worker"


def find_standard(
    path: Path, tick: Callable[[int, int], None] = lambda done, total: None
) -> AcsStandard | None:
    """The standard that a file prints; None for any other file, and for one that cannot be opened. `tick` is told how
    many pages are read, of how many.

    Raises RefusedFile for a file that names itself a standard and cannot be loaded as one: a Practical Test Standard
    without codes, a file that is cut off, a scan.
    """
    with path.open("rb") as file:
        if not has_pdf_header(file.read(PDF_WITHIN)):
            return None
    pages = []
    try:
        messages = messages_of(_CHILD, "standard", str(path), seconds=conf.STANDARD_SECONDS)
        cover = next(messages)
        tick(0, cover["pages"])
        for page in messages:
            pages.append(page)
            tick(len(pages), cover["pages"])
    except RefusedFile:  # the pipeline says what is wrong with it
        return None
    if not cover["standard"]:
        return None
    try:
        refuse_unlikely(path)
        if cover["pages"] > MAX_ACS_PAGES:
            raise NotAnAcs(f"it has {cover['pages']} pages: an ACS has at most {MAX_ACS_PAGES}")
        return read_acs([Piece(**piece) for page in pages for piece in page["pieces"]])
    except NotAnAcs as error:
        raise RefusedFile(
            f"It cannot be loaded as a standard: {error}. If it is another kind of document, say which.", CODE
        ) from error
