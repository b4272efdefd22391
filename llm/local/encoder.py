"""Embed text on this machine, without network, key or PyTorch: passages in int8, queries in float32.

A text longer than a window is read in windows whose vectors are averaged by their tokens. A vector depends on its text
alone, bit for bit. Padding changes the last bits, and int8 rounding magnifies that (to 0.009 in a coordinate), so in
int8 only windows of equal length share a batch; in float32 the number of rows matters too, so each window goes alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count, groupby, islice
from pathlib import Path
from typing import Any, Final

import ctranslate2
import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding

from llm import conf
from llm.errors import EmptyText, LocalModelUnavailable
from llm.local.late_interaction import Tokens
from llm.local.minilm import converted_model, load_tokenizer
from llm.metering import record_calls
from llm.processes import PerProcess
from llm.vectors import Vector, normalize_vector, weighted_mean

Span = tuple[int, int]
Window = list[int]

_FIRST, _LAST = 101, 102
"""[CLS] and [SEP], which open and close every window, as the model's vocabulary numbers them."""
_MARKS: Final = 2


class LocalEmbeddingModel:
    """all-MiniLM-L6-v2. Loads on first use, in each process its own; many threads may share it.

    `cache` is the folder for the converted weights (about 90 MB).
    """

    provider = "local"
    name = conf.LOCAL_MODEL
    dimensions = conf.LOCAL_DIMENSIONS
    window = conf.LOCAL_WINDOW_TOKENS
    external = False

    def __init__(self, cache: Path, *, intra_threads: int = conf.LOCAL_INTRA_THREADS) -> None:
        for_passages = {
            "intra_threads": intra_threads,
            "inter_threads": conf.LOCAL_INTER_THREADS,
        }
        for_queries = {
            "intra_threads": conf.LOCAL_QUERY_THREADS,
            "inter_threads": min(conf.LOCAL_QUERIES_MOST, os.cpu_count() or 1),
        }
        self._tokenizer = PerProcess(load_tokenizer)
        self._of_word = _TokensOfWords(lambda word: len(self._encode_text(word)))
        self._int8 = PerProcess(lambda: _load_encoder(cache, "int8", for_passages))
        self._float32 = PerProcess(lambda: _load_encoder(cache, "float32", for_queries))

    def count_tokens(self, text: str) -> int:
        """Tokens of the whole text, without the two marks that each window adds."""
        return sum(map(self._of_word.__getitem__, text.replace("\n", " ").split(" ")))

    def windows(self, text: str) -> int:
        """How many windows the text is read in."""
        return len(self._windows_of(text))

    def embed_query(self, text: str) -> Vector:
        """In float32. Raises EmptyText."""
        return self._mean_vectors([text], exact=True)[0]

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, in their order. Raises EmptyText."""
        return list(self.iter_passages(texts))

    def iter_passages(self, texts: Iterable[str]) -> Iterator[Vector]:
        """The same, some texts at a time, so that long work can show how far it is and be stopped."""
        source = iter(texts)
        while group := list(islice(source, conf.LOCAL_GROUP_TEXTS)):
            yield from self._mean_vectors(group, exact=False)

    def window_vectors(self, texts: Sequence[str], *, exact: bool = False) -> list[list[tuple[Vector, int]]]:
        """For each text the vector of each of its windows, with its tokens: what `embed_passages` averages. `exact` is
        float32. Raises EmptyText."""
        windows = [self._windows_of(text) for text in texts]
        if not all(windows):
            raise EmptyText("a text without a single token has no vector")
        record_calls(tokens=sum(len(window) for some in windows for window in some))
        # The mean over all tokens of a window, its marks included, as the model was trained.
        vectors = {
            place: [float(number) for number in normalize_vector(state.mean(axis=0))]
            for place, state in self._read_windows(
                [window for some in windows for window in some], exact=exact
            )
        }
        places = count()
        return [[(vectors[next(places)], len(window)) for window in some] for some in windows]

    def token_vectors(self, texts: Sequence[str], *, exact: bool = False) -> list[Tokens]:
        """For each text its tokens, each with its vector as it was read in its window: before they are averaged. A
        text without tokens has none. What two windows share is there twice, as each of them read it. `exact` is
        float32, for questions."""
        windows = [self._windows_of(text) for text in texts]
        states = dict(self._read_windows([window for some in windows for window in some], exact=exact))
        places, read = count(), []
        for some in windows:
            ids = [id_ for window in some for id_ in window[1:-1]]  # without the marks
            words = tuple(self._tokenizer.get().id_to_token(id_) or "" for id_ in ids)
            rows = [states[next(places)][1:-1] for _ in some] or [np.zeros((0, self.dimensions))]
            read.append(Tokens(words, np.concatenate(rows).astype(np.float32)))
        return read

    def _mean_vectors(self, texts: Sequence[str], *, exact: bool) -> list[Vector]:
        return [
            weighted_mean([vector for vector, _ in some], [tokens for _, tokens in some])
            for some in self.window_vectors(texts, exact=exact)
        ]

    def _encode_text(self, text: str) -> Encoding:
        clean = text.encode("utf-8", "replace").decode("utf-8")  # a lone surrogate is no text
        return self._tokenizer.get().encode(clean, add_special_tokens=False)

    def _windows_of(self, text: str) -> list[Window]:
        tokens = self._encode_text(text)
        size = self.window - _MARKS
        spans = token_windows(tokens.offsets, size=size, overlap=conf.LOCAL_OVERLAP_TOKENS)
        return [[_FIRST, *tokens.ids[start:stop], _LAST] for start, stop in spans]

    def _read_windows(self, windows: Sequence[Window], *, exact: bool) -> Iterator[tuple[int, NDArray[Any]]]:
        """The states of each window's tokens, beside the window's place in `windows`, in any order.

        Windows of the same length are read together. A short or monotonous window is read in float32, since int8
        strays furthest from it there, and alone: not on every processor is a float32 product the same in any company.
        """

        def batch_key(place: int) -> tuple[bool, int]:
            window = windows[place]
            return exact or len(set(window)) < conf.LOCAL_INT8_LEAST_DISTINCT, len(window)

        for (precise, _), alike in groupby(sorted(range(len(windows)), key=batch_key), key=batch_key):
            encoder, most = (
                (self._float32.get(), 1) if precise else (self._int8.get(), conf.LOCAL_BATCH_WINDOWS)
            )
            while batch := list(islice(alike, most)):
                output = encoder.forward_batch([windows[place] for place in batch])
                yield from zip(batch, np.array(output.last_hidden_state), strict=True)


class _TokensOfWords(dict[str, int]):
    """How many tokens each word has. No token of this model reaches over a space, so that a text has those of its
    words, and most words were counted before: the tokenizer takes twenty times as long."""

    def __init__(self, count: Callable[[str], int]) -> None:
        super().__init__()
        self._count = count

    def __missing__(self, word: str) -> int:
        tokens = self._count(word)
        if len(word) <= conf.LOCAL_WORD_LETTERS:
            if len(self) >= conf.LOCAL_WORDS:
                self.clear()
            self[word] = tokens
        return tokens


def _load_encoder(cache: Path, compute_type: str, threads: dict[str, int]) -> ctranslate2.Encoder:
    folder = converted_model(cache)
    try:
        return ctranslate2.Encoder(str(folder), device="cpu", compute_type=compute_type, **threads)
    except RuntimeError as error:
        raise LocalModelUnavailable(
            f"{folder} cannot be loaded ({error}): delete it and start again"
        ) from error


# --- Windows: a text that is too long, divided so that each window ends between words -------------------


def token_windows(offsets: Sequence[Span], *, size: int, overlap: int) -> list[Span]:
    """Half-open ranges of tokens, each at most `size` long, that cover all of `offsets`.

    `offsets` are the tokens' places in the text; where one ends and the next begins at the same character,
    they are one word. A word longer than half a window is cut all the same. Raises ValueError unless 0 <=
    overlap < size / 2.
    """
    if not 0 <= overlap < size / 2:
        raise ValueError(f"an overlap of {overlap} does not fit a window of {size}")
    windows: list[Span] = []
    end = len(offsets)
    word_starts = {at for at in range(1, end) if offsets[at][0] > offsets[at - 1][1]}
    start = 0
    while start < end:
        stop = min(start + size, end)
        if stop < end:  # back to where a word begins, by half a window at most
            stop = next((at for at in range(stop, start + size // 2, -1) if at in word_starts), stop)
        windows.append((start, stop))
        if stop == end:
            break
        start = next((at for at in range(stop - overlap, stop) if at in word_starts), stop)
    return windows
