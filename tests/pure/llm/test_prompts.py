"""Prompt files: filled once, versioned by their own bytes, strict about their values."""

from hashlib import sha256
from pathlib import Path

import pytest

from llm.prompts import PromptError, load_prompt

HERE = "tests.pure.llm"
FILE = Path(__file__).parent / "prompts" / "sample.md"


def test_values_are_filled_in_and_other_braces_stay() -> None:
    text = load_prompt(HERE, "sample", count=3, role="students").text
    assert "You grade 3 answers of students." in text
    assert '{"verdict": "partial"} or {} or {Upper}' in text


def test_the_version_is_a_hash_of_the_file_not_of_the_values() -> None:
    one, other = (
        load_prompt(HERE, "sample", count=1, role="a"),
        load_prompt(HERE, "sample", count=2, role="b"),
    )
    assert one.version == other.version == sha256(FILE.read_bytes()).hexdigest()[:12]


def test_a_value_is_never_read_for_placeholders() -> None:
    assert "answers of {count}" in load_prompt(HERE, "sample", count=3, role="{count}").text


def test_a_missing_value_is_named() -> None:
    with pytest.raises(PromptError, match="needs a value for role"):
        load_prompt(HERE, "sample", count=3)


def test_an_unused_value_is_named() -> None:
    with pytest.raises(PromptError, match="does not use mood"):
        load_prompt(HERE, "sample", count=3, role="x", mood="good")


@pytest.mark.parametrize("name", ["absent", "../sample", "sample.md", ""])
def test_a_prompt_that_is_not_there(name: str) -> None:
    with pytest.raises(PromptError):
        load_prompt(HERE, name)


def test_a_package_that_is_not_there() -> None:
    with pytest.raises(PromptError, match="no_such_package"):
        load_prompt("no_such_package", "sample")
