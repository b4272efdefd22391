"""Turn a saved web page into blocks, and so into sections without pages. Pure.

HTML is parsed as browsers parse it. Scripts, forms, menus, page heads and feet, pictures, and everything hidden are
left out; hidden words are counted. A heading whose number is only in its id ("$paragraph3-2-1", "section-91.155") is
cited by that. Tables become rows, links their words.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from selectolax.lexbor import LexborHTMLParser, LexborNode

from knowledge.ingestion.document_model import Description, Kind, ParsedDocument, Unseen, squeeze_spaces
from knowledge.ingestion.formats.blocks import Block, unpaged_document, with_own_title
from knowledge.ingestion.formats.error_page_detection import refuse_error_page
from knowledge.ingestion.formats.html_tables import SUPERSCRIPTS, table_rows
from knowledge.ingestion.formats.metadata import describe_text
from knowledge.ingestion.formats.plain_text import text_blocks
from knowledge.ingestion.formats.section_numbers import number_of
from knowledge.whole_numbers import whole_number

_LEFT_OUT = frozenset(
    str.split(
        "script style noscript template head nav aside form button select option textarea input label"
        " dialog svg math canvas audio video iframe object embed picture img map menu footer"
    )
)
_PARAGRAPHS = frozenset(  # elements that begin and end a paragraph
    str.split(
        "address article blockquote body caption center dd details div dl dt fieldset figcaption figure"
        " header hr html li main ol p pre section summary table tbody tfoot thead tr td th ul h1 h2 h3 h4"
        " h5 h6"
    )
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LEFT_OUT_ROLES = frozenset(
    ("navigation", "banner", "contentinfo", "search", "menu", "menubar", "dialog", "alert")
)
_SCREEN_READER_CLASSES = frozenset(
    ("sr-only", "usa-sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text")
)
_HIDING = {"display": ("none",), "visibility": ("hidden", "collapse")}
_PALE = frozenset(("#fff", "#ffffff", "white", "transparent"))
_FAR_OUT = -100  # a distance, in any unit, by which text is moved off the page
_NEAR = 6  # elements around one that may give it a background
_STYLE_LETTERS = 200_000  # characters of style sheets that are read
_LIST_LETTERS = {"a": "abcdefghijklmnopqrstuvwxyz", "A": "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
_MAIN_SHARE = 0.4  # of the page's letters that <main> has to hold to be the page's text
_FRONT = 4000  # characters from which the document is described


def html_document(source: str, *, file_name: str = "") -> ParsedDocument:
    """A web page as sections. Raises RefusedFile for a page without text, or one that a site shows instead of it."""
    tree = LexborHTMLParser(source)
    # Classes that the page's own style sheets hide.
    sheets = "".join(node.text() for node in tree.css("style"))[:_STYLE_LETTERS]
    rules = re.findall(r"\.([\w-]{1,100})\s*\{([^{}]{0,2000})\}", sheets)
    walk = _Walk(_SCREEN_READER_CLASSES | {name for name, style in rules if _hides_text(style)})
    # The element that the page marks as its own text if it holds a good part of the text, else the body.
    marked = [tree.css_first(query) for query in ("main", "[role=main]", "article")]
    least = _MAIN_SHARE * len(tree.body.text()) if tree.body else 0.0
    main = next((node for node in marked if tree.body and node and len(node.text()) >= least), tree.body)
    head, found = with_own_title(walk.blocks_in(main))
    title_node = tree.css_first("title")
    title = squeeze_spaces(title_node.text()) if title_node else ""
    refuse_error_page(f"{title}\n{head}", "\n".join(block.text for block in found))
    text = "\n".join(block.text for block in found[:200])
    links = (("link[rel=canonical]", "href"), ("meta[property='og:url']", "content"))
    nodes = [(tree.css_first(query), name) for query, name in links]
    addresses = [(node.attributes.get(name) or "")[:300] for node, name in nodes if node]
    front = f"# {head or title}\nSource: {next(filter(None, addresses), '')}\n{text}"
    told = describe_text(front[:_FRONT], file_name)
    fallback = Description(title=(head or title or file_name.rsplit(".", 1)[0])[:300])
    document = unpaged_document(found, told.over(fallback))
    return replace(
        document, unseen=tuple(Unseen(where, words) for where, words in walk.unseen.items() if words)
    )


# --- from elements to blocks ------------------------------------------------------------


@dataclass(slots=True)
class _List:
    """A list that is being read: how it marks its items, and how many it has had."""

    kind: str
    at: int

    def next_mark(self) -> str:
        self.at += 1
        letters = _LIST_LETTERS.get(self.kind, "")
        mark = letters[(self.at - 1) % len(letters)] if letters else str(self.at)
        return "• " if self.kind == "ul" else f"{mark}. "


@dataclass(slots=True)
class _Walk:
    """One walk through a tree, without recursion: a page may nest as deep as it likes. `unseen` counts hidden words by
    the heading above them."""

    hidden_classes: frozenset[str]
    unseen: Counter[str] = field(default_factory=Counter)
    heading: str = "the page's beginning"
    text: list[str] = field(default_factory=list)
    mark: str = ""
    kind: Kind = "body"
    lists: list[_List] = field(default_factory=list)

    def blocks_in(self, root: LexborNode | None) -> Iterator[Block]:
        to_do = [(root, False)] if root else []
        while to_do:
            node, is_end = to_do.pop()
            tag = node.tag or ""
            if is_end:
                if tag in _PARAGRAPHS:
                    yield from self._flush_text()
                if tag in ("ol", "ul") and self.lists:
                    self.lists.pop()
            elif node.is_element_node and tag not in _LEFT_OUT and _is_hidden(node, self.hidden_classes):
                self.unseen[self.heading] += len((node.text() or "").split())
            elif _is_read(node):
                yield from self._enter_node(node, tag)
                if not (tag in _HEADINGS or tag == "pre" or _is_data_table(node)):
                    to_do.append((node, True))
                    to_do += [(child, False) for child in reversed(list(node.iter(include_text=True)))]
        yield from self._flush_text()

    def _enter_node(self, node: LexborNode, tag: str) -> Iterator[Block]:
        if tag == "-text":
            self.text.append(_text_of(node))
        elif tag == "br":
            self.text.append(" ")
        elif tag in _PARAGRAPHS:
            yield from self._flush_text()
            if tag in _HEADINGS:
                heading = _heading_text(node)
                self.heading = f"“{heading[:80]}”"
                yield Block(text=heading, level=_HEADINGS[tag])
            elif tag == "pre":
                yield from text_blocks(node.text())
            elif _is_data_table(node):
                yield from (Block(text=row, kind="row") for row in table_rows(node.html or ""))
            elif tag in ("ol", "ul"):
                start = whole_number(node.attributes.get("start") or "") or 1
                self.lists.append(
                    _List((node.attributes.get("type") or "1") if tag == "ol" else tag, start - 1)
                )
            elif tag == "li":
                self.mark = self.lists[-1].next_mark() if self.lists else "• "
            elif tag in ("figcaption", "caption"):
                self.kind = "caption"

    def _flush_text(self) -> Iterator[Block]:
        text, self.text = "".join(self.text), []
        if text.strip():
            yield Block(text=self.mark + text, kind="item" if self.mark else self.kind)
            self.mark, self.kind = "", "body"


def _text_of(node: LexborNode) -> str:
    text = node.text_content or ""
    is_raised = node.parent is not None and node.parent.tag == "sup" and text.strip().isdigit()
    return text.translate(SUPERSCRIPTS) if is_raised else text


def _is_read(node: LexborNode) -> bool:
    """Whether a reader of the page sees the node and reads it as the page's text."""
    if node.tag == "-text":
        return True
    if not node.is_element_node or node.tag in _LEFT_OUT:
        return False
    return node.attributes.get("role") not in _LEFT_OUT_ROLES and not _is_hidden(node, _SCREEN_READER_CLASSES)


