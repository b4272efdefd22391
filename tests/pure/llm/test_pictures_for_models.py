"""Pictures go to a model that can see, as each vendor wants them."""

from base64 import b64decode

import pytest

from llm.errors import BadRequest
from llm.interfaces import Message
from llm.providers.http import media_type
from tests.doubles.vendors import Says, VendorServer
from tests.pure.llm.cast import GOOD, anthropic_at, grade_request, openai_at

PNG = b"\x89PNG\r\n\x1a\nrest"


@pytest.mark.parametrize(
    ("image", "kind"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0rest", "image/jpeg"),
        (b"GIF89arest", "image/gif"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 ", "image/webp"),
    ],
)
def test_the_kind_is_told_by_the_first_bytes(image: bytes, kind: str) -> None:
    assert media_type(image) == kind


@pytest.mark.parametrize("image", [b"", b"%PDF-1.7", b"<svg/>", b"RIFF\x00\x00\x00\x00WAVE"])
def test_no_picture_is_refused(image: bytes) -> None:
    with pytest.raises(BadRequest, match="PNG"):
        media_type(image)


def test_anthropic_gets_the_picture_before_the_text() -> None:
    with VendorServer(Says(GOOD)) as vendor:
        anthropic_at(vendor).complete(grade_request(messages=(Message("user", "What is it?", (PNG,)),)))
    picture, text = vendor.received[0].body["messages"][0]["content"]
    assert b64decode(picture["source"]["data"]) == PNG
    assert text["text"] == "What is it?"


def test_openai_gets_the_picture_before_the_text() -> None:
    with VendorServer(Says(GOOD)) as vendor:
        openai_at(vendor).complete(grade_request(messages=(Message("user", "What is it?", (PNG,)),)))
    picture, text = vendor.received[0].body["input"][0]["content"]
    assert b64decode(picture["image_url"].partition("base64,")[2]) == PNG
    assert text["text"] == "What is it?"
