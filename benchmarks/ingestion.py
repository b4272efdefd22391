"""How fast a PDF is ingested, stage by stage, compared with bare libraries that do the same work in the same run.

`python -m benchmarks.ingestion` prints one JSON document. It works in a scratch database beside the configured one, on
the eight PDFs of `../shared/data/faa` or, without them, on a generated handbook. Each stage is what a job's own step
takes, with its processes and its rows:

* text (`read` to `chunk`, and `store`): structure, chunks with their rectangles, rows. Bare: PyMuPDF's `dict` of every
  page without images. Beside: PyMuPDF4LLM's Markdown of the same pages, without recognition of scans.
* figures: every picture looked at, those worth it kept. Bare: extracting, rendering at 200 DPI and encoding in the same
  format, in one process, the pictures that the product kept; and, looked at, also decoding those that it refused.
* embed: tokens, vectors, rows. Bare: the same windows through the same weights in int8, 32 of like length at once.

Rounds alternate, so that a busy machine slows all ways; the best round of each counts, but for PyMuPDF4LLM, which has
one. Files are read anew each time, the cache of vectors is emptied. Peak memory is resident, sampled every 20 ms, and
that of this process has the bare ways in it.
"""

from __future__ import annotations

import io
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import ctranslate2
import django
import psutil
import pymupdf
import pymupdf4llm
from django.conf import settings
from django.test.utils import override_settings
from PIL import Image

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
django.setup()

from benchmarks.scratch import scratch_database  # noqa: E402 - models need Django set up
from knowledge.ingestion import pipeline  # noqa: E402
from knowledge.ingestion.figures.detection import request_embedded  # noqa: E402
from knowledge.ingestion.figures.image_requests import ImageRequest  # noqa: E402
from knowledge.ingestion.jobs.jobs import submit_file  # noqa: E402
from knowledge.ingestion.run import Run  # noqa: E402
from knowledge.ingestion.vectors.embedding import embedded_text  # noqa: E402
from knowledge.models import Chunk, Document, EmbeddingCache, IngestionJob  # noqa: E402
from llm import registry  # noqa: E402
from llm.local.encoder import token_windows  # noqa: E402
from llm.local.minilm import converted_model, load_tokenizer  # noqa: E402

FAA = Path(__file__).resolve().parents[2] / "shared" / "data" / "faa"
ROUNDS = 3
GENERATED_PAGES = 60
DPI = 200
BATCH = 32
THREADS = 2
TEXT = ("read", "recognise", "structure", "chunk", "store")

Work = Callable[[], object]


@dataclass(slots=True)
class Pictures:
    """What the product made of a file's pictures: those it looked at, and those it kept with where they stand."""

    looked_at: Sequence[ImageRequest] = ()
    kept: list[tuple[int, int, Any, str]] = field(default_factory=list)  # xref or 0, page, rectangle, format


@dataclass(slots=True)
class Best:
    """Seconds of the best round of each way."""

    seconds: dict[str, float] = field(default_factory=dict)

    def told(self, way: str, seconds: float) -> None:
        self.seconds[way] = min(self.seconds.get(way, float("inf")), seconds)

    def time(self, way: str, work: Work) -> None:
        began = time.perf_counter()
        work()
        self.told(way, time.perf_counter() - began)


def measure(rounds: int = ROUNDS) -> dict[str, Any]:
    """Ratios of seconds, by file and in all."""
    with TemporaryDirectory() as media, scratch_database(), override_settings(MEDIA_ROOT=media):
        paths = _files(Path(media))
        bests = [Best() for _ in paths]
        with _peak_memory() as peak:
            for _ in range(rounds):
                for best, path in zip(bests, paths, strict=True):
                    _round(path, best)
        for best, path in zip(bests, paths, strict=True):
            best.time("PyMuPDF4LLM", lambda path=path: pymupdf4llm.to_markdown(path, use_ocr=False))  # type: ignore[misc]
        rows = [_row(path, best) for path, best in zip(paths, bests, strict=True)]
    return {
        "what": f"seconds, best of {rounds} rounds, and ratios to the bare library (1 means equally fast)",
        "all": _ratios(_summed(bests)),
        "peak_memory_mb": peak,
        "files": rows,
    }


def _round(path: Path, best: Best) -> None:
    """Each way once; the bare ones around the product's, so that a slow moment meets both."""
    best.time("bare text", lambda: _bare_text(path))
    Document.objects.all().delete()
    IngestionJob.objects.all().delete()
    EmbeddingCache.objects.all().delete()
    job, pictures = _ingested(path)
    seconds = {step["name"]: step["seconds"] for step in job.steps}
    best.told("text", sum(seconds[name] for name in TEXT))
    best.told("figures", seconds["figures"])
    best.told("embed", seconds["embed"])
    best.time("bare text", lambda: _bare_text(path))
    best.time("bare figures", lambda: _bare_figures(path, pictures))
    best.time("bare figures looked at", lambda: _bare_figures(path, pictures, pictures.looked_at))
    best.time("bare embed", _bare_embedding(list(Chunk.objects.all())))


def _ingested(path: Path) -> tuple[IngestionJob, Pictures]:
    """One job from end to end. Raises RuntimeError where it did not succeed."""
    job = submit_file(path, wake=False)
    pictures = Pictures()

    def figures(run: Run) -> None:
        pipeline.store_figures(run)
        assert run.parsed is not None
        pictures.looked_at = request_embedded(run.parsed)[0]

    pipeline.run_job(job.pk, steps={**pipeline.STEPS, "figures": figures})
    job.refresh_from_db()
    if job.state != "succeeded" or job.document is None:
        raise RuntimeError(f"{path.name}: {job.error}")
    for image in job.document.images.all():
        assert image.file.name
        xref = _embedded_at(image.page, image.bbox, pictures.looked_at)
        pictures.kept.append((xref, image.page, image.bbox, Path(image.file.name).suffix[1:]))
    return job, pictures


