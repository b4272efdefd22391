"""What exams have begun is counted until it ends, whether somebody waits for it or not."""

import asyncio
import threading
from collections.abc import Iterator

import pytest
from prometheus_client import REGISTRY

from exams.conf import QUICK_THREADS
from exams.exchange import executors

PATIENCE_SECONDS = 30


@pytest.fixture(autouse=True)
def at_rest() -> Iterator[None]:
    yield
    executors.finish_all()


def under_way(lane: str) -> float:
    return REGISTRY.get_sample_value("heydpe_exam_work", {"lane": lane}) or 0.0


def test_it_counts_while_it_is_done_and_not_afterwards() -> None:
    assert asyncio.run(executors.run_quick(under_way, "quick")) == 1
    executors.finish_all()
    assert under_way("quick") == 0


def test_what_fails_is_no_longer_under_way() -> None:
    def failing() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        asyncio.run(executors.run_quick(failing))
    executors.finish_all()
    assert under_way("quick") == 0


def test_work_whose_caller_is_gone_counts_until_it_ends() -> None:
    begun, may_end = threading.Event(), threading.Event()

    def working() -> None:
        begun.set()
        may_end.wait(PATIENCE_SECONDS)

    async def caller() -> None:
        task = asyncio.create_task(executors.run_ahead("student", working))
        await asyncio.to_thread(begun.wait, PATIENCE_SECONDS)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(caller())
    assert under_way("ahead") == 1
    may_end.set()
    executors.finish_all()
    assert under_way("ahead") == 0


def test_work_that_is_given_up_before_its_turn_no_longer_counts() -> None:
    may_end = threading.Event()

    async def caller() -> None:
        before = [
            asyncio.create_task(executors.run_quick(may_end.wait, PATIENCE_SECONDS))
            for _ in range(QUICK_THREADS)
        ]
        waiting = asyncio.create_task(executors.run_quick(int))
        await asyncio.sleep(0)
        assert under_way("quick") == QUICK_THREADS + 1
        waiting.cancel()
        await asyncio.sleep(0)
        assert under_way("quick") == QUICK_THREADS
        may_end.set()
        await asyncio.gather(*before)

    asyncio.run(caller())
    executors.finish_all()
    assert under_way("quick") == 0
