"""Encode images as they are stored: large ones WebP, transparent ones PNG, the rest JPEG. Pure: opens no files."""

import hashlib
import io
from dataclasses import dataclass

from PIL import Image, UnidentifiedImageError

from knowledge import conf


@dataclass(frozen=True, slots=True)
class StoredImage:
    """The bytes to store and what they are. `sha256` is that of the image as the source holds it."""

    data: bytes
    suffix: str
    width: int
    height: int
    sha256: str


class BadImage(Exception):
    """The image cannot be opened, or has too many pixels."""


def open_image(data: bytes) -> Image.Image:
    """The image with its pixels. Raises BadImage before it decodes too many of them."""
    try:
        image = Image.open(io.BytesIO(data))
        if image.width * image.height > conf.MAX_IMAGE_PIXELS:
            raise BadImage("too many pixels")
        image.load()
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise BadImage("cannot be opened") from error
    return image


def encode_source(image: Image.Image, data: bytes) -> StoredImage:
    """An opened image as it is stored; `data` are its bytes in the source, which are kept where they will do."""
    small = _shrink_image(image)
    can_keep = small is image
    if len(data) > conf.FIGURE_WEBP_BYTES:
        suffix, encoded = "webp", _to_webp(small)
    elif is_transparent(small):
        suffix, encoded = "png", data if can_keep and image.format == "PNG" else _save_as(small, "PNG")
    elif can_keep and image.format == "JPEG" and image.mode in ("RGB", "L"):
        suffix, encoded = "jpg", data
    else:
        suffix, encoded = "jpg", _to_jpeg(small)
    return StoredImage(encoded, suffix, *small.size, hashlib.sha256(data).hexdigest())


def encode_rendered(image: Image.Image) -> StoredImage:
    """An image that has pixels and no bytes yet. Its hash is that of its pixels."""
    digest = hashlib.sha256(f"{image.size} {image.mode}".encode() + image.tobytes())
    small = _shrink_image(image)
    suffix, encoded = ("png", _save_as(small, "PNG")) if is_transparent(small) else ("jpg", _to_jpeg(small))
    if len(encoded) > conf.FIGURE_WEBP_BYTES:
        suffix, encoded = "webp", _to_webp(small)
    return StoredImage(encoded, suffix, *small.size, digest.hexdigest())


def is_transparent(image: Image.Image) -> bool:
    """Somewhere the paper shows through."""
    if image.mode in ("RGBA", "LA"):
        low, _ = image.getchannel("A").getextrema()
        return isinstance(low, int | float) and low < 255
    return "transparency" in image.info


def _shrink_image(image: Image.Image) -> Image.Image:
    if max(image.size) <= conf.FIGURE_MAX_SIDE:
        return image
    small = image.convert("RGBA" if is_transparent(image) else "RGB")
    small.thumbnail((conf.FIGURE_MAX_SIDE, conf.FIGURE_MAX_SIDE))
    return small


def _to_webp(image: Image.Image) -> bytes:
    shown = image if is_transparent(image) else image.convert("RGB")
    return _save_as(shown, "WEBP", quality=85, method=2)


def _to_jpeg(image: Image.Image) -> bytes:
    return _save_as(image.convert("RGB"), "JPEG", quality=88)


def _save_as(image: Image.Image, form: str, **options: int) -> bytes:
    out = io.BytesIO()
    image.save(out, form, **options)
    return out.getvalue()
