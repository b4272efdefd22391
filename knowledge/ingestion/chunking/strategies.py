"""How a text is dealt out to chunks: the name an operator says becomes limits, and a label to remember them by. Pure.

`fixed` fills chunks up to a number of tokens and repeats some of them (seed 001: 800 and 100, seed 004: 512 and 50);
`semantic` ends a chunk where the next sentence speaks of something else (seed 004: cosine distance over 0.35).
"fixed-512-50" and "semantic-0.4-512" give other limits than the usual ones; "semantic-measured" takes the distance that
was measured for the embedding model in use.
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

_FIXED = re.compile(r"fixed(?:-(?P<tokens>\d{1,5})-(?P<overlap>\d{1,5}))?\Z")
_SEMANTIC = re.compile(r"semantic(?:-(?P<threshold>[01](?:\.\d{1,3})?)(?:-(?P<tokens>\d{1,5}))?)?\Z")


class UnknownStrategy(ValueError):
    """No such strategy, or limits that cannot be; the message says what there is."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """`max_tokens` of the embedding model in a chunk at most, `overlap` of them repeated in the next one; `threshold`
    is the cosine distance of two sentences beyond which a semantic chunk ends.
    """

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
        """What `Document.chunking` keeps; `strategy_named` reads it."""
        if self.name == "fixed":
            return f"fixed-{self.max_tokens}-{self.overlap}"
        return f"semantic-{self.threshold:g}-{self.max_tokens}"


def strategy_named(name: str, model: str = "") -> Strategy:
    """The strategy of a name or a label, with this embedding model. Raises UnknownStrategy."""
    if name.strip() == MEASURED:
        return Strategy("semantic", conf.CHUNK_TOKENS, 0, measured_distance(model))
    if match := _FIXED.match(name.strip()):
        if not match["tokens"]:
            return Strategy()
        return Strategy("fixed", int(match["tokens"]), int(match["overlap"]))
    if match := _SEMANTIC.match(name.strip()):
        threshold = float(match["threshold"] or conf.SEMANTIC_DISTANCE)
        return Strategy("semantic", int(match["tokens"] or conf.CHUNK_TOKENS), 0, threshold)
    raise UnknownStrategy(f"chunking {name!r} is not known; known are {KNOWN}")


def measured_distance(model: str) -> float:
    """The distance that was measured for an embedding model; that of seed 004 where none was."""
    return conf.SEMANTIC_MEASURED.get(model, conf.SEMANTIC_DISTANCE)
