"""Find the places that a text names, each with its position. Pure.

Names come first, then adjectives, airports, ICAO prefixes, and country codes. A word with the letters of a code counts
only if it is meant as one: "is IT required" and "LIST" are words, "rules in IT" and "FR, IT and CH" name countries.
"""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Final, Literal

from knowledge.text.text_cache import cached_by_text
from rules.countries.codes import (
    AMBIGUOUS_3,
    CODES,
    GAP_LONGEST,
    SIGNS,
    SLASHES,
    TWO_LETTER_WORDS,
    USUAL_WORDS,
    are_ratings,
    find_rows,
    is_word,
    separator_of,
)
from rules.countries.gazetteer import (
    ADJECTIVES,
    EUROPE,
    LANGUAGES,
    NO_PLACES,
    PARTS,
    PLACES,
    USUAL_NAMES,
    WORDS,
    country_of_airport,
    country_of_prefix,
    fold_accents,
)

Kind = Literal["name", "adjective", "airport", "prefix", "code"]

_LIKENESS: Final = 0.85  # of a misspelled name (difflib): two letters changed places in seven
_LEAST_LETTERS: Final = 6  # of a word that may be a misspelled name; shorter ones are near too many words


@dataclass(frozen=True, slots=True)
class Mention:
    """A place in a text. `countries` has one code except for names of several ("Benelux"); `of_part` marks a
    name of a part of a country."""

    countries: tuple[str, ...]
    start: int
    end: int
    kind: Kind
    of_part: bool = False

    @property
    def is_part(self) -> bool:
        """Whether only a part of a country is named: "Corsica", "LFMD"."""
        return self.of_part or self.kind == "airport"


@cached_by_text
def mentions_in(text: str) -> tuple[Mention, ...]:
    """Every place that the text names, in order; a place that is named twice occurs twice."""
    return _PlaceFinder(text).find_all()


def shape_of(text: str, place: str = "@", airport: str = "@@") -> str:
    """The text in lower case, with `place` or `airport` for each place that it names."""
    parts, end = [], 0
    for mention in mentions_in(text):
        parts += [text[end : mention.start], airport if mention.kind == "airport" else place]
        end = mention.end
    return " ".join(("".join(parts) + text[end:]).lower().split())


_ADDRESS: Final = re.compile(
    r"\b(?:https?://|www\.)\S+|(?<![^\s@])[^\s@]+@[^\s@]+\.\w+|(?<![\w-])[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|eu|be|de|fr|uk|it|ch)\b"
)
_MASKED_PREFIX: Final = re.compile(  # EDxx, LF**, EG..
    r"(?<![A-Za-z0-9])([A-Za-z]{2})(?:[A-Z](?:x|\*)|\*{1,2}|xx|XX|\?\?|_{1,2}|\.{2,3}|…|-{1,2}(?![A-Za-z0-9]))(?![A-Za-z])"
)
# A message of a code alone ("IT?"), or one that begins with it ("BE: is PPR needed?").
_STANDS_ALONE: Final = re.compile(
    r"^\W*(?:(?:and|also|plus|now|ok)\W+)?@\s*(?:too|as well|then|only|please)?\W*$"
    r"|^\W*@\s*:|^\W*@,? (?:but )?not\b",
    re.IGNORECASE,
)
_LISTED: Final = SIGNS | {"", ">", ";", "|", "-", " - ", "→", "to", "with", "und", "et", ", to", ", with"}
_STRICTLY_LISTED: Final = frozenset("/,&+|-→") | {" - ", "and", "vs", "vs.", "versus", ", and"}


@cache
def _pattern_of_names(kind: Literal["places", "no places", "adjectives"]) -> re.Pattern[str]:
    """Any of the names, the longest first. A blank may be several, or a hyphen; "and" may be "&"."""
    names: Collection[str] = {"places": PLACES, "no places": NO_PLACES, "adjectives": ADJECTIVES}[kind]
    words = [[re.escape(word) for word in name.split(" ")] for name in sorted(names, key=len, reverse=True)]
    whole = "|".join(
        r"[\s-]+".join("(?:and|&)" if one in ("and", r"\&") else one for one in some) for some in words
    )
    return re.compile(rf"(?<![\w@])({whole})(?:['’]s)?(?!\w)")


