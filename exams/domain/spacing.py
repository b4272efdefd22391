"""Decides when an element is asked again: spaced repetition by FSRS, one review for each final verdict.

The same reviews in the same order always give the same day. The time of a review is the time of its answer; nothing
here is random or reads a clock.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from fsrs import Card, Rating, Scheduler, State

from exams.conf import DUE_DAYS_MOST, DUE_HOURS_AHEAD, RECALL_WANTED
from exams.domain.values import SCORED_VERDICTS, Verdict

_SCHEDULER: Final = Scheduler(
    desired_retention=RECALL_WANTED,
    # An oral has no second look after ten minutes: every review counts in whole days.
    learning_steps=(),
    relearning_steps=(),
    maximum_interval=DUE_DAYS_MOST,
    enable_fuzzing=False,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """How firmly an element is remembered, after its last review.

    `stability` is the number of days after which it is still known with the probability RECALL_WANTED, `difficulty` is
    1 to 10. All times are in UTC.
    """

    stability: float
    difficulty: float
    reviewed_at: datetime
    due: datetime


def after_review(before: Memory | None, verdict: Verdict, at: datetime) -> Memory | None:
    """The memory after one more final verdict on an answer given `at`; an ungraded one changes nothing.

    Satisfactory is FSRS's "good". Partial and unsatisfactory are both "again": FSRS counts all else as recalled, and
    who needed a hint or said half of a must has not recalled it. "Hard" after two good answers would ask a half-known
    element again in 32 days instead of 2, while in an oral the half of it leaves the Task in doubt. "Easy" is not used,
    because no verdict says that an answer cost no effort.

    If the clock was set back since the review before, no day has passed between the two, and the next day is counted
    from this one.
    """
    if verdict not in SCORED_VERDICTS:
        return before
    at = at.astimezone(UTC)
    if before is None:
        card = Card(card_id=0, due=at)
    else:
        card = Card(
            card_id=0,
            state=State.Review,
            stability=before.stability,
            difficulty=before.difficulty,
            due=before.due,
            last_review=min(before.reviewed_at.astimezone(UTC), at),
        )
    rating = Rating.Good if verdict == "satisfactory" else Rating.Again
    card, _ = _SCHEDULER.review_card(card, rating, at)
    assert card.stability is not None
    assert card.difficulty is not None
    return Memory(stability=card.stability, difficulty=card.difficulty, reviewed_at=at, due=card.due)


def is_due(due: datetime, now: datetime) -> bool:
    """Whether an element is to be asked by now. A day that no interval reaches was set by a clock that ran ahead."""
    ahead = due - now
    return not timedelta(hours=DUE_HOURS_AHEAD) < ahead <= timedelta(days=DUE_DAYS_MOST)
