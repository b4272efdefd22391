"""The decision tables of `tables.yaml`: their dimensions, facts, cells and exceptions. Pure but for this file.

domain, title, about, references   its name, what people read, and the sections whose claims it is made of
unless                             phrases of claims that belong in none of its cells
dimensions                         what a cell depends on; `reads` says how a claim's value is read (claims.py)
facts                              what a cell tells, and how it is read from a claim's statement
cells                              the values of each cell; a dimension that is left out makes no difference there
exceptions                         rules that change some of the cells, each by its paragraph
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, model_validator

from knowledge.standards.certificate_data import elements_of_section
from knowledge.text.phrases import PhraseSet
from knowledge.text.units import CANONICAL
from knowledge.text.word_tables import read_yaml

Where = dict[str, str]
Reading = Literal["airspace", "band", "time", "category", "rules", "words"]


class _Data(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Wording(_Data):
    """Words of a statement: one of `phrases`, if there are any, and none of `but_not`."""

    phrases: list[str] = []
    but_not: list[str] = []

    def fits(self, statement: str) -> bool:
        said = not self.phrases or self._phrases.is_in(statement)
        return said and not (self.but_not and self._denied.is_in(statement))

    @cached_property
    def _phrases(self) -> PhraseSet:
        return PhraseSet(self.phrases)

    @cached_property
    def _denied(self) -> PhraseSet:
        return PhraseSet(self.but_not)


class Value(Wording):
    """A value of a dimension. `silent`: a claim that says nothing of the dimension is about this value, too."""

    title: str
    silent: bool = False


_TEXT_AS_TITLE: Final = BeforeValidator(lambda given: {"title": given} if isinstance(given, str) else given)


class Dimension(_Data):
    """`default` is the value where none is asked for."""

    title: str
    reads: Reading
    default: str = ""
    values: dict[str, Annotated[Value, _TEXT_AS_TITLE]]


class QuantityWanted(_Data):
    """A quantity by its unit ("" is a bare number) and comparators. `datum` and `side` are those of a quantity, or
    "none"; `next` are phrases that follow it directly."""

    unit: str
    compare: str = "= >= <= > <"
    datum: str = ""
    side: str = ""
    next: list[str] = []
    below: float | None = None

    @cached_property
    def following(self) -> PhraseSet:
        return PhraseSet(self.next)


class Choice(Wording):
    """`adds_to` is the choice that this one states with more besides: a claim of either agrees with the other."""

    title: str
    adds_to: str = ""


class Fact(_Data):
    """How a fact is read from a statement: as a choice, a quantity, an ordinal of a unit ("60th month"), the distances
    from clouds, or the words after a phrase. The first that is found counts."""

    title: str
    quantity: QuantityWanted | None = None
    ordinal: str = ""
    clearance: bool = False
    rest_after: list[str] = []
    choices: dict[str, Choice] = {}
    optional: bool = False

    @model_validator(mode="after")
    def _adds_to_a_choice(self) -> Self:
        if unknown := {one.adds_to for one in self.choices.values()} - {"", *self.choices}:
            raise ValueError(f"adds_to: no choice is called {min(unknown)}")
        return self

    @cached_property
    def before_rest(self) -> PhraseSet:
        return PhraseSet(self.rest_after)


class ChangingRule(Wording):
    """A rule that changes cells, and in which paragraph it stands. `cells` are the values for which it matters."""

    title: str
    reference: str = Field(pattern=r"^14 CFR \d+\.\d+[a-z]?(\([A-Za-z0-9]+\))*$")
    cells: dict[str, list[str]] = {}

    def matters_in(self, where: Where) -> bool:
        """Whether it matters in a cell; a dimension that makes no difference there hides nothing."""
        return all(where.get(name, values[0]) in values for name, values in self.cells.items())


class Cell(_Data):
    """The values of a cell, the names of its facts, and the sections whose claims may stand in it."""

    where: Where
    facts: list[str]
    references: list[str]


class Table(_Data):
    domain: str = Field(pattern=r"^[a-z_]+$")
    title: str
    about: str
    references: list[str]
    unless: list[str] = []
    dimensions: dict[str, Dimension]
    facts: dict[str, Fact]
    cells: list[Cell]
    exceptions: list[ChangingRule] = []

    @model_validator(mode="before")
    @classmethod
    def _cells_as_written(cls, given: dict[str, Any]) -> dict[str, Any]:
        """A cell is written as its values, with `facts` and `references` where not all of the table's are its own."""
        cells = []
        for written in given["cells"]:
            own = {name: written.get(name, list(given[name])) for name in ("facts", "references")}
            cells.append(
                {"where": {name: str(value) for name, value in written.items() if name not in own}, **own}
            )
        return {**given, "cells": cells}

    @model_validator(mode="after")
    def _names_exist(self) -> Table:
        for cell in self.cells:
            self._check_values({name: [value] for name, value in cell.where.items()})
            if unknown := {*cell.facts, *cell.references} - {*self.facts, *self.references}:
                raise ValueError(f"{self.domain}: there is no {', '.join(sorted(unknown))}")
        for exception in self.exceptions:
            self._check_values(exception.cells)
        for name, fact in self.facts.items():
            units = {fact.quantity.unit} if fact.quantity else set()
            if unknown := units - set(CANONICAL.values()) - {""}:
                raise ValueError(f"{self.domain}.{name}: no unit is called {', '.join(unknown)}")
        return self

    def _check_values(self, values: Mapping[str, list[str]]) -> None:
        for name, some in values.items():
            known = self.dimensions[name].values if name in self.dimensions else {}
            if unknown := set(some) - known.keys():
                raise ValueError(f"{self.domain}: {name} has no value {', '.join(sorted(unknown))}")

    def admits(self, statement: str) -> bool:
        """Whether a claim that says this may stand in one of its cells."""
        return self._refused.fits(statement)

    @cached_property
    def _refused(self) -> Wording:
        return Wording(but_not=self.unless)

    @property
    def is_even(self) -> bool:
        """Whether every cell tells the same facts, so that each fact can be a column."""
        return all(cell.facts == list(self.facts) for cell in self.cells)


