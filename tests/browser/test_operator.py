"""An operator's day: a folder of good and bad files, progress, a job stopped, a draft published."""

import zipfile
from pathlib import Path

import pymupdf
import pytest
from playwright.sync_api import Locator, Page, expect
from pymupdf import mupdf

from tests.browser.conftest import picture, sign_in
from tests.doubles import editions

LIMIT = 120_000  # ms; the machine may have other things to do
LONG = tuple(
    (
        f"7.{number}",
        f"Stand {number}",
        f"Stand {number} of the apron is {number + 20} feet wide. {editions.PARKING}",
    )
    for number in range(1, 2001)  # half a minute of embedding: it is stopped long before
)
BOT_WALL = (
    "<!DOCTYPE html><html><title>Just a moment...</title><body>Enable JavaScript and cookies</body></html>"
)


def folder_of(path: Path) -> list[str]:
    """Seven files, of which four are bad."""
    (path / "blocked.pdf").write_text(BOT_WALL)
    (path / "empty.pdf").write_bytes(b"")
    (path / "torn.pdf").write_bytes(editions.pdf(path / "whole.pdf").read_bytes()[:200])
    (path / "whole.pdf").unlink()
    locked = pymupdf.open()
    locked.new_page().insert_text((72, 72), "Ropes")
    locked.save(path / "locked.pdf", encryption=mupdf.PDF_ENCRYPT_AES_256, user_pw="a", owner_pw="b")
    locked.close()
    (path / "ropes.txt").write_text("Members tie down every airplane with three ropes before they go home.")
    editions.markdown(path / "stands.md", LONG, title="Stands of the apron")
    editions.pdf(path / "club.pdf", title="Club Rules")
    return [str(one) for one in sorted(path.iterdir())]


def job_of(page: Page, name: str) -> Locator:
    return page.locator("article.job").filter(has_text=name).first


def test_a_folder_with_bad_files_and_a_draft_published(page: Page, tmp_path: Path) -> None:
    sign_in(page, "operator")
    page.goto("/operations/")
    page.set_input_files("#files", folder_of(tmp_path))
    page.click("button:has-text('Upload')")
    expect(page.locator(".messages")).to_contain_text("5 files are queued")
    expect(page.locator(".messages")).to_contain_text("not a PDF but a web page")
    stands = job_of(page, "stands.md")
    done = stands.locator(".steps .done").first
    expect(done).to_be_visible(timeout=LIMIT)  # without loading the page again
    picture(page, "operator-progress")
    stands.get_by_role("button", name="Cancel").click()
    expect(stands).to_have_attribute("data-state", "cancelled", timeout=LIMIT)
    expect(stands.get_by_role("button", name="Retry")).to_be_visible()
    for name, why in (("locked.pdf", "locked with a password"), ("torn.pdf", "then upload that")):
        expect(job_of(page, name)).to_contain_text(why, timeout=LIMIT)
        expect(job_of(page, name).locator(".badge")).to_have_text("refused")
    expect(job_of(page, "ropes.txt")).to_contain_text("its kind could not be determined", timeout=LIMIT)
    expect(job_of(page, "club.pdf")).to_have_attribute("data-state", "succeeded", timeout=LIMIT)
    picture(page, "operator-outcomes")
    page.goto("/operations/editions/")
    for name in ("blocked.pdf", "empty.pdf", "locked.pdf", "torn.pdf"):
        expect(page.locator("#refused")).to_contain_text(name)
    page.locator("#drafts a:has-text('ropes')").click()
    picture(page, "operator-draft")
    page.select_option("#doc_type", "sop")
    page.fill("#title", "Tie-down rules")
    page.click("button:has-text('Save and publish')")
    expect(page.locator(".messages")).to_contain_text("searches now find it")
    page.goto("/library/")
    expect(page.locator("main")).to_contain_text("Tie-down rules")


