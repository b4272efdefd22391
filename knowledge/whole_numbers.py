"""Read a whole number from an address or a form; None for anything else, never an error. Pure.

`str.isdigit` accepts "²", which `int` refuses, and `int` refuses thousands of digits.
"""

DIGITS_MOST = 9  # below what a 32-bit column holds


def whole_number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= DIGITS_MOST else None
