"""In which format a picture is kept."""

from io import BytesIO

import pytest
from PIL import Image

from knowledge import conf
from knowledge.ingestion.figures.image_formats import (
    BadImage,
    StoredImage,
    encode_rendered,
    encode_source,
    open_image,
)
from tests.doubles.pictures import line_drawing, photo, saved
from tests.doubles.pictures import opened as opened_again
from tests.doubles.source_files import figure


def converted(data: bytes) -> StoredImage:
    return encode_source(open_image(data), data)


def plain(mode: str, form: str) -> bytes:
    return saved(Image.new(mode, (120, 110)), form)


FORMATS = [
    (plain("RGBA", "PNG"), "png"),
    (plain("RGB", "PNG"), "jpg"),
    (plain("RGB", "JPEG"), "jpg"),
    (plain("CMYK", "JPEG"), "jpg"),
    (figure(1, 900, 900), "webp"),
]


@pytest.mark.parametrize(("data", "suffix"), FORMATS)
def test_the_format_follows_size_and_transparency(data: bytes, suffix: str) -> None:
    found = converted(data)
    assert found.suffix == suffix
    assert opened_again(found.data).format == {"jpg": "JPEG"}.get(suffix, suffix.upper())


def test_a_jpeg_is_kept_as_it_is() -> None:
    data = plain("RGB", "JPEG")
    assert converted(data).data == data


def test_a_picture_larger_than_any_screen_is_made_smaller() -> None:
    found = converted(saved(Image.new("RGB", (conf.FIGURE_MAX_SIDE * 2, 600))))
    assert (found.width, found.height) == (conf.FIGURE_MAX_SIDE, 300)


@pytest.mark.parametrize(
    "data", [b"", b"no picture", plain("RGB", "JPEG")[:60], b"\x89PNG\r\n\x1a\n" + b"\0" * 40]
)
def test_a_picture_that_cannot_be_opened_is_said_to_be_bad(data: bytes) -> None:
    with pytest.raises(BadImage):
        converted(data)


def test_a_bomb_is_refused_before_its_pixels_are_made() -> None:
    side = int(conf.MAX_IMAGE_PIXELS**0.5) + 1
    with pytest.raises(BadImage, match="too many pixels"):
        converted(saved(Image.new("1", (side, side))))


def test_what_was_drawn_here_is_known_by_its_pixels() -> None:
    assert (
        encode_rendered(line_drawing()).sha256
        == encode_rendered(line_drawing()).sha256
        != encode_rendered(photo()).sha256
    )
    assert encode_rendered(line_drawing()).suffix == "jpg"
    assert encode_rendered(Image.open(BytesIO(figure(1, 1200, 1200)))).suffix == "webp"
