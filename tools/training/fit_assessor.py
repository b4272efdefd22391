"""Tokens of graded answers become the weights of the offline assessor's classifier.

    python tools/training/fit_assessor.py TOKENS WEIGHTS --start START --minutes 90

Runs with the packages of `tools/training/requirements.txt` alone, on all cores, one process each. START is the
`model.safetensors` of all-MiniLM-L6-v2, or an earlier WEIGHTS to go on. MiniLM (Wang et al., 2020) is BERT (Devlin et
al., 2019) with six layers of width 384; the two lowest and the word vectors stay as they are.
"""

from __future__ import annotations

import argparse
import math
import os
import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import torch
import torch.distributed as dist
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, dropout, gelu, scaled_dot_product_attention

WEIGHTS: Final = {
    "items": 1.5, "claims": 1.5, "statements": 1.0, "tricks": 1.0, "off topic": 0.7, "said": 0.7, "composed": 0.5,
    "public": 0.5,
}  # fmt: skip
"""How much a row counts: what people wrote for this bank more than what was put together."""
SHARES: Final = {"statements": 0.4, "public": 0.4}
"""Share of these rows that one pass takes, drawn anew each time: there are many of them, on few subjects."""
TWICE: Final = ("items", "claims")
FROZEN, LAYERS, HEADS, WIDTH, CLASSES = 2, 6, 12, 384, 4
RATE, DROPOUT, SMOOTHING, WARM_UP, LAST_SHARE = 1.2e-4, 0.1, 0.03, 60, 0.02
TOKENS_A_STEP: Final = 1_024
"""Tokens of one step, in each process."""
FEWER_POINTS, NO_WORDINGS = 0.3, 0.25
"""How often a row is read with some of its points alone, and without accepted wordings: claims have none."""

