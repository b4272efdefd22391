"""Files without pages are read by a process of its own; a hostile one ends that process and says why."""

from pathlib import Path

import pytest

from knowledge.ingestion.document_model import Description
from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.parsing.text_worker import decode_text
from knowledge.ingestion.source_files import check_file, parsed_source, read_source

FORMS = [
    ("club.md", "# Rules\n\n## Fuel\n\nFill the tanks.\n"),
    ("club.html", "<h1>Rules</h1><h2>Fuel</h2><p>Fill the tanks."),
    ("club.txt", "Rules\n=====\n\nFuel\n----\n\nFill the tanks.\n"),
    ("club.xml", "<DIV5 N='9' TYPE='PART'><DIV6 TYPE='SUBPART'><HEAD>Fuel</HEAD><P>Fill the tanks.</P></DIV6></DIV5>"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text"), FORMS)
def test_every_form_gives_the_same_section_under_the_name_that_was_given(
    tmp_path: Path, name: str, text: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    source = read_source(path, lambda done, total: None, name)
    document = parsed_source(source, name, Description(title="Named by the operator"))
    (section,) = document.sections
    assert section.path == ("Named by the operator", "Fuel")
    assert [paragraph.text for paragraph in section.paragraphs] == ["Fuel", "Fill the tanks."]
    assert (document.paged, document.pages) == (False, ())


READ = ""
HOSTILE = [
    ("deep.html", "<div>" * 20_000 + "x", READ),
    ("deep.xml", "<ECFR>" + "<P>" * 300_000, "deeper"),
    ("laughs.xml", "<!DOCTYPE x [<!ENTITY a 'haha'>]><ECFR>" + "&a;" * 90_000 + "</ECFR>", "entities"),
    ("tables.md", "<table>" * 200_000, "no text"),
    ("links.md", "[[" * 300_000, "no text"),
    ("stars.md", "*" * 500_000, "no text"),
    ("brackets.md", "[" * 500_000 + "x", READ),
    ("comments.html", "<!--" * 300_000, "no text"),
    ("one_line.txt", "a " * 1_000_000, READ),
    ("cells.txt", "a   " * 300_000, READ),
    ("spans.html", "<table>" + "<tr><td rowspan=200 colspan=200>x<td>y" * 300 + "</table>", "more memory"),
]


def refusal(path: Path) -> str:
    try:
        read_source(path, lambda done, total: None, path.name)
    except RefusedFile as refused:
        return str(refused)
    return READ


@pytest.mark.parametrize(("name", "text", "why"), HOSTILE, ids=[name for name, _, _ in HOSTILE])
def test_a_hostile_file_is_read_or_refused_in_words(tmp_path: Path, name: str, text: str, why: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    said = refusal(path)
    assert why in said
    assert bool(said) == bool(why)
    assert len(said) < 300


NAMES = [
    ("../../etc/passwd.txt", "passwd.txt"),
    ("..\\..\\windows\\club.txt", "club.txt"),
    ("C:\\Users\\me\\club.txt", "club.txt"),
    ("a\x1b[31m\n\x00b.txt", "a?[31m??b.txt"),
    ("in\u202egnp.txt", "in?gnp.txt"),
    ("/", "unnamed"),
]


@pytest.mark.parametrize(("name", "kept"), NAMES)
def test_a_name_is_kept_without_folders_and_without_what_steers(tmp_path: Path, name: str, kept: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"%PDF-1.7")
    with path.open("rb") as file:
        assert check_file(name, file).name == kept


def test_a_name_of_5000_characters_is_shortened_and_keeps_its_end(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("Words.")
    with path.open("rb") as file:
        checked = check_file("n" * 5000 + ".txt", file)
    assert (len(checked.name), checked.suffix) == (200, ".txt")
    assert checked.name.endswith("n.txt")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_text_in_any_usual_encoding_is_read(encoding: str) -> None:
    assert decode_text("Höhe “1,000 feet”".encode(encoding)) == "Höhe “1,000 feet”"
