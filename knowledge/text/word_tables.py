"""Word tables: CSV and YAML files in which wordings are kept as data, and how they are read.

A phrase table lists the phrases of each meaning, and `word_lists.csv` the words of each list. This module knows the
formats, and no word.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

_FOLDER = Path(__file__).parent
Loader: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The YAML loader that is written in C, where there is one: it takes a tenth of the time."""


def read_yaml(path: Path) -> Any:
    return yaml.load(path.read_text("utf-8"), Loader)


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file, by column."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def read_phrases(path: Path, *, ignore_case: bool = False) -> Mapping[str, re.Pattern[str]]:
    """By meaning, a pattern that finds any of its phrases; in lower case only, unless `ignore_case`.

    A phrase is a piece of a regular expression in which no group captures. It begins and ends at the edge of a word,
    except where it begins or ends with "…". Raises `re.error` for a phrase that is no pattern.
    """
    phrases: dict[str, list[str]] = {}
    for row in read_rows(path):
        phrase = row["phrase"]
        first = "" if phrase.startswith("…") else r"\b"
        last = "" if phrase.endswith("…") else r"\b"
        words = re.sub(r"(?<!\\)\((?!\?)", "(?:", phrase.strip("…"))
        phrases.setdefault(row["meaning"], []).append(f"{first}(?:{words}){last}")
    flags = re.IGNORECASE if ignore_case else re.NOFLAG
    return {meaning: re.compile("|".join(listed), flags) for meaning, listed in phrases.items()}


@cache
def word_lists() -> Mapping[str, frozenset[str]]:
    """The lists of `word_lists.csv` by name."""
    lists: dict[str, frozenset[str]] = {}
    for row in read_rows(_FOLDER / "word_lists.csv"):
        lists[row["list"]] = lists.get(row["list"], frozenset()) | frozenset(row["words"].split())
    return lists
