"""Counts how many frames an exam sends in a minute, in this process.

One connection at a time writes to an exam, so its frames come through one process. The count is not in Redis, because a
frame must not wait for it. It continues when a client reconnects.
"""

import time
from collections.abc import Callable
from uuid import UUID

from exams.conf import FRAMES_A_MINUTE

WINDOW_SECONDS = 60.0


class FrameRate:
    def __init__(self, most: int = FRAMES_A_MINUTE, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._clock = most, clock
        self._counts: dict[UUID, int] = {}
        self._until = 0.0

    def seconds_to_wait(self, exam: UUID) -> int:
        """0 for a frame that may be taken, which this call counts. All counts start over with each window."""
        now = self._clock()
        if now >= self._until:
            self._counts, self._until = {}, now + WINDOW_SECONDS
        count = self._counts.get(exam, 0)
        if count >= self._most:
            return max(1, round(self._until - now))
        self._counts[exam] = count + 1
        return 0
