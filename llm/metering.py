"""What calls to models take is counted for whoever asked for it.

    with metered() as meter:
        model.embed_passages(texts)
    meter.tokens, meter.requests, meter.retries

A model reports where it is called; the meter that is open in this thread takes it down, also when the call fails in
the end. What a vendor bills is told to whoever keeps the books, too (`keep_books`); for whom a call is made is said by
`paid_by`, and whoever keeps the budget may refuse it (`keep_budget`). Nothing here knows a vendor or a price.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(slots=True)
class Meter:
    """`tokens` as the model counts them (a vendor bills these, also for an answer that cannot be used); `requests` that
    left this process, `retries` of them after a failure."""

    tokens: int = 0
    requests: int = 0
    retries: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One call that a vendor bills. `purpose` is a chat model's role, or "embedding"."""

    provider: str
    model: str
    purpose: str
    input_tokens: int
    output_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Payer:
    """For whom a model is called: a student, and the school that the student acts for, by their ids."""

    student: int
    school: int | None


Book = Callable[[Use], None]
Budget = Callable[[Payer], None]


@dataclass(slots=True)
class _Books:
    book: Book | None = None
    budget: Budget | None = None


_books = _Books()


def keep_books(book: Book | None) -> None:
    """Whom every use is told from now on, in the thread of the call. The book must not raise."""
    _books.book = book


def used(use: Use) -> None:
    if _books.book is not None:
        _books.book(use)


def keep_budget(budget: Budget | None) -> None:
    """Who is asked before each call that somebody pays for. It raises BudgetSpent where there is none left."""
    _books.budget = budget


def reserve_call() -> None:
    """To be called before a vendor's chat model is. A call that nobody pays for is an operator's, and is not limited.
    Raises BudgetSpent."""
    payer = _payer.get()
    if payer is not None and _books.budget is not None:
        _books.budget(payer)


@contextmanager
def paid_by(payer: Payer) -> Iterator[None]:
    """Whatever this thread asks of models meanwhile is asked for this student."""
    token = _payer.set(payer)
    try:
        yield
    finally:
        _payer.reset(token)


_payer: ContextVar[Payer | None] = ContextVar("payer", default=None)
_open: ContextVar[Meter | None] = ContextVar("meter", default=None)


@contextmanager
def metered() -> Iterator[Meter]:
    """The meter of everything that this thread asks of models meanwhile; one that was open before rests."""
    meter = Meter()
    token = _open.set(meter)
    try:
        yield meter
    finally:
        _open.reset(token)


def report(*, tokens: int = 0, requests: int = 0, retries: int = 0) -> None:
    meter = _open.get()
    if meter is not None:
        meter.tokens += tokens
        meter.requests += requests
        meter.retries += retries
