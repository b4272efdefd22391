"""What embedding took: texts, tokens, requests and their price, for one batch or for a whole job. Pure."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingCount:
    """`hits` are texts whose vector was known, `misses` those that were embedded, `failed_writes` of them could not be
    kept for another time. `tokens` are what the model read, `seconds` what it took for that."""

    hits: int = 0
    misses: int = 0
    failed_writes: int = 0
    tokens: int = 0
    requests: int = 0
    retries: int = 0
    seconds: float = 0.0

    def __add__(self, other: "EmbeddingCount") -> "EmbeddingCount":
        return EmbeddingCount(
            **{one.name: getattr(self, one.name) + getattr(other, one.name) for one in fields(self)}
        )

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "seconds": round(self.seconds, 3)}


def count_from(stored: Mapping[str, Any]) -> EmbeddingCount:
    """A count as a job's row holds it; what an earlier version did not count is 0."""
    known = {one.name for one in fields(EmbeddingCount)}
    return EmbeddingCount(**{name: value for name, value in stored.items() if name in known})


def cost_of(tokens: int, price: float | None) -> float | None:
    """US dollars of so many tokens at a price for a million of them; None where the price is not known."""
    return None if price is None else round(tokens * price / MILLION, 6)
