"""Estimates a student's mastery of each element from scored attempts.

Only scored attempts count. An element that was only mentioned in a satisfactory answer gets a marked credit, which the
first real attempt replaces. Nothing here is a forecast or decides a result.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from exams.conf import MASTERY_BY_MENTION, MASTERY_DECAY, MASTERY_WEAK_BELOW, PARTIAL_WEIGHT
from exams.domain.values import Verdict

CREDIT: Final[Mapping[Verdict, float]] = {
    "satisfactory": 1.0,
    "partial": PARTIAL_WEIGHT,
    "unsatisfactory": 0.0,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One final verdict on one element, with the codes of other elements that the answer mentioned."""

    element: str
    verdict: Verdict
    mentioned: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """The estimate of one element, 0 to 1, from `attempts` scored ones; `by_mention` if it was never asked."""

    element: str
    value: float
    attempts: int = 0
    last_verdict: Verdict | None = None
    by_mention: bool = False

    @property
    def weak(self) -> bool:
        return self.attempts > 0 and self.value < MASTERY_WEAK_BELOW


def estimates_from(attempts: Iterable[Attempt]) -> Mapping[str, Estimate]:
    """The estimates after all attempts, which come oldest first."""
    estimates: dict[str, Estimate] = {}
    for attempt in attempts:
        after = after_attempt(estimates.get(attempt.element), attempt.element, attempt.verdict)
        if after is not None:
            estimates[attempt.element] = after
        for code in attempt.mentioned:
            known = estimates.get(code)
            asked = code == attempt.element or (known is not None and known.attempts)
            if attempt.verdict == "satisfactory" and not asked:
                estimates[code] = estimate_by_mention(code)
    return estimates


def estimate_by_mention(code: str) -> Estimate:
    """The estimate of an element that was never asked and that an answer on others showed."""
    return Estimate(element=code, value=MASTERY_BY_MENTION, by_mention=True)


def after_attempt(before: Estimate | None, element: str, verdict: Verdict) -> Estimate | None:
    """The estimate after one more verdict; an ungraded one changes nothing."""
    if verdict not in CREDIT:
        return before
    attempts = 0 if before is None else before.attempts
    weight = MASTERY_DECAY * sum(MASTERY_DECAY**age for age in range(attempts))  # the newest attempt weighs 1
    earlier = 0.0 if before is None or not attempts else before.value
    value = (CREDIT[verdict] + weight * earlier) / (1 + weight)
    return Estimate(element=element, value=value, attempts=attempts + 1, last_verdict=verdict)


def weak_elements(estimates: Iterable[Estimate]) -> tuple[str, ...]:
    """Weak elements, weakest first. One that was never asked is not weak: it is unknown."""
    weak = sorted((item for item in estimates if item.weak), key=lambda item: (item.value, item.element))
    return tuple(item.element for item in weak)
