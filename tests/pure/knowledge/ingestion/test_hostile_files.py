"""Hostile files that are cheap: each is refused with its reason or read with its words, and says one line.

All of them go through the command that operators use in `make soak` (tests/soak/test_hostile_files.py).
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from knowledge.ingestion.document_model import Description, ParsedDocument
from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.paged_document import paged_document
from knowledge.ingestion.parsing.detect import Format
from knowledge.ingestion.parsing.pdf import PdfHead, page_from_message
from knowledge.ingestion.parsing.sandbox import Message
from knowledge.ingestion.parsing.text_worker import parse_text
from knowledge.ingestion.source_files import (
    PDF_SUFFIX,
    CheckedFile,
    Source,
    check_file,
    parsed_source,
    read_source,
)
from tests.doubles.hostile import ALL, READ, Hostile
from tests.sampling import sample_of

QUICK = sample_of([one for one in ALL if one.quick], 3)
LONGEST_LINE = 300  # characters of a refusal: it is read in a list
# One of each kind, through the process that reads them for operators.
REAL = (
    "locked.pdf",
    "tables_in_a_ring.pdf",
    "ten_thousand_pages.pdf",
    "form_of_itself.pdf",
    "pixels_jpeg.pdf",
    "box_nan.pdf",
    "hidden_pale.pdf",
    "printed_not_found.pdf",
    "wall.html",
    "laughs.xml",
    "programs.md",
    "odd_encoding.xml",
    "bad_bytes.txt",
)


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Message]]:
    """What the parsing process said of each quick PDF."""
    folder, out = tmp_path_factory.mktemp("files"), tmp_path_factory.mktemp("said")
    paths = [one.write(folder) for one in QUICK if one.name.endswith(".pdf")]
    reader = [sys.executable, "-m", "tests.doubles.hostile.reading", str(out), *map(str, paths)]
    quiet = {
        **os.environ,
        "PYMUPDF_MESSAGE": "fd:2",
        "PYMUPDF_LOG": "fd:2",
    }  # as the product's processes have it
    subprocess.run(
        reader, check=True, capture_output=True, cwd=Path(__file__).resolve().parents[4], env=quiet
    )
    return {path.name: [json.loads(line) for line in path.read_text().splitlines()] for path in out.iterdir()}


def checked(one: Hostile, folder: Path) -> CheckedFile:
    with one.write(folder).open("rb") as file:
        return check_file(one.name, file)


def source_of(messages: list[Message]) -> Source:
    *pages, last = messages
    if last["type"] == "error":
        raise RefusedFile(last["message"], last["code"])
    told = next(page for page in pages if page["type"] == "document")
    head = PdfHead(page_count=told["pages"], metadata=told["metadata"], outline=())
    return Source(head, tuple(page_from_message(page) for page in pages if page["type"] == "page"))


def read_quickly(one: Hostile, folder: Path, said: dict[str, list[Message]]) -> tuple[ParsedDocument, int]:
    """The document, and how many of its words were left out as hidden."""
    found = checked(one, folder)
    if found.suffix == PDF_SUFFIX:
        source = source_of(said[one.name])
    else:
        data = (folder / one.name).read_bytes()
        source = Source(None, unpaged=parse_text(data, Format(found.suffix[1:]), one.name))
    return parsed_source(source, one.name, Description()), sum(hidden.words for hidden in source.unseen)


def judge(one: Hostile, document: ParsedDocument, hidden: int) -> None:
    text = "\n".join(paragraph.text for paragraph in document.paragraphs())
    assert READ in one.becomes
    assert [words for words in one.holds if words not in text] == []
    assert [words for words in one.lacks if words in text] == []
    assert hidden == one.hidden


def judge_refusal(one: Hostile, refused: RefusedFile, folder: Path) -> None:
    assert refused.code in one.becomes, str(refused)
    why = str(refused)
    assert len(why) < LONGEST_LINE
    assert len(why.splitlines()) == 1
    assert str(folder) not in why


@pytest.mark.parametrize("one", QUICK, ids=lambda one: one.name)
def test_a_quick_one(one: Hostile, tmp_path: Path, said: dict[str, list[Message]]) -> None:
    try:
        document, hidden = read_quickly(one, tmp_path, said)
    except RefusedFile as refused:
        judge_refusal(one, refused, tmp_path)
    else:
        judge(one, document, hidden)


@pytest.mark.parametrize("name", sample_of(REAL, 3))
def test_one_of_each_kind_through_the_real_process(name: str, tmp_path: Path) -> None:
    one = next(one for one in ALL if one.name == name)
    try:
        found = checked(one, tmp_path)
        path = (tmp_path / name).rename(tmp_path / f"stored{found.suffix}")
        source = read_source(path, lambda done, total: None, name)
        document = parsed_source(source, name, Description())
    except RefusedFile as refused:
        judge_refusal(one, refused, tmp_path)
    else:
        judge(one, document, sum(hidden.words for hidden in source.unseen))


def test_there_are_more_than_sixty_and_each_has_its_name() -> None:
    assert len(ALL) >= 60
    assert len({one.name for one in ALL}) == len(ALL)


def test_a_page_that_is_crowded_is_left_out_and_said(tmp_path: Path) -> None:
    one = next(one for one in ALL if one.name == "words_everywhere.pdf")
    source = read_source(one.write(tmp_path), lambda done, total: None)
    assert source.crowded == (1,)
    assert not any(page.lines for page in source.pages)
    assert paged_document(source.pages).sections == ()
