"""Which countries a conversation is about. Pure.

`gazetteer` knows the names of places, `codes` the meaning of letter codes, `mentions` finds both in a text, and
`conversation` decides which of them are meant.
"""

from rules.countries.conversation import Scope, countries_of
from rules.countries.gazetteer import KNOWN_COUNTRIES, name_of
from rules.countries.mentions import Mention, mentions_in, shape_of

__all__ = ["KNOWN_COUNTRIES", "Mention", "Scope", "countries_of", "mentions_in", "name_of", "shape_of"]