class UnknownCell(LookupError):
    """A domain, a dimension or a value is unknown or missing; the message lists what exists."""


@cache
def decision_tables() -> dict[str, Table]:
    """All tables by domain, in the order of the file. Raises pydantic's ValidationError."""
    written = read_yaml(Path(__file__).with_name("tables.yaml"))
    return {table.domain: table for table in TypeAdapter(list[Table]).validate_python(written)}


def table_named(domain: str) -> Table:
    """Raises UnknownCell."""
    tables = decision_tables()
    if domain not in tables:
        raise UnknownCell(f"there is no domain {domain!r}; there are {', '.join(tables)}")
    return tables[domain]


def tables_for_element(code: str) -> list[Table]:
    """The tables made of sections that serve this element, as its certificate's `sections.csv` says."""
    return [
        table
        for table in decision_tables().values()
        if any(code in elements_of_section(reference.split()[-1]) for reference in table.references)
    ]


def find_cell(table: Table, asked: Where) -> Cell:
    """The cell at these values; values that make no difference there may be given. Raises UnknownCell."""
    for name, value in asked.items():
        if name not in table.dimensions:
            raise UnknownCell(f"{table.domain} has no {name}; it has {', '.join(table.dimensions)}")
        if value not in table.dimensions[name].values:
            known = ", ".join(table.dimensions[name].values)
            raise UnknownCell(f"{table.domain} has no {name} {value!r}; there are {known}")
    defaults = {name: one.default for name, one in table.dimensions.items() if one.default}
    left = table.cells
    for name in table.dimensions:
        here = list(dict.fromkeys(cell.where[name] for cell in left if name in cell.where))
        if not here:
            continue
        wanted = asked.get(name, defaults.get(name, ""))
        fitting = [cell for cell in left if cell.where.get(name, wanted) == wanted]
        if not wanted or not fitting:
            given = " ".join(f"--{other} {value}" for other, value in asked.items() if other != name)
            raise UnknownCell(
                f"{table.domain}{' with ' if given else ''}{given} needs --{name}: {', '.join(here)}"
            )
        left = fitting
    return left[0]
