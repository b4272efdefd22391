"""Words and phrases as data: lists of a YAML file, matched as whole words. Pure.

A text in YAML is a list of words, a list holds phrases. In a phrase "~" ends a word that may go on ("taxi~"),
"(the)" may be left out, "a|b" are alternatives, "a_b" is two words, "*" is any one word, "**" also one with brackets or
slashes, and "[D]" is a letter that only a capital matches.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from importlib.resources import files

import yaml
from pydantic import TypeAdapter

_LISTS = TypeAdapter(dict[str, str | list[str]])


class PhraseSet:
    """Phrases that are matched in any case, the longest first. `edge` are the characters that make a word longer."""

    def __init__(self, phrases: Iterable[str], edge: str = r"\w") -> None:
        self.words = frozenset(phrases)
        self._edge = edge

    def __contains__(self, word: str) -> bool:
        return word in self.words

    @cached_property
    def source(self) -> str:
        """A pattern of any of them, to be used within another one."""
        longest_first = sorted(self.words, key=lambda phrase: (-len(phrase), phrase))
        whole = "|".join(map(_pattern_of_phrase, longest_first))
        return rf"(?<![{self._edge}])(?:{whole})(?![{self._edge}])"

    @cached_property
    def _anywhere(self) -> re.Pattern[str]:
        return re.compile(self.source, re.IGNORECASE)

    @cached_property
    def _at_end(self) -> re.Pattern[str]:
        return re.compile(rf"{self.source}\s*\Z", re.IGNORECASE)

    def find(self, text: str) -> re.Match[str] | None:
        """The first phrase in the text."""
        return self._anywhere.search(text)

    def is_in(self, text: str) -> bool:
        return self._anywhere.search(text) is not None

    def begins(self, text: str) -> bool:
        """Whether the text begins with a phrase, after blanks and hyphens."""
        return self._anywhere.match(text, len(text) - len(text.lstrip(" \t\n-"))) is not None

    def is_all_of(self, text: str) -> bool:
        """Whether the text is one phrase and nothing else."""
        return self._anywhere.fullmatch(text) is not None

    def remove(self, text: str) -> str:
        return self._anywhere.sub(" ", text)

    def find_end(self, text: str) -> re.Match[str] | None:
        """The phrase that the text ends with, before blanks."""
        return self._at_end.search(text)

    def ends(self, text: str) -> bool:
        return self._at_end.search(text) is not None


def _pattern_of_phrase(phrase: str) -> str:
    pattern, between = "", ""
    for word in phrase.split():
        body = "|".join(map(_pattern_of_word, word.strip("()").split("|")))
        if not word.startswith("("):
            pattern += rf"{between}(?:{body})"
            between = r"\s+"
        elif between:
            pattern += rf"(?:\s+(?:{body}))?"
        else:
            pattern += rf"(?:(?:{body})\s+)?"
    return pattern


def _pattern_of_word(word: str) -> str:
    if word in ("*", "**"):
        return r"[-\w']+" if word == "*" else r"[\w()/-]+"
    pattern = re.escape(word).replace(r"\~", r"\w*").replace("_", r"\s+")
    pattern = pattern.replace("'", "['’]")
    return re.sub(r"\\\[([A-Z])\\\]", r"(?-i:\1)", pattern)


def read_phrases(package: str, file: str) -> Mapping[str, PhraseSet]:
    """The lists of a YAML file that lies in a package, by name. Raises pydantic's ValidationError."""
    lists = _LISTS.validate_python(
        yaml.safe_load(files(package).joinpath(file).read_text("utf-8")), strict=True
    )
    return {name: PhraseSet(some.split() if isinstance(some, str) else some) for name, some in lists.items()}
