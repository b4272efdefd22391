"""Where a soak kills: a seed becomes a list of kills. Pure: the same seed, the same kills."""

import random
from dataclasses import dataclass
from typing import Literal, get_args

Target = Literal["group", "worker", "process", "child"]
TARGETS: tuple[Target, ...] = get_args(Target)
LONGEST = 2.0  # of the time that a document takes, from the moment a job is seen at work: half of them end meanwhile


@dataclass(frozen=True, slots=True)
class Kill:
    """`group` is the worker with all its processes, `worker` its first process alone, `process` the one of its pool
    that works on a job, `child` the one that reads the file or opens its pictures. `after` is in documents: a busy
    machine takes longer for one, and is given longer.
    """

    number: int
    target: Target
    after: float


def kill_plan(seed: int, kills: int) -> list[Kill]:
    """Each target as often as the others, in an order and after times that the seed decides."""
    dice = random.Random(seed)
    targets = [TARGETS[at % len(TARGETS)] for at in range(kills)]
    dice.shuffle(targets)
    return [Kill(at, target, round(dice.uniform(0.0, LONGEST), 4)) for at, target in enumerate(targets)]
