"""The project's own items, read once in a process: that takes seconds."""

from functools import cache

from exams.bank.files import ITEMS, parse_items
from exams.bank.schema import ItemText


@cache
def bank_items() -> tuple[ItemText, ...]:
    return tuple(parse_items([ITEMS]).items)
