"""A wrong configuration of the rules desk is a system check with an id."""

import json
from pathlib import Path
from typing import Any

import pytest

from heydpe.env import read_environment
from rules.checks import check_configuration


def test_nothing_set_is_nothing_wrong() -> None:
    assert check_configuration(None) == []


@pytest.mark.parametrize("values", [{"comparison": {"min_difference": -1}}, {"unknown": 1}, ["routing"]])
def test_a_wrong_value_is_an_error(settings: Any, values: Any) -> None:
    settings.RULES = values
    assert [message.id for message in check_configuration(None)] == ["rules.E001"]


def test_a_reranker_without_its_key_is_an_error(settings: Any) -> None:
    settings.RULES = {"reranking": {"provider": "cohere", "cohere": {"model": "rerank-other"}}}
    settings.ENV = read_environment({})
    assert [message.id for message in check_configuration(None)] == ["rules.E002"]
    settings.ENV = read_environment({"COHERE_API_KEY": "k"})
    assert check_configuration(None) == []


def test_it_comes_from_the_environment(tmp_path: Path) -> None:
    values = {"comparison": {"max_questions": 7}}
    file = tmp_path / "rules.json"
    file.write_text(json.dumps(values))
    assert read_environment({}).rules == {}
    assert read_environment({"HEYDPE_RULES": json.dumps(values)}).rules == values
    assert read_environment({"HEYDPE_RULES": str(file)}).rules == values


@pytest.mark.parametrize("raw", ["{", "[1]", "/nowhere/at/all.json", '{"a": }', "."])
def test_what_is_no_object_is_a_problem_with_a_hint(raw: str) -> None:
    env = read_environment({"HEYDPE_RULES": raw})
    assert (env.rules, [name for name, _, _ in env.problems]) == ({}, ["HEYDPE_RULES"])
