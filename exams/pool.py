"""Synchronous exam code runs here, called from the consumer: a bounded pool of its own.

`database_sync_to_async` serialises everything on one thread of the process, so one hanging model call would stop every
exam. Each call gives its database connection back when it ends.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import close_old_connections, connections

P = ParamSpec("P")
T = TypeVar("T")


@cache
def _pool(name: str) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=settings.ENV.answer_workers, thread_name_prefix=f"exam-{name}")


def _giving_back(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    close_old_connections()
    try:
        return function(*args, **kwargs)
    finally:
        connections.close_all()


async def quick(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Database work of milliseconds. Never waits behind a model call: those have a pool of their own."""
    return await _run("quick", function, *args, **kwargs)


async def slow(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Work that calls a model and may hang as long as its deadline."""
    return await _run("slow", function, *args, **kwargs)


async def _run(name: str, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_pool(name), lambda: _giving_back(function, *args, **kwargs))
