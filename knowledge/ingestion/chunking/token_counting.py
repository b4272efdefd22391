"""Count what embedding took: texts, tokens, requests, and their price, for one batch or for a whole job. Pure."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingCount:
    """`hits` are texts whose vector was known, `misses` those that were embedded; `failed_writes` of them could not be
    cached. `tokens` were read by the model in `seconds`."""

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
    """A count as stored in a job's row; what an earlier version did not count is 0."""
    known = {one.name for one in fields(EmbeddingCount)}
    return EmbeddingCount(**{name: value for name, value in stored.items() if name in known})


def cost_of(tokens: int, price: float | None) -> float | None:
    """US dollars for tokens at a price for a million of them; None if the price is not known."""
    return None if price is None else round(tokens * price / 1_000_000, 9)


# --- in words ------------------------------------------------------------


def _cost_in_words(cost: float | None, setting: str = "OPENAI_EMBEDDING_PRICE") -> str:
    """ "for $0.0123"; below a hundredth of a cent only that. `setting` names a price that is not known."""
    if cost is None:
        return f"of unknown price (set {setting})"
    if not cost:
        return "at no cost"
    if cost < 0.0001:
        return "for less than $0.0001"
    return f"for ${cost:,.4f}" if cost < 1 else f"for ${cost:,.2f}"


def spent_line(name: str, spent: Mapping[str, Any]) -> str:
    """What embedding by one model took: "1,200 texts embedded by …, 93,000 tokens, for $0.0019; 24 requests"."""
    count = count_from(spent)
    tokens, cost = _count_of(count.tokens, "token"), _cost_in_words(spent.get("cost_usd"))
    line = f"{_count_of(count.misses, 'text')} embedded by {name}, {tokens}, {cost}"
    line += f"; {count.hits:,} known before" if count.hits else ""
    if count.requests:
        again = f", {count.retries:,} of them once more" if count.retries else ""
        line += f"; {_count_of(count.requests, 'request')}{again}"
    return line


def estimate_line(told: Mapping[str, Any]) -> str:
    """What an estimate says: "12 pages, 38 passages, 5,300 tokens, at no cost, about 20 seconds"."""
    counted = [
        _count_of(told[f"{word}s"], word)
        for word in ("page", "passage", "token", "request")
        if told.get(f"{word}s") or word == "passage"
    ]
    return ", ".join(
        [
            *counted,
            _cost_in_words(told["cost_usd"], told.get("price", "OPENAI_EMBEDDING_PRICE")),
            str(told["told"]),
        ]
    )


def _count_of(count: int, word: str) -> str:
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"
