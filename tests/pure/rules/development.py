"""The project's own labelled queries, on which the desk's understanding was developed."""

import json
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).resolve().parents[2] / "data" / "rules" / "development.jsonl"


@dataclass(frozen=True)
class Row:
    id: str
    history: tuple[str, ...]
    query: str
    route: str
    countries: tuple[str, ...]
    trap: str

    @property
    def messages(self) -> tuple[str, ...]:
        return (*self.history, self.query)


def rows() -> list[Row]:
    lines = FILE.read_text("utf-8").splitlines()
    return [
        Row(
            id=row["id"],
            history=tuple(row["history"]),
            query=row["query"],
            route=row["route"],
            countries=tuple(row["countries"]),
            trap=row["trap"],
        )
        for row in map(json.loads, lines)
    ]