def _embedded_at(page: int, box: Sequence[float], wishes: Sequence[ImageRequest]) -> int:
    """The number of the embedded picture that stands there; 0 where the product had to draw."""
    return next(
        (wish.xref for wish in wishes if wish.page == page and wish.bbox and _alike(wish.bbox, box)), 0
    )


def _alike(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(abs(a - b) < 1 for a, b in zip(one, other, strict=True))


# --- bare ways ------------------------------------------------------------


def _bare_text(path: Path) -> None:
    with pymupdf.open(path) as document:
        for page in document:
            page.get_text("dict", flags=pymupdf.TEXTFLAGS_TEXT)


def _bare_figures(path: Path, pictures: Pictures, also: Sequence[ImageRequest] = ()) -> None:
    embedded = {xref for xref, *_ in pictures.kept}
    with pymupdf.open(path) as document:
        for xref, page, box, suffix in pictures.kept:
            if xref:
                found = document.extract_image(xref)
                if found["ext"].replace("jpg", "jpeg") != suffix.replace("jpg", "jpeg"):
                    _encoded(Image.open(io.BytesIO(found["image"])), suffix)
            else:
                pixels = document[page - 1].get_pixmap(dpi=DPI, clip=box)
                _encoded(Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples), suffix)
        for wish in also:
            if wish.xref not in embedded:
                Image.open(io.BytesIO(document.extract_image(wish.xref)["image"])).load()


def _encoded(picture: Image.Image, suffix: str) -> bytes:
    out = io.BytesIO()
    if suffix == "png":
        picture.save(out, "PNG")
    elif suffix == "webp":
        picture.convert("RGB").save(out, "WEBP", quality=85, method=2)
    else:
        picture.convert("RGB").save(out, "JPEG", quality=88)
    return out.getvalue()


def _bare_embedding(chunks: Sequence[Chunk]) -> Work:
    """The work that is left when texts have become windows of tokens."""
    model = registry.embedding_model()
    encoder = ctranslate2.Encoder(
        str(converted_model(settings.ENV.data_dir / "models")), compute_type="int8", intra_threads=THREADS
    )
    windows = []
    for text in map(embedded_text, chunks):
        tokens = load_tokenizer().encode(text, add_special_tokens=False)
        for start, stop in token_windows(tokens.offsets, size=model.window - 2, overlap=0):
            windows.append([101, *tokens.ids[start:stop], 102])
    windows.sort(key=len)

    def run() -> None:
        for at in range(0, len(windows), BATCH):
            encoder.forward_batch(windows[at : at + BATCH])

    return run


# --- what it comes to ------------------------------------------------------------


def _row(path: Path, best: Best) -> dict[str, Any]:
    with pymupdf.open(path) as document:
        pages = document.page_count
    return {"file": path.name, "pages": pages, **_ratios(best.seconds)}


def _summed(bests: Sequence[Best]) -> dict[str, float]:
    return {way: sum(best.seconds[way] for best in bests) for way in bests[0].seconds}


def _ratios(seconds: dict[str, float]) -> dict[str, Any]:
    return {
        "seconds": {way: round(took, 3) for way, took in seconds.items()},
        "text_beside_bare": round(seconds["bare text"] / seconds["text"], 3),
        "text_beside_pymupdf4llm": round(seconds["PyMuPDF4LLM"] / seconds["text"], 1),
        "figures_beside_bare": round(seconds["bare figures"] / seconds["figures"], 2),
        "figures_beside_bare_that_looks_at_all": round(
            seconds["bare figures looked at"] / seconds["figures"], 2
        ),
        "embedding_beside_bare": round(seconds["bare embed"] / seconds["embed"], 2),
    }


@contextmanager
def _peak_memory() -> Iterator[dict[str, int]]:
    """Megabytes resident at the most: this process, and those that open the files."""
    peak = {"worker": 0, "processes that open files": 0}
    over = threading.Event()

    def look() -> None:
        own = psutil.Process()
        while not over.wait(0.02):
            peak["worker"] = max(peak["worker"], _resident([own]))
            peak["processes that open files"] = max(
                peak["processes that open files"], _resident(own.children(recursive=True))
            )

    looking = threading.Thread(target=look, daemon=True)
    looking.start()
    try:
        yield peak
    finally:
        over.set()
        looking.join()


def _resident(processes: Sequence[psutil.Process]) -> int:
    """What they share counts once for each."""
    total = 0
    for process in processes:
        try:
            total += process.memory_info().rss
        except psutil.Error:
            continue
    return round(total / 1024 / 1024)


def _files(folder: Path) -> list[Path]:
    return sorted(FAA.rglob("*.pdf")) or [_generated(folder / "generated.pdf")]


def _generated(path: Path) -> Path:
    text = (
        "No person may operate an aircraft below 1,000 feet above the surface. A pilot tunes 121.5 MHz. " * 20
    )
    document = pymupdf.open()
    for number in range(1, GENERATED_PAGES + 1):
        page = document.new_page()
        page.insert_text((72, 60), f"Section {number}", fontname="hebo", fontsize=16)
        page.insert_textbox((72, 80, 540, 760), text, fontsize=11)
    document.save(path)
    return path


if __name__ == "__main__":
    json.dump(measure(), sys.stdout, indent=1)
    sys.stdout.write("\n")
