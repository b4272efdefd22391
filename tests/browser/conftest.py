"""The whole house, started as `make run` starts it, and a real Chromium in front of it."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from redis import Redis

from heydpe.runtime.paths import paths_for
from heydpe.runtime.services import services
from tests.doubles.demo_library import Rows, demo_rows, furnish
from tests.doubles.live_web import free_port
from tests.doubles.tables import put_tables

__all__ = ["demo_rows"]
ROOT = Path(__file__).resolve().parents[2]
START_LIMIT_SECONDS = 300
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium() -> str | None:
    asked = os.environ.get("CHROMIUM")
    names = [asked] if asked else ["chromium", "chromium-browser", "google-chrome"]
    return next((path for name in names if name and (path := shutil.which(name))), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if chromium() is None:
        for item in items:
            if "browser" in item.path.parts:
                item.add_marker(pytest.mark.skip(reason="no Chromium was found: set CHROMIUM to its path"))


@dataclass
class House:
    """A running house; `restart` is what pulling the plug and starting again is."""

    data_dir: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        given = {
            name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")
        }
        return {**given, "HEYDPE_DATA_DIR": str(self.data_dir), "PORT": str(self.port), "DEBUG": "1"}

    def manage(self, *arguments: str) -> None:
        """A command as an operator gives it, beside the running house."""
        command = [sys.executable, "manage.py", *arguments]
        subprocess.run(command, cwd=ROOT, env=self.environment, check=True, capture_output=True, timeout=300)

    def start(self) -> None:
        log = (self.data_dir.parent / "house.log").open("ab")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "heydpe.run"], cwd=ROOT, env=self.environment, stdout=log, stderr=log
        )
        self._wait(self.data_dir.parent / "house.log")

    def _wait(self, log: Path) -> None:
        end = time.monotonic() + START_LIMIT_SECONDS
        while time.monotonic() < end:
            if self.process is None or self.process.poll() is not None:
                break
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                if b"HeyDPE is running" in log.read_bytes():
                    return
            except OSError:
                pass
            time.sleep(0.2)
        pytest.fail("the house did not come up:\n" + log.read_text()[-3000:])

    def stop(self, how: int = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(60)
            self.process = None


@pytest.fixture(scope="session")
def house(request: pytest.FixtureRequest) -> Iterator[House]:
    """Where other tests use the demo, they have loaded it; a house alone loads its own."""
    has_database = any(item.get_closest_marker("django_db") for item in request.session.items)
    rows: Rows | None = request.getfixturevalue("demo_rows") if has_database else None
    folder = Path(tempfile.mkdtemp(prefix="heydpe-house-"))
    found = House(folder / "var", free_port())
    found.data_dir.mkdir()
    try:
        if rows:
            with services(found.data_dir, name="tests") as addresses:
                put_tables(request.getfixturevalue("tables"), addresses.database_url)
                furnish(found.data_dir, addresses.database_url, rows)
        found.start()
        yield found
    finally:
        found.stop()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(
    scope="package"
)  # while it lives its thread has a running loop, in which other tests cannot ask Django
def browser() -> Iterator[Browser]:
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser, house: House) -> Iterator[Page]:
    forget_costs(house)
    context = browser.new_context(
        base_url=house.url, viewport={"width": 1280, "height": 900}, reduced_motion="reduce"
    )
    troubles: list[str] = []
    found = context.new_page()
    found.on("pageerror", lambda error: troubles.append(str(error)))
    found.on(
        "console", lambda said: troubles.append(said.text) if "Content Security Policy" in said.text else None
    )
    yield found
    context.close()
    assert troubles == []


def forget_costs(house: House) -> None:
    """Tests begin more orals within a minute than one student may."""
    with Redis.from_url(paths_for(house.data_dir).addresses.redis_url) as redis:
        for key in redis.scan_iter("*throttle_*"):
            redis.delete(key)


def csrf_token(page: Page) -> str:
    return next(one["value"] for one in page.context.cookies() if one["name"] == "csrftoken")


def sign_in(page: Page, who: str) -> None:
    """Without drawing a page; `test_room` has those who do it by hand."""
    page.context.clear_cookies()
    page.request.get("/accounts/login/")
    signed_in = page.request.post(
        "/accounts/demo/",
        form={"account": who, "csrfmiddlewaretoken": csrf_token(page)},
        max_redirects=0,
    )
    assert signed_in.status == 302


def picture(page: Page, name: str) -> None:
    """A screenshot for a person, where HEYDPE_SCREENSHOTS names a folder."""
    folder = os.environ.get("HEYDPE_SCREENSHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=str(Path(folder) / f"{name}.png"), full_page=True)
