"""A poor result under filters that were only inferred becomes a second search without them. Pure."""

from collections.abc import Sequence

from knowledge import conf


def is_too_poor(scores: Sequence[float], least: float = conf.FALLBACK_TOP) -> bool:
    """`scores` best first: too few of them, or the best below `least`.

    A section that was asked for by its number and found is enough, even alone.
    """
    if scores and scores[0] >= conf.EXACT_SCORE:
        return False
    return len(scores) < conf.FALLBACK_RESULTS or scores[0] < least
