"""Turn rows of passages and statements into the tokens that the entailment model is fitted to.

`python -m tools.training.entailment_tokens ROWS TOKENS` reads what `entailment_rows` wrote. A row is read as the
assessor's classifier reads one: the passage stands for the question, the statement for the answer, and one empty key
point gets the class, so `fit_assessor.py` fits both models.
"""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path
from typing import Final

from knowledge.grounding.support_model import PASSAGE_TOKENS, STATEMENT_TOKENS
from llm.local.minilm import load_tokenizer

CLASSES: Final = {"supported": 0, "not there": 2, "contradicted": 3}
"""As the findings met, missing, and contradicted."""


def tokens(source: Path, target: Path) -> None:
    rows = [json.loads(line) for line in source.read_text("utf-8").splitlines()]
    texts = sorted({row[name] for row in rows for name in ("passage", "statement")})
    encoded = load_tokenizer().encode_batch(texts, add_special_tokens=False)
    ids = {text: one.ids for text, one in zip(texts, encoded, strict=True)}
    read = [
        (
            ids[row["passage"]][:PASSAGE_TOKENS],
            ids[row["statement"]][:STATEMENT_TOKENS],
            [([], [], [], CLASSES[row["label"]])],
            f"entailment, {row['source']}",
        )
        for row in rows
    ]
    target.write_bytes(pickle.dumps(read))
    print(f"{len(read)} rows")


if __name__ == "__main__":
    tokens(Path(sys.argv[1]), Path(sys.argv[2]))
