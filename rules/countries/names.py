"""What countries are called: officially, every day, and in their own language. Pure.

Names and codes come from `pycountry` (ISO 3166), in English and in languages of Europe; what it lacks stands here. A
name may stand for several countries ("Benelux") or for a part of one ("Scotland").
"""

import gettext
import re
import unicodedata
from collections.abc import Iterator
from typing import Any, Final

import pycountry

KOSOVO: Final = "XK"  # no code of ISO 3166, but the one that everybody uses, airport tables included


def _words(lines: str) -> frozenset[str]:
    return frozenset(lines.split())


EUROPE: Final = _words(
    """
    AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GE GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD
    ME MK MT NL NO PL PT RO RS SE SI SJ SK SM TR UA VA XK
    """
)

EVERYDAY: Final[dict[str, str]] = {
    "america": "US",
    "american": "US",
    "bosnia": "BA",
    "bosnia & herzegovina": "BA",
    "bosnia herzegovina": "BA",
    "brazil": "BR",
    "brunei": "BN",
    "burma": "MM",
    "cape verde": "CV",
    "congo": "CD",
    "czech republic": "CZ",
    "czech rep": "CZ",
    "czechia": "CZ",
    "czecho": "CZ",
    "dr congo": "CD",
    "east timor": "TL",
    "eire": "IE",
    "emirates": "AE",
    "faeroe islands": "FO",
    "faeroes": "FO",
    "faroe": "FO",
    "faroes": "FO",
    "faroer": "FO",
    "fyrom": "MK",
    "great britain": "GB",
    "britain": "GB",
    "u.k.": "GB",
    "u.k": "GB",
    "g.b.": "GB",
    "holland": "NL",
    "holy see": "VA",
    "north ireland": "GB",
    "the netherland": "NL",
    "iran": "IR",
    "iom": "IM",
    "isle of mann": "IM",
    "ivory coast": "CI",
    "korea": "KR",
    "kosovo": KOSOVO,
    "kosova": KOSOVO,
    "laos": "LA",
    "luxemburg": "LU",
    "macau": "MO",
    "macedonia": "MK",
    "moldavia": "MD",
    "moldova": "MD",
    "monte negro": "ME",
    "n ireland": "GB",
    "n. ireland": "GB",
    "north korea": "KP",
    "palestine": "PS",
    "republic of ireland": "IE",
    "irish republic": "IE",
    "southern ireland": "IE",
    "russia": "RU",
    "san marino": "SM",
    "slovak republic": "SK",
    "south korea": "KR",
    "swaziland": "SZ",
    "syria": "SY",
    "taiwan": "TW",
    "tanzania": "TZ",
    "the states": "US",
    "turkey": "TR",
    "turkiye": "TR",
    "u.s.": "US",
    "u.s": "US",
    "u.s.a.": "US",
    "u.s.a": "US",
    "vatican": "VA",
    "vatican city": "VA",
    "venezuela": "VE",
    "vietnam": "VN",
    "bolivia": "BO",
    "white russia": "BY",
}

OWN_LANGUAGE: Final[dict[str, str]] = {
    "belgie": "BE",
    "belgien": "BE",
    "belgique": "BE",
    "bulgariya": "BG",
    "ceska republika": "CZ",
    "cesko": "CZ",
    "danmark": "DK",
    "deutschland": "DE",
    "allemagne": "DE",
    "angleterre": "GB",
    "grande-bretagne": "GB",
    "royaume-uni": "GB",
    "eesti": "EE",
    "ellada": "GR",
    "hellas": "GR",
    "espana": "ES",
    "espagne": "ES",
    "spanien": "ES",
    "frankreich": "FR",
    "francia": "FR",
    "hrvatska": "HR",
    "croatie": "HR",
    "kroatien": "HR",
    "italia": "IT",
    "italie": "IT",
    "italien": "IT",
    "latvija": "LV",
    "lietuva": "LT",
    "letzebuerg": "LU",
    "magyarorszag": "HU",
    "hongrie": "HU",
    "ungarn": "HU",
    "nederland": "NL",
    "niederlande": "NL",
    "norge": "NO",
    "norwegen": "NO",
    "osterreich": "AT",
    "autriche": "AT",
    "oesterreich": "AT",
    "polska": "PL",
    "pologne": "PL",
    "romania": "RO",
    "schweden": "SE",
    "schweiz": "CH",
    "suisse": "CH",
    "svizzera": "CH",
    "shqiperia": "AL",
    "slovenija": "SI",
    "slovensko": "SK",
    "srbija": "RS",
    "suomi": "FI",
    "sverige": "SE",
    "griechenland": "GR",
    "irland": "IE",
    "ukraina": "UA",
    "crna gora": "ME",
}

# Parts that are asked about by their own name. England, Scotland, Wales and Northern Ireland have one set of rules.
PARTS: Final[dict[str, str]] = {
    "england": "GB",
    "scotland": "GB",
    "wales": "GB",
    "northern ireland": "GB",
    "ulster": "GB",
    "alderney": "GG",
    "sark": "GG",
    "azores": "PT",
    "madeira": "PT",
    "balearics": "ES",
    "balearic islands": "ES",
    "mallorca": "ES",
    "majorca": "ES",
    "menorca": "ES",
    "ibiza": "ES",
    "canary islands": "ES",
    "canaries": "ES",
    "catalonia": "ES",
    "andalusia": "ES",
    "bavaria": "DE",
    "corsica": "FR",
    "brittany": "FR",
    "normandy": "FR",
    "crete": "GR",
    "sicily": "IT",
    "sardinia": "IT",
    "tuscany": "IT",
    "northern cyprus": "CY",
    "crimea": "UA",
    "svalbard": "SJ",
    "spitsbergen": "SJ",
    "gozo": "MT",
    "aland": "AX",
    "flanders": "BE",
    "wallonia": "BE",
}

