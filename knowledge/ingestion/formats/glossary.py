"""The Pilot/Controller Glossary: a term in capitals, a dash, its definition. Each term becomes a section. Pure.

Its Markdown holds anchors of the tool that made it (`^JENBTEwg`, the term in base64), on lines of their own, behind a
link's target and in the middle of a line. They are no text.
"""

import re
from collections.abc import Iterable, Iterator

from knowledge.grounding.labels import GLOSSARY as PCG
from knowledge.ingestion.formats.blocks import Block

__all__ = ["PCG", "glossary_blocks", "without_anchors"]

TERM_LEVEL = 2

_ANCHOR = re.compile(r"\^J[A-Za-z0-9]{3,15}(?![a-z])")
_ASIDE = r"\([^()]{1,60}\)|\[[^\[\]]{1,40}\]"  # letters in brackets may be small
_TERM = re.compile(
    rf"^(?P<term>[A-Z0-9](?:[^a-z()\[\]]|\bor\b|{_ASIDE}){{0,120}}?)\s?(?:-(?=\s|$|[A-Z][a-z])|:$)\s*(?P<rest>.*)$"
)
_NAMED = re.compile(r"^(?P<term>[A-Z]{2,}(?: [A-Z][\w-]+){1,4} \([A-Z0-9]+\))-\s(?P<rest>.*)$")
_BARE = re.compile(rf"^(?P<term>[A-Z][^a-z()\[\]]{{1,80}}(?:{_ASIDE})?)$")
_NO_TERM = frozenset({"OR", "AND"})  # they stand between two definitions of one term


def without_anchors(source: str) -> str:
    return _ANCHOR.sub("", source)


def glossary_blocks(blocks: Iterable[Block]) -> Iterator[Block]:
    """The same blocks with a heading for every term; what stands before the first one stays as it is."""
    for block in blocks:
        if block.level or block.kind != "body":
            yield block
        elif block.text not in _NO_TERM:
            yield from _term_and_rest(block)


def _term_and_rest(block: Block) -> Iterator[Block]:
    match = _TERM.match(block.text) or _NAMED.match(block.text) or _BARE.match(block.text)
    term = match["term"].strip() if match else ""
    if match is None or not re.search(r"[A-Z]", term):
        yield block
        return
    yield Block(text=term, level=TERM_LEVEL)
    rest = match.groupdict().get("rest") or ""
    if rest:
        yield Block(text=rest)
