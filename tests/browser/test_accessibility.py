"""Each kind of page, as each role, has no serious fault for people who cannot see it, and fits a phone.

Pages are found by following links, one of each pattern of address. `make test` looks at a part of them."""

import re
from urllib.parse import urljoin

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.browser.conftest import House, sign_in
from tests.sampling import WHOLE

STARTS = ("/", "/exams/", "/library/", "/rules/", "/operations/", "/admin/", "/about/", "/accounts/")
NO_PAGES = re.compile(r"logout|/schema|export|/metrics|/file/|\.(webp|pdf|json|csv)$")
PAGES = 200 if WHOLE else 14
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}}
WIDTH = 390


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


@pytest.mark.parametrize("role", ["student", "reviewer", "operator"])
def test_pages_can_be_read_by_everybody(browser: Browser, house: House, role: str) -> None:
    context = browser.new_context(base_url=house.url, viewport={"width": WIDTH, "height": 844})
    page = context.new_page()
    sign_in(page, role)
    ahead, seen, faults = list(STARTS), set[str](), {}
    while ahead and len(seen) < PAGES:
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
        if found := faults_on(page):
            faults[address] = found
        links = page.evaluate(
            "[...document.querySelectorAll('a[href]')].map((one) => one.getAttribute('href'))"
        )
        ahead += [urljoin(address, link) for link in links if not re.match(r"[a-z]+:|#|\?|//", link)]
    context.close()
    assert len(seen) >= (40 if WHOLE else PAGES)
    assert faults == {}
