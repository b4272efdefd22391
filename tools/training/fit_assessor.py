"""Fit the weights of the offline assessor's classifier to tokens of graded answers.

    python tools/training/fit_assessor.py TOKENS WEIGHTS --start START --minutes 9

Runs with the packages of `tools/training/requirements.txt` alone, on a graphics card if there is one; two cores take
hours. START is the `model.safetensors` of all-MiniLM-L6-v2, or an earlier WEIGHTS to go on. MiniLM (Wang et al., 2020)
is BERT (Devlin et al., 2019) with six layers of width 384. Each batch is read twice under different dropout, and the
two readings are held to agree (R-Drop, Liang et al., 2021): a point has few answers.
"""

from __future__ import annotations

import argparse
import math
import pickle
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn.functional import dropout, gelu, log_softmax, one_hot, scaled_dot_product_attention
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

WEIGHTS: Final = {
    "items": 1.5, "claims": 1.5, "statements": 1.0, "tricks": 1.0, "opposite word": 0.7, "off topic": 0.7, "said": 0.7,
    "composed": 0.5, "public": 0.5, "altered": 0.7, "reworded": 0.7,
    "entailment, written": 2.0, "entailment, faa": 1.0, "entailment, faa, turned": 0.7, "entailment, bank": 1.0,
    "entailment, items": 0.6, "entailment, claims": 0.8, "entailment, statements": 0.4, "entailment, public": 0.4,
}  # fmt: skip
"""How much a row counts: what people wrote for this bank more than what was put together."""
SHARES: Final = {"statements": 0.4, "public": 0.4, "entailment, statements": 0.5}
"""Share of these rows that one pass takes, drawn again each time: there are many of them, on few subjects."""
LAYERS, HEADS, WIDTH, CLASSES = 6, 12, 384, 4
MET, HALF, CONTRADICTED, UNKNOWN = 0, 1, 3, -100
DECAY, DROPOUT, SMOOTHING, AGREEMENT, WARM_UP, LAST_SHARE = 0.01, 0.1, 0.03, 1.0, 150, 0.01
ROWS_SORTED, WORKERS = 2_048, 2
FEWER_POINTS, NO_WORDINGS, TWO_ANSWERS = 0.3, 0.25, 0.1
"""How often a row is read with some of its points alone; without wordings, which claims have not; and together with
another answer to its question, as the answers of a ladder are."""

