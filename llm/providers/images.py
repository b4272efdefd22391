"""Detect the media type of an image by its first bytes, as vendors name it."""

from __future__ import annotations

from base64 import b64encode
from typing import Literal

from llm.errors import BadRequest

MediaType = Literal["image/png", "image/jpeg", "image/gif", "image/webp"]


def media_type(image: bytes) -> MediaType:
    """The type of the image. Raises BadRequest for a file that no vendor reads."""
    if image.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if image.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if image.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if image[:4] == b"RIFF" and image[8:12] == b"WEBP":
        return "image/webp"
    raise BadRequest("a picture for a model must be a PNG, JPEG, GIF or WebP file")


def base64_text(image: bytes) -> str:
    return b64encode(image).decode("ascii")
