"""Refuse a page that a site sent instead of a document: "page not found", a bot wall, a sign-in page. Pure.

Such a page has a few words and would be quoted to students as the document. A document that mentions such pages is much
longer and mentions them further down. The phrases are in `error_page_phrases.csv`: "/" separates alternatives for a
word, "¶" is the start of a line, and `then` must follow `within` that many characters.
"""

import re
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from knowledge.ingestion.errors import RefusedFile
from knowledge.text.word_tables import read_rows

PHRASES = Path(__file__).with_name("error_page_phrases.csv")

_LONGEST_PAGE = 6000  # characters: a longer page is a document, whatever it says; site menus have up to 4,000
_OPENING = 700  # characters within which such a page comes to its point
_SHORT_PAGE = 1500  # characters: a shorter page is read to its end

_MESSAGES = {
    "page_not_found": "It is a “page not found” page, not the document",
    "bot_wall": "It is the page of a site that keeps programs out, not the document",
    "sign_in_page": "It is a sign-in page, not the document",
    "error_page": "It is a site's error page, not the document",
}


@dataclass(frozen=True, slots=True)
class _Phrase:
    """Words, between single spaces, and what has to follow them within some characters."""

    code: str
    words: str
    then: tuple[str, ...]
    within: int

    def is_in(self, text: str) -> bool:
        at = text.find(self.words)
        while at >= 0:
            after = at + len(self.words)
            near = text[after - 1 : after + self.within + max(map(len, self.then), default=0)]
            if not self.then or any(words in near for words in self.then):
                return True
            at = text.find(self.words, after - 1)
        return False


_PHRASES = sorted(
    (
        _Phrase(
            row["code"],
            f" {' '.join(filter(None, words))} ",
            tuple(f" {then}" for then in row["then"].split("|") if then),
            int(row["within"] or 0),
        )
        for row in read_rows(PHRASES)
        for words in product(*(word.split("/") for word in row["phrase"].split(" ")))
    ),
    key=lambda phrase: list(_MESSAGES).index(phrase.code),
)


def refuse_error_page(title: str, text: str) -> None:
    """Raise RefusedFile for a page that a site shows in place of the document."""
    if len(text) > _LONGEST_PAGE:
        return
    opening = f"{title}\n{text if len(text) <= _SHORT_PAGE else text[:_OPENING]}".lower()
    lines = opening.replace("'", "").replace("’", "").split("\n")
    words = "".join(" ¶ " + " ".join(re.findall(r"\w+", line)) for line in lines) + " "
    found = next((phrase for phrase in _PHRASES if phrase.is_in(words)), None)
    if found:
        raise RefusedFile(
            f"{_MESSAGES[found.code]}. Download the document in a browser and upload that file.", found.code
        )
