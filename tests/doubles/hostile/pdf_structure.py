"""PDFs whose structure lies, loops, nests without end or is broken off."""

import random
from collections.abc import Sequence

import pymupdf
from pymupdf import mupdf

from .raw_pdf import FONT, LETTER, WORDS, many_pages, one_page, parts, said, stream, written
from .values import READ, Hostile

BROKEN = ("broken", "no_pages")
HOLDS = ("look out for other aircraft",)


def saved(texts: Sequence[str] = (WORDS,), **how: object) -> bytes:
    """A PDF as a program writes it."""
    with pymupdf.open() as document:
        page = document.new_page()
        for at, text in enumerate(texts):
            page.insert_text((72, 90 + 20 * at), text, fontsize=11)
        data: bytes = document.tobytes(**how)
    return data


def _locked(user: str, owner: str) -> bytes:
    return saved(encryption=mupdf.PDF_ENCRYPT_AES_256, user_pw=user, owner_pw=owner)


def _unknown_lock() -> bytes:
    lock = b"<< /Filter /Nobodys.Own /V 9 /R 9 /Length 999 /O (x) /U (y) /P -1 >>"
    return written(parts(more={6: lock}), trailer=b"/Encrypt 6 0 R /ID [<00> <00>]")


def _without_pages() -> bytes:
    return written({1: b"<< /Type /Catalog /Pages 2 0 R >>", 2: b"<< /Type /Pages /Kids [] /Count 0 >>"})


def _tree_of(kids: bytes, count: int, **more: bytes) -> bytes:
    changed = {int(number.lstrip("n")): content for number, content in more.items()}
    return written(parts(more={2: b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, count), **changed}))


def _deep_tree(levels: int) -> bytes:
    objects = parts()
    objects[2] = b"<< /Type /Pages /Kids [10 0 R] /Count 1 >>"
    for at in range(levels):
        below = 3 if at == levels - 1 else 11 + at
        parent = 2 if at == 0 else 9 + at
        objects[10 + at] = b"<< /Type /Pages /Parent %d 0 R /Kids [%d 0 R] /Count 1 >>" % (parent, below)
    return written(objects)


def _parents_in_a_ring() -> bytes:
    """A page without a box of its own, whose parents are each other's parents."""
    page = b"<< /Type /Page /Parent 6 0 R /Contents 4 0 R >>"
    ring = {6: b"<< /Type /Pages /Parent 7 0 R >>", 7: b"<< /Type /Pages /Parent 6 0 R >>"}
    return written(parts(more={3: page, **ring}))


def _previous_table(*starts: int) -> bytes:
    """Tables of objects that name each other as the one before."""
    whole = one_page()
    at = whole.rindex(b"startxref")
    trailer = whole.rindex(b"trailer")
    table = whole.rindex(b"xref\n0 ", 0, trailer)
    previous = starts[0] if starts else table
    head = whole[:trailer] + b"trailer\n<< /Size 6 /Root 1 0 R /Prev %d >>\n" % previous
    return head + whole[at:]


def _tables_in_a_ring() -> bytes:
    first = _previous_table(10**6)
    at = len(first)
    second = b"xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 6 /Root 1 0 R /Prev %d >>\n"
    table = first.rindex(b"xref\n0 ", 0, first.rindex(b"trailer"))
    ringed = first.replace(b"/Prev 1000000", b"/Prev %07d" % at)
    return ringed + second % table + b"startxref\n%d\n%%%%EOF\n" % at


def _size_lies() -> bytes:
    whole = one_page()
    return whole.replace(b"/Size 6", b"/Size 2147483647")


def _table_stream(entries: bytes) -> bytes:
    data = b"%PDF-1.7\n"
    for number, content in parts().items():
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = len(data)
    data += b"9 0 obj\n%s\nendobj\n" % stream(b"\x01\x00\x00", b"/Type /XRef /Root 1 0 R " + entries)
    return data + b"startxref\n%d\n%%%%EOF\n" % table


def _object_streams(entries: bytes) -> bytes:
    """A page whose content's length stands in an object stream that lies about itself."""
    more = {
        4: b"<< /Length 7 0 R >>\nstream\n%s\nendstream" % said(WORDS),
        6: stream(b"7 0 60 ", b"/Type /ObjStm " + entries),
    }
    return written(parts(more=more))


