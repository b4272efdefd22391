"""The numbers of `desk`, each with unit, reason and source. Pure: importing it starts nothing."""

from typing import Final

GUESSES_MOST: Final = 5
"""Tries at the password of one name from one address before a wait: whoever knows it has typed it by then."""
GUESSES_ADDRESS_MOST: Final = 20
"""Wrong passwords from one address before everybody there waits: a class of twenty behind one router mistypes once
each, and one password cannot be tried on the names of a whole school. Right ones are not counted."""
GUESSES_SECONDS: Final = 300
"""Seconds from the first of those tries until there are new ones: 60 guesses an hour at most, and nobody is kept from
an oral for long."""
RETRY_AFTER_SECONDS: Final = 5
"""Seconds after which a client that met an outage is asked to try again: a restarted database is back by then."""

LABORATORY_COST: Final = 5
"""Points of the throttle `cost`: the laboratory searches by four arms and explains each passage."""

WEEKS_DRAWN: Final = 12
"""Weeks beside each other in the report on searches: a quarter."""
WEEK_ROWS: Final = 30
"""Rows of each list in it; how many more there are is said."""
QUERY_SHOWN: Final = 300
"""Characters of a weak query that the report keeps: three lines."""
UNCITED_TIMES: Final = 3
"""Times a passage must have been found in a week before it counts as found and never cited: once or twice is chance."""
SPARSE_PASSAGES: Final = 20
"""Passages below which a kind of document is called sparse: about ten pages."""
COST_DAYS: Final = 30
"""Days that the page of costs shows: a month's bill."""

ARMS_DAYS: Final = 90
"""Days of comparisons that the report on shadow mode looks at: older ones are of another library."""
ARMS_COMPARED_LEAST: Final = 30
"""Comparisons from which an interval says something: below, a bootstrap draws the same few rows again and again."""
ARMS_EXAMS_LEAST: Final = 5
"""Exams that they must come from, for the same reason: exams are what is drawn."""
LATEST_ROWS: Final = 15
"""Look-ups that the report lists one by one: a screen."""
