"""The debrief as a PDF, laid out from a template by PyMuPDF. Each page says that it is practice, and none looks like a
form of the FAA."""

from collections.abc import Mapping
from io import BytesIO
from threading import Lock
from typing import Any, Final

from django.template.loader import render_to_string

from knowledge.mupdf import mupdf

_ONE_AT_A_TIME: Final = Lock()  # PyMuPDF is not made for threads
_PAPER: Final = (612.0, 792.0)  # US letter, in points
_MARGIN: Final = 54.0
_FOOT: Final = 30.0
_FOOTER: Final = "HeyDPE practice debrief. Not an FAA document; it certifies nothing."
_PAGES_MOST: Final = 200
"""Pages after which an oral's debrief is cut: the longest answers to 66 questions fill about half of them."""


def pdf_of_report(context: Mapping[str, Any]) -> bytes:
    """The PDF of what the report's page shows; `context` is that page's."""
    html = render_to_string("exams/report_pdf.html", dict(context))
    width, height = _PAPER
    buffer = BytesIO()
    with _ONE_AT_A_TIME:
        room = mupdf.Rect(_MARGIN, _MARGIN, width - _MARGIN, height - _MARGIN - _FOOT / 2)
        writer, story = mupdf.DocumentWriter(buffer), mupdf.Story(html=html)
        for _ in range(_PAGES_MOST):
            device = writer.begin_page(mupdf.Rect(0, 0, width, height))
            more, _filled = story.place(room)
            story.draw(device)
            writer.end_page()
            if not more:
                break
        writer.close()
        document = mupdf.open("pdf", buffer.getvalue())
        document.set_metadata({"title": f"Practice debrief: {context['report'].scope}", "producer": "HeyDPE"})
        for page in document:
            foot = f"{_FOOTER}   Page {page.number + 1} of {len(document)}"
            page.insert_text((_MARGIN, height - _FOOT), foot, fontsize=8, color=(0.35, 0.35, 0.35))
        return bytes(document.tobytes(garbage=3, deflate=True))
