"""The names of places and the countries they belong to: names, adjectives, airports, ICAO prefixes. Pure.

`pycountry` has ISO 3166 in English and in other languages of Europe, `airportsdata` the airports; `gazetteer.csv` adds
what they lack. A name may mean several countries ("Benelux") or a part of one ("Scotland"). A city alone names none.
"""

import gettext
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, get_args

import airportsdata
import pycountry

from knowledge.text.phrases import read_phrase_lists
from knowledge.text.word_tables import read_rows

PlaceKind = Literal[
    "name", "part", "group", "adjective", "part adjective", "language", "part language", "no place"
]
WORDS: Final = read_phrase_lists(Path(__file__).with_name("words.yaml"))
EUROPE: Final = WORDS["europe"].words
KNOWN_COUNTRIES: Final = frozenset({country.alpha_2 for country in pycountry.countries} | {"XK"})
"""Those of ISO 3166, and Kosovo by the code that airport tables give it."""
ALPHA_3: Final = {country.alpha_3: country.alpha_2 for country in pycountry.countries} | {"XKX": "XK"}
_USUAL_NAMES: Final = {
    "CZ": "Czechia",
    "TR": "Turkey",
    "XK": "Kosovo",
    "US": "United States",
    "VA": "Vatican City",
}
# Languages in which pilots of Europe call their neighbors; and English words that are names there.
_LANGUAGES_OF_NAMES: Final = ("cs", "da", "de", "es", "fi", "fr", "hu", "it", "nb", "nl", "pl", "pt", "sv")
_ENGLISH_WORDS: Final = frozenset({"island", "man", "suede", "viro"})


def read_gazetteer() -> dict[str, tuple[tuple[str, ...], PlaceKind]]:
    """The countries and the kind of each name in `gazetteer.csv`. Raises ValueError for a faulty line."""
    found: dict[str, tuple[tuple[str, ...], PlaceKind]] = {}
    for row in read_rows(Path(__file__).with_name("gazetteer.csv")):
        countries = tuple(row["countries"].split())
        if row["kind"] not in get_args(PlaceKind) or not set(countries) <= KNOWN_COUNTRIES:
            raise ValueError(f"gazetteer.csv: {row['name']} has an unknown kind or country")
        kind: Any = row["kind"]
        found[row["name"]] = countries, kind
    return found


def fold_accents(text: str) -> str:
    """Lower case without accents, with the same number of characters, so that positions stay valid."""
    bare = ((letter, unicodedata.normalize("NFD", letter)[0].lower()) for letter in text)
    return "".join(plain if len(plain) == 1 else letter for letter, plain in bare)


def _names_of_library() -> Iterator[tuple[str, str]]:
    """ "Moldova, Republic of" is written as "Republic of Moldova", too."""
    for country in pycountry.countries:
        for kind in ("name", "common_name", "official_name"):
            name = fold_accents(getattr(country, kind, "")).replace("’", "'")
            first, comma, rest = name.partition(", ")
            spellings = (
                name,
                f"{rest} {first}" if comma else "",
                name[4:] if name.startswith("the ") else "",
            )
            yield from ((one, country.alpha_2) for one in spellings if one)


def _translated_names() -> Iterator[tuple[str, str]]:
    """What the countries of Europe are called in other languages: "Polen", "Duitsland", "Reino Unido"."""
    for language in _LANGUAGES_OF_NAMES:
        told = gettext.translation("iso3166-1", pycountry.LOCALES_DIR, languages=[language], fallback=True)
        for country in pycountry.countries:
            name = fold_accents(told.gettext(getattr(country, "common_name", country.name)))
            if country.alpha_2 in EUROPE and name not in _ENGLISH_WORDS and "(" not in name:
                yield name, country.alpha_2


_GAZETTEER: Final = read_gazetteer()


def _of_kinds(*kinds: PlaceKind) -> dict[str, tuple[str, ...]]:
    return {name: countries for name, (countries, kind) in _GAZETTEER.items() if kind in kinds}


USUAL_NAMES: Final = {name: (code,) for name, code in _names_of_library()} | _of_kinds(
    "name", "part", "group"
)
PLACES: Final = {name: (code,) for name, code in _translated_names()} | USUAL_NAMES
ADJECTIVES: Final = _of_kinds("adjective", "part adjective", "language", "part language")
LANGUAGES: Final = frozenset(_of_kinds("language", "part language"))
PARTS: Final = frozenset(_of_kinds("part", "part adjective", "part language"))
NO_PLACES: Final = frozenset(_of_kinds("no place"))


def name_of(code: str) -> str:
    """The name of a country for an answer; the code itself if there is no such country."""
    found: Any = pycountry.countries.get(alpha_2=code)
    if code in _USUAL_NAMES or found is None:
        return _USUAL_NAMES.get(code, code)
    name: str = getattr(found, "common_name", None) or found.name
    return re.sub(r",.*", "", name)


@cache
def _countries_of_airports() -> dict[str, str]:
    rows = airportsdata.load("ICAO")
    return {code: row["country"] for code, row in rows.items() if len(code) == 4 and code.isalpha()}


@cache
def _countries_of_prefixes() -> dict[str, str]:
    used: dict[str, Counter[str]] = defaultdict(Counter)
    for code, country in _countries_of_airports().items():
        used[code[:2]][country] += 1
    return {prefix: countries.most_common(1)[0][0] for prefix, countries in used.items()}


def country_of_airport(code: str) -> str:
    """The country of an ICAO location indicator by its own row (EGJB is Guernsey); "" if the table has none."""
    return _countries_of_airports().get(code.upper(), "")


def country_of_prefix(prefix: str) -> str:
    """The country of most indicators with these two letters; "" if none uses them."""
    return _countries_of_prefixes().get(prefix.upper(), "")