def _plain_name(name: str) -> str:
    return " ".join(name.replace("-", " ").replace("&", "and").split())


_SPELLINGS: Final = {_plain_name(name): name for name in reversed(PLACES)}


@cache
def _countries_of_misspelled(word: str) -> tuple[str, ...]:
    """Of a word that is nearly a European name: "Germnay"."""
    if word in WORDS["not misspelled"]:
        return ()
    names = [
        name
        for name, countries in USUAL_NAMES.items()
        if len(name) >= _LEAST_LETTERS and name[0] == word[0] and EUROPE.issuperset(countries)
    ]
    if near := get_close_matches(word, names, n=1, cutoff=_LIKENESS):
        return USUAL_NAMES[near[0]]
    swapped = (word[:n] + word[n + 1] + word[n] + word[n + 2 :] for n in range(len(word) - 1))
    found = (USUAL_NAMES.get(name, ()) for name in swapped)
    return next((countries for countries in found if countries and EUROPE.issuperset(countries)), ())


def _words_before(text: str) -> list[str]:
    """The words before a place, small, the nearest first; none where a sign stands between."""
    bare = text.rstrip(" \t\r\n:(\"'")
    if bare.lower().endswith("vs."):
        bare = bare[:-1]
    if bare == text or not bare[-1:].isalnum():
        return []
    return re.findall(r"\w+", bare[-80:].lower())[::-1]


def _first_word(text: str) -> str:
    found = re.match(r"[\"'”’)*\s-]*(\w+)", text)
    return found[1].lower() if found else ""


def _ends_phrase(after: str, signs: str = "?.!,;:)\"'") -> bool:
    rest = after.lstrip()
    return not rest or rest[0] in signs


@dataclass(frozen=True, slots=True)
class _Token:
    """Letters that may be a code or an airport, with the text around them."""

    letters: str
    start: int
    end: int
    before: str
    after: str

    @property
    def code(self) -> str:
        return self.letters.upper()

    @property
    def masked(self) -> str:
        return f"{self.before}@{self.after}"

    def stands_in(self, words: str, skip: str = "") -> bool:
        """Whether the last word before it, or the one before `skip`, is in the list of this name."""
        last = _words_before(self.before)
        last = last[1:] if skip and last[:1] == [skip] else last
        return bool(last) and last[0] in WORDS[words]


