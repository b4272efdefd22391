"""PDF by hand: objects as bytes become a file, right or wrong in whichever way a test wants."""

import zlib
from collections.abc import Mapping, Sequence

FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
LETTER = b"[0 0 612 792]"
WORDS = "The pilot in command must look out for other aircraft."


def stream(data: bytes, entries: bytes = b"", *, packed: bool = False) -> bytes:
    """A stream object; `packed` compresses it."""
    if packed:
        data, entries = zlib.compress(data, 9), entries + b" /Filter /FlateDecode"
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(data), entries, data)


def zeros(length: int, *, fill: bytes = b" ", rounds: int = 1) -> bytes:
    """`length` bytes of one kind, packed again and again: a few kilobytes that become gigabytes."""
    packer = zlib.compressobj(9)
    head = packer.compress(fill * 1024) + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(fill * ((1 << 20) // len(fill))) + packer.flush(zlib.Z_FULL_FLUSH)  # each alike
    data = head + block * (length >> 20) + packer.flush()
    for _ in range(rounds - 1):
        data = zlib.compress(data, 9)
    return data


def said(text: str, x: float = 72, y: float = 700, size: float = 12, before: bytes = b"") -> bytes:
    """One line of text as a page's content has it."""
    shown = (
        text.encode("latin-1", "replace").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    )
    return b"BT %s /F1 %g Tf %g %g Td (%s) Tj ET\n" % (before, size, x, y, shown)


def written(
    objects: Mapping[int, bytes], *, root: int = 1, trailer: bytes = b"", start: int | None = None
) -> bytes:
    """A file of numbered objects with a right table of where they are, unless `start` says that it is elsewhere."""
    data = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
    places = {}
    for number, content in objects.items():
        places[number] = len(data)
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table, size = len(data), max(objects) + 1
    rows = [
        b"%010d 00000 n \n" % places[number] if number in places else b"0000000000 65535 f \n"
        for number in range(size)
    ]
    data += b"xref\n0 %d\n%s" % (size, b"".join(rows))
    data += b"trailer\n<< /Size %d /Root %d 0 R %s >>\n" % (size, root, trailer)
    return data + b"startxref\n%d\n%%%%EOF\n" % (table if start is None else start)


def parts(
    content: bytes = said(WORDS),
    *,
    box: bytes = LETTER,
    page: bytes = b"",
    catalog: bytes = b"",
    resources: bytes = b"",
    fonts: bytes = b"/F1 5 0 R",
    more: Mapping[int, bytes] | None = None,
) -> dict[int, bytes]:
    """The objects of one page: 1 catalog, 2 tree, 3 page, 4 content, 5 font; `more` adds and replaces."""
    return {
        1: b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalog,
        2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: b"<< /Type /Page /Parent 2 0 R /MediaBox %s /Contents 4 0 R /Resources << /Font << %s >> %s >> %s >>"
        % (box, fonts, resources, page),
        4: stream(content),
        5: FONT,
    } | dict(more or {})


def one_page(content: bytes = said(WORDS), **changed: object) -> bytes:
    return written(parts(content, **changed))  # type: ignore[arg-type]


def many_pages(contents: Sequence[bytes]) -> bytes:
    """One page for each content, all of a flat tree."""
    first = 10
    objects = parts()
    kids = b" ".join(b"%d 0 R" % (first + 2 * at) for at in range(len(contents)))
    objects[2] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(contents))
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox %s /Contents %d 0 R /Resources << /Font << /F1 5 0 R >> >> >>"
    for at, content in enumerate(contents):
        objects[first + 2 * at] = page % (LETTER, first + 2 * at + 1)
        objects[first + 2 * at + 1] = stream(content)
    return written(objects)
