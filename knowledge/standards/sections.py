"""Sections that pilots are examined on, and the elements that they belong to.

Likeness of words cannot tell that § 91.155 is what "airspace classes and associated requirements" means; a person who
reads both can. That reading is `sections.csv` of each certificate; other sections find their elements by likeness.
Pure.
"""

from collections.abc import Mapping

from .certificate_data import DATA

READ_BY_HAND: Mapping[str, tuple[str, ...]] = DATA.sections


def elements_of_section(section: str) -> tuple[str, ...]:
    """The codes of the elements that a section belongs to, those of one certificate together and most fitting first;
    () where nobody has read it so.
    """
    return READ_BY_HAND.get(section.strip(), ())
