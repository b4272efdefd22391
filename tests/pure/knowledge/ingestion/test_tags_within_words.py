"""A tag in the middle of a word parts no word, in any of the formats and wherever the word stands."""

from collections.abc import Callable

import pytest

from knowledge.ingestion.document_model import ParsedDocument
from knowledge.ingestion.formats.ecfr import ecfr_document
from knowledge.ingestion.formats.html import html_document
from knowledge.ingestion.formats.markdown import markdown_document

TAGS = ("b", "strong", "em", "i", "u", "span", "sup", "sub", "a", "small", "E")
PLACES = ("<{0}>I</{0}>llness", "Ill<{0}>n</{0}>ess", "Illnes<{0}>s</{0}>")


def as_html(word: str) -> ParsedDocument:
    return html_document(
        f"<h1>{word} 1</h1><h2>{word} 2</h2><p>{word} 3</p><ul><li>{word} 4</li></ul>"
        f"<table><tr><th>{word} 5</th><th>x</th></tr><tr><td>{word} 6</td><td>x</td></tr></table>"
        f"<figure><figcaption>{word} 7</figcaption></figure>"
    )


def as_markdown(word: str) -> ParsedDocument:
    return markdown_document(
        f"# {word} 1\n\n## {word} 2\n\n{word} 3\n\n- {word} 4\n\n| {word} 5 | x |\n|---|---|\n| {word} 6 | x |\n\n"
        f"<table><tr><td>{word} 7</td><td>x</td></tr></table>\n\n**{word} ^3-1-1**\n\nText."
    )


def as_ecfr(word: str) -> ParsedDocument:
    return ecfr_document(
        f'<DIV5 N="91" TYPE="PART"><HEAD>{word} 1</HEAD><DIV8 N="91.1" TYPE="SECTION"><HEAD>§ 91.1 {word} 2</HEAD>'
        f"<P>{word} 3</P><HD1>{word} 4</HD1><TABLE><TR><TH>{word} 5</TH><TH>x</TH></TR><TR><TD>{word} 6</TD>"
        f"<TD><P>x</P><P>{word} 7</P></TD></TR></TABLE></DIV8></DIV5>".encode()
    )


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("read", [as_html, as_markdown, as_ecfr])
def test_no_tag_parts_a_word(read: Callable[[str], ParsedDocument], place: str, tag: str) -> None:
    document = read(place.format(tag))
    said = " ".join(
        [
            document.description.title,
            *(section.heading for section in document.sections),
            *(paragraph.text for section in document.sections for paragraph in section.paragraphs),
        ]
    )
    assert said.count("Illness") >= 7, said
    assert "<" not in said
