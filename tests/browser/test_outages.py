"""PostgreSQL and the web server are killed while a student answers: a sample of what `make soak` does in full."""

import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import House, sign_in
from tests.browser.outages import Oral, database_away, kill_workers
from tests.browser.test_room import ASKED, enter_room, in_database, leave_no_exam
from tests.doubles import editions
from tests.services.watching import wait_until

BACK_WITHIN_SECONDS = 90  # of a machine that runs other tests beside; `make soak` measures


@pytest.mark.long
def test_while_the_database_is_away_everything_waits_and_then_goes_on(page: Page, house: House) -> None:
    enter_room(page)
    exchanges = page.locator(ASKED).count()
    api = page.context.request
    with database_away(house):
        page.fill("#answer", "said to a database that is away")
        page.click("#send")
        page.fill("#answer", "typed meanwhile")
        answers = [api.get("/exams/"), api.get("/api/v1/exams/"), api.post("/exams/begin/")]
        expect(page.locator("#state")).to_contain_text("Reconnecting…", timeout=30_000)
        assert [answer.status for answer in answers[:2]] == [503, 503]
        assert [answer.headers["retry-after"] for answer in answers[:2]] == ["5", "5"]
        assert "unavailable for a moment" in answers[0].text()
        assert answers[1].json()["code"] == "service_away"
    back = time.monotonic()
    expect(page.locator(ASKED)).to_have_count(exchanges + 1, timeout=BACK_WITHIN_SECONDS * 1000)
    expect(page.locator("#send")).to_be_enabled()
    assert time.monotonic() - back < BACK_WITHIN_SECONDS
    assert [api.get("/exams/").status for _ in range(20)] == [200] * 20
    expect(page.locator("#answer")).to_have_value("typed meanwhile")
    stored = "SELECT count(*) FROM exams_answer WHERE text = 'said to a database that is away'"
    assert in_database(house, stored) == [(1,)]
    page.fill("#answer", "")
    leave_no_exam(page)


def test_a_sample_of_kills_in_the_middle_of_an_oral(page: Page, house: House) -> None:
    oral = Oral(page, house, Random(17))
    for target, moment in (("database", "as it is sent"), ("both", "while it is judged")):
        oral.answer_through(target, moment)
    oral.check_rows()
    assert all(seconds < BACK_WITHIN_SECONDS for found in oral.seconds.values() for seconds in found)
    leave_no_exam(page)


@pytest.mark.long
def test_the_job_of_a_killed_worker_goes_on(page: Page, house: House, tmp_path: Path) -> None:
    ramps = tuple((f"3.{n}", f"Ramp {n}", f"Ramp {n} takes {n + 3} airplanes.") for n in range(1, 501))
    book = editions.markdown(tmp_path / "ramps.md", ramps, title="Ramps of the airport")
    sign_in(page, "operator")
    page.goto("/operations/")
    page.set_input_files("#files", str(book))
    page.click("text=Ingest")
    job = page.locator("article.job").filter(has_text="ramps.md").first

    def found(column: str) -> list[tuple[Any, ...]]:
        return in_database(
            house, f"SELECT {column} FROM knowledge_ingestionjob WHERE source_name = 'ramps.md'"
        )

    assert wait_until(lambda: found("step") == [("embed",)], BACK_WITHIN_SECONDS)
    kill_workers(house)
    expect(job).to_have_attribute("data-state", "succeeded", timeout=2 * BACK_WITHIN_SECONDS * 1000)
    assert found("attempts") == [(2,)]
