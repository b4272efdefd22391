"""A picture's bytes become the bytes that are kept: large ones WebP, transparent ones PNG, the rest JPEG (seed 001).
Pure: opens bytes, no files."""

import hashlib
import io
from dataclasses import dataclass

from PIL import Image as Pictures
from PIL import UnidentifiedImageError

from knowledge import conf


@dataclass(frozen=True, slots=True)
class KeptPicture:
    """The bytes to store and what they are. `sha256` is that of the picture as the source holds it."""

    data: bytes
    suffix: str
    width: int
    height: int
    sha256: str


class BadPicture(Exception):
    """The picture cannot be opened, or is larger than one may be."""


def opened(data: bytes) -> Pictures.Image:
    """A picture with its pixels. Raises BadPicture before it decodes too many of them."""
    try:
        picture = Pictures.open(io.BytesIO(data))
        if picture.width * picture.height > conf.MAX_IMAGE_PIXELS:
            raise BadPicture("too many pixels")
        picture.load()
    except (
        UnidentifiedImageError,
        OSError,
        ValueError,
        SyntaxError,
        Pictures.DecompressionBombError,
    ) as error:
        raise BadPicture("cannot be opened") from error
    return picture


def kept(picture: Pictures.Image, data: bytes) -> KeptPicture:
    """An opened picture as it is kept; `data` are its bytes in the source."""
    small = _within_limits(picture)
    suffix, encoded = _encoded(small, data if small is picture else b"", len(data))
    return KeptPicture(encoded, suffix, *small.size, hashlib.sha256(data).hexdigest())


def rendered(picture: Pictures.Image) -> KeptPicture:
    """A picture that has pixels and no bytes yet: PNG where the paper shows through, else JPEG, or WebP where that is
    too large. Its hash is that of its pixels."""
    digest = hashlib.sha256(f"{picture.size} {picture.mode}".encode() + picture.tobytes())
    small = _within_limits(picture)
    if is_transparent(small):
        suffix, encoded = "png", _saved(small, "PNG")
    else:
        small = small.convert("RGB")
        suffix, encoded = "jpg", _saved(small, "JPEG", quality=88)
    if len(encoded) > conf.FIGURE_WEBP_BYTES:
        suffix, encoded = "webp", _saved(small, "WEBP", quality=85, method=2)
    return KeptPicture(encoded, suffix, *small.size, digest.hexdigest())


def _within_limits(picture: Pictures.Image) -> Pictures.Image:
    if max(picture.size) <= conf.FIGURE_MAX_SIDE:
        return picture
    small = picture.convert("RGBA" if is_transparent(picture) else "RGB")
    small.thumbnail((conf.FIGURE_MAX_SIDE, conf.FIGURE_MAX_SIDE))
    return small


def _encoded(picture: Pictures.Image, data: bytes, length: int) -> tuple[str, bytes]:
    """`data` is empty where the picture is no longer what its source holds; `length` is that of the source."""
    if length > conf.FIGURE_WEBP_BYTES:
        shown = picture if is_transparent(picture) else picture.convert("RGB")
        return "webp", _saved(shown, "WEBP", quality=85, method=2)
    if is_transparent(picture):
        return "png", data if data and picture.format == "PNG" else _saved(picture, "PNG")
    if data and picture.format == "JPEG" and picture.mode in ("RGB", "L"):
        return "jpg", data
    return "jpg", _saved(picture.convert("RGB"), "JPEG", quality=88)


def is_transparent(picture: Pictures.Image) -> bool:
    """Somewhere the paper shows through."""
    if picture.mode in ("RGBA", "LA"):
        low, _ = picture.getchannel("A").getextrema()
        return isinstance(low, int | float) and low < 255
    return "transparency" in picture.info


def _saved(picture: Pictures.Image, form: str, **options: int) -> bytes:
    out = io.BytesIO()
    picture.save(out, form, **options)
    return out.getvalue()
