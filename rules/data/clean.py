"""Turn HTML that somebody typed into plain text and usable links. Pure.

HTML tags are removed, scripts and styles with their content. Text that only looks like a tag ("<3000 ft", "<FL100>")
stays. The result has no markup.
"""

import re
from collections.abc import Iterable
from html.parser import HTMLParser
from urllib.parse import urlsplit

from rules import conf

_SILENT = frozenset({"script", "style", "iframe", "object", "embed", "template", "noscript", "svg", "math"})
_LINES = frozenset(
    {"br", "p", "div", "li", "ul", "ol", "tr", "table", "blockquote", *(f"h{n}" for n in range(1, 7))}
)
_INLINE_TAGS = """
    a abbr article audio b base big body button center cite code dd del dl dt em figure font footer form
    head header hr html i img input ins kbd label link main mark meta nav option pre q s section select
    small source span strike strong sub sup tbody td textarea th thead title tt u var video
"""
_INLINE = frozenset(_INLINE_TAGS.split())
_CONTROL = dict.fromkeys([*range(0x00, 0x09), *range(0x0B, 0x20), 0x7F, 0x200B, 0x2060, 0xFEFF], " ")


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.links: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT:
            self._silent += 1
        elif tag in _LINES:
            self.parts.append("\n")
        elif tag == "a":
            self.links += [value for name, value in attrs if name == "href" and value]
        elif tag not in _INLINE:
            self._add_text(self.get_starttag_text() or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _SILENT:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT:
            self._silent = max(0, self._silent - 1)
        elif tag in _LINES:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        self._add_text(data)

    def _add_text(self, text: str) -> None:
        if not self._silent:
            self.parts.append(text)


def plain_text(html: str) -> tuple[str, tuple[str, ...]]:
    """The text, line by line, and the addresses of its links."""
    reader = _Text()
    reader.feed(html.translate(_CONTROL))
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.parts).split("\n"))
    return "\n".join(line for line in lines if line), tuple(reader.links)


def usable_link(address: str) -> str:
    """The address in a form that can be opened, or "". "www.…" is a web address."""
    plain = address.strip().rstrip(".,;")
    if plain.lower().startswith("www."):
        plain = f"https://{plain}"
    try:
        parts = urlsplit(plain)
    except ValueError:
        return ""
    known = parts.scheme.lower() in ("http", "https") and "." in (parts.hostname or "")
    return plain if known and len(plain) <= conf.LINK_LENGTH and not re.search(r"[\s<>\"']", plain) else ""


def distinct_links(addresses: Iterable[str]) -> tuple[str, ...]:
    """Each address once. Addresses that differ only in the case of the host or a final slash are the same; those with
    different fragments are not."""
    found: dict[tuple[str, str, str, str], str] = {}
    for address in addresses:
        parts = urlsplit(address)
        found.setdefault((parts.netloc.lower(), parts.path.rstrip("/"), parts.query, parts.fragment), address)
    return tuple(found.values())
