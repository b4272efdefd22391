"""Lists of words and phrases in a YAML file, matched as whole words in any case. It knows the notation, and no word.

A list that is one text holds the words of the text. In a phrase of any other list:

    taxi~  ~ing   any ending, any beginning      route(s)      letters that may be missing
    the|a         one of these                   (the)  (a|an) a word that may be missing
    no_longer     two words in place of one      <field>       any phrase of the list "field" of the same file
    *  *3         any word, up to three words    **  **3       the same, also with brackets or slashes
    *3!<field>    up to three words, none of     !to|from      none of these follows
                  which is such a phrase         [D]           a letter that only a capital matches
    #             a number                       what!         first: not after any of these
    ^  $          beginning and end of the text  …             any words up to a period or semicolon; where a phrase
                                                               begins or ends with it: any word that goes on there
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import Final

from pydantic import TypeAdapter

from knowledge.text.word_tables import read_yaml

_LISTS: Final = TypeAdapter(dict[str, str | list[str]])
_NO_LISTS: Final[Mapping[str, PhraseSet]] = MappingProxyType({})
_ANY_WORD: Final = r"[-\w'@]+"
_ANY_WORD_OR_SIGN: Final = r"[-\w'@()/]+"
_ANY_WORDS: Final = r"\b[^.;]*\b"
_END_REACH: Final = 400  # characters before the end of a text in which a phrase at its end may begin
_PLACES: Final = {"^": r"\A", "$": r"\W*\Z"}
_SIGNS: Final = (
    (r"\\~", r"\\w*"),
    (r"_", r"\\s+"),
    (r"\\#", r"\\d+"),
    (r"'", "['’]"),
    (r"\\\[([A-Z])\\\]", r"(?-i:\1)"),
    (r"\\\((\w+)\\\)", r"(?:\1)?"),
)
"""What a sign of a word means, both as patterns; the word is escaped before."""


class PhraseSet:
    """Phrases, of which the longest counts where several begin at one place. `edge` are the characters that make a
    word longer, and `lists` are those that "<name>" may mean."""

    def __init__(
        self, phrases: Iterable[str], edge: str = r"\w", lists: Mapping[str, PhraseSet] = _NO_LISTS
    ) -> None:
        self.words = frozenset(phrases)
        self._edge, self._lists = edge, lists

    def __contains__(self, word: str) -> bool:
        """Whether one of the phrases is written exactly so."""
        return word in self.words

    def find(self, text: str) -> re.Match[str] | None:
        """The first phrase in the text."""
        return self._anywhere.search(text)

    def find_all(self, text: str) -> Iterator[re.Match[str]]:
        return self._anywhere.finditer(text)

    def find_start(self, text: str) -> re.Match[str] | None:
        """The phrase that the text begins with, after blanks and hyphens."""
        return self._anywhere.match(text, len(text) - len(text.lstrip(" \t\n-")))

    def find_end(self, text: str) -> re.Match[str] | None:
        """The phrase that the text ends with, before blanks."""
        return self._at_end.search(text, max(0, len(text) - _END_REACH))

    def is_in(self, text: str) -> bool:
        return self.find(text) is not None

    def begins(self, text: str) -> bool:
        return self.find_start(text) is not None

    def ends(self, text: str) -> bool:
        return self.find_end(text) is not None

    def is_all_of(self, text: str) -> bool:
        """Whether the text is one phrase and nothing else."""
        return self._anywhere.fullmatch(text) is not None

    def remove(self, text: str) -> str:
        """The text with a blank in the place of each phrase."""
        return self._anywhere.sub(" ", text)

    @cached_property
    def _anywhere(self) -> re.Pattern[str]:
        return self._compile()

    @cached_property
    def _at_end(self) -> re.Pattern[str]:
        return self._compile(r"\s*\Z")

    def _compile(self, then: str = "") -> re.Pattern[str]:
        return re.compile(f"(?:{self._pattern_of_any()}){then}", re.IGNORECASE)

    def _pattern_of_any(self) -> str:
        """The longest first; of two that are as long, the first by the alphabet. Phrases with the same edges share
        them, which is much faster than edges of their own."""
        longest_first = sorted(self.words, key=lambda phrase: (-len(phrase), phrase))
        patterns = []
        for (open_first, open_last), phrases in groupby(
            longest_first, lambda phrase: (phrase.startswith("…"), phrase.endswith("…"))
        ):
            first = "" if open_first else rf"(?<![{self._edge}])"
            last = "" if open_last else rf"(?![{self._edge}])"
            patterns.append(f"{first}(?:{'|'.join(map(self._pattern_of_phrase, phrases))}){last}")
        return "|".join(patterns)

    def _pattern_of_phrase(self, phrase: str) -> str:
        pattern, gap = "", ""  # `gap` is what stands between the words so far and the next one
        for slot in phrase.strip("…").split():
            if slot == "…":
                gap = _ANY_WORDS
            elif slot in _PLACES:
                pattern += _PLACES[slot]
            elif slot.endswith("!"):
                pattern += "".join(rf"(?<!{re.escape(word)}\s)" for word in slot[:-1].split("|"))
            elif slot.startswith("!"):
                pattern += rf"(?!{gap}{self._pattern_of_words(slot[1:])}(?![{self._edge}]))"
            elif times := re.fullmatch(r"\(([^()]+)\)|\*(\d)(?:!(.+))?|\*\*(\d)", slot):
                excluded = f"(?!{self._pattern_of_words(times[3])}(?!\\w))" if times[3] else ""
                word = self._pattern_of_words(times[1]) if times[1] else excluded + _ANY_WORD
                word = _ANY_WORD_OR_SIGN if times[4] else word
                most = times[2] or times[4]
                count = rf"{{0,{most}}}?" if most else "?"
                pattern += f"(?:{gap}{word}){count}" if gap else rf"(?:{word}\s+){count}"
            else:
                pattern += gap + self._pattern_of_words(slot)
                gap = r"\s+"
        return pattern

    def _pattern_of_words(self, words: str) -> str:
        return f"(?:{'|'.join(map(self._pattern_of_word, words.split('|')))})"

    def _pattern_of_word(self, word: str) -> str:
        if word in ("*", "**"):
            return _ANY_WORD if word == "*" else r"[\w()/-]+"
        if word.startswith("<"):
            return self._lists[word.strip("<>").replace("_", " ")]._pattern_of_any()
        pattern = re.escape(word)
        for sign, meant in _SIGNS:
            pattern = re.sub(sign, meant, pattern)
        return pattern


@cache
def read_phrase_lists(path: Path) -> Mapping[str, PhraseSet]:
    """The lists of a YAML file by name. Raises pydantic's ValidationError."""
    written = _LISTS.validate_python(read_yaml(path), strict=True)
    lists: dict[str, PhraseSet] = {}
    for name, phrases in written.items():
        lists[name] = PhraseSet(phrases.split() if isinstance(phrases, str) else phrases, lists=lists)
    return lists
