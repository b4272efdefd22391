"""A folder laid out as the FAA's files are is taken in whole: no draft is left, terms and sections can be cited."""

import csv
import io
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.management import call_command

from knowledge.ingestion.library_csv import FAA_TABLE, TABLE_NAME, fits_folder
from knowledge.models import Chunk, Document, Standard
from knowledge.retrieval.results import label_of_chunk
from tests.doubles.acs_pdfs import LAYOUTS, acs_pdf
from tests.doubles.source_files import one_page
from tests.doubles.standards import printed_standard

FAA = Path(__file__).parents[5] / "shared" / "data" / "faa"
SAMPLE = "pdf/uag_sample_questions.pdf"
PCG_SOURCE = (
    "Source: [https://www.faa.gov/air_traffic/publications/media/pcg_basic_w_chg_1_2_3_dtd_12-31-20.pdf](x)"
)
TEXTS = {
    "aim/03 Airspace/03 Class G Airspace.md": "# Section 3. Class G Airspace\n"
    "Source: [https://www.faa.gov/air_traffic/publications/atpubs/aim_html/chap3_section_3.html](x)\n\n"
    "**General ^3-3-1** Class G airspace is airspace that nobody controls.\n",
    "cfr/14cfr_part091.md": "# Part 91. General operating and flight rules\n"
    "Source: [https://www.ecfr.gov/x](https://www.ecfr.gov/x)\n\n"
    "### §91.3   Responsibility and authority of the pilot in command.\n\nThe pilot in command decides.\n",
    "pcg/0 Index.md": "# Pilot/Controller Glossary\n\nThis Glossary promotes a common understanding of the terms.\n",
    "pcg/W.md": f"# Letter W\n{PCG_SOURCE}\n\n<div>\n\n<div>\n\n***WILCO-*** I have received your message, "
    "understand it, and will comply with it.\n\n^JFdJTENP\n\n</div>\n\n<div>\n\nWILL COMPLY-\n\n"
    "[[W#^JFdJTENP|(See WILCO.)]]\n\n</div>\n\n</div>\n",
}
pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def folder(settings: LazySettings, tmp_path: Path) -> Path:
    """A small copy of the layout, with the lines of the example that speak of its files."""
    settings.MEDIA_ROOT = tmp_path / "media"
    root = tmp_path / "faa"
    for name, text in TEXTS.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "pdf").mkdir()
    acs_pdf(root / "pdf" / "FAA-S-ACS-6C_Private_Pilot_ACS.pdf", printed_standard(), LAYOUTS[0])
    one_page(root / SAMPLE, ["Unmanned Aircraft General", "1. What may a remote pilot do?"])
    return root


def write_listing(path: Path, root: Path) -> Path:
    with FAA_TABLE.open(newline="") as file:
        reader = csv.DictReader(file)
        rows = [row for row in reader if (root / row["file"]).exists()]
        names = list(reader.fieldnames or ())
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, names)
        writer.writeheader()
        writer.writerows(rows)
    return path


def ingest(*arguments: str) -> Any:
    out = io.StringIO()
    call_command("ingest", *arguments, "--json", stdout=out)
    return json.loads(out.getvalue())["documents"]


def labels() -> list[str]:
    chunks = Chunk.objects.filter(document__paged=False).select_related("document")
    return sorted(label_of_chunk(chunk) for chunk in chunks)


def test_folder_with_its_listing_leaves_no_draft(folder: Path) -> None:
    write_listing(folder / TABLE_NAME, folder)
    found = ingest(str(folder))
    assert [one["error"] for one in found if one["error"]] == []
    assert len(found) == len(TEXTS) + 2
    assert {one["status"] for one in found} == {"published"}
    assert Standard.objects.get(current=True).certificate == "private"
    assert labels() == ["14 CFR 91.3", "AIM 3-3-1", "P/CG", "P/CG: WILCO", "P/CG: WILL COMPLY"]
    dates = Document.objects.filter(abbreviation="P/CG").values_list("edition_date", flat=True)
    assert set(dates) == {date(2020, 12, 31)}


@pytest.mark.long
def test_listing_kept_elsewhere_says_the_same(folder: Path, tmp_path: Path) -> None:
    """The shared folder cannot be written to."""
    listing = write_listing(tmp_path / "elsewhere.csv", folder)
    assert fits_folder(listing, folder)
    found = ingest(str(folder), "--listing", str(listing))
    assert {one["status"] for one in found} == {"published"}


@pytest.mark.long
def test_only_the_sample_questions_stay_a_draft_without_a_listing(folder: Path) -> None:
    drafts = [one["path"] for one in ingest(str(folder)) if one["status"] == "draft"]
    assert drafts == [str(folder / SAMPLE)]


def test_glossary_of_the_folder_holds_no_anchor(folder: Path) -> None:
    ingest(str(folder / "pcg"))
    texts = list(Chunk.objects.values_list("text", flat=True))
    assert any("will comply with it" in text for text in texts)
    assert not any("^" in text or "JFdJTENP" in text for text in texts)


def test_example_does_not_fit_another_folder(folder: Path) -> None:
    assert not fits_folder(FAA_TABLE, folder)


@pytest.mark.shared
@pytest.mark.skipif(not FAA.exists(), reason="../shared/data/faa is not there")
def test_example_lists_every_file_of_the_shared_folder() -> None:
    with FAA_TABLE.open(newline="") as file:
        listed = {row["file"] for row in csv.DictReader(file)}
    assert listed == {str(path.relative_to(FAA)) for path in FAA.rglob("*") if path.is_file()}
    assert fits_folder(FAA_TABLE, FAA)
