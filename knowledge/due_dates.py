"""By when somebody has to look whether an edition is still the one in force. Pure.

A default by kind of document, counted from the edition's date where it is known: an edition of five years ago is due
at once, and is shown as due until somebody has looked.
"""

from datetime import date, timedelta

from knowledge import conf


def check_by_for(doc_type: str, edition_date: date | None, today: date) -> date:
    """The day for a document that was just uploaded."""
    return (edition_date or today) + timedelta(days=days_between_checks(doc_type))


def next_check(doc_type: str, today: date) -> date:
    """The day for a document that was looked at today and is still in force."""
    return today + timedelta(days=days_between_checks(doc_type))


def days_between_checks(doc_type: str) -> int:
    return conf.CHECK_DAYS.get(doc_type, conf.CHECK_DAYS["other"])
