"""Of all that an element's claims expect, what one question is about. Pure.

A question is about one thing: on a knowledge element one claim; on a risk element hazard, assessment and mitigation
together. Which of several claims it is, the exam's seed decides by lot, among those that are required first. What a
question does not ask for is not expected of its answer either.
"""

from collections.abc import Sequence
from hashlib import sha256

from exams.examiner.expectations import RISK_KINDS, Basis


def focus_of(bases: Sequence[Basis], seed: str) -> tuple[str, ...]:
    """The keys of the bases to ask about, in order; never empty if there are any."""
    if not bases or any(basis.kind in RISK_KINDS for basis in bases):
        return tuple(basis.key for basis in bases)
    ordered = sorted(bases, key=lambda basis: _lot(seed, basis.key))
    lead = next((basis for basis in ordered if basis.importance == "must"), ordered[0])
    return (lead.key,)


def _lot(seed: str, key: str) -> str:
    return sha256(f"{seed}/{key}".encode()).hexdigest()