class _PlaceFinder:
    """Keeps what was found, and which parts of the text are taken by it."""

    def __init__(self, text: str) -> None:
        self.text = _ADDRESS.sub(lambda found: " " * len(found[0]), text)
        self.small = fold_accents(self.text)
        self.shouted = not any(letter.islower() for letter in self.text)
        self.found: list[Mention] = []
        self.taken: list[tuple[int, int]] = []

    def find_all(self) -> tuple[Mention, ...]:
        self.taken += [found.span() for found in _pattern_of_names("no places").finditer(self.small)]
        steps: tuple[Callable[[], Iterator[Mention]], ...] = (
            self._find_names,
            self._find_adjectives,
            self._find_masked_prefixes,
            self._find_airports,
            self._find_sure_codes,
            self._find_rows,
            self._find_doubtful_codes,
            self._find_doubtful_codes,  # one that was found vouches for its neighbors
            self._find_misspelled_names,
        )
        for step in steps:
            for mention in step():
                if not self._is_taken(mention.start, mention.end):
                    self.found.append(mention)
                    self.taken.append((mention.start, mention.end))
        return tuple(sorted(self.found, key=lambda one: one.start))

    def _is_taken(self, start: int, end: int) -> bool:
        return any(start < stop and begin < end for begin, stop in self.taken)

    def _tokens(self, *lengths: int) -> Iterator[_Token]:
        for found in re.finditer(r"(?<![A-Za-z0-9])[A-Za-z]{2,4}(?![A-Za-z0-9])", self.text):
            letters, (start, end) = found[0], found.span()
            before, after = self.text[:start], self.text[end:]
            if len(letters) not in lengths:
                continue
            if len(letters) < 4 and (before[-1:] in ("'", "’") or after[:1] in ("'", "’")):
                continue
            registered = re.match(r"-(?:\d|reg|[A-Z]{3,4}(?![A-Za-z]))", after)  # EI-ABC, PH-registered, AT-3
            if len(letters) == 2 and (before[-1:] == "." or registered):
                continue
            if len(letters) == 4 and re.search(r"\s[A-Z]-$", before):  # the end of " D-EABC"
                continue
            yield _Token(letters, start, end, before, after)

    # --- names and adjectives -----------------------------------------------------------------------------------

    def _find_names(self) -> Iterator[Mention]:
        for found in _pattern_of_names("places").finditer(self.small):
            before = self.small[: found.start()]
            lower = self.text[found.start()].islower()
            thing = lower and found[1] in WORDS["things"] and WORDS["before a thing"].ends(before)
            radio = found[1] == "india" and WORDS["before a radio letter"].ends(before)
            if thing or radio:  # "a jersey", "some turkey"; "taxiway India"
                self.taken.append(found.span())
            else:
                name = found[1] if found[1] in PLACES else _SPELLINGS[_plain_name(found[1])]
                yield Mention(PLACES[name], *found.span(), "name", name in PARTS)

    def _find_adjectives(self) -> Iterator[Mention]:
        for found in _pattern_of_names("adjectives").finditer(self.small):
            if self._is_language(found[1], *found.span()):
                self.taken.append(found.span())
            else:
                yield Mention(ADJECTIVES[found[1]], *found.span(), "adjective", found[1] in PARTS)

    def _is_language(self, word: str, start: int, end: int) -> bool:
        if word not in LANGUAGES:
            return False
        before, after = self.small[:start], self.small[end:]
        if re.search(r"\bthe\s+$", before) and _first_word(after) != "language":
            return False
        beside = re.match(r"\s*(?:or|and|/|,)\s*([a-z]+)", after)
        if beside and beside[1] in LANGUAGES:
            return self._is_language(beside[1], end + beside.start(1), end + beside.end(1))
        if before.strip() in ("and", "or", "also", "plus") and not after.strip(" ?.!,"):
            return False
        spoken = WORDS["speaking"].ends(before) or WORDS["speaking some"].ends(before)
        if spoken or WORDS["after a language"].begins(after):
            return True
        if _belongs_to_country(after):
            return False
        if word in ("english", "polish"):
            return True
        if _ends_phrase(after) or WORDS["not a thing"].begins(after):
            return WORDS["before a language"].ends(before) or WORDS["spoken of"].is_in(self.small)
        return False

    def _find_misspelled_names(self) -> Iterator[Mention]:
        for found in re.finditer(rf"[a-z]{{{_LEAST_LETTERS},}}", self.small):
            countries = () if self._is_taken(*found.span()) else _countries_of_misspelled(found[0])
            if countries:
                yield Mention(countries, *found.span(), "name")

    # --- airports and prefixes ----------------------------------------------------------------------------------

    def _find_masked_prefixes(self) -> Iterator[Mention]:
        for found in _MASKED_PREFIX.finditer(self.text):
            country = country_of_prefix(found[1])
            dashed = found[0].endswith("-") and found[1].islower()
            trails_off = found[0].endswith(("...", "…")) and found[1] in CODES
            if country and not trails_off and not dashed:
                yield Mention((country,), *found.span(), "prefix")

    def _find_airports(self) -> Iterator[Mention]:
        for token in self._tokens(4):
            letters = token.letters
            cased = letters.isupper() or letters.islower() or letters.istitle()
            if token.code in WORDS["no airports"] or not cased:
                continue
            placed = token.stands_in("before an airport")
            country = country_of_airport(letters)
            if not country:
                country = country_of_prefix(letters[:2])
                meant = letters.isupper() and placed and country in EUROPE
            elif letters.lower() in WORDS["airport words"]:
                meant = letters.isupper() and not self.shouted and placed
            else:
                meant = letters.isupper() or not token.stands_in("articles")
            if meant:
                yield Mention((country,), token.start, token.end, "airport")

    def _is_prefix(self, token: _Token, country: str) -> bool:
        """Whether two letters stand for the ICAO prefix of a country, and not for a country's code or a word."""
        letters, word = token.letters, token.code in USUAL_WORDS
        if not country or not (letters.isupper() or letters.islower()):
            return False
        named = _follows_prefix_word(token.before) or _first_word(token.after) in WORDS["after a prefix"]
        usable = country in EUROPE and token.code not in WORDS["no prefixes"]
        fields = usable and _first_word(token.after) in WORDS["fields"]
        among = re.search(
            r"\b[A-Z]{2}(?:,| and| or| to|/|-)\s?@|@(?:,| and| or| to|/|-)\s?[A-Z]{2}\b", token.masked
        )
        placed = named or fields or among or token.stands_in("in a place", "the")
        if token.code in WORDS["doubtful prefixes"] and not placed:
            return False
        capital = letters.isupper() and not self.shouted
        if letters == "EG" and capital and usable and among:
            return True
        unlike_iso = CODES.get(letters) not in EUROPE
        free = usable and not word and unlike_iso
        alone = letters.isupper() and (capital or _STANDS_ALONE.match(token.masked))
        if named and not (word and letters.islower()):
            return True
        return bool((free and (alone or fields)) or (fields and capital))

    # --- codes --------------------------------------------------------------------------------------------------

    def _find_sure_codes(self) -> Iterator[Mention]:
        """Codes in capitals that are no words, and prefixes."""
        for token in self._tokens(2):
            prefix = country_of_prefix(token.letters)
            if self._is_prefix(token, prefix):
                yield Mention((prefix,), token.start, token.end, "prefix")
                continue
            if token.letters == "US":
                free = not self.shouted
            else:
                free = CODES.get(token.letters) in EUROPE and token.letters not in TWO_LETTER_WORDS
            if token.code == "UK" or (free and not _follows_number(token)):
                yield Mention((CODES[token.code],), token.start, token.end, "code")
        for token in self._tokens(3):
            sure = token.code not in AMBIGUOUS_3 and CODES.get(token.code) in EUROPE | {"US", "AE"}
            if sure and (token.letters.isupper() or token.letters.islower()) and not _follows_number(token):
                yield Mention((CODES[token.code],), token.start, token.end, "code")

    def _find_rows(self) -> Iterator[Mention]:
        for row in find_rows(self.text):
            for found in row:
                yield Mention((CODES[found[0].upper()],), *found.span(), "code")

    def _find_doubtful_codes(self) -> Iterator[Mention]:
        """Codes that are words, or are not written as codes are, where a country could stand."""
        for token in (*self._tokens(3), *self._tokens(2)):
            if token.code in CODES and not _follows_number(token) and self._is_meant(token):
                yield Mention((CODES[token.code],), token.start, token.end, "code")

    def _is_meant(self, token: _Token) -> bool:
        code, letters, after = token.code, token.letters, token.after
        maker = code in ("AT", "BE") and re.match(r"\s\d{2}\b", after)  # "BE 36"
        if code in WORDS["flying"] or maker:
            return False
        within = _words_before(token.before)[:1] in (["in"], ["into"], ["inside"], ["within"])
        if code in ("BE", "NO", "IS") and within and _ends_phrase(after):
            return True
        if letters.isupper() and _STANDS_ALONE.match(token.masked):
            return True
        if letters.isupper() and not self.shouted:
            return self._is_meant_in_capitals(token)
        if not (letters.islower() or self.shouted):
            return False
        if code in USUAL_WORDS or code in WORDS["small words"]:
            return self._has_neighbor(token, SLASHES | {"-"})
        if len(code) == 2 and CODES[code] not in EUROPE:
            return False
        firmly = token.stands_in("in a place", "the") or token.stands_in("firmly before") or _is_asked(token)
        ends = _ends_phrase(after, "?.!,;:)/&+-") or _first_word(after) in WORDS["ends a phrase"]
        listed = _STRICTLY_LISTED if is_word(code) else _LISTED
        return (firmly and ends) or _is_paired(code, after) or self._has_neighbor(token, listed)

    def _is_meant_in_capitals(self, token: _Token) -> bool:
        code, after = token.code, token.after
        first = _first_word(after)
        if first in ("airport", "airports", "airfield", "airfields") and code not in USUAL_WORDS:
            return _follows_preposition(token)
        if code not in WORDS["joining words"]:
            ruled = code != "NO" and after[:1].isspace() and WORDS["after a code"].begins(after)
            listed = _STRICTLY_LISTED if is_word(code) else _LISTED
            if ruled or _is_paired(code, after, capital=True) or self._has_neighbor(token, listed):
                return True
        if code in AMBIGUOUS_3 and CODES[code] not in EUROPE:
            return False
        placed = (
            token.stands_in("in a place", "the") or _is_asked(token)
            if code in USUAL_WORDS
            else _follows_preposition(token)
        )
        if not placed:
            return self._is_destination(token)
        doubtful = code in TWO_LETTER_WORDS or code in AMBIGUOUS_3
        ends = _ends_phrase(after, "?.!,;:)/&+-") or first in WORDS["ends a phrase"]
        if doubtful and not token.stands_in("within a place", "the") and not ends:
            return False
        return not (code == "NO" and first in WORDS["nouns after no"])

    def _is_destination(self, token: _Token) -> bool:
        """ "From FR to IT"; "needs to BE filed" is none."""
        if _words_before(token.before)[:1] != ["to"]:
            return False
        if token.code not in WORDS["verbs"] and _ends_phrase(token.after, "?.!,;:"):
            return True
        starts = (one.start for one in self.found if one.end <= token.start)
        return any(_words_before(self.text[:start])[:1] in (["from"], ["between"]) for start in starts)

    def _has_neighbor(self, token: _Token, separators: Collection[str]) -> bool:
        """Whether a place stands beside it in a list. A name follows no code without a sign: "Île de France"."""
        for one in self.found:
            start, end = (one.end, token.start) if one.start < token.start else (token.end, one.start)
            if end - start > GAP_LONGEST:
                continue
            separator = separator_of(self.text[start:end])
            apart = one.kind in ("code", "prefix", "airport") or separator
            if start <= end and apart and separator in separators:
                return True
        return False


