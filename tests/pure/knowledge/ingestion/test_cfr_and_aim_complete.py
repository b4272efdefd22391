"""The CFR and AIM trees are read to the last word, and every form of one part gives the same sections."""

import html
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from knowledge.ingestion.document_model import ParsedDocument, Section
from knowledge.ingestion.formats.ecfr import ecfr_document
from knowledge.ingestion.formats.html import html_document
from knowledge.ingestion.formats.markdown import markdown_document
from knowledge.ingestion.formats.plain_text import text_document
from tests.doubles import faa_files

DATA = faa_files.FAA.parent
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not (DATA / "faa").is_dir(), reason="../shared/data/faa is not here"),
]
FILES = [*faa_files.cfr(), *faa_files.aim()]
# What of a source's own text no section keeps: links, pictures, tags, the history of amendments, reserved numbers.
NO_TEXT = re.compile(
    r"!\[[^\]]*\]\([^)\s]*\)|<[^>]+>|"
    r"^\*\*\d+ min read.*$|^Source: .*$|^\s*\\?\[ ?(?:Doc|Amdt|Docket|\d+ FR|SFAR|Order).*$"
    r"|\{\.[\w-]+\}|^#+ .*Reserved.*$|(?<=\])\([^)\s]*\)",
    re.MULTILINE,
)
INLINE_TAG = re.compile(r"</?(?:strong|b|em|i|u|span|sup|sub|a)\b[^>]*>")  # they part no word


@cache
def parsed(path: Path) -> ParsedDocument:
    return markdown_document(path.read_text(), file_name=path.name)


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"[a-z]{3,}", html.unescape(text).lower()))


def without_targets(text: str) -> str:
    """Links as the words they show."""
    while (
        plain := re.sub(
            r"\[\[([^\[\]|]*)(?:\|([^\[\]]*))?\]\]", lambda m: m[2] or m[1].rpartition("#")[2], text
        )
    ) != text:
        text = plain
    return text


@pytest.mark.parametrize("path", faa_files.parameters(FILES))
def test_no_word_is_lost(path: Path) -> None:
    source = INLINE_TAG.sub("", without_targets(path.read_text()))
    printed = words(NO_TEXT.sub(" ", source))
    kept = words(
        " ".join(
            [*(p.text for p in parsed(path).paragraphs()), parsed(path).description.title, *headings(path)]
        )
    )
    lost = printed - kept
    assert sum(lost.values()) <= 0.001 * sum(printed.values()), lost.most_common(20)


def headings(path: Path) -> list[str]:
    """Containers without text of their own live on in the paths."""
    return [step for path_ in {section.path for section in parsed(path).sections} for step in path_]


def test_every_section_that_questions_rest_on_is_there() -> None:
    rows = [json.loads(line) for line in (DATA / "retrieval/cfr_aim/corpus.jsonl").read_text().splitlines()]
    wanted = {
        row["_id"].removeprefix("AIM ")
        for row in rows
        if re.match(r"(?:61|91)\.|AIM [345]-", row["_id"])
        and "Reserved" not in row["title"] + row["text"][:60]
    }
    found = {section.number for path in FILES for section in parsed(path).sections}
    assert len(wanted) > 600
    assert sorted(wanted - found) == [
        "91.905"
    ]  # a list of sections of which this edition printed nothing but its name


@pytest.mark.parametrize("path", faa_files.parameters(FILES))
def test_anchors_and_numbers_are_each_a_section_s_own(path: Path) -> None:
    sections = parsed(path).sections
    anchors = [section.anchor for section in sections if section.anchor]
    assert len(anchors) == len(set(anchors))
    assert all(len(anchor) <= 120 for anchor in anchors)
    marks = ("[[", "]]", "\\(", "<div", "<em", "<td", "{.")
    assert not [p.text for p in parsed(path).paragraphs() if any(mark in p.text for mark in marks)]


# --- the same part in every form ------------------------------------------------------------

PART = DATA / "faa" / "cfr" / "14cfr_part091.md"


def rules() -> list[Section]:
    """The numbered sections of part 91, without their tables: rows are not printed back."""
    return [
        section
        for section in parsed(PART).sections
        if re.fullmatch(r"\d+\.\d+[a-z]?", section.number)
        and not any(p.kind == "row" for p in section.paragraphs)
    ]


def as_xml() -> bytes:
    body = "".join(
        f'<DIV8 N="{s.number}" TYPE="SECTION"><HEAD>{html.escape(s.path[-1])}</HEAD>'
        + "".join(f"<P>{html.escape(p.text)}</P>" for p in s.paragraphs[1:])
        + "</DIV8>"
        for s in rules()
    )
    return f'<DIV5 N="91" NODE="14:1" TYPE="PART"><HEAD>PART 91—GENERAL</HEAD>{body}</DIV5>'.encode()


def as_html() -> str:
    body = "".join(
        f"<h4>{html.escape(s.path[-1])}</h4>" + "".join(f"<p>{html.escape(p.text)}" for p in s.paragraphs[1:])
        for s in rules()
    )
    return f"<!doctype html><h1>PART 91—GENERAL</h1>{body}"


def as_text() -> str:
    return "\n\n".join("\n\n".join([s.path[-1], *(p.text for p in s.paragraphs[1:])]) for s in rules())


def told(document: ParsedDocument) -> list[tuple[str, str, list[str]]]:
    return [(s.number, s.anchor, [p.text for p in s.paragraphs]) for s in document.sections]


def test_every_form_gives_the_same_sections() -> None:
    wanted = [(s.number, s.number, [p.text for p in s.paragraphs]) for s in rules()]
    assert len(wanted) > 200
    for document in (ecfr_document(as_xml()), html_document(as_html()), text_document(as_text())):
        assert told(document) == wanted
