"""PostgreSQL and the web server are killed while a student answers in a real browser: each answer is stored and judged
once, what is typed stays, the page is never reloaded, and the oral goes on within seconds by itself."""

import os
import time
from collections import Counter
from random import Random

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import House, browser, chromium, house, page
from tests.browser.outages import MOMENTS, TARGETS, Oral
from tests.soak.outcome import tell

__all__ = ["browser", "house", "page"]

KILLS = int(os.environ.get("HEYDPE_SOAK_ORAL_KILLS", "60"))
SEED = 17
BACK_WITHIN_SECONDS = 10  # of a machine that has nothing else to do; the load of one that has is counted in


@pytest.mark.skipif(chromium() is None, reason="no Chromium was found: set CHROMIUM to its path")
def test_killed_in_an_oral(page: Page, house: House) -> None:
    chance, began, killed = Random(SEED), time.monotonic(), Counter[str]()
    oral = Oral(page, house, chance)
    for number in range(KILLS):
        target = TARGETS[number % len(TARGETS)]
        oral.answer_through(target, chance.choice(MOMENTS))
        killed[target] += 1
    oral.check_rows()
    load = max(1.0, os.getloadavg()[1] / (os.cpu_count() or 1))
    slowest = {target: round(max(found), 1) for target, found in oral.seconds.items()}
    tell(
        "oral",
        {
            "kills": dict(killed),
            "answers": len(oral.said),
            "lost, doubled or judged twice": 0,
            "seconds from a kill to the next question at most": slowest,
            "processes that want a core": round(load, 1),
            "seconds": round(time.monotonic() - began),
        },
    )
    assert max(slowest.values()) <= BACK_WITHIN_SECONDS * load
