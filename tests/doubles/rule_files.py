"""Files of rules in the form that people pass on, written for the tests."""

import json
from pathlib import Path
from typing import Any

PLAN = "Is a flight plan needed to cross the border?"
CIRCUIT = "How is a visual circuit joined?"


def cell(text: str, *links: str, checked: str = "2026-03-01") -> dict[str, Any]:
    return {"answer_html": text, "links": list(links), "last_reviewed": checked, "links_json": list(links)}


def question(key: str, category: str, tags: list[str], **answers: Any) -> dict[str, Any]:
    cells = {country: one if isinstance(one, dict) else cell(one) for country, one in answers.items()}
    return {
        "question_id": key,
        "question_text": key,
        "category": category,
        "tags": tags,
        "answers_by_country": cells,
    }


def two_questions() -> list[dict[str, Any]]:
    return [
        question(PLAN, "International", ["flight plan"], FR="Yes, one hour before.", DE="Yes.", SE=""),
        question(CIRCUIT, "Airfields", ["airfield", "join"], FR="Overhead, then downwind."),
    ]


def rule_file(folder: Path, questions: list[Any], name: str = "rules.json") -> Path:
    path = folder / name
    path.write_text(json.dumps({"questions": questions}), encoding="utf-8")
    return path
