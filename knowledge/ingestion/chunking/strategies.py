"""Read the name of a chunking strategy into limits, and write limits as a label. Pure.

`fixed` fills chunks up to a number of tokens and repeats some of them (seed 001: 800 and 100, seed 004: 512 and 50);
`semantic` ends a chunk where the topic shifts (seed 004: cosine distance over 0.35). "fixed-512-50" and
"semantic-0.4-512" give other limits; "semantic-measured" takes the distance measured for the embedding model in use.
"""

import re
from dataclasses import dataclass
from typing import Literal

from knowledge import conf

KNOWN = (
    "fixed (800 tokens, 100 of them repeated), fixed-512-50, semantic (cosine distance 0.35), semantic-measured "
    "(the distance measured for the embedding model)"
)
MEASURED = "semantic-measured"


class UnknownStrategy(ValueError):
    """No such strategy, or impossible limits; the message says what there is."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """A chunk has at most `max_tokens` of the embedding model; the next one repeats `overlap` of them. A semantic chunk
    ends where the cosine distance of two sentences is over `threshold`."""

    name: Literal["fixed", "semantic"] = "fixed"
    max_tokens: int = conf.CHUNK_TOKENS
    overlap: int = conf.CHUNK_OVERLAP
    threshold: float = 0.0

    def __post_init__(self) -> None:
        if self.max_tokens < conf.LEAST_CHUNK_TOKENS or not 0 <= self.overlap < self.max_tokens:
            raise UnknownStrategy(
                f"A chunk takes at least {conf.LEAST_CHUNK_TOKENS} tokens, and the overlap is less than a chunk."
            )
        if not 0.0 <= self.threshold <= 2.0:
            raise UnknownStrategy("A cosine distance is between 0 and 2.")

    @property
    def label(self) -> str:
        """What `Document.chunking` stores; `strategy_named` reads it."""
        if self.name == "fixed":
            return f"fixed-{self.max_tokens}-{self.overlap}"
        return f"semantic-{self.threshold:g}-{self.max_tokens}"

    @property
    def words(self) -> str:
        """For people: "by size, up to 400 tokens, 80 of them shared with the next"."""
        if self.name == "semantic":
            return f"by meaning, up to {self.max_tokens} tokens"
        shared = f", {self.overlap} of them shared with the next" if self.overlap else ""
        return f"by size, up to {self.max_tokens} tokens{shared}"


def strategy_named(name: str, model: str = "") -> Strategy:
    """The strategy of a name or a label, with this embedding model. Raises UnknownStrategy."""
    bare = name.strip()
    if bare == MEASURED:
        threshold = conf.SEMANTIC_MEASURED.get(model, conf.SEMANTIC_DISTANCE)
        return Strategy("semantic", conf.CHUNK_TOKENS, 0, threshold)
    if bare == "fixed":
        return Strategy()
    if fixed := re.fullmatch(r"fixed-(\d{1,5})-(\d{1,5})", bare):
        return Strategy("fixed", int(fixed[1]), int(fixed[2]))
    if semantic := re.fullmatch(r"semantic(?:-([01](?:\.\d{1,3})?)(?:-(\d{1,5}))?)?", bare):
        threshold = float(semantic[1] or conf.SEMANTIC_DISTANCE)
        return Strategy("semantic", int(semantic[2] or conf.CHUNK_TOKENS), 0, threshold)
    raise UnknownStrategy(f"chunking {name!r} is not known; known are {KNOWN}")