@pytest.mark.long
def test_the_operators_pages_fit_a_phone(page: Page) -> None:
    sign_in(page, "operator")
    page.set_viewport_size({"width": 390, "height": 844})
    for path, name in (
        ("/operations/", "operations"),
        ("/operations/editions/", "editions"),
        ("/operations/backups/", "backups"),
        ("/operations/evaluations/", "evaluations"),
        ("/operations/standards/", "standards"),
    ):
        page.goto(path)
        picture(page, f"phone-operator-{name}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, name


@pytest.mark.long
def test_a_zip_becomes_documents_whose_claims_are_extracted_and_one_goes_to_the_trash_and_back(
    page: Page, tmp_path: Path
) -> None:
    """The zip's table says what its files are, and the pages say how far each job is."""
    rules = (
        "# Ramp rules\n\n## 1 Chocks\n\nEach pilot must place chocks at both main wheels before leaving it.\n"
    )
    table = (
        "file,type,title,abbreviation\nramp.md,sop,Ramp rules of the club,RAMP\nrope.md,sop,Rope rules,ROPE\n"
    )
    with zipfile.ZipFile(tmp_path / "club.zip", "w") as packed:
        packed.writestr("library.csv", table)
        packed.writestr("ramp.md", rules)
        packed.writestr("rope.md", rules.replace("Ramp", "Rope").replace("chocks", "ropes"))
    sign_in(page, "operator")
    page.goto("/operations/")
    page.set_input_files("#files", str(tmp_path / "club.zip"))
    page.click("button:has-text('Upload')")
    expect(page.locator(".messages")).to_contain_text("2 files are queued")
    job = job_of(page, "ramp.md")
    expect(job).to_have_attribute("data-state", "succeeded", timeout=LIMIT)
    expect(job).to_contain_text("RAMP: ")
    expect(job_of(page, "rope.md")).to_have_attribute("data-state", "succeeded", timeout=LIMIT)

    page.goto("/operations/library/?q=ramp")
    row = page.locator("tr", has_text="Ramp rules of the club")
    expect(row).to_contain_text("published")
    bar = page.locator(".bulk")
    expect(bar).to_be_hidden()
    row.get_by_role("checkbox").check()
    expect(bar.locator(".bulk-count")).to_have_text("1 document chosen")
    expect(bar).to_be_in_viewport(ratio=1)
    page.get_by_label("Choose all on this page").check()
    page.get_by_label("Choose all on this page").uncheck()
    expect(bar).to_be_hidden()
    row.get_by_role("checkbox").check()
    page.get_by_role("button", name="Extract claims").click()
    page.goto("/operations/jobs/?kind=claims")
    page.get_by_role("link", name="Claims of RAMP").first.click()
    told = page.locator("article.job")
    expect(told).to_have_attribute("data-state", "succeeded", timeout=LIMIT)
    expect(told).to_contain_text("1 claim found")
    expect(page.locator("main")).to_contain_text("1 of 1")
    picture(page, "operator-claims-job")

    page.goto("/operations/library/?q=ramp")
    page.locator("tr", has_text="Ramp rules of the club").get_by_role("checkbox").check()
    page.get_by_role("button", name="Move to the trash").click()
    page.goto("/operations/library/?q=ramp")
    expect(page.locator("main")).not_to_contain_text("Ramp rules of the club")
    page.goto("/operations/library/?q=ramp&status=trash")
    page.locator("tr", has_text="Ramp rules of the club").get_by_role("checkbox").check()
    page.get_by_role("button", name="Bring back").click()
    page.goto("/operations/library/?q=ramp")
    expect(page.locator("tr", has_text="Ramp rules of the club")).to_be_visible()


@pytest.mark.long
def test_a_backup_is_made_by_the_worker_and_its_page_says_how_to_restore_it(page: Page) -> None:
    sign_in(page, "operator")
    page.goto("/operations/backups/")
    page.get_by_role("button", name="Back up now").click()
    expect(page.locator("article.job")).to_have_attribute("data-state", "succeeded", timeout=LIMIT)
    page.goto("/operations/backups/")
    expect(page.locator("main")).to_contain_text("manage.py restore")
    expect(page.locator("tbody tr").first).to_contain_text("heydpe-")


@pytest.mark.long
def test_a_folder_of_150_files_with_a_table_of_its_subfolders(page: Page, tmp_path: Path) -> None:
    books = tmp_path / "books"
    for number in range(1, 151):
        file = books / f"part-{number % 5}" / f"rule-{number}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(
            f"# Rule {number}\n\nA member ties rope number {number} before the last flight of the day."
        )
    (books / "library.csv").write_text("file,type,title\npart-0/rule-150.md,sop,The last of the rules\n")
    sign_in(page, "operator")
    page.goto("/operations/")
    page.set_input_files("#folder", books)
    page.click("button:has-text('Upload')")
    expect(page.locator(".messages")).to_contain_text("150 files are queued", timeout=LIMIT)
    page.goto("/operations/jobs/?q=rule-150.md")
    page.click("main td a:has-text('rule-150.md')")
    expect(page.locator("main")).to_contain_text("The last of the rules", timeout=LIMIT)
