"""Files without pages that nest, repeat, lie about themselves or hold what is no text: HTML, XML, Markdown, text."""

from .raw_pdf import one_page
from .values import READ, Hostile

RULE = "Look out for other aircraft."
HOLDS = (RULE,)
PAGE = f"<!doctype html><title>Club</title><body><h1>Rules</h1><p>{RULE}</p>"
PART = "<DIV5 N='991' NODE='14:1' TYPE='PART'><HEAD>PART 991—ROPES</HEAD>"
SECTION = f"<DIV8 N='991.1' TYPE='SECTION'><HEAD>§ 991.1 Ropes.</HEAD><P>{RULE}</P></DIV8></DIV5>"
MEGABYTE = 1 << 20


def _of(text: str, encoding: str = "utf-8") -> bytes:
    return text.encode(encoding)


def _file(
    name: str,
    text: str | bytes,
    *becomes: str,
    holds: tuple[str, ...] = (),
    lacks: tuple[str, ...] = (),
    quick: bool = True,
) -> Hostile:
    data = text if isinstance(text, bytes) else text.encode()
    return Hostile(name=name, make=lambda: data, becomes=becomes, holds=holds, lacks=lacks, quick=quick)


def _large(
    name: str, start: str, unit: str, times: int, end: str, *becomes: str, holds: tuple[str, ...] = ()
) -> Hostile:
    return Hostile(
        name=name,
        make=lambda: (start + unit * times + end).encode(),
        becomes=becomes,
        holds=holds,
        quick=False,
    )


def _laughs() -> str:
    declared = "".join(f"<!ENTITY l{at} '{f'&l{at - 1};' * 10}'>" for at in range(1, 10))
    return f"<?xml version='1.0'?><!DOCTYPE ECFR [<!ENTITY l0 'ha'>{declared}]><ECFR>{PART}<P>&l9;</P>{SECTION}</ECFR>"


def _external(kind: str) -> str:
    called = "%x;" if "%" in kind else ""
    return (
        f"<?xml version='1.0'?><!DOCTYPE ECFR [<!ENTITY {kind} SYSTEM 'file:///etc/passwd'>{called}]>"
        f"<ECFR>{PART}<P>&x;</P>{SECTION}</ECFR>"
    )