def _outline(levels: int, ring: bool) -> bytes:
    objects = parts(catalog=b"/Outlines 6 0 R")
    objects[6] = b"<< /Type /Outlines /First 10 0 R /Last 10 0 R /Count 1 >>"
    for at in range(levels):
        after = b"/Next 10 0 R" if ring else b"/First %d 0 R" % (11 + at) if at + 1 < levels else b""
        objects[10 + at] = b"<< /Title (Part %d) /Dest [3 0 R /Fit] %s >>" % (at, after)
    return written(objects)


def _labels_in_a_ring() -> bytes:
    more = {6: b"<< /Kids [7 0 R] >>", 7: b"<< /Kids [6 0 R] >>"}
    return one_page(catalog=b"/PageLabels 6 0 R", more=more)


def _nested_arrays() -> bytes:
    return one_page(catalog=b"/Deep " + b"[" * 300_000 + b"]" * 300_000)


def _nested_dictionaries() -> bytes:
    return one_page(catalog=b"/Deep " + b"<< /D " * 100_000 + b"0" + b" >>" * 100_000)


def _content_parts() -> bytes:
    page = (
        b"<< /Type /Page /Parent 2 0 R /MediaBox %s /Contents [%s] /Resources << /Font << /F1 5 0 R >> >> >>"
    )
    return written(parts(more={3: page % (LETTER, b"4 0 R " * 100_000)}))


def _content_is_the_page() -> bytes:
    return written(parts(more={3: parts()[3].replace(b"/Contents 4 0 R", b"/Contents 3 0 R")}))


def _no_content() -> bytes:
    return written(parts(more={4: b"null"}))


def _cut() -> bytes:
    whole = many_pages([said(f"{WORDS} Page {at}.") for at in range(40)])
    return whole[: len(whole) // 2]


def _noise(share: float, seed: int = 7) -> bytes:
    """A good file, of whose bytes some are others."""
    chance = random.Random(seed)
    data = bytearray(saved())
    for at in range(64, len(data)):
        if chance.random() < share:
            data[at] = chance.randrange(256)
    return bytes(data)


def _info(title: bytes) -> bytes:
    return written(parts(more={6: b"<< /Title %s >>" % title}), trailer=b"/Info 6 0 R")


def _metadata() -> bytes:
    xmp = (
        b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY b "&a;&a;&a;&a;">]>'
        b"<x:xmpmeta xmlns:x='adobe:ns:meta/'><title>&b;&b;</title></x:xmpmeta>"
    )
    return one_page(catalog=b"/Metadata 6 0 R", more={6: stream(xmp, b"/Type /Metadata /Subtype /XML")})


def _font_of_the_wrong_kind() -> bytes:
    return written(parts(more={5: LETTER}))


