"""Pictures made while a test runs: what is a figure, and what print leaves behind."""

from io import BytesIO

from PIL import Image, ImageDraw, ImageFilter

from .source_files import figure

Size = tuple[int, int]


def opened(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data))


def photo(seed: int = 1, size: Size = (480, 360)) -> Image.Image:
    """Shapes of all sizes: what a photograph or a chart has."""
    return opened(figure(seed, *size)).filter(ImageFilter.GaussianBlur(1))


def line_drawing(size: Size = (480, 360)) -> Image.Image:
    picture = Image.new("RGB", size, "white")
    pen = ImageDraw.Draw(picture)
    for at in range(12, size[0] - 60, 44):
        pen.ellipse((at, 40, at + 30, 90), outline="black", width=2)
        pen.line((at, 120, at + 40, 300), fill="black", width=2)
        pen.text((at, 310), f"part {at}", fill="black")
        for y in range(130, 300, 24):
            pen.line((at, y, at + 20, y), fill="black")
    return picture


def colour_run(size: Size = (480, 190)) -> Image.Image:
    return Image.merge("RGB", [Image.linear_gradient("L").resize(size), *[Image.new("L", size, 140)] * 2])


def silhouette(size: Size = (370, 270)) -> Image.Image:
    picture = Image.new("RGB", size, "white")
    ImageDraw.Draw(picture).polygon([(20, 200), (80, 40), (200, 90), (350, 60), (300, 240)], fill="black")
    return picture


def shadow(size: Size = (740, 300)) -> Image.Image:
    picture = Image.new("L", size, 0)
    ImageDraw.Draw(picture).text((60, 90), "Airspace", fill=255, font_size=110)
    return picture.filter(ImageFilter.GaussianBlur(5))


def saved(picture: Image.Image, form: str = "PNG", **options: int) -> bytes:
    out = BytesIO()
    picture.save(out, form, **options)
    return out.getvalue()