Tokens = list[int]
Row = tuple[Tokens, Tokens, list[tuple[Tokens, Tokens, Tokens, int]], str]
"""Question, answer, points (features, text, wordings, class), and the source of the row."""
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

    def forward(self, states: Tensor, mask: Tensor, share: float) -> Tensor:
        batch, length, _ = states.shape
        parts = self.joined(states).view(batch, length, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        seen = (
            scaled_dot_product_attention(*parts, attn_mask=mask).transpose(1, 2).reshape(batch, length, WIDTH)
        )
        states = self.norm_out(states + dropout(self.out(seen), share, self.training))
        return self.norm_narrow(states + dropout(self.narrow(gelu(self.wide(states))), share, self.training))


class Encoder(nn.Module):
    """`forward` gives the scores of each class for each point, in the order of `at`: rows and places of a batch."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.positions, self.types = (
            nn.Embedding(30_522, WIDTH),
            nn.Embedding(512, WIDTH),
            nn.Embedding(2, WIDTH),
        )
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.head = nn.Linear(WIDTH, CLASSES)
        frozen = (self.words, self.positions, self.types, self.norm, *self.layers[:FROZEN])
        for part in frozen:
            part.requires_grad_(False)

    def forward(self, ids: Tensor, types: Tensor, padding: Tensor, at: tuple[list[int], list[int]]) -> Tensor:
        places = torch.arange(ids.shape[1])[None]
        states = self.norm(self.words(ids) + self.positions(places) + self.types(types))
        mask = torch.zeros(padding.shape).masked_fill(padding, -1e9)[:, None, None, :]
        for number, layer in enumerate(self.layers):
            states = layer(states, mask, 0.0 if number < FROZEN else DROPOUT)
        return self.head(states[at[0], at[1]])


def load(model: Encoder, file: Path) -> Encoder:
    """With the weights of an earlier fit, or with those of BERT by their own names."""
    weights = load_file(file)
    if "head.weight" not in weights:
        weights = _from_bert(weights) | {f"head.{name}": one for name, one in model.head.state_dict().items()}
    model.load_state_dict(weights)
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


def sequence(row: Row, random: Random) -> tuple[Tokens, Tokens, Tokens, Tokens, float]:
    """Ids, types, places of the points, their classes, and the weight: as the classifier reads it, points in any
    order."""
    question, answer, points, source = row
    points = random.sample(points, len(points))
    if len(points) > 1 and random.random() < FEWER_POINTS:
        points = points[: random.randrange(1, len(points))]
    bare = random.random() < NO_WORDINGS
    ids = [101, *question, 102, *answer, 102]
    types = [0] * (len(question) + 2) + [1] * (len(answer) + 1)
    places, classes = [], []
    for signs, text, shown, met in points:
        point = [103, *signs, *text, *([] if bare else shown)]
        if len(ids) + len(point) <= 510:
            places.append(len(ids))
            classes.append(met)
            ids += point
            types += [0] * len(point)
    return [*ids, 102], [*types, 0], places, classes, WEIGHTS[source]


def batches(rows: Sequence[Row], random: Random) -> Iterator[list[Any]]:
    """One pass in batches of like length."""
    taken = [one for one in rows for _ in range(2 if one[3] in TWICE else 1)]
    taken = [one for one in taken if random.random() < SHARES.get(one[3], 1)]
    random.shuffle(taken)
    for start in range(0, len(taken), 512):
        read = sorted(
            (sequence(one, random) for one in taken[start : start + 512]), key=lambda it: len(it[0])
        )
        grouped: list[list[Any]] = [[]]
        for one in read:
            if grouped[-1] and (len(grouped[-1]) + 1) * len(one[0]) > TOKENS_A_STEP:
                grouped.append([])
            grouped[-1].append(one)
        random.shuffle(grouped)
        yield from grouped


def fit(source: Path, target: Path, start: Path, seconds: float, rank: int, world: int, meeting: str) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(1)
    dist.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=world)
    model = load(Encoder(), start)
    wanted = [one for one in model.parameters() if one.requires_grad]
    optimizer = torch.optim.AdamW(wanted, lr=RATE, weight_decay=0.01)
    rows = pickle.loads(source.read_bytes())[rank::world]
    random, began, told, step, mean = Random(rank), time.monotonic(), time.monotonic(), 0, 0.0
    model.train()
    done = torch.zeros(1)
    while not done:
        for batch in batches(rows, random):
            spent = time.monotonic() - began
            done = torch.tensor([float(spent > seconds)])
            dist.all_reduce(done)
            if done:
                break
            left = max(LAST_SHARE, 1 - spent / seconds)
            for group in optimizer.param_groups:
                group["lr"] = RATE * min(1, (step + 1) / WARM_UP) * left
            length = max(len(one[0]) for one in batch)
            ids = torch.zeros(len(batch), length, dtype=torch.long)
            types, padding = torch.zeros_like(ids), torch.ones(len(batch), length, dtype=torch.bool)
            at: tuple[list[int], list[int]] = ([], [])
            classes: list[int] = []
            weights: list[float] = []
            for place, (read, kinds, places, mets, weight) in enumerate(batch):
                ids[place, : len(read)] = torch.tensor(read)
                types[place, : len(read)] = torch.tensor(kinds)
                padding[place, : len(read)] = False
                at[0].extend([place] * len(places))
                at[1].extend(places)
                classes += mets
                weights += [weight / math.sqrt(max(1, len(places)))] * len(places)
            scores = model(ids, types, padding, at)
            each = cross_entropy(
                scores, torch.tensor(classes), reduction="none", label_smoothing=SMOOTHING, ignore_index=-100
            )
            loss = (each * torch.tensor(weights)).sum() / sum(weights)
            optimizer.zero_grad()
            loss.backward()
            flat = torch.cat([one.grad.view(-1) for one in wanted])
            dist.all_reduce(flat)
            for one, grad in zip(wanted, (flat / world).split([it.numel() for it in wanted]), strict=True):
                one.grad.copy_(grad.view_as(one))
            torch.nn.utils.clip_grad_norm_(wanted, 1.0)
            optimizer.step()
            step += 1
            mean = loss.item() if step == 1 else 0.98 * mean + 0.02 * loss.item()
            if rank == 0 and time.monotonic() - told > 20:
                told = time.monotonic()
                print(f"{spent:.0f} of {seconds:.0f} s, step {step}, loss {mean:.3f}", flush=True)
            if rank == 0 and step % 300 == 0:
                save_file(model.state_dict(), target)
    if rank == 0:
        save_file(model.state_dict(), target)


def fit_on_all_cores(arguments: argparse.Namespace) -> None:
    world = os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as folder:
        commands = [
            [sys.executable, __file__, str(arguments.source), str(arguments.target),
             "--minutes", str(arguments.minutes), "--start", str(arguments.start), "--rank", str(rank),
             "--world", str(world), "--meeting", f"{folder}/meeting"]
            for rank in range(world)
        ]  # fmt: skip
        running = [
            subprocess.Popen(command, env=os.environ | {"OMP_NUM_THREADS": "1"}) for command in commands
        ]
        if any(one.wait() for one in running):
            raise SystemExit("fitting stopped: see above")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=90)
    parser.add_argument("--rank", type=int, default=-1, help="of one of the processes; started without")
    parser.add_argument("--world", type=int, default=1)
    parser.add_argument("--meeting", default="")
    given = parser.parse_args()
    if given.rank < 0:
        fit_on_all_cores(given)
    else:
        fit(
            given.source,
            given.target,
            given.start,
            given.minutes * 60,
            given.rank,
            given.world,
            given.meeting,
        )


if __name__ == "__main__":
    main()