Tokens = list[int]
Point = tuple[Tokens, Tokens, Tokens, int]
"""Features, text, the text beside it, and the class."""
Row = tuple[Tokens, Tokens, list[Point], str]
"""Question, answer, points, and the source of the row."""
NAMES: Final[Mapping[str, str]] = {
    "attention.output.dense": "out",
    "attention.output.LayerNorm": "norm_out",
    "intermediate.dense": "wide",
    "output.dense": "narrow",
    "output.LayerNorm": "norm_narrow",
}
"""BERT's names of a layer's parts, and those of `Layer`."""


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.joined = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.norm_out = nn.LayerNorm(WIDTH, eps=1e-12)
        self.wide = nn.Linear(WIDTH, 4 * WIDTH)
        self.narrow = nn.Linear(4 * WIDTH, WIDTH)
        self.norm_narrow = nn.LayerNorm(WIDTH, eps=1e-12)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        batch, length, _ = states.shape
        share = DROPOUT if self.training else 0.0
        parts = self.joined(states).view(batch, length, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        seen = scaled_dot_product_attention(*parts, attn_mask=mask.to(parts.dtype), dropout_p=share)
        seen = self.out(seen.transpose(1, 2).reshape(batch, length, WIDTH))
        states = self.norm_out(states + dropout(seen, share, self.training))
        wide = self.narrow(gelu(self.wide(states)))
        return self.norm_narrow(states + dropout(wide, share, self.training))


class Encoder(nn.Module):
    """`forward` gives the scores of each class for each point, whose rows and places in the batch are given."""

    def __init__(self, vocabulary: int) -> None:
        super().__init__()
        self.words = nn.Embedding(vocabulary, WIDTH)
        self.positions, self.types = nn.Embedding(512, WIDTH), nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.head = nn.Linear(WIDTH, CLASSES)

    def forward(self, ids: Tensor, types: Tensor, padding: Tensor, rows: Tensor, places: Tensor) -> Tensor:
        states = self.norm(self.words(ids) + self.positions.weight[None, : ids.shape[1]] + self.types(types))
        mask = torch.zeros(padding.shape, device=ids.device).masked_fill(padding, -1e9)[:, None, None, :]
        for layer in self.layers:
            states = layer(states, mask)
        return self.head(states[rows, places]).float()


def load(file: Path) -> Encoder:
    """With the weights of an earlier fit, or with those of BERT by their own names."""
    weights = load_file(file)
    if "words.weight" not in weights:
        weights = _from_bert(weights) | {
            name: one for name, one in weights.items() if name.startswith("head.")
        }
    model = Encoder(len(weights["words.weight"]))
    model.load_state_dict(model.state_dict() | {name: one.float() for name, one in weights.items()})
    return model


def _from_bert(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    named = {
        "words.weight": weights["embeddings.word_embeddings.weight"],
        "positions.weight": weights["embeddings.position_embeddings.weight"],
        "types.weight": weights["embeddings.token_type_embeddings.weight"],
    }
    for part in ("weight", "bias"):
        named[f"norm.{part}"] = weights[f"embeddings.LayerNorm.{part}"]
        for number in range(LAYERS):
            theirs = f"encoder.layer.{number}."
            three = [weights[f"{theirs}attention.self.{name}.{part}"] for name in ("query", "key", "value")]
            named[f"layers.{number}.joined.{part}"] = torch.cat(three)
            for bert, ours in NAMES.items():
                named[f"layers.{number}.{ours}.{part}"] = weights[f"{theirs}{bert}.{part}"]
    return named


# --- rows as they are read --------------------------------------------------------------------------------------

Read = tuple[Tokens, Tokens, list[int], list[int], float]
"""Ids, types, places of the points, their classes, and the weight."""


def sequence(row: Row, random: Random) -> Read:
    """As the classifier reads it, points in any order."""
    question, answer, points, source = row
    points = random.sample(points, len(points))
    if len(points) > 1 and random.random() < FEWER_POINTS:
        points = points[: random.randrange(1, len(points))]
    bare = random.random() < NO_WORDINGS
    ids = [101, *question, 102, *answer, 102]
    types = [0] * (len(question) + 2) + [1] * (len(answer) + 1)
    places, classes = [], []
    for signs, text, beside, met in points:
        point = [103, *signs, *text, *([] if bare else beside)]
        if len(ids) + len(point) <= 510:
            places.append(len(ids))
            classes.append(met)
            ids += point
            types += [0] * len(point)
    return [*ids, 102], [*types, 0], places, classes, WEIGHTS[source]


def together(row: Row, other: Row) -> Row:
    """Two answers as one: a point is met by either; two halves may make a whole or not. The same row where one of them
    contradicts something, since then it matters which stands last."""
    points = []
    for (signs, text, beside, met), (more, _, further, also) in zip(row[2], other[2], strict=True):
        if CONTRADICTED in (met, also):
            return row
        either = UNKNOWN if UNKNOWN in (met, also) or met == also == HALF else min(met, also)
        points.append((signs, text, beside, either) if met <= also else (more, text, further, either))
    return row[0], row[1] + other[1], points, row[3]


class Batches(IterableDataset[tuple[Tensor, ...]]):
    """Passes without end, in batches of like length; each worker draws its own."""

    def __init__(self, rows: Sequence[Row], seed: int, tokens: int) -> None:
        self.rows, self.seed, self.tokens = rows, seed, tokens
        self.of_question: dict[tuple[int, ...], list[Row]] = defaultdict(list)
        for row in rows:
            if row[3] == "items":
                self.of_question[tuple(row[0])].append(row)

    def __iter__(self) -> Iterator[tuple[Tensor, ...]]:
        worker = get_worker_info()
        random = Random(100 * self.seed + (worker.id if worker else 0))
        while True:
            taken = [row for row in self.rows if random.random() < SHARES.get(row[3], 1)]
            random.shuffle(taken)
            for start in range(0, len(taken), ROWS_SORTED):
                read = [
                    sequence(self._drawn(row, random), random) for row in taken[start : start + ROWS_SORTED]
                ]
                batches = list(_of_like_length(read, self.tokens))
                random.shuffle(batches)
                yield from map(_tensors, batches)

    def _drawn(self, row: Row, random: Random) -> Row:
        if row[3] != "items" or random.random() >= TWO_ANSWERS:
            return row
        other = random.choice(self.of_question[tuple(row[0])])
        alike = len(other[2]) == len(row[2]) and all(
            a[1] == b[1] for a, b in zip(row[2], other[2], strict=True)
        )
        return together(row, other) if alike else row


def _of_like_length(read: list[Read], tokens: int) -> Iterator[list[Read]]:
    batch: list[Read] = []
    for one in sorted(read, key=lambda it: len(it[0])):
        if batch and (len(batch) + 1) * len(one[0]) > tokens:
            yield batch
            batch = []
        batch.append(one)
    yield batch


def _tensors(batch: list[Read]) -> tuple[Tensor, ...]:
    """Ids, types, padding; row, place, class and weight of each point."""
    length = max(len(one[0]) for one in batch)
    ids = torch.zeros(len(batch), length, dtype=torch.long)
    types, padding = torch.zeros_like(ids), torch.ones(len(batch), length, dtype=torch.bool)
    points: list[tuple[int, int, int, float]] = []
    for row, (read, kinds, places, classes, weight) in enumerate(batch):
        ids[row, : len(read)] = torch.tensor(read)
        types[row, : len(read)] = torch.tensor(kinds)
        padding[row, : len(read)] = False
        share = weight / math.sqrt(max(1, len(places)))
        points += [
            (row, at, max(met, 0), 0.0 if met == UNKNOWN else share)
            for at, met in zip(places, classes, strict=True)
        ]
    rows, places_, classes_, weights = zip(*points, strict=True)
    return ids, types, padding, *map(torch.tensor, (rows, places_, classes_, weights))


# --- fitting ----------------------------------------------------------------------------------------------------


def loss_of(model: Encoder, batch: Sequence[Tensor], *, twice: bool) -> Tensor:
    ids, types, padding, rows, places, classes, weights = batch
    wanted = one_hot(classes, CLASSES) * (1 - SMOOTHING) + SMOOTHING / CLASSES
    if not twice:
        missed = -(wanted * log_softmax(model(ids, types, padding, rows, places), -1)).sum(-1)
        return (missed * weights).sum() / weights.sum().clamp_min(1e-6)
    both = [torch.cat([one, one]) for one in (ids, types, padding)]
    scores = model(*both, torch.cat([rows, rows + len(ids)]), torch.cat([places, places]))
    first, second = log_softmax(scores, -1).chunk(2)
    missed = -(wanted * (first + second)).sum(-1) / 2
    apart = ((first.exp() - second.exp()) * (first - second)).sum(-1) / 2
    return ((missed + AGREEMENT * apart) * weights).sum() / weights.sum().clamp_min(1e-6)


def fit(
    model: Encoder, batches: Batches, *, seconds: float, rate: float, twice: bool, bfloat16: bool
) -> None:
    device = next(model.parameters()).device
    on_card = device.type == "cuda"
    torch.manual_seed(batches.seed)
    fitted = [one for one in model.parameters() if one.requires_grad]
    optimizer = torch.optim.AdamW(fitted, lr=rate, weight_decay=DECAY, fused=on_card)
    ahead = {"num_workers": WORKERS, "prefetch_factor": 32, "pin_memory": True} if on_card else {}
    began = told = time.monotonic()
    model.train()
    for step, batch in enumerate(DataLoader(batches, batch_size=None, **ahead)):
        spent = time.monotonic() - began
        if spent > seconds:
            return
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1, (step + 1) / WARM_UP) * max(LAST_SHARE, 1 - spent / seconds)
        with torch.autocast(device.type, torch.bfloat16, enabled=bfloat16 or on_card):
            loss = loss_of(model, [one.to(device, non_blocking=True) for one in batch], twice=twice)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(fitted, 1.0)
        optimizer.step()
        if time.monotonic() - told > 20:
            told = time.monotonic()
            print(f"{spent:.0f} of {seconds:.0f} s, step {step}, loss {loss.item():.3f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tokens", type=Path)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--batch", type=int, default=12_288, help="tokens read at once")
    parser.add_argument(
        "--frozen", type=int, default=0, help="lowest layers that stay, with the word vectors"
    )
    parser.add_argument(
        "--words", action="store_true", help="word vectors stay, so that they need not be stored"
    )
    parser.add_argument("--once", action="store_true", help="without R-Drop, for a short fit on a processor")
    parser.add_argument(
        "--bfloat16",
        action="store_true",
        help="also on a processor: a third faster where it has AVX-512 BF16",
    )
    given = parser.parse_args()
    rows: list[Any] = pickle.loads(given.tokens.read_bytes())
    torch.manual_seed(1)
    model = load(given.start).to("cuda" if torch.cuda.is_available() else "cpu")
    if given.frozen:
        for part in (model.words, model.positions, model.types, model.norm, *model.layers[: given.frozen]):
            part.requires_grad_(False)
    model.words.requires_grad_(not (given.words or given.frozen))
    batches = Batches(rows, given.seed, given.batch)
    fit(
        model,
        batches,
        seconds=60 * given.minutes,
        rate=given.rate,
        twice=not given.once,
        bfloat16=given.bfloat16,
    )
    save_file({name: one.cpu() for name, one in model.state_dict().items()}, given.weights)


if __name__ == "__main__":
    main()