def _is_data_table(node: LexborNode) -> bool:
    """A table that holds headings or other tables only lays out the page."""
    if node.tag != "table" or len(node.css("table")) > 1 or node.css_first("h1, h2, h3, h4"):
        return False
    return node.css_first("td + td, th + td, th + th") is not None


def _heading_text(node: LexborNode) -> str:
    """A heading's words, with the number that only its id may hold."""
    texts: list[str] = []
    to_do = [node]
    while to_do:
        one = to_do.pop()
        if one.tag == "-text":
            texts.append(_text_of(one))
        elif one.tag == "br":
            texts.append(" ")
        elif _is_read(one):
            to_do += reversed(list(one.iter(include_text=True)))
    title = squeeze_spaces("".join(texts))
    found = re.search(
        r"(?:paragraph|section|^)[-_]?(\d{1,2}-\d{1,2}-\d{1,3}|\d{1,3}\.\d{1,4}[a-z]?)$",
        node.attributes.get("id") or "",
    )
    if not found or number_of(title).number:
        return title
    return f"§ {found[1]} {title}" if "." in found[1] else f"{title} {found[1]}"


# --- what is hidden ------------------------------------------------------------


def _is_hidden(node: LexborNode, classes: frozenset[str]) -> bool:
    """By an attribute, a style or a class; pale letters without a background of their own are as good as hidden."""
    told = node.attributes
    style = told.get("style") or ""
    if "hidden" in told or _hides_text(style) or classes.intersection((told.get("class") or "").split()):
        return True
    colors = [value for name, value in _css_declarations(style) if name == "color"]
    if node.tag == "font":
        colors.append((told.get("color") or "").strip().lower())
    is_pale = any(one in _PALE or re.match(r"rgba?\(255,255,255", one.replace(" ", "")) for one in colors)
    around: LexborNode | None = node if is_pale else None
    for _ in range(_NEAR):
        if around is None:
            return is_pale
        if "bgcolor" in around.attributes or "background" in (around.attributes.get("style") or "").lower():
            return False
        around = around.parent
    return is_pale


def _hides_text(style: str) -> bool:
    """Whether declarations of CSS make text invisible, too small to see, or move it off the page."""
    for name, value in _css_declarations(style):
        number = re.match(r"-?\d+(?:\.\d+)?|-?\.\d+", value)
        amount = float(number.group()) if number else 1.0
        if (
            value.startswith(_HIDING.get(name, ()))
            or (name in ("opacity", "font-size") and amount == 0)
            or (name.endswith(("text-indent", "left", "top")) and amount <= _FAR_OUT)
            or (name == "clip" and value.replace(" ", "").startswith("rect(0"))
        ):
            return True
    return False


def _css_declarations(style: str) -> Iterator[tuple[str, str]]:
    """Names and values in lower case, without comments and the marks of old browsers ("*display", "none\\9")."""
    for part in re.sub(r"/\*.*?(?:\*/|$)", " ", style.lower(), flags=re.DOTALL).split(";"):
        name, _, value = part.partition(":")
        yield name.strip().lstrip("*_"), value.partition("!")[0].partition("\\")[0].strip()
