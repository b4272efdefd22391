"""Finds where a quote stands in a text, word for word.

Only white space may differ, because lines break differently in a PDF and in a sentence.
"""

import re


def find_quote(text: str, quote: str) -> tuple[int, int] | None:
    """Where the quote stands in the text, as [start, end) of its characters; None if it does not.

    Every character counts except white space, of which any amount equals any other. An empty quote stands nowhere.
    """
    words = quote.split()
    if not words:
        return None
    pattern = r"\s+".join(re.escape(word) for word in words)
    match = re.search(rf"(?<!\w){pattern}(?!\w)" if words[0][0].isalnum() else pattern, text)
    return match.span() if match else None
