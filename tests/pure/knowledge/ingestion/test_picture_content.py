"""What print leaves behind is told from what a reader can look at, and a copy from another picture."""

from collections.abc import Callable

import pytest
from PIL import Image, ImageDraw

from knowledge.ingestion.figures.image_content import fingerprint_of, nothing_to_see
from tests.doubles.pictures import colour_run, line_drawing, opened, photo, saved, shadow, silhouette

JUNK: list[tuple[Callable[[], Image.Image], str]] = [
    (colour_run, "a plain fill or gradient"),
    (lambda: Image.new("RGB", (400, 300), "teal"), "a plain fill or gradient"),
    (silhouette, "a plain shape"),
    (shadow, "a shadow or blurred lettering"),
    (lambda: Image.new("RGB", (400, 2)), "too small to show anything"),
]


@pytest.mark.parametrize(("made", "reason"), JUNK)
def test_what_shows_nothing_is_said_to(made: Callable[[], Image.Image], reason: str) -> None:
    assert nothing_to_see(made()) == reason


def graph(size: tuple[int, int] = (3000, 2000)) -> Image.Image:
    """A few thin lines on much paper."""
    picture = Image.new("L", size, 255)
    for at in range(6):
        ImageDraw.Draw(picture).line((300, 300 * at + 20, 2700, 150 * at + 300), fill=0, width=2)
    return picture


@pytest.mark.parametrize(
    "made", [photo, line_drawing, lambda: line_drawing((1600, 1200)).convert("1"), graph]
)
def test_what_shows_something_is_kept(made: Callable[[], Image.Image]) -> None:
    assert nothing_to_see(made()) == ""


def test_letters_on_clear_ground_are_seen_on_paper() -> None:
    clear = line_drawing().convert("RGBA")
    clear.putalpha(line_drawing().convert("L").point(lambda grey: 255 - grey))
    assert nothing_to_see(clear) == ""


COPIES: list[Callable[[Image.Image], Image.Image]] = [
    lambda picture: opened(saved(picture, "JPEG", quality=60)),
    lambda picture: opened(saved(picture, "WEBP", quality=70)),
    lambda picture: picture.resize((picture.width // 2, picture.height // 2), Image.Resampling.LANCZOS),
]


@pytest.mark.parametrize("copied", COPIES)
def test_a_copy_is_the_same_picture(copied: Callable[[Image.Image], Image.Image]) -> None:
    picture = line_drawing((1200, 900))
    assert fingerprint_of(copied(picture)).is_like(fingerprint_of(picture))


def _with_arrow(picture: Image.Image) -> Image.Image:
    changed = picture.copy()
    ImageDraw.Draw(changed).line((600, 500, 760, 380), fill=(255, 0, 0), width=8)
    return changed


def _stretched(picture: Image.Image) -> Image.Image:
    return picture.resize((picture.width, picture.height // 2))


@pytest.mark.parametrize("changed", [_with_arrow, _stretched, lambda picture: photo(2, picture.size)])
def test_a_change_makes_another_picture(changed: Callable[[Image.Image], Image.Image]) -> None:
    picture = line_drawing((1200, 900))
    assert not fingerprint_of(changed(picture)).is_like(fingerprint_of(picture))
