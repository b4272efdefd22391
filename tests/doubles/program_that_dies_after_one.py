"""An image worker that refuses the first image of each batch and then ends."""

import json
import os
import sys
from pathlib import Path

from knowledge.ingestion.figures.image_requests import ImageResult

REASON = "a plain shape"


def run(arguments: list[str]) -> int:
    out = Path(arguments[2])
    say({"type": "ready"})
    first, *_ = json.loads((out / sys.stdin.readline().strip()).read_text())
    say({"type": "result", **ImageResult(number=first["number"], refused=REASON).to_dict()})
    os._exit(1)


def say(message: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()