SEVERAL: Final[dict[str, tuple[str, ...]]] = {
    "baltic states": ("EE", "LV", "LT"),
    "baltic countries": ("EE", "LV", "LT"),
    "baltics": ("EE", "LV", "LT"),
    "benelux": ("BE", "NL", "LU"),
    "low countries": ("BE", "NL", "LU"),
    "channel island": ("GG", "JE"),
    "channel islands": ("GG", "JE"),
    "channel isles": ("GG", "JE"),
    "iberia": ("ES", "PT"),
    "iberian peninsula": ("ES", "PT"),
    "scandinavia": ("DK", "NO", "SE"),
    "scandinavian": ("DK", "NO", "SE"),
    "dach": ("DE", "AT", "CH"),
    "nordics": ("DK", "FI", "IS", "NO", "SE"),
    "nordic countries": ("DK", "FI", "IS", "NO", "SE"),
}

# What contains the name of a country and is none.
NO_PLACES: Final = frozenset(
    name.strip()
    for line in """
    british english | american english | swiss german | brazilian portuguese | canadian french | austro-hungarian
    aegean airlines | air france | air jordan | air malta | all greek to me | american airlines
    american express | austrian air | austrian airlines | baltic sea | bank of england | belgian waffle
    bone china | brazil nut | brazil nuts | british airways | brussels airlines | chinese whispers | cold turkey
    cuban 8 | cuban eight | cyprus airways | danish pastry | double dutch | dutch courage | dutch oven
    dutch roll | english breakfast | english channel | excuse my french | finnair | french bread | french fries
    french horn | french kiss | french leave | french press | french toast | french window | german bight
    german measles | german shepherd | go dutch | going dutch | greek alphabet | greek salad | greek to me
    guinea pig | guinea pigs | gulf of finland | gulf of mexico | icelandair | india pale ale | indian ocean
    indian summer | irish coffee | irish sea | irish stew | jersey barrier | jersey cow | jersey cows
    maltese cross | mexican wave | michael jordan | new caledonian | new england | new jersey | new mexico
    new south wales | norway spruce | norwegian air | norwegian sea | panama hat | pardon my french
    persian cat | polish off | prince of wales | radio france | roman numerals | russian roulette
    scotch whisky | spanish flu | swiss air | swiss army | swiss cheese | swiss knife | swiss roll | swiss watch
    turkey breast | turkey dinner | turkey sandwich | turkey shoot | turkey vulture | turkish airlines
    turkish delight
    """.splitlines()
    for name in line.split("|")
    if name.strip()
)


def folded(text: str) -> str:
    """Small letters without their accents; as many characters as before, so that places in the text stay."""
    return "".join(_plain(letter) for letter in text)


def _plain(letter: str) -> str:
    bare = unicodedata.normalize("NFD", letter)[0].lower()
    return bare if len(bare) == 1 else letter


def _of_library() -> Iterator[tuple[str, str]]:
    for country in pycountry.countries:
        for kind in ("name", "common_name", "official_name"):
            for name in _spellings(getattr(country, kind, "")):
                yield name, country.alpha_2


def _spellings(name: str) -> Iterator[str]:
    """ "Moldova, Republic of" is written as "Republic of Moldova", too; a name with "&" as one with "and"."""
    plain = folded(name).replace("’", "'")
    if not plain:
        return
    yield plain
    if ", " in plain:
        first, rest = plain.split(", ", 1)
        yield f"{rest} {first}"
    if plain.startswith("the "):
        yield plain[4:]


# Languages in whose words pilots of Europe call their neighbours; and words of English that are names there.
LANGUAGES_OF_NAMES: Final = ("cs", "da", "de", "es", "fi", "fr", "hu", "it", "nb", "nl", "pl", "pt", "sv")
ENGLISH_WORDS: Final = frozenset({"island", "man", "suede", "viro"})


def _translated() -> Iterator[tuple[str, str]]:
    """What the countries of Europe are called in other languages: "Polen", "Duitsland", "Reino Unido"."""
    for language in LANGUAGES_OF_NAMES:
        told = gettext.translation("iso3166-1", pycountry.LOCALES_DIR, languages=[language], fallback=True)
        for country in pycountry.countries:
            name = folded(told.gettext(getattr(country, "common_name", country.name)))
            if country.alpha_2 in EUROPE and name not in ENGLISH_WORDS and "(" not in name:
                yield name, country.alpha_2


def _several(names: dict[str, str]) -> dict[str, tuple[str, ...]]:
    return {name: (code,) for name, code in names.items()}


KNOWN_COUNTRIES: Final = frozenset({country.alpha_2 for country in pycountry.countries} | {KOSOVO})
ALPHA_3: Final[dict[str, str]] = {country.alpha_3: country.alpha_2 for country in pycountry.countries} | {
    "XKX": KOSOVO
}
USUAL_NAMES: Final[dict[str, tuple[str, ...]]] = {
    **_several(dict(_of_library())),
    **_several(OWN_LANGUAGE | EVERYDAY | PARTS),
    **SEVERAL,
}
PLACES: Final[dict[str, tuple[str, ...]]] = _several(dict(_translated())) | USUAL_NAMES
_SAID: Final = {
    "CZ": "Czechia",
    "TR": "Turkey",
    KOSOVO: "Kosovo",
    "US": "United States",
    "VA": "Vatican City",
}


def name_of(code: str) -> str:
    """How a country is called in an answer; the code itself where there is none."""
    if code in _SAID:
        return _SAID[code]
    found: Any = pycountry.countries.get(alpha_2=code)
    if found is None:
        return code
    said: str = getattr(found, "common_name", None) or found.name
    return re.sub(r",.*", "", said)
