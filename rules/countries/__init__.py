"""Which countries a conversation is about. Pure.

`gazetteer` knows what places are called, `codes` what letters stand for,
`mentions` finds them in a text, and `conversation` says which of them are meant after all that was said.
"""

from rules.countries.conversation import Scope, countries_of
from rules.countries.gazetteer import KNOWN_COUNTRIES, name_of
from rules.countries.mentions import Mention, mentions_in, shape_of

__all__ = ["KNOWN_COUNTRIES", "Mention", "Scope", "countries_of", "mentions_in", "name_of", "shape_of"]
