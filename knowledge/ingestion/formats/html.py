"""A saved web page becomes blocks, and so sections without pages. Pure.

HTML is parsed as browsers parse it. Left out is what no reader of the page sees or reads as its text:
scripts, forms, menus, page heads and feet, pictures, and everything hidden, whose words are counted. Headings are
the page's own; one whose number stands only in its id ("$paragraph3-2-1", "section-91.155") is cited by that. Tables
become rows that can be read alone; links are their words.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from selectolax.lexbor import LexborHTMLParser, LexborNode

from knowledge.ingestion.document_model import Description, Kind, ParsedDocument, Unseen, squeezed
from knowledge.ingestion.formats.blocks import Block, unpaged_document, with_own_title
from knowledge.ingestion.formats.error_page_detection import refuse_pretender
from knowledge.ingestion.formats.html_tables import SUPERSCRIPTS, table_rows
from knowledge.ingestion.formats.metadata import describe_text
from knowledge.ingestion.formats.plain_text import text_blocks
from knowledge.ingestion.formats.section_numbers import number_of
from knowledge.whole_numbers import whole_number

_LEFT_OUT = frozenset(
    re.findall(
        r"\w+",
        "script style noscript template head nav aside form button select option textarea input label dialog"
        " svg math canvas audio video iframe object embed picture img map menu footer",
    )
)
_APART = frozenset(  # an element of these begins and ends a paragraph
    re.findall(
        r"\w+",
        "address article blockquote body caption center dd details div dl dt fieldset figcaption figure header hr"
        " html li main ol p pre section summary table tbody tfoot thead tr td th ul h1 h2 h3 h4 h5 h6",
    )
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_ROLES = frozenset(("navigation", "banner", "contentinfo", "search", "menu", "menubar", "dialog", "alert"))
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0*)?\s*(?:[;!]|$)"
    r"|font-size\s*:\s*0[a-z%]*\s*(?:[;!]|$)|(?:text-indent|left|top)\s*:\s*-\d{3,}|clip\s*:\s*rect\(\s*0",
    re.IGNORECASE,
)
_PALE = re.compile(
    r"(?<![-\w])color\s*:\s*(?:#f{3}(?:f{3})?\b|white\b|transparent\b|rgba?\(\s*255\s*,\s*255\s*,\s*255)",
    re.IGNORECASE,
)
_GROUND = re.compile(r"background", re.IGNORECASE)  # pale letters on a ground of their own can be read
_RULE = re.compile(
    r"\.(?P<name>[\w-]{1,100})\s*\{(?P<rules>[^{}]{0,2000})\}"
)  # of a style sheet, for one class
_NEAR = 6  # elements around one that may give it its ground
_SHEETS = 200_000  # characters of style sheets that are looked at
_ID_NUMBER = re.compile(
    r"(?:paragraph|section|^)[-_]?(?P<number>\d{1,2}-\d{1,2}-\d{1,3}|\d{1,3}\.\d{1,4}[a-z]?)$"
)
_UNSEEN = frozenset(("sr-only", "usa-sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text"))
_LETTERS = {"a": "abcdefghijklmnopqrstuvwxyz", "A": "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
_MAIN_SHARE = 0.4  # of the page's letters that <main> must hold to be the page's text
_FRONT = 4000  # characters from which the document is described


def html_document(source: str, *, given: Description | None = None, file_name: str = "") -> ParsedDocument:
    """A web page as sections. Raises `RefusedFile` for a page without text, or one that only says that
    the page is not to be had.
    """
    tree = LexborHTMLParser(source)
    walk = _Walk(unseen_classes=_UNSEEN | _hidden_by_sheets(tree))
    head, found = with_own_title(_blocks_of(tree, walk))
    title = _title(tree)
    refuse_pretender(f"{title}\n{head}", "\n".join(block.text for block in found))
    front = f"# {head or title}\nSource: {_address(tree)}\n" + "\n".join(block.text for block in found[:200])
    told = describe_text(front[:_FRONT], file_name)
    fallback = Description(title=(head or title or file_name.rsplit(".", 1)[0])[:300])
    document = unpaged_document(found, (given or Description()).over(told).over(fallback))
    return replace(
        document, unseen=tuple(Unseen(where, words) for where, words in walk.unseen.items() if words)
    )


def _hidden_by_sheets(tree: LexborHTMLParser) -> frozenset[str]:
    """The classes that the page's own style sheets hide."""
    sheets = "".join(node.text() for node in tree.css("style"))[:_SHEETS]
    return frozenset(rule["name"] for rule in _RULE.finditer(sheets) if _HIDDEN.search(rule["rules"]))


