"""Join the overlapping passages of a section into one text, so that a paragraph is read with everything above it.

Each passage may begin with the last sentences of the one before. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from curation import conf


def join_passages(texts: Sequence[str]) -> tuple[str, tuple[int, ...]]:
    """The whole text of the passages in order, and where each begins in it."""
    whole, starts, before = "", [], ""
    for text in texts:
        most = min(len(before), len(text), conf.OVERLAP_LENGTH)
        lengths = range(most, conf.OVERLAP_LEAST, -1)
        shared = next((length for length in lengths if before.endswith(text[:length])), 0)
        if shared:
            whole = whole[: len(whole) - shared]
        elif whole:
            whole += "\n"
        starts.append(len(whole))
        whole += text
        before = text
    return whole, tuple(starts)
