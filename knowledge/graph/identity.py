"""Build the key of a graph node from its category and identity. Every key is built here and nowhere else. Pure.

A key that is written one way and read another would switch the graph off silently.
"""

import hashlib
import re
import unicodedata

READABLE = 100  # characters of a key that a person reads; the digest tells longer ones apart
DIGEST = 16  # hexadecimal characters: a million statements collide with a chance below 10^-7


def node_key(category: str, identity: str) -> str:
    """The key of a node of this category for a code, a title or a statement. Raises ValueError if that is empty.

    Letter case, white space and a final period make no difference. What a slug cannot show (a comma, "≥", a long text)
    goes into a digest, so that different statements never share a key.
    """
    text = unicodedata.normalize("NFKC", identity).replace("’", "'")
    plain = " ".join(text.casefold().split()).rstrip(".")
    if not plain:
        raise ValueError(f"a {category} without an identity cannot be a node")
    slug = re.sub(r"[^a-z0-9.]+", "-", plain).strip("-")
    if slug.replace("-", " ") == plain and len(slug) <= READABLE:
        return f"{category}:{slug}"
    return f"{category}:{slug[:READABLE]}~{hashlib.sha256(plain.encode()).hexdigest()[:DIGEST]}"