def _title(tree: LexborHTMLParser) -> str:
    node = tree.css_first("title")
    return squeezed(node.text()) if node else ""


def _address(tree: LexborHTMLParser) -> str:
    for query, name in (("link[rel=canonical]", "href"), ("meta[property='og:url']", "content")):
        node = tree.css_first(query)
        if node and (address := node.attributes.get(name)):
            return address[:300]
    return ""


# --- from elements to blocks ------------------------------------------------------------


def _blocks_of(tree: LexborHTMLParser, walk: "_Walk") -> Iterator[Block]:
    if tree.body is not None:
        yield from walk.blocks(_main(tree, tree.body))


def _main(tree: LexborHTMLParser, body: LexborNode) -> LexborNode:
    """Where the page says that its own text stands, if most of it does stand there."""
    everything = len(body.text())
    for query in ("main", "[role=main]", "article"):
        node = tree.css_first(query)
        if node is not None and len(node.text()) >= _MAIN_SHARE * everything:
            return node
    return body


@dataclass(slots=True)
class _List:
    """A list that is being read: how it marks its items, and how many it has had."""

    kind: str
    at: int

    def next_mark(self) -> str:
        self.at += 1
        letters = _LETTERS.get(self.kind, "")
        mark = letters[(self.at - 1) % len(letters)] if letters else str(self.at)
        return "• " if self.kind == "ul" else f"{mark}. "


@dataclass(slots=True)
class _Walk:
    """One walk through a tree, without recursion: a page may nest as deep as it likes. `unseen` counts the words that
    the page hides, by the heading that they stand below.
    """

    unseen_classes: frozenset[str] = frozenset()
    unseen: Counter[str] = field(default_factory=Counter)
    below: str = "the page's beginning"
    text: list[str] = field(default_factory=list)
    mark: str = ""
    kind: Kind = "body"
    lists: list[_List] = field(default_factory=list)

    def blocks(self, root: LexborNode) -> Iterator[Block]:
        to_do: list[tuple[LexborNode, bool]] = [(root, False)]
        while to_do:
            node, leaving = to_do.pop()
            if leaving:
                yield from self._left(node.tag or "")
            elif self._is_hidden(node):
                self.unseen[self.below] += len(_words_of(node))
            elif _is_seen(node):
                yield from self._entered(node)
                if not _is_whole(node):
                    to_do.append((node, True))
                    to_do += [(child, False) for child in reversed(list(node.iter(include_text=True)))]
        yield from self._flushed()

    def _is_hidden(self, node: LexborNode) -> bool:
        """Whether an element is there for no reader, although it holds text of the page."""
        return node.is_element_node and node.tag not in _LEFT_OUT and _is_hidden(node, self.unseen_classes)

    def _entered(self, node: LexborNode) -> Iterator[Block]:
        tag = node.tag or ""
        if tag == "-text":
            self.text.append(_text_of(node))
        elif tag == "br":
            self.text.append(" ")
        elif tag in _APART:
            yield from self._flushed()
            yield from _whole_blocks(node)
            if tag in _HEADINGS:
                self.below = f"“{_heading(node)[:80]}”"
            self._open(node, tag)

    def _open(self, node: LexborNode, tag: str) -> None:
        if tag in ("ol", "ul"):
            start = whole_number(node.attributes.get("start") or "") or 1
            kind = (node.attributes.get("type") or "1") if tag == "ol" else "ul"
            self.lists.append(_List(kind, start - 1))
        elif tag == "li":
            self.mark = self.lists[-1].next_mark() if self.lists else "• "
        elif tag in ("figcaption", "caption"):
            self.kind = "caption"

    def _left(self, tag: str) -> Iterator[Block]:
        if tag in _APART:
            yield from self._flushed()
        if tag in ("ol", "ul") and self.lists:
            self.lists.pop()

    def _flushed(self) -> Iterator[Block]:
        text, self.text = "".join(self.text), []
        if text.strip():
            yield Block(text=self.mark + text, kind="item" if self.mark else self.kind)
            self.mark, self.kind = "", "body"


