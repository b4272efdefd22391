"""The numbers of `desk`, each with unit, reason and source. Pure: importing it starts nothing."""

from typing import Final

GUESSES_MOST: Final = 5
"""Tries at the password of one name from one address before a wait: whoever knows it has typed it by then."""
GUESSES_SECONDS: Final = 300
"""Seconds from the first of those tries until there are new ones: 60 guesses an hour at most, and nobody is kept from
an oral for long."""
