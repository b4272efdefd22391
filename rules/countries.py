"""Which countries there are, by their ISO 3166 alpha-2 codes. Pure."""

from typing import Final

import pycountry

# Kosovo has no code of ISO 3166; XK is the one that everybody uses, airport tables included.
KNOWN_COUNTRIES: Final = frozenset({country.alpha_2 for country in pycountry.countries} | {"XK"})
