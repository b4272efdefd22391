"""A location indicator of ICAO becomes the country it lies in. Pure: the table comes with `airportsdata`.

The airport's own row decides (EGJB is Guernsey, EKVG the Faroe Islands, LY* three countries); where there is none, the
state that its first two letters are mainly used for.
"""

from collections import Counter, defaultdict
from functools import cache
from typing import Final

import airportsdata


def _words(lines: str) -> frozenset[str]:
    return frozenset(lines.split())


# Written small, these are words; in capitals they are airports only where a place could stand ("at EDGE"). They are
# the table's codes that are English words or names, found by comparing it with a vocabulary.
WORDS: Final = _words(
    """
    kink spar yoke
    bike bind bite edge edgy edna face fact fade fake fall fang fans farm fast flat flea fled flee food fool
    foot hall hank hash heal hear heat html kahn kali kane kang kara kata katy keen kemp kerr kind kirk klan
    knew know kobe koch leap lena less lest leto levi lied lila lima limb lime limp lips load loan logo musa
    oaks omar pace pack pain parc paso past pawn paws rode rory same sami sane sant sato sava save says scan
    scar seam seas sept serb seth siam sick sign sima simi sing sink sinn sino sins sire situ skip slab slam
    slap slip slit snap snow span spat spin spit spur sumo sven swan swap swat sway swim unit vial visa wake
    walk wall walt wars watt wide wits yang yank yard yarn yell ying
    esta faff faut muss swum utan
    """
)

# Capitals of four letters that pilots use and that begin like an indicator.
NO_AIRPORTS: Final = _words(
    """
    BIGG BIRD BKNS EASA ECHO EDIT EFIS EHSI ELSE ENAV ENDS EOBT ETAS ETDS ETSO EURO EVEN EVER EVFR LACK LAND
    LAPL LARS LAST LATE LAWS LEAD LEFT LEGS LETS LIDO LIFE LIFR LIFT LIKE LINE LINK LIST LIVE LNAV LOCS LOGS
    LONG LOOK LOSS LOST LTMA LVTO SVFR USCG
    """
)


@cache
def _table() -> dict[str, str]:
    rows = airportsdata.load("ICAO")
    return {code: row["country"] for code, row in rows.items() if len(code) == 4 and code.isalpha()}


@cache
def _prefixes() -> dict[str, str]:
    used: dict[str, Counter[str]] = defaultdict(Counter)
    for code, country in _table().items():
        used[code[:2]][country] += 1
    return {prefix: countries.most_common(1)[0][0] for prefix, countries in used.items()}


def country_of_airport(code: str) -> str:
    """The country in whose row of the table this airport stands; empty where there is none."""
    return _table().get(code.upper(), "")


def country_of_prefix(prefix: str) -> str:
    """The country that these first two letters are mainly used for; empty where nobody uses them."""
    return _prefixes().get(prefix.upper(), "")
