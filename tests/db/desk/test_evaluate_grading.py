"""`manage.py evaluate grading` and `evaluate entailment`: figures by hand, and files that are none."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from desk.evaluation.grading import Graded, figures_of_numbers, figures_of_words

pytestmark = [pytest.mark.long, pytest.mark.django_db]
FUEL = "Fuel for 30 minutes at normal cruising speed is required by day."
ASKED = "What fuel reserve does a VFR flight need by day?"


def evaluated(path: Path, what: str, *rows: Any) -> Any:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    out = StringIO()
    call_command("evaluate", what, str(path), "--json", stdout=out)
    return json.loads(out.getvalue())


def answer(text: str, label: str | float, reference: Any = FUEL) -> dict[str, Any]:
    return {"question": ASKED, "reference": reference, "answer": text, "label": label}


def test_answers_go_through_the_assessor(tmp_path: Path) -> None:
    rows = [
        answer("Fuel for 30 minutes at normal cruising speed by day.", "correct", ["Nothing.", FUEL]),
        answer("Fuel for 45 minutes at normal cruising speed by day.", "contradictory"),
        answer("I would ask the tower.", "incorrect"),
        answer("x" * 200_000, "correct"),  # more than an exam accepts
    ]
    figures = evaluated(tmp_path / "answers.jsonl", "grading", *rows)
    assert figures["confusion"]["correct"] == {
        "correct": 1,
        "contradictory": 0,
        "incorrect": 0,
        "ungraded": 1,
    }
    assert figures["confusion"]["contradictory"]["contradictory"] == 1
    assert figures["accuracy"] == {"3-way": 0.75, "2-way": 0.75}
    assert (figures["answers"], figures["ungraded"], len(figures["sha256"])) == (4, 1, 64)


def test_macro_f1_and_the_two_way_figures_are_those_counted_by_hand() -> None:
    pairs = [
        *[("correct", "correct")] * 2,
        ("correct", "incorrect"),
        ("contradictory", "incorrect"),
        ("incorrect", "incorrect"),
        ("incorrect", "ungraded"),
    ]
    figures = figures_of_words([Graded(label, said, 0.0) for label, said in pairs])
    # correct: 4/5, contradictory: 0, incorrect: 2 / (2 + 3)
    assert figures["macro_f1"]["3-way"] == round((0.8 + 0 + 0.4) / 3, 4)
    # correct: 4/5, incorrect (3 labels, 3 decisions, 2 right): 4/6
    assert figures["macro_f1"]["2-way"] == round((0.8 + 4 / 6) / 2, 4)
    assert figures["accuracy"] == {"3-way": 0.5, "2-way": round(4 / 6, 4)}


def test_without_contradictory_labels_there_are_no_three_ways() -> None:
    figures = figures_of_words([Graded("incorrect", "contradictory", 0.0), Graded("correct", "correct", 1.0)])
    assert figures["accuracy"] == {"3-way": None, "2-way": 1.0}


def test_numbers_are_scaled_by_the_least_and_the_greatest_label() -> None:
    figures = figures_of_numbers([Graded(1, "", 0.0), Graded(3, "", 0.5), Graded(5, "", 0.5)])
    assert figures == {"labels": [1.0, 5.0], "pearson_r": 0.866, "rmse": 0.2887}
    assert figures_of_numbers([Graded(2, "", 0.4), Graded(2, "", 0.8)])["pearson_r"] is None


@pytest.mark.parametrize("what", ["grading", "entailment"])
def test_a_person_reads_a_table(tmp_path: Path, what: str) -> None:
    row = {**answer(FUEL, "correct"), "claim": FUEL, "passage": FUEL}
    row["label"] = {"grading": "correct", "entailment": "supported"}[what]
    path, out = tmp_path / "rows.jsonl", StringIO()
    path.write_text(json.dumps(row))
    call_command("evaluate", what, str(path), stdout=out)
    assert "label \\ decision" in out.getvalue()


def test_pairs_go_through_the_check_of_entailment(tmp_path: Path) -> None:
    rows = [
        {"claim": FUEL, "passage": FUEL, "label": "supported"},
        {"claim": FUEL, "passage": "Position lights are on from sunset to sunrise.", "label": False},
        {"claim": FUEL, "passage": FUEL, "label": "contradiction"},
    ]
    figures = evaluated(tmp_path / "pairs.jsonl", "entailment", *rows)
    assert figures["confusion"] == {
        "supported": {"supported": 1, "not_supported": 0},
        "not_supported": {"supported": 1, "not_supported": 1},
    }
    assert (figures["pairs"], figures["balanced_accuracy"]) == (3, 0.75)


@pytest.mark.parametrize(
    ("what", "row"),
    [
        ("grading", answer("x", "excellent")),
        ("grading", answer("x", "correct", [])),
        ("grading", {"question": "?"}),
        ("entailment", {"claim": "a", "passage": "b", "label": "perhaps"}),
        ("entailment", {"claim": "a"}),
    ],
)
def test_a_wrong_line_is_refused_with_its_number(tmp_path: Path, what: str, row: Any) -> None:
    with pytest.raises(CommandError, match="line 1") as refused:
        evaluated(tmp_path / "rows.jsonl", what, row)
    assert refused.value.returncode == 2


def test_words_and_numbers_are_not_mixed(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="mixes numbers and words"):
        evaluated(tmp_path / "rows.jsonl", "grading", answer("x", 1), answer("x", "correct"))
