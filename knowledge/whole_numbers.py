"""Text from an address or a form becomes a whole number, or None: never an error.

Pure. `str.isdigit` says yes to "²", which `int` refuses, and `int` refuses what is thousands of digits long.
"""

DIGITS_MOST = 9  # below what a 32-bit column holds


def whole_number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= DIGITS_MOST else None
