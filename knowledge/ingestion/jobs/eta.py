"""Estimate how long a job still takes, from the seconds per page, passage or token of each step. Pure.

Measured rates are used if there are any. The further a step is, the more its own speed counts; if earlier steps took
longer than expected, later ones are expected to as well. The displayed time runs like a clock, and new estimates change
it smoothly.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Any

# Seconds per unit before anything was measured here: two cores, the FAA's files (docs/benchmarks).
DEFAULT_RATES: Mapping[str, float] = {
    "read": 0.010,
    "recognise": 4.0,
    "structure": 0.005,
    "chunk": 0.00005,
    "figures": 0.10,
    "link": 0.0005,
    "store": 0.005,
    "embed": 1 / 7500,  # 30 windows of 250 tokens a second
    "embed_library": 1 / 7500,
    "publish": 0.3,
}
REMOTE_TOKENS = 1 / 20_000  # seconds a token of a model that answers over the network: 50 passages in 0.4 s
TOKENS_A_PAGE = 450  # of the FAA's handbooks (phak_ch15: 440, AC 90-66C: 420)
BYTES_A_TOKEN = 5  # of Markdown with its marks and links (part 91: 0.7 MB, 140,000 tokens)
TOKENS_A_PASSAGE = (
    360  # the median of the FAA's PDFs, from 74 (a glossary) to 613 (the handbook's chapter 11)
)
TOKENS_A_TEXT_PASSAGE = 140  # of the FAA's other files
OWN_WEIGHT = 0.5  # of a default beside what was measured, in units of one ordinary job
SLOWEST, QUICKEST = 5.0, 0.2  # the most that earlier steps of a job say about its later ones
# Seconds until two thirds of a new estimate are shown: shorter times are shown sooner than longer ones.
BEND_UP, BEND_DOWN = 20.0, 6.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """How much there is to do: `pages` of a paged file (0 for others), `tokens` to embed, `recognised` pages."""

    pages: int = 0
    tokens: int = 0
    passages: int = 0
    recognised: int = 0

    def units_of(self, step: str) -> float:
        """The pages, tokens or passages that a step works on; 1 for a step that takes the same for every job."""
        match step:
            case "figures":
                return self.pages
            case "recognise":
                return self.recognised
            case "read" | "structure":
                return self.pages or self.tokens / TOKENS_A_PAGE
            case "chunk" | "embed" | "embed_library":
                return self.tokens
            case "link" | "store":
                return self.passages
            case _:
                return 1


def work_of(pages: int, tokens: int, passages: int = 0, recognised: int = 0) -> Work:
    """The work, with unknown figures guessed from the known ones."""
    tokens = tokens or pages * TOKENS_A_PAGE
    passages = passages or round(tokens / (TOKENS_A_PASSAGE if pages else TOKENS_A_TEXT_PASSAGE))
    return Work(pages=pages, tokens=tokens, passages=passages, recognised=recognised)


def expected_seconds(step: str, work: Work, rates: Mapping[str, float]) -> float:
    return work.units_of(step) * rates.get(step, DEFAULT_RATES.get(step, 0.0))


def seconds_left(
    names: Sequence[str],
    done: Sequence[Mapping[str, Any]],
    running: float,
    work: Work,
    rates: Mapping[str, float],
) -> float | None:
    """Seconds left of a job with steps of these names. `done` are those begun, as stored in its row; the last one has
    been running for `running` seconds. None as long as a step that was never measured shows no speed of its own."""
    over = [step for step in done if step["state"] == "done"]
    wanted = sum(expected_seconds(step["name"], work, rates) for step in over)
    taken = sum(float(step["seconds"]) for step in over)
    pace = min(SLOWEST, max(QUICKEST, (taken + 1) / (wanted + 1)))
    current = next((step for step in done if step["state"] == "running"), None)
    left: float = sum(expected_seconds(name, work, rates) for name in names[len(done) :]) * pace
    if current is None:
        return left
    whole = expected_seconds(current["name"], work, rates) * pace
    before = current.get("before", 0)  # what earlier starts of the job did, in no time of this one
    to_do = current["total"] - before
    share = float(min(1.0, (current["done"] - before) / to_do)) if to_do > 0 else 0.0
    if current["name"] not in DEFAULT_RATES:
        return left + running * (1 - share) / share if share else None
    if not share:
        return left + max(whole - running, 0.1 * whole)
    seen = running / share
    return float(left + (1 - share) * ((1 - share) * whole + share * seen))


@dataclass(slots=True)
class Countdown:
    """The time left as shown; `at` is when, in seconds of any clock."""

    left: float | None = None
    at: float = 0.0

    def bend_to(self, left: float, now: float) -> float:
        """The figure to show for a new estimate."""
        if self.left is None:
            self.left = left
        else:
            ran = max(0.0, self.left - (now - self.at))
            slowness = BEND_UP if left > ran else BEND_DOWN
            self.left = ran + (left - ran) * (1 - exp(-max(0.0, now - self.at) / slowness))
        self.at = now
        return self.left


def duration_in_words(seconds: float) -> str:
    """In words: "about 2 minutes"."""
    if seconds < 10:
        return "a few seconds"
    if seconds < 55:
        return f"about {round(seconds / 10) * 10} seconds"
    if seconds < 90:
        return "about a minute"
    if seconds < 55 * 60:
        return f"about {round(seconds / 60)} minutes"
    hours = seconds / 3600
    return "about an hour" if hours < 1.5 else f"about {round(hours)} hours"


def rates_from(
    measured: Mapping[str, tuple[float, float]], defaults: Mapping[str, float]
) -> dict[str, float]:
    """Rates of all steps, from measured (units, seconds) and a little of the default."""
    ordinary = work_of(20, 0)
    found = {}
    for step, rate in defaults.items():
        units, seconds = measured.get(step, (0.0, 0.0))
        own = OWN_WEIGHT * ordinary.units_of(step) or OWN_WEIGHT
        found[step] = (seconds + own * rate) / (units + own)
    return found
