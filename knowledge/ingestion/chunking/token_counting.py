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
    return None if price is None else round(tokens * price / MILLION, 9)


# --- in words ------------------------------------------------------------


def dollars(cost: float | None) -> str:
    """ "$0.0123"; of less than a hundredth of a cent only that."""
    if cost is None:
        return "of unknown price (set OPENAI_EMBEDDING_PRICE)"
    if not cost:
        return "at no cost"
    return (
        "for less than $0.0001" if cost < 0.0001 else f"for ${cost:,.4f}" if cost < 1 else f"for ${cost:,.2f}"
    )


def spent_line(name: str, spent: Mapping[str, Any]) -> str:
    """What embedding by one model took: "1,200 texts embedded by …, 93,000 tokens, for $0.0019; 24 requests"."""
    count = count_from(spent)
    tokens, cost = _number(count.tokens, "token"), dollars(spent.get("cost_usd"))
    parts = [f"{_number(count.misses, 'text')} embedded by {name}, {tokens}, {cost}"]
    if count.hits:
        parts.append(f"{count.hits:,} known before")
    if count.requests:
        again = f", {count.retries:,} of them once more" if count.retries else ""
        parts.append(f"{_number(count.requests, 'request')}{again}")
    return "; ".join(parts)


def estimate_line(told: Mapping[str, Any]) -> str:
    """What an estimate says: "12 pages, 38 passages, 5,300 tokens, at no cost, about 20 seconds"."""
    counted = [
        _number(told[key], word)
        for key, word in (
            ("pages", "page"),
            ("passages", "passage"),
            ("tokens", "token"),
            ("requests", "request"),
        )
        if told.get(key) or key == "passages"
    ]
    return ", ".join([*counted, dollars(told["cost_usd"]), str(told["told"])])


def _number(count: int, word: str) -> str:
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"
