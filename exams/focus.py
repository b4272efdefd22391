"""Of all that an element's claims expect, what one question is about. Pure.

A question is about one thing: on a knowledge element one claim, and at most one more that goes with it; on a
risk element hazard, assessment and mitigation together. Which of several claims it is, the exam's seed decides by lot.
"""

from collections.abc import Sequence
from hashlib import sha256

from .conf import EXPECTATIONS_MOST
from .expecting import RISK_KINDS, Basis


def focus_of(bases: Sequence[Basis], seed: str) -> tuple[str, ...]:
    """The keys of the bases to ask about, in order; never empty if there are any."""
    if any(basis.kind in RISK_KINDS for basis in bases):
        return tuple(basis.key for basis in bases)
    ordered = sorted(bases, key=lambda basis: _lot(seed, basis.key))
    lead = next((basis for basis in ordered if basis.importance == "must"), ordered[0])
    company = [basis for basis in ordered if basis is not lead and _goes_with(lead, basis)]
    return tuple(basis.key for basis in (lead, *company[: EXPECTATIONS_MOST - 1]))


def _goes_with(lead: Basis, other: Basis) -> bool:
    """A second claim that is not required, of the same domain and the same passage: still one thing."""
    domain = (lead.key_facts or {}).get("domain")
    same = bool(domain) and (other.key_facts or {}).get("domain") == domain
    return same and other.importance == "should" and other.chunk_id == lead.chunk_id


def _lot(seed: str, key: str) -> str:
    return sha256(f"{seed}/{key}".encode()).hexdigest()
