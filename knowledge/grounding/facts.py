"""The door to the facts of a text: quantities, units, polarity, modality, conditions, and their comparison.

Everything behind it is pure: no Django, no database, no network, no clock, no model.
"""

from __future__ import annotations

from knowledge.grounding.fact_check import Contradiction, FactComparison, Fault, compare
from knowledge.text.conditions import AltitudeBand, Conditions, bands_from, conditions_in
from knowledge.text.modality import Modality, clauses_of, is_negative, modality_of, negations_in, polarity_of
from knowledge.text.quantities import Comparator, Direction, Quantity, format_quantity, quantities_in
from knowledge.text.tokens import content_words, coverage, stem
from knowledge.text.units import UNITS, Unit, convert, convertible, same_amount

__all__ = [
    "UNITS",
    "AltitudeBand",
    "Comparator",
    "Conditions",
    "Contradiction",
    "Direction",
    "FactComparison",
    "Fault",
    "Modality",
    "Quantity",
    "Unit",
    "bands_from",
    "clauses_of",
    "compare",
    "conditions_in",
    "content_words",
    "convert",
    "convertible",
    "coverage",
    "format_quantity",
    "is_negative",
    "modality_of",
    "negations_in",
    "polarity_of",
    "quantities_in",
    "same_amount",
    "stem",
]
