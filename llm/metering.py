"""Count what calls to models take, and tell who pays for them. Nothing here knows a vendor or a price.

A model reports its calls to the meter that is open in this thread, failed ones too. What a vendor bills, and what
fails, goes to the books (`keep_books`). `paid_by` says for whom calls are made; the budget (`keep_budget`) may refuse
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from uuid import UUID


@dataclass(slots=True)
class Meter:
    """`tokens` as the model counts them, `requests` that left this process, `retries` of them after a failure."""

    tokens: int = 0
    requests: int = 0
    retries: int = 0


@dataclass(frozen=True, slots=True)
class Payer:
    """Who a model is called for: ids of a student, of the school that the student acts for, and of an exam."""

    student: int | None
    school: int | None
    exam: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One call that a vendor bills. `purpose` is a chat model's role, or "embedding"; `payer` is filled in."""

    provider: str
    model: str
    purpose: str
    input_tokens: int
    output_tokens: int = 0
    payer: Payer | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One call to a vendor that failed; `code` is that of the error, `message` holds nothing of what was asked."""

    provider: str
    model: str
    purpose: str
    code: str
    message: str


Book = Callable[[Use], None]
FailureBook = Callable[[Failure], None]
Budget = Callable[[Payer], None]


@dataclass(slots=True)
class _Books:
    book: Book | None = None
    failures: FailureBook | None = None
    budget: Budget | None = None


_books = _Books()


def keep_books(book: Book | None, failures: FailureBook | None = None) -> None:
    """Report every use, and every failure, to these books from now on, in the thread of the call. They must not
    raise."""
    _books.book, _books.failures = book, failures


def record_use(use: Use) -> None:
    """Report one billed call to the book, with whoever it was made for."""
    if _books.book is not None:
        _books.book(replace(use, payer=_payer.get()))


def record_failure(failure: Failure) -> None:
    """Report one failed call to its book."""
    if _books.failures is not None:
        _books.failures(failure)


def keep_budget(budget: Budget | None) -> None:
    """Ask this budget before each call that somebody pays for; it raises BudgetSpent where none is left."""
    _books.budget = budget


def reserve_call() -> None:
    """Ask the budget for one call of a vendor's chat model. Calls without a payer are an operator's and not limited.
    Raises BudgetSpent."""
    payer = _payer.get()
    if payer is not None and _books.budget is not None:
        _books.budget(payer)


@contextmanager
def paid_by(payer: Payer) -> Iterator[None]:
    """Within the block, this thread's calls to models are made for this payer."""
    token = _payer.set(payer)
    try:
        yield
    finally:
        _payer.reset(token)


_payer: ContextVar[Payer | None] = ContextVar("payer", default=None)
_open_meter: ContextVar[Meter | None] = ContextVar("meter", default=None)


@contextmanager
def open_meter() -> Iterator[Meter]:
    """Within the block, this meter counts this thread's calls to models; one that was open before pauses."""
    meter = Meter()
    token = _open_meter.set(meter)
    try:
        yield meter
    finally:
        _open_meter.reset(token)


def record_calls(*, tokens: int = 0, requests: int = 0, retries: int = 0) -> None:
    """Add to the open meter, if there is one."""
    meter = _open_meter.get()
    if meter is not None:
        meter.tokens += tokens
        meter.requests += requests
        meter.retries += retries
