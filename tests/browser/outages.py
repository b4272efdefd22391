"""What is killed under a real browser, and how long it takes until the oral goes on."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from random import Random
from typing import Final

import httpx
import psutil
from playwright.sync_api import Page, expect

from tests.browser.conftest import House
from tests.browser.test_room import ASKED, enter_room, in_database, web_process
from tests.services.watching import database_answers, manager, postmaster, wait_until

PATIENCE_SECONDS: Final = 120
# Of PostgreSQL, within a minute: one that dies more often is not started again (heydpe/runtime/conf.py).
DATABASE_KILLS_MOST: Final = 4
TARGETS: Final = ("database", "web", "web twice", "both")
MOMENTS: Final = ("while typing", "as it is sent", "while it is judged")
LONGEST_SECONDS: Final = {"as it is sent": 0.02, "while it is judged": 0.3}
ANSWERED: Final = (
    "before => !document.querySelector('#closing').hidden || (!document.querySelector('#send').disabled"
    " && document.querySelectorAll('.said.examiner[data-turn] .words').length > before)"
)


def kill_database(house: House) -> None:
    os.kill(postmaster(house.data_dir).pid, signal.SIGKILL)


def kill_web(house: House) -> None:
    """The server of this moment, once there is one."""
    assert wait_until(lambda: _killed_web(house), PATIENCE_SECONDS)


def _killed_web(house: House) -> bool:
    with suppress(StopIteration, psutil.Error):
        web_process(house).kill()
        return True
    return False


def kill_workers(house: House) -> None:
    """The worker and the processes it works in, so that nobody is left to tell of it."""
    assert house.process is not None
    killed = 0
    for child in psutil.Process(house.process.pid).children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if {"celery", "worker"} <= set(child.cmdline()):
                child.kill()
                killed += 1
    assert killed


def web_answers(house: House) -> bool:
    with suppress(httpx.HTTPError):
        return httpx.get(f"{house.url}/healthz/", timeout=5).status_code == 200
    return False


@contextmanager
def database_away(house: House) -> Iterator[None]:
    """Killed, and not started again until the end."""
    keeping = manager(house.data_dir)
    keeping.suspend()
    try:
        kill_database(house)
        assert wait_until(lambda: not database_answers(house.data_dir))
        yield
    finally:
        keeping.resume()


@dataclass
class Oral:
    """A student who answers whatever happens; `seconds` are those from a kill until the next question, by target."""

    page: Page
    house: House
    chance: Random
    said: list[str] = field(default_factory=list)
    seconds: dict[str, list[float]] = field(default_factory=dict)
    database_kills: list[float] = field(default_factory=list)

    def answer_through(self, target: str, moment: str) -> None:
        """One answer with a kill at some moment of it. What is typed next must outlive it."""
        self._have_a_question()
        page, text = self.page, f"Answer {len(self.said)}: I do not know this one."
        self.said.append(text)
        exchanges = page.locator(ASKED).count()
        page.fill("#answer", text)
        if moment == "while typing":
            self._kill(target)
        page.click("#send")
        page.fill("#answer", f"after {text}")
        if moment != "while typing":
            time.sleep(self.chance.uniform(0, LONGEST_SECONDS[moment]))
            self._kill(target)
        killed, waited = time.monotonic(), page.locator(ASKED).count() == exchanges
        page.wait_for_function(ANSWERED, arg=exchanges, timeout=PATIENCE_SECONDS * 1000)
        if waited:
            self.seconds.setdefault(target, []).append(time.monotonic() - killed)
        # The next question may have been out before the kill: the page shows it while the server is still away.
        assert wait_until(lambda: web_answers(self.house), PATIENCE_SECONDS)
        if page.locator("#closing").is_hidden():
            expect(page.locator("#answer")).to_have_value(f"after {text}")

    def _have_a_question(self) -> None:
        """The same page as long as the oral lasts: nothing here reloads it."""
        if self.page.url.endswith("/exams/") or not self.said or self.page.locator("#closing").is_visible():
            enter_room(self.page)

    def _kill(self, target: str) -> None:
        if target in ("database", "both"):
            self._spare_the_manager()
            kill_database(self.house)
        if target != "database":
            kill_web(self.house)
        if target == "web twice":
            time.sleep(self.chance.uniform(0, 5))
            kill_web(self.house)

    def _spare_the_manager(self) -> None:
        while len([at for at in self.database_kills if time.monotonic() - at < 60]) >= DATABASE_KILLS_MOST:
            time.sleep(0.5)
        assert wait_until(lambda: database_answers(self.house.data_dir), PATIENCE_SECONDS)
        self.database_kills.append(time.monotonic())

    def check_rows(self) -> None:
        """Every answer is stored once and was judged once."""
        assert wait_until(lambda: database_answers(self.house.data_dir), PATIENCE_SECONDS)
        rows = in_database(
            self.house, "SELECT text, count(*) FROM exams_answer WHERE text LIKE 'Answer %%' GROUP BY text"
        )
        assert dict(rows) == dict.fromkeys(self.said, 1)
        unsettled = (
            "SELECT count(*) FROM exams_answer a WHERE text LIKE 'Answer %%' AND (SELECT count(*)"
            " FROM exams_assessment WHERE answer_id = a.id) <> 1"
        )
        assert in_database(self.house, unsettled) == [(0,)]
