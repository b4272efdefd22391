"""Each kind of page, as each role, has no serious fault for people who cannot see it, and fits a phone.

`make test` looks at the main pages of the three; in a soak links are followed, to one of each pattern of address."""

import re
from collections.abc import Iterator, Sequence
from urllib.parse import urljoin

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.browser.conftest import House, sign_in
from tests.browser.test_queue import ITEMS, QUEUE
from tests.browser.test_room import enter_room, leave_no_exam
from tests.doubles.class_of_one import SLUG
from tests.sampling import WHOLE

MAIN = {
    "student": ("/exams/", "/library/"),
    "reviewer": (QUEUE, ITEMS),
    "operator": ("/operations/", "/"),
}
OF_A_SCHOOL = {
    "ivy": ("/exams/class/", "/"),
    "sam": ("/exams/", "/exams/sharing/", f"/exams/sharing/{SLUG}/", "/"),
    "olga": ("/operations/sample/", "/operations/people/"),
}
STARTS = ("/", "/exams/", "/library/", "/rules/", "/operations/", "/admin/", "/about/", "/accounts/")
NO_PAGES = re.compile(r"logout|/schema|export|/metrics|/file/|\.(webp|pdf|json|csv)$")
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}}
WIDTH = 390
PAGES_MOST = 200
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
def school(house: House) -> None:
    """Of which pages that the demo does not have show something: `tests/doubles/class_of_one.py`."""
    house.manage(
        "shell", "-c", f"from tests.doubles.class_of_one import make_class; make_class({PASSWORD!r})"
    )


@pytest.fixture
def narrow(browser: Browser, house: House) -> Iterator[Page]:
    context = browser.new_context(  # what fades in has its contrast at the end
        base_url=house.url, viewport={"width": WIDTH, "height": 844}, reduced_motion="reduce"
    )
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("role", MAIN)
def test_pages_can_be_read_by_everybody(narrow: Page, role: str) -> None:
    if role == "student":
        enter_room(narrow)
        assert faults_on(narrow) == []
        leave_no_exam(narrow)
    sign_in(narrow, role)
    seen, faults = crawl(narrow, [*MAIN[role], *(STARTS if WHOLE else ())])
    assert faults == {}
    assert not WHOLE or len(seen) >= 40


@pytest.mark.long
@pytest.mark.parametrize("person", OF_A_SCHOOL)
def test_pages_of_a_school_can_be_read_by_everybody(narrow: Page, school: None, person: str) -> None:
    narrow.goto("/accounts/login/")
    narrow.fill("#id_username", person)
    narrow.fill("#id_password", PASSWORD)
    narrow.press("#id_password", "Enter")
    narrow.wait_for_url(lambda address: "/login/" not in address)
    _, faults = crawl(narrow, OF_A_SCHOOL[person])
    assert faults == {}


def crawl(page: Page, starts: Sequence[str]) -> tuple[set[str], dict[str, list[str]]]:
    """The patterns of the pages that were looked at, and the faults by address."""
    ahead, seen, faults = list(starts), set[str](), {}
    while ahead and len(seen) < PAGES_MOST:
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
        if WHOLE:
            links = page.evaluate(
                "[...document.querySelectorAll('a[href]')].map((one) => one.getAttribute('href'))"
            )
            ahead += [urljoin(address, link) for link in links if not re.match(r"[a-z]+:|#|\?|//", link)]
    return seen, faults