STRUCTURE: tuple[Hostile, ...] = (
    Hostile(name="locked.pdf", make=lambda: _locked("open sesame", "owner"), becomes=("encrypted",)),
    Hostile(name="owner_locked.pdf", make=lambda: _locked("", "owner"), becomes=(READ,), holds=HOLDS),
    Hostile(name="unknown_lock.pdf", make=_unknown_lock, becomes=("encrypted", *BROKEN)),
    Hostile(name="header_alone.pdf", make=lambda: b"%PDF-1.7\n", becomes=BROKEN),
    Hostile(name="cut.pdf", make=_cut, becomes=(READ, *BROKEN)),
    Hostile(name="noise_1.pdf", make=lambda: _noise(0.01), becomes=(READ, "no_text", *BROKEN)),
    Hostile(name="noise_9.pdf", make=lambda: _noise(0.09), becomes=(READ, "no_text", *BROKEN)),
    Hostile(
        name="garbage.pdf",
        make=lambda: b"%PDF-1.7\n" + random.Random(1).randbytes(100_000),
        becomes=BROKEN,
    ),
    Hostile(
        name="table_elsewhere.pdf", make=lambda: written(parts(), start=10**9), becomes=(READ,), holds=HOLDS
    ),
    Hostile(name="table_negative.pdf", make=lambda: written(parts(), start=-5), becomes=(READ,), holds=HOLDS),
    Hostile(name="table_of_itself.pdf", make=_previous_table, becomes=(READ,), holds=HOLDS),
    Hostile(name="tables_in_a_ring.pdf", make=_tables_in_a_ring, becomes=(READ,), holds=HOLDS),
    Hostile(name="size_lies.pdf", make=_size_lies, becomes=(READ, *BROKEN)),
    Hostile(
        name="table_stream_index.pdf",
        make=lambda: _table_stream(b"/Size 10 /W [1 1 1] /Index [0 2147483647]"),
        becomes=(READ,),
        holds=HOLDS,
    ),
    Hostile(
        name="table_stream_width.pdf",
        make=lambda: _table_stream(b"/Size 99999999 /W [1 2147483647 1] /Index [0 9999999]"),
        becomes=(READ,),
        holds=HOLDS,
    ),
    Hostile(
        name="object_stream_n.pdf",
        make=lambda: _object_streams(b"/N 2000000000 /First 4"),
        becomes=(READ,),
        holds=HOLDS,
    ),
    Hostile(
        name="object_stream_of_itself.pdf",
        make=lambda: _object_streams(b"/N 1 /First 4 /Extends 6 0 R"),
        becomes=(READ,),
        holds=HOLDS,
    ),
    Hostile(name="no_pages.pdf", make=_without_pages, becomes=("no_pages",)),
    Hostile(
        name="tree_of_itself.pdf", make=lambda: _tree_of(b"2 0 R", 1), becomes=(READ, "no_text", *BROKEN)
    ),
    Hostile(
        name="tree_in_a_ring.pdf",
        make=lambda: _tree_of(
            b"6 0 R", 3, n6=b"<< /Type /Pages /Parent 2 0 R /Kids [2 0 R 3 0 R] /Count 3 >>"
        ),
        becomes=(READ, "no_text", *BROKEN),
    ),
    Hostile(name="tree_deep.pdf", make=lambda: _deep_tree(5_000), becomes=(READ, "no_text", *BROKEN)),
    Hostile(name="parents_in_a_ring.pdf", make=_parents_in_a_ring, becomes=(READ, "no_text", *BROKEN)),
    Hostile(
        name="count_of_a_billion.pdf",
        make=lambda: _tree_of(b"3 0 R", 10**9),
        becomes=("over_limits", *BROKEN),
    ),
    Hostile(name="count_negative.pdf", make=lambda: _tree_of(b"3 0 R", -7), becomes=(READ, *BROKEN)),
    Hostile(
        name="ten_thousand_pages.pdf",
        make=lambda: many_pages([said(f"{WORDS} Page {at}.") for at in range(10_000)]),
        becomes=("over_limits",),
    ),
    Hostile(
        name="one_page_3000_times.pdf",
        make=lambda: _tree_of(b"3 0 R " * 3000, 3000),
        becomes=(READ, "over_limits", *BROKEN),
    ),
    Hostile(name="nested_arrays.pdf", make=_nested_arrays, becomes=(READ, *BROKEN)),
    Hostile(name="nested_dictionaries.pdf", make=_nested_dictionaries, becomes=(READ, *BROKEN)),
    Hostile(
        name="content_of_100000_parts.pdf", make=_content_parts, becomes=(READ, "over_limits"), quick=False
    ),
    Hostile(name="content_is_the_page.pdf", make=_content_is_the_page, becomes=("no_text", *BROKEN)),
    Hostile(name="no_content.pdf", make=_no_content, becomes=("no_text",)),
    Hostile(name="outline_in_a_ring.pdf", make=lambda: _outline(3, True), becomes=(READ,), holds=HOLDS),
    Hostile(name="outline_deep.pdf", make=lambda: _outline(4_000, False), becomes=(READ,), holds=HOLDS),
    Hostile(name="labels_in_a_ring.pdf", make=_labels_in_a_ring, becomes=(READ,), holds=HOLDS),
    Hostile(
        name="title_of_a_megabyte.pdf",
        make=lambda: _info(b"(" + b"\\001\\033[31m" * 100_000 + b")"),
        becomes=(READ,),
        holds=HOLDS,
    ),
    Hostile(name="metadata_of_entities.pdf", make=_metadata, becomes=(READ,), holds=HOLDS, lacks=("root:",)),
    Hostile(name="font_is_a_box.pdf", make=_font_of_the_wrong_kind, becomes=(READ, "no_text")),
    Hostile(
        name="version_99.pdf",
        make=lambda: one_page().replace(b"%PDF-1.7", b"%PDF-99.99"),
        becomes=(READ,),
        holds=HOLDS,
    ),
    Hostile(
        name="two_in_one.pdf", make=lambda: one_page(said("An earlier file.")) + one_page(), becomes=(READ,)
    ),
    Hostile(
        name="late_header.pdf",
        make=lambda: b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n" + one_page(),
        becomes=(READ,),
        holds=HOLDS,
    ),
    Hostile(name="font_missing.pdf", make=lambda: one_page(fonts=b""), becomes=(READ, "no_text")),
    Hostile(
        name="font_unknown.pdf",
        make=lambda: one_page(more={5: FONT.replace(b"Helvetica", b"NoSuchFont+Ever")}),
        becomes=(READ,),
        holds=HOLDS,
    ),
)
