"""A school's story: it is made, somebody is invited, joins, works as its operator, sees nothing of another, leaves."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from tests.browser.conftest import House, picture, sign_in

LIMIT = 60_000  # ms; the machine may have other things to do
PASSWORD = "runway-heading-270"
ADMIN_LISTS = ("knowledge/document/", "knowledge/tenant/", "curation/claim/", "knowledge/note/")


def add_school(page: Page, name: str, slug: str) -> None:
    page.goto("/operations/people/")
    page.fill("#id_new_name", name)
    page.fill("#id_new_slug", slug)
    page.click("button:has-text('Add the school')")
    expect(page.locator("h1")).to_contain_text(name)


def written(page: Page, title: str, school: str) -> None:
    """A short document of a school, written by whoever is signed in."""
    page.goto(f"/operations/?school={school}")
    file: FilePayload = {
        "name": f"{title}.txt",
        "mimeType": "text/plain",
        "buffer": f"{title}. Members park on the left.".encode(),
    }
    expect(page.locator("#doc_type")).to_have_value("sop")  # shown, since the operator acts for a school
    page.fill("#title", title)
    if page.locator("#for-school").count():
        page.select_option("#for-school", school)
    page.set_input_files("#files", file)
    page.click("button:has-text('Upload')")
    job = page.locator("article.job").filter(has_text=title).first
    expect(job).to_have_attribute("data-state", "succeeded", timeout=LIMIT)


@pytest.fixture
def mark(house: House) -> Iterator[str]:
    """What tells the schools of this test; they are removed, since whoever operates several is asked for which."""
    found = uuid4().hex[:6]
    yield found
    gone = f"from knowledge.models import Tenant; Tenant.objects.filter(slug__endswith='-{found}').delete()"
    house.manage("shell", "-c", gone)


@pytest.mark.long
def test_from_its_first_day_to_the_day_somebody_leaves(
    page: Page, browser: Browser, house: House, mark: str
) -> None:
    own, other = f"Blue Sky {mark}", f"Red Barn {mark}"
    sign_in(page, "operator")
    add_school(page, other, f"red-{mark}")
    written(page, f"Rules of the barn {mark}", f"red-{mark}")
    add_school(page, own, f"blue-{mark}")
    page.select_option("#id_role", "operator")
    page.fill("#id_people", "Bea")
    page.click("button:has-text('Invite')")
    link = page.locator("code.long").inner_text()
    picture(page, "school-invited")

    context = browser.new_context(base_url=house.url, viewport={"width": 390, "height": 844})
    bea = context.new_page()
    bea.goto(link)
    expect(bea.locator("h1")).to_have_text(f"Join {own}")
    bea.fill("[name=username]", f"bea-{mark}")
    for field in bea.locator("input[type=password]").all():
        field.fill(PASSWORD)
    bea.click("button:has-text('Join')")
    bea.wait_for_load_state()
    bea.goto(link)
    expect(bea.locator("main")).to_contain_text("has been used")

    written(bea, f"Rules of the club {mark}", f"blue-{mark}")
    bea.goto("/operations/library/")
    expect(bea.locator("main")).to_contain_text(f"Rules of the club {mark}")
    expect(bea.locator("main")).not_to_contain_text(f"Rules of the barn {mark}")
    bea.goto("/operations/jobs/")
    expect(bea.locator("main")).not_to_contain_text(f"Rules of the barn {mark}")
    bea.goto("/operations/people/")
    expect(bea.locator("h1")).to_contain_text(own)
    expect(bea.locator("main")).not_to_contain_text(other)
    for address in ADMIN_LISTS:
        answer = bea.goto(f"/admin/{address}")
        assert answer is not None
        assert answer.status in (200, 403), address
        text = bea.locator("body").inner_text()
        assert other not in text, address
        assert f"barn {mark}" not in text, address
    for address in ("/operations/backups/", "/operations/evaluations/", "/operations/standards/"):
        answer = bea.goto(address)
        assert answer is not None
        assert answer.status == 403, address

    # Somebody else has to operate the school before she can go.
    page.goto(f"/operations/people/?school=blue-{mark}")
    expect(page.locator("main")).to_contain_text(f"bea-{mark}")
    bea.goto("/accounts/")
    picture(bea, "school-account")
    bea.locator("form", has=bea.locator(f"[name=school][value=blue-{mark}]")).get_by_role("button").click()
    expect(bea.locator("body")).to_contain_text(f"You have left {own}")
    bea.fill("[name=username]", f"bea-{mark}")
    bea.fill("[name=password]", PASSWORD)
    bea.locator("form:has([name=password]) button").first.click()
    bea.wait_for_load_state()
    answer = bea.goto("/operations/")
    assert answer is not None
    assert answer.status == 403
    context.close()
