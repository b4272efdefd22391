"""Makes citations: a quote is cited only if it stands in the passage word for word.

Only white space may differ, because lines break differently in a PDF and in a sentence.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from urllib.parse import urlencode

from knowledge.grounding.context import Passage
from knowledge.grounding.labels import paragraph_of_quote
from knowledge.grounding.quotes import find_quote


class QuoteNotFound(ValueError):
    """The quote does not stand in the passage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """What a reader needs to find the words. Clients of the API see these fields."""

    n: int
    document: str
    abbreviation: str
    doc_type: str
    section: str
    label: str
    edition: str
    page: int | None
    page_label: str
    anchor: str
    quote: str
    chunk_id: str
    relevance: float
    url: str

    def to_dict(self) -> dict[str, object]:
        return asdict(self)


def passage_url(chunk_id: str, quote: str = "", page: int | None = None) -> str:
    """The address at which the library opens a passage with the quote highlighted."""
    asked = {name: value for name, value in (("page", page), ("quote", quote)) if value}
    return f"/library/passages/{chunk_id}/" + (f"?{urlencode(asked)}" if asked else "")


def cite_quote(passage: Passage, quote: str, n: int | None = None) -> Citation:
    """The citation of the quote, with the passage's own characters. Raises QuoteNotFound."""
    span = find_quote(passage.text, quote)
    if span is None:
        raise QuoteNotFound(
            f"passage {passage.n} ({passage.label or passage.document}) does not hold: {quote[:120]!r}"
        )
    # A section of a regulation may be pages long, so its label names the paragraph as well: "(b)(2)".
    in_regulation = passage.doc_type == "cfr" and passage.section
    paragraph = paragraph_of_quote(passage.text, quote) if in_regulation else ""
    words = " ".join(passage.text[slice(*span)].split())
    page, page_label = passage.page_of(span[0])
    return Citation(
        n=passage.n if n is None else n,
        document=passage.document,
        abbreviation=passage.abbreviation,
        doc_type=passage.doc_type,
        section=passage.section,
        label=passage.label + paragraph,
        edition=passage.edition,
        page=page,
        page_label=page_label,
        anchor=passage.anchor,
        quote=words,
        chunk_id=passage.chunk_id,
        relevance=passage.relevance,
        url=passage_url(passage.chunk_id, words, page),
    )
