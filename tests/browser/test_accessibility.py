"""Each kind of page, as each role, has no serious fault for people who cannot see it, and fits a phone.

Pages are found by following links, one of each pattern of address. `make test` looks at a part of them."""

import re
from urllib.parse import urljoin

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.browser.conftest import House, sign_in
from tests.doubles.class_of_one import SLUG
from tests.sampling import WHOLE

STARTS = ("/", "/exams/", "/library/", "/rules/", "/operations/", "/admin/", "/about/", "/accounts/")
NO_PAGES = re.compile(r"logout|/schema|export|/metrics|/file/|\.(webp|pdf|json|csv)$")
PAGES = 200 if WHOLE else 10
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}}
WIDTH = 390
OF_A_SCHOOL = {
    "ivy": ("/exams/class/", "/"),
    "sam": ("/exams/", "/exams/sharing/", f"/exams/sharing/{SLUG}/", "/"),
    "olga": ("/operations/sample/", "/operations/people/"),
}
PASSWORD = "read by everybody"


def pattern_of(address: str) -> str:
    """The address with a letter for each key in it."""
    return re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|\d+", "N", address.partition("?")[0].partition("#")[0])


def faults_on(page: Page) -> list[str]:
    found = Axe().run(page, options=RULES).response["violations"]
    faults = [
        f"{one['id']}: {one['nodes'][0]['html'][:200]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
    wide = page.evaluate("document.documentElement.scrollWidth")
    title = page.title().strip()
    return faults + [f"{wide} pixels wide"] * (wide > WIDTH) + ["no title"] * (not title)


@pytest.fixture(scope="module")
def school(house: House) -> str:
    """Of which pages that the demo does not have show something: `tests/doubles/class_of_one.py`."""
    house.manage(
        "shell", "-c", f"from tests.doubles.class_of_one import make_class; make_class({PASSWORD!r})"
    )
    return SLUG


@pytest.mark.parametrize("role", ["student", "reviewer", "operator", *OF_A_SCHOOL])
def test_pages_can_be_read_by_everybody(browser: Browser, house: House, school: str, role: str) -> None:
    context = browser.new_context(  # what fades in has its contrast at the end
        base_url=house.url, viewport={"width": WIDTH, "height": 844}, reduced_motion="reduce"
    )
    page = context.new_page()
    if role in OF_A_SCHOOL:
        page.goto("/accounts/login/")
        page.fill("#id_username", role)
        page.fill("#id_password", PASSWORD)
        page.press("#id_password", "Enter")
        page.wait_for_url(lambda address: "/login/" not in address)
    else:
        sign_in(page, role)
    ahead, seen, faults = list(OF_A_SCHOOL.get(role, STARTS)), set[str](), {}
    most = PAGES if WHOLE or role not in OF_A_SCHOOL else 6  # the others look at what is everybody's
    while ahead and len(seen) < most:
        address = ahead.pop(0)
        pattern = pattern_of(address)
        if pattern in seen or NO_PAGES.search(pattern):
            continue
        seen.add(pattern)
        answer = page.goto(address)
        assert answer is not None
        if answer.status in (302, 403) or "html" not in answer.headers.get("content-type", ""):
            continue
        assert answer.ok, f"{address}: {answer.status}"
        if page.locator("#composer").count():  # the room, once it has asked
            page.locator("#answer:enabled, .folder").first.wait_for()
        if found := faults_on(page):
            faults[address] = found
        links = page.evaluate(
            "[...document.querySelectorAll('a[href]')].map((one) => one.getAttribute('href'))"
        )
        ahead += [urljoin(address, link) for link in links if not re.match(r"[a-z]+:|#|\?|//", link)]
    context.close()
    assert len(seen) >= (40 if WHOLE and role not in OF_A_SCHOOL else min(most, PAGES))
    assert faults == {}
