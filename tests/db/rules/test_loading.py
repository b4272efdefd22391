"""Loading a file of rules: once or twice, changed, shortened, and beside a school's own."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from knowledge.models import Tenant
from rules.models import (
    AnswerVector,
    Origin,
    QuestionVector,
    RuleAnswer,
    RuleAnswerChange,
    RuleQuestion,
)
from tests.doubles.rule_files import CIRCUIT, PLAN, cell, question, rule_file, two_questions

pytestmark = pytest.mark.django_db


def load(path: Path, *arguments: str) -> Any:
    out = StringIO()
    call_command("load_rules", str(path), *arguments, "--json", stdout=out)
    return json.loads(out.getvalue())


def test_a_file_becomes_questions_and_answers_with_vectors(tmp_path: Path) -> None:
    said = load(rule_file(tmp_path, two_questions()))
    assert (said["questions"], said["countries"], said["answers"]) == (2, 2, 3)
    assert (said["added"], said["embedded"]) == (3, 5)
    assert [one["what"] for one in said["refused"]] == ["an empty answer"]
    assert (QuestionVector.objects.count(), AnswerVector.objects.count()) == (2, 3)


def test_loading_again_changes_nothing(tmp_path: Path) -> None:
    path = rule_file(tmp_path, two_questions())
    load(path)
    before = sorted(RuleAnswer.objects.values_list("pk", "version", "updated_at"))
    said = load(path)
    assert (said["added"], said["changed"], said["removed"], said["embedded"]) == (0, 0, 0, 0)
    assert sorted(RuleAnswer.objects.values_list("pk", "version", "updated_at")) == before


def test_what_changed_is_embedded_again_and_what_went_is_gone(tmp_path: Path) -> None:
    load(rule_file(tmp_path, two_questions()))
    kept = RuleAnswer.objects.get(question__key=PLAN, country="FR")
    vector = AnswerVector.objects.get(answer=kept)
    changed = question(PLAN, "International", ["flight plan"], FR="No, not any more.")
    said = load(rule_file(tmp_path, [changed]))
    assert (said["changed"], said["removed"], said["questions_removed"], said["embedded"]) == (1, 2, 1, 1)
    assert list(RuleQuestion.objects.values_list("key", flat=True)) == [PLAN]
    assert RuleAnswer.objects.get().pk == kept.pk
    assert AnswerVector.objects.get().text_hash != vector.text_hash
    assert RuleAnswerChange.objects.filter(question_key=CIRCUIT, kind="removed").count() == 1


def test_a_changed_question_is_embedded_again(tmp_path: Path) -> None:
    load(rule_file(tmp_path, two_questions()))
    reworded = two_questions()
    reworded[0]["question_text"] = "Must a flight plan be filed for a border?"
    assert load(rule_file(tmp_path, reworded))["embedded"] == 1


def test_what_an_operator_wrote_stays_until_the_file_says_something_new(tmp_path: Path) -> None:
    load(rule_file(tmp_path, two_questions()))
    row = RuleAnswer.objects.filter(question__key=PLAN, country="DE")
    row.update(text="Yes, always.", origin=Origin.WRITTEN)
    assert [one["what"] for one in load(rule_file(tmp_path, two_questions()))["written"]] == [
        "an answer written here was kept"
    ]
    assert row.get().text == "Yes, always."
    newer = two_questions()
    newer[0]["answers_by_country"]["DE"] = cell("Yes, but not within Schengen.")
    load(rule_file(tmp_path, newer))
    assert row.get().text == "Yes, but not within Schengen."


def test_a_school_s_rules_are_its_own(tmp_path: Path) -> None:
    school = Tenant.objects.create(slug="school", name="School")
    load(rule_file(tmp_path, two_questions()))
    load(rule_file(tmp_path, two_questions()[:1], "own.json"), "--tenant", "school")
    assert RuleQuestion.objects.filter(tenant=None).count() == 2
    assert RuleQuestion.objects.filter(tenant=school).count() == 1


def test_a_file_that_is_none_leaves_everything(tmp_path: Path) -> None:
    load(rule_file(tmp_path, two_questions()))
    for questions in ([], [{"question_id": ""}]):
        with pytest.raises(CommandError) as refused:
            load(rule_file(tmp_path, questions))
        assert refused.value.returncode == 2
    assert RuleQuestion.objects.count() == 2


def test_a_file_or_a_school_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        load(tmp_path / "none.json")
    with pytest.raises(CommandError, match="no tenant"):
        load(rule_file(tmp_path, two_questions()), "--tenant", "nobody")


@pytest.mark.parametrize("bad", ["\0", "\ud800"])
def test_a_row_that_cannot_be_stored_loses_only_itself(tmp_path: Path, bad: str) -> None:
    rows = [
        question(f"What of kites{bad}?", "VFR", [], FR="Yes"),
        question("What of balloons?", f"VFR{bad}", [], FR="Yes"),
        question("What of gliders?", "VFR", [f"tag{bad}"], FR=cell("Yes", f"https://a.example/{bad}")),
    ]
    said = load(rule_file(tmp_path, [*rows, *two_questions()]))
    assert said["questions"] == 3
    assert RuleAnswer.objects.get(question__key="What of gliders?").links == []
    assert [one["what"] for one in said["refused"]].count("characters that cannot be stored") == 2
