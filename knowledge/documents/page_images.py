"""Render a page of a stored PDF as a WebP file, once; the sandboxed PDF process renders, the data directory keeps
it."""

import os
import tempfile
from pathlib import Path

from django.conf import settings

from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.parsing.pdf import render_page
from knowledge.models import Document

# 130 dots an inch: a letter page is 1,105 px wide, sharp in a column of 850 px and about 100 KB as WebP.
VIEW_DPI = 130


def picture_of_page(document: Document, number: int) -> Path:
    """The WebP picture of a page counted from 1. Raises RefusedFile if there is none, or the file cannot be read."""
    if not document.paged or not document.file or not 1 <= number <= document.page_count:
        raise RefusedFile(f"{document} has no page {number}.", "no_such_page")
    folder = Path(settings.DATA_DIR) / "pages" / document.content_hash
    picture = folder / f"{number}-{VIEW_DPI}.webp"
    if not picture.exists():
        folder.mkdir(parents=True, exist_ok=True)
        content = render_page(Path(document.file.path), number, dpi=VIEW_DPI)
        handle, name = tempfile.mkstemp(dir=folder, prefix=".page-")
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(name, picture)  # so that two readers at once see a whole picture or none
    return picture
