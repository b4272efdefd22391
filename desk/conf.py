"""The numbers of `desk`, each with unit, reason and source. Pure: importing it starts nothing."""

from datetime import timedelta
from typing import Final

GUESSES_MOST: Final = 5
"""Tries at the password of one name from one address before a wait: a user who knows the password has typed it by
then."""
GUESSES_ADDRESS_MOST: Final = 20
"""Wrong passwords from one address before everybody there waits: a class of twenty behind one router may mistype once
each, but nobody can try one password on the names of a whole school. Right passwords do not count."""
GUESSES_SECONDS: Final = 300
"""Seconds from the first try until the count starts over: at most 60 guesses an hour, and nobody waits long."""
RETRY_AFTER_SECONDS: Final = 5
"""Seconds after which a client should retry after an outage: a restarted database is back by then."""

LABORATORY_COST: Final = 5
"""Points of the throttle `cost`: the laboratory searches with four arms and explains each passage."""
MAIL_COST: Final = 5
"""The same of an invitation, which may send a mail: two dozen a minute are a class, and no flood."""
INVITED_AT_ONCE: Final = 50
"""People invited by one form: the students of a course. A longer list is pasted in parts."""
MAIL_CLAIMED: Final = timedelta(minutes=15)
"""After which a mail whose worker died is sent again: a mail server may be silent for a minute (`EMAIL_TIMEOUT`) at
each of its dozen answers."""
MAIL_TRIES_MOST: Final = 100
"""Tries of one mail: four days, since mail servers themselves give up after four or five (RFC 5321, 4.5.4.1)."""
MAIL_RETRY_FIRST: Final = timedelta(minutes=1)
"""Before a mail is tried again; each wait is as long as the time since the invitation."""
MAIL_RETRY_LONGEST: Final = timedelta(hours=1)
"""The longest of these waits: a mail server that was away for a night is found within the hour."""

WEEKS_DRAWN: Final = 12
"""Weeks in the chart of the report on searches: a quarter."""
WEEK_SECONDS: Final = 300
"""A report on a week that still runs is counted again when the page is loaded and it is older than this."""
WEEK_ASKED_SECONDS: Final = 60
"""A worker is not asked again for the same count before: the longest that a count and its turn take."""
WEEK_ROWS: Final = 30
"""Rows of each list in the report, which says how many more there are."""
QUERY_SHOWN: Final = 300
"""Characters of a weak query that the report keeps: three lines."""
UNCITED_TIMES: Final = 3
"""Times a passage must be found in a week before it counts as found and never cited: once or twice is chance."""
SPARSE_PASSAGES: Final = 20
"""A kind of document with fewer passages is sparse: about ten pages."""
COST_DAYS: Final = 30
"""Days on the page of costs: a month's bill."""

ARMS_DAYS: Final = 90
"""Days of comparisons in the report on shadow mode; the library has changed since older ones."""
ARMS_COMPARED_LEAST: Final = 30
"""Comparisons that an interval needs: with fewer, a bootstrap keeps drawing the same few rows."""
ARMS_EXAMS_LEAST: Final = 5
"""Exams that the comparisons must come from, for the same reason: the bootstrap draws exams."""
LATEST_ROWS: Final = 15
"""Look-ups that the report lists one by one: a screenful."""
JOBS_NOW: Final = 30
"""Open jobs and the latest others, on the pages that follow them."""
PAGE_ROWS: Final = 50
"""Rows of one page of a table."""

RULES_UPLOAD_BYTES: Final = 8 * 1024 * 1024
"""Bytes of a file of rules uploaded by page, which is read while the operator waits: 13 times the largest known."""
EVALUATION_BYTES: Final = 50 * 1024 * 1024
"""Bytes of an uploaded file of labeled rows, or of a zip with a judged collection: Cranfield has 2 MB as a zip."""
EVALUATIONS_SHOWN: Final = 50
"""Evaluations on their page, the latest first: all of them are on the list of jobs."""
RULES_UPLOAD_SECONDS: Final = 3600
"""Seconds that an uploaded file waits for its operator to read what it would change."""
RULE_STEPS_SHOWN: Final = 200
"""Changes of a file of rules that the page lists, which says how many more there are."""
SPENDERS_SHOWN = 20  # schools, students and orals on the page of costs: the most expensive
FAILURES_SHOWN = 20  # models and purposes whose last failure is shown
BULK_SECONDS: Final = 20
"""Seconds in which one request changes rows; proxies wait 30 or 60. Some 300 drafts are published in them, or thousands
of documents archived."""