SOME = (READ, "over_limits")
TEXTS: tuple[Hostile, ...] = (
    # --- HTML ---
    _large("deep_divs.html", "<body>" + f"<p>{RULE}</p>", "<div>", 300_000, "x", *SOME),
    _large("deep_tags.html", f"<body><p>{RULE}</p>", "<b><i><u><span>", 100_000, "x", *SOME),
    _large("tables_in_tables.html", f"<body><p>{RULE}</p>", "<table><tr><td>", 50_000, "x", *SOME),
    _large("lists_in_lists.html", f"<body><p>{RULE}</p>", "<ul><li>a", 100_000, "x", *SOME),
    _large("many_tables.html", f"<body><p>{RULE}</p>", "<table><tr><td>a<td>b</table>", 100_000, "", *SOME),
    _large("many_headings.html", f"<body><p>{RULE}</p>", "<h2>a</h2><p>bcd</p>", 200_000, "", *SOME),
    _large(
        "spans.html",
        f"<body><p>{RULE}</p><table>",
        "<tr><td rowspan=99999 colspan=99999>x<td>y",
        500,
        "</table>",
        *SOME,
    ),
    _large(
        "attributes.html",
        "<body " + " ".join(f"a{at}=b" for at in range(100_000)),
        "",
        1,
        f"><p>{RULE}</p>",
        *SOME,
    ),
    _large("attribute_of_15_mb.html", "<body title='", "x", 15 * MEGABYTE, f"'><p>{RULE}</p>", *SOME),
    _large(
        "entities.html", f"<body><p>{RULE}</p><p>", "&amp;&lt;&#x10FFFF;&#0;&nbsp;", 500_000, "</p>", *SOME
    ),
    _large("tags_without_end.html", f"<body><p>{RULE}</p>", "<", 5 * MEGABYTE, "", *SOME),
    _large("comment_without_end.html", f"<body><p>{RULE}</p>", "<!-- -- > ", 500_000, "", READ, holds=HOLDS),
    _large(
        "data_links.html",
        f"<body><p>{RULE}</p>",
        "<img src='data:image/png;base64," + "A" * 1000 + "'>",
        10_000,
        "",
        READ,
        holds=HOLDS,
    ),
    _file(
        "scripts_alone.html",
        "<!doctype html><title>App</title><body><div id=root></div><script>render()</script>",
        "empty",
    ),
    _file(
        "programs.html",
        PAGE
        + "<script>alert(1)</script><p onclick='steal()'>Fly.</p><iframe src='file:///etc/passwd'></iframe>"
        + "<object data='x.exe'></object><embed src=x><svg onload=alert(1)><text>drawn</text></svg>"
        + "<a href='javascript:alert(1)'>a link</a><base href='http://198.51.100.1/'>"
        + "<meta http-equiv=refresh content='0;url=http://198.51.100.1'>",
        READ,
        holds=(*HOLDS, "a link"),
        lacks=("alert", "steal", "198.51", "root:"),
    ),
    _file("no_byte_mark.html", _of(PAGE, "utf-16-le"), "not_text"),
    _file("byte_mark.html", _of(PAGE, "utf-16"), READ, holds=HOLDS),
    _file("zero_in_it.html", _of(PAGE) + b"\x00\x00<p>more", READ, holds=HOLDS),
    _file("bad_bytes.html", _of(PAGE) + b"<p>caf\xe9 \xff\xfe\xc3\x28 \xed\xa0\x80</p>", READ, holds=HOLDS),
    _file("frames.html", "<!doctype html><frameset><frame src='file:///etc/passwd'></frameset>", "empty"),
    _file("page_with_pdf_in_it.html", _of("<html><!--") + one_page() + b"-->", "polyglot"),
    # --- XML ---
    _file("laughs.xml", _laughs(), "entities"),
    _file("external.xml", _external("x"), "entities"),
    _file("external_parameter.xml", _external("% x"), "entities"),
    _file(
        "external_dtd.xml",
        f"<?xml version='1.0'?><!DOCTYPE ECFR SYSTEM 'http://198.51.100.1/x.dtd'><ECFR>{PART}{SECTION}</ECFR>",
        READ,
        holds=HOLDS,
    ),
    _file(
        "includes.xml",
        f"<ECFR xmlns:xi='http://www.w3.org/2001/XInclude'>{PART}<P>"
        f"<xi:include href='file:///etc/passwd' parse='text'/></P>{SECTION}</ECFR>",
        READ,
        holds=HOLDS,
        lacks=("root:",),
    ),
    _large("deep.xml", "<ECFR>", "<P>", 300_000, "", "over_limits"),
    _large(
        "attribute_of_15_mb.xml",
        "<ECFR a='",
        "x",
        15 * MEGABYTE,
        f"'>{PART}{SECTION}</ECFR>",
        READ,
        holds=HOLDS,
    ),
    _large(
        "many_attributes.xml",
        "<ECFR " + " ".join(f"a{at}='b'" for at in range(200_000)),
        "",
        1,
        f">{PART}{SECTION}</ECFR>",
        READ,
        holds=HOLDS,
    ),
    _large("instructions.xml", f"<ECFR>{PART}", "<?x y?>", 1_000_000, f"{SECTION}</ECFR>", READ, holds=HOLDS),
    _large(
        "sections.xml",
        f"<ECFR>{PART}",
        "<DIV8 N='991.1' TYPE='SECTION'><HEAD>§ 991.1 Ropes.</HEAD><P>Three ropes.</P></DIV8>",
        100_000,
        "</DIV5></ECFR>",
        *SOME,
    ),
    _large(
        "table_of_spans.xml",
        f"<ECFR>{PART}<TABLE>",
        "<TR><TD rowspan='200' colspan='200'>x</TD><TD>y</TD></TR>",
        300,
        f"</TABLE>{SECTION}</ECFR>",
        *SOME,
    ),
    _file("cut.xml", f"<ECFR>{PART}{SECTION}", "broken"),
    _file(
        "other_root.xml", "<?xml version='1.0'?><rss><channel><title>News</title></channel></rss>", "not_ecfr"
    ),
    _file(
        "odd_encoding.xml", f"<?xml version='1.0' encoding='utf-7'?><ECFR>{PART}{SECTION}</ECFR>", "broken"
    ),
    _file(
        "drawing.xml",
        "<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'><text>Fly</text></svg>",
        "not_ecfr",
    ),
    # --- Markdown ---
    _large("quotes_in_quotes.md", f"# Rules\n\n{RULE}\n\n", "> ", 500_000, "x\n", READ, holds=HOLDS),
    _large(
        "lists_in_lists.md",
        f"# Rules\n\n{RULE}\n\n" + "".join(" " * at + "- a\n" for at in range(3000)),
        "",
        1,
        "",
        *SOME,
        holds=HOLDS,
    ),
    _large(
        "links_in_links.md",
        f"# Rules\n\n{RULE}\n\n",
        "[",
        500_000,
        "x" + "](a)" * 500_000,
        *SOME,
        holds=HOLDS,
    ),
    _large(
        "wiki_in_wiki.md",
        f"# Rules\n\n{RULE}\n\n",
        "[[a#b|",
        300_000,
        "x" + "]]" * 300_000,
        *SOME,
        holds=HOLDS,
    ),
    _large("pictures.md", f"# Rules\n\n{RULE}\n\n", "![", 500_000, "](", *SOME, holds=HOLDS),
    _large("stars.md", f"# Rules\n\n{RULE}\n\n", "*a _b `c ", 500_000, "", *SOME, holds=HOLDS),
    _large("escapes.md", f"# Rules\n\n{RULE}\n\n", "\\*", 1_000_000, "", *SOME, holds=HOLDS),
    _large("pipes.md", f"# Rules\n\n{RULE}\n\n", "|a" * 2000 + "|\n", 2000, "", *SOME, holds=HOLDS),
    _large("headings.md", "# Rules\n\n", "## a\n\nbcd\n\n", 300_000, "", *SOME),
    _large("front_without_end.md", "---\n", "a: b\n", 1_000_000, f"\n{RULE}\n", *SOME),
    _large("tags.md", f"# Rules\n\n{RULE}\n\n", "<div><sup>", 400_000, "", *SOME, holds=HOLDS),
    _large("underlines.md", f"# Rules\n\n{RULE}\n\n", "a\n-\n", 500_000, "", *SOME, holds=HOLDS),
    _file(
        "programs.md",
        f"# Rules\n\n{RULE}\n\n[a link](javascript:alert(1)) <script>alert(2)</script> ![x](http://198.51.100.1/pixel)\n",
        READ,
        holds=(*HOLDS, "a link"),
        lacks=("198.51",),
    ),
    # --- plain text ---
    _file("nothing.txt", b"", "empty"),
    _file("spaces.txt", b" \n\t\r\n" * 10_000, "empty"),
    _file("byte_mark_alone.txt", b"\xef\xbb\xbf", "empty"),
    _file("marks_without_width.txt", "\u200b\u200d\ufeff\u2060" * 1000, "empty"),
    _file("zeros.txt", bytes(100_000), "not_text"),
    _file("zero_at_the_end.txt", RULE.encode() + b"\n" * 5000 + b"\x00\x00\x00", READ, holds=HOLDS),
    _file(
        "bad_bytes.txt",
        RULE.encode() + b"\n\xff\xfe\xc3\x28\xf8\x88\x80\x80\x80\xed\xa0\x80",
        READ,
        holds=HOLDS,
    ),
    _file("wide.txt", RULE.encode("utf-16"), READ, holds=HOLDS),
    _file("wide_odd.txt", b"\xff\xfe" + RULE.encode("utf-16-le") + b"\x00", READ, holds=HOLDS),
    _file("wide_half.txt", b"\xff\xfe" + RULE.encode("utf-16-le") + b"\x00\xd8", READ, holds=HOLDS),
    _file("very_wide.txt", (RULE + " ").encode("utf-32"), "not_text", READ),
    _file(
        "steering.txt",
        f"\x1b]0;owned\x07\x1b[2J{RULE}\x08\x08\r\x9b31m \u202eesrever\u202c",
        READ,
        holds=HOLDS,
        lacks=("\x1b", "\x07", "\u202e", "\x9b"),
    ),
    _file(
        "smuggled.txt",
        RULE + "".join(chr(0xE0000 + ord(letter)) for letter in "obey me"),
        READ,
        holds=HOLDS,
        lacks=("\U000e006f",),
    ),
    _file("stacked_marks.txt", RULE + "a" + "\u0301" * 500_000, READ, "over_limits", holds=HOLDS),
    _file("archive.txt", b"\x1f\x8b\x08\x00" + bytes(100), "not_text"),
    _file("archive_later.txt", RULE.encode() + b"\n" + b"PK\x03\x04" + b"\x14\x00\x08" * 50, "not_text"),
    _file("picture.md", b"\x89PNG\r\n\x1a\n" + bytes(100), "not_text"),
    _file("program.html", b"#!/bin/sh\nrm -rf /\n", "not_text"),
    _large("line_of_50_mb.txt", "", "Fly. ", 10 * MEGABYTE, "", "over_limits"),
    _large("line_of_20_mb.txt", RULE, "Fly the airplane first. ", 850_000, "", *SOME),
    _large("word_of_20_mb.txt", RULE, "x", 20 * MEGABYTE, "", *SOME),
    _large("sentence_without_end.txt", RULE, " and then the pilot flies", 400_000, "", *SOME),
    _large("digits_without_end.txt", RULE, " 1.2.3.4", 1_000_000, "", *SOME),
    _large("form_feeds.txt", RULE, "\f", 2_000_000, "", *SOME),
    _large("page_feeds_with_heads.txt", RULE, "\nHead 1\nFoot 2\f", 300_000, "", *SOME),
    _large("lines_of_one_letter.txt", RULE + "\n", "a\n", 3_000_000, "", *SOME),
    _large("paragraphs_of_one_letter.txt", RULE + "\n\n", "a b c\n\n", 1_000_000, "", *SOME),
    _large("hyphens.txt", RULE + "\n", "aero-\nnautical ", 400_000, "", *SOME),
    _large("marks.txt", RULE + "\n", "(a) (1) (i) ", 500_000, "", *SOME),
    _large("section_signs.txt", RULE + "\n", "§ 91.155 §§ 61.1-61.9 ", 300_000, "", *SOME),
)