def _belongs_to_country(after: str) -> bool:
    """Whether one of the next three words is something that a country has: "French (grass) airfields"."""
    found = re.match(r"[\s-]+(\w+)(?:\s+(\w+))?(?:\s+(\w+))?", after)
    for word in found.groups() if found else ():
        if word in WORDS["belongings"]:
            return True
        if not word or word in WORDS["no belongings"]:
            return False
    return False


def _follows_prefix_word(before: str) -> bool:
    """ "ICAO codes starting with ED"."""
    for word in _words_before(before.rstrip("“‘")):
        if word in WORDS["prefix words"]:
            return True
        if word not in WORDS["within prefix words"]:
            return False
    return False


def _follows_number(token: _Token) -> bool:
    return token.before.rstrip()[-1:].isdigit()


def _follows_preposition(token: _Token) -> bool:
    start = token.before.strip(" \t\r\n:(\"'").lower() in WORDS["at the start"]
    return token.stands_in("before a place") or start


def _is_asked(token: _Token) -> bool:
    """ "What about IT"."""
    last = _words_before(token.before)
    last = last[1:] if last[:1] == ["the"] else last
    return last[:1] == ["about"] and last[1:2] in (["what"], ["how"])


def _is_paired(first: str, after: str, *, capital: bool = False) -> bool:
    """ "gb vs fr": another code follows that is no word. In capitals it may be one: "IT and AT"."""
    found = re.match(r"\s*(?:vs\.?|versus|/|&|\+|,|and|to|-|or)\s*([A-Za-z]{2,3})(?![A-Za-z0-9'’])", after)
    code = found[1].upper() if found else ""
    if not found or CODES.get(code) not in EUROPE or are_ratings(first, code):
        return False
    if capital:
        return found[1].isupper() and code not in WORDS["joining words"]
    return not is_word(code) and code not in WORDS["small words"]
