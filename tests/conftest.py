"""What every test may use, and in which order files are run."""

import gc
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import hypothesis
import pytest

from tests.doubles.flushing import django_db_setup, pytest_runtest_setup
from tests.doubles.tables import django_db_modify_db_settings, tables
from tests.doubles.wiring import models_as_wired
from tests.embedded import pytest_unconfigure, start_services
from tests.sampling import WHOLE

__all__ = [
    "django_db_modify_db_settings",
    "django_db_setup",
    "models_as_wired",
    "pytest_collection_finish",
    "pytest_collection_modifyitems",
    "pytest_runtest_setup",
    "pytest_testnodedown",
    "pytest_unconfigure",
    "pytest_xdist_make_scheduler",
    "tables",
]

hypothesis.settings.register_profile("house", deadline=None)  # no test asserts time
hypothesis.settings.load_profile("house")
gc.disable()  # looking for garbage takes a fifth of the time in which tests are collected, and there is none
TESTS = Path(__file__).parent
FIRST = ("db/desk/test_demo.py", "services", "browser", "test_walkthrough.py")
"""Long ones first, so that no process is still busy with one when the others are done. The very first loads the demo
for all processes and for the browser's house, which comes later; meanwhile another has services to start."""


@pytest.hookimpl(trylast=True)  # once tests/soak/conftest.py has marked its own
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    _leave_long_ones_out(config, items)
    with_demo = {item.path for item in items if "demo" in getattr(item, "fixturenames", ())}
    items.sort(key=lambda item: _turn(item.path, item.path in with_demo))


def _leave_long_ones_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    """They run in a soak, and where their file is named on the command line."""
    here = config.invocation_params.dir
    named = {here / argument.partition("::")[0] for argument in config.args}
    left_out = [
        item for item in items if not WHOLE and item.get_closest_marker("long") and item.path not in named
    ]
    for item in left_out:
        items.remove(item)
    config.hook.pytest_deselected(items=left_out)
    if hasattr(config, "workeroutput"):
        config.workeroutput["left out"] = len(left_out)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Each process collects all tests; the summary counts those that the first one left out."""
    if node.gateway.id == "gw0":
        said = getattr(node, "workeroutput", {})  # nothing, if the process was killed
        node.config.hook.pytest_deselected(items=[SimpleNamespace()] * said.get("left out", 0))


def pytest_collection_finish(session: pytest.Session) -> None:
    start_services(session)
    gc.freeze()  # what was collected stays to the end
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """One process runs all tests in the browser: a house takes a minute to start."""
    from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

    if config.getoption("dist") != "loadfile":
        return None
    scheduling = LoadFileScheduling(config, log)
    file_of = scheduling._split_scope
    scheduling._split_scope = lambda test: "browser" if test.startswith("tests/browser/") else file_of(test)
    return scheduling


def _turn(path: Path, with_demo: bool) -> tuple[int, bool]:
    """The place in `FIRST` of the file or its folder, and there those with the demo at the one end: first, but last of
    the services, while whose first ones another process still loads it."""
    own = path.relative_to(TESTS)
    named = {str(own), own.parts[0]}
    place = next((place for place, name in enumerate(FIRST) if name in named), len(FIRST))
    return place, with_demo == ("services" in named)