def _text_of(node: LexborNode) -> str:
    text = node.text_content or ""
    raised = node.parent is not None and node.parent.tag == "sup" and text.strip().isdigit()
    return text.translate(SUPERSCRIPTS) if raised else text


def _is_seen(node: LexborNode) -> bool:
    """Whether a reader of the page sees the element, and reads it as the page's text."""
    if node.tag == "-text":
        return True
    if not node.is_element_node or node.tag in _LEFT_OUT:
        return False
    return node.attributes.get("role") not in _ROLES and not _is_hidden(node, _UNSEEN)


def _is_hidden(node: LexborNode, classes: frozenset[str]) -> bool:
    """By an attribute, a style or a class; pale letters that have no ground of their own are as good as hidden."""
    told = node.attributes
    style = told.get("style") or ""
    if "hidden" in told or _HIDDEN.search(style):
        return True
    pale = _PALE.search(style) or (node.tag == "font" and _PALE.search(f"color:{told.get('color')}"))
    if pale and not _has_ground(node):
        return True
    return bool(classes.intersection((told.get("class") or "").split()))


def _has_ground(node: LexborNode) -> bool:
    """Something around the element, near by, says what colour is behind it."""
    around: LexborNode | None = node
    for _ in range(_NEAR):
        if around is None:
            return False
        if "bgcolor" in around.attributes or _GROUND.search(around.attributes.get("style") or ""):
            return True
        around = around.parent
    return False


def _words_of(node: LexborNode) -> list[str]:
    return (node.text() or "").split()


def _is_whole(node: LexborNode) -> bool:
    """Whether an element is read as a whole, and nothing inside it by itself."""
    return node.tag in _HEADINGS or node.tag == "pre" or _is_table(node)


def _is_table(node: LexborNode) -> bool:
    """A table of data: one that holds headings or tables only lays out the page."""
    if node.tag != "table" or len(node.css("table")) > 1 or node.css_first("h1, h2, h3, h4"):
        return False
    return node.css_first("td + td, th + td, th + th") is not None


def _whole_blocks(node: LexborNode) -> Iterator[Block]:
    if node.tag in _HEADINGS:
        yield Block(text=_heading(node), level=_HEADINGS[node.tag])
    elif node.tag == "pre":
        yield from text_blocks(node.text())
    elif _is_table(node):
        yield from (Block(text=row, kind="row") for row in table_rows(node.html or ""))


def _heading(node: LexborNode) -> str:
    """A heading's words, with the number that its id alone may hold."""
    title = squeezed("".join(_seen_texts(node)))
    found = _ID_NUMBER.search(node.attributes.get("id") or "")
    if not found or number_of(title).number:
        return title
    return f"§ {found['number']} {title}" if "." in found["number"] else f"{title} {found['number']}"


def _seen_texts(node: LexborNode) -> Iterator[str]:
    to_do = [node]
    while to_do:
        one = to_do.pop()
        if one.tag == "-text":
            yield _text_of(one)
        elif one.tag == "br":
            yield " "
        elif _is_seen(one):
            to_do += reversed(list(one.iter(include_text=True)))
