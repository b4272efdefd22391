"""Counting tokens word by word gives what the tokenizer counts in the whole text."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from llm import conf
from llm.local.encoder import LocalEmbeddingModel
from llm.local.minilm import load_tokenizer

WHOLE = load_tokenizer()
MODEL = LocalEmbeddingModel(Path("/nowhere"))


def tokens_of(text: str) -> int:
    return len(WHOLE.encode(text.encode("utf-8", "replace").decode("utf-8"), add_special_tokens=False))


@given(st.text())
def test_any_text(text: str) -> None:
    assert MODEL.count_tokens(text) == tokens_of(text)


@given(st.text(alphabet=" \n\t\r\u00a0\u0301\u0085\u2028\x1c\x1f\x7fé漢字[SEP]aZ9.,-§°#"))
def test_text_of_odd_spaces_marks_and_letters(text: str) -> None:
    assert MODEL.count_tokens(text) == tokens_of(text)


def test_print() -> None:
    for text in (
        "Under § 91.155, no person may operate below 1,000 feet AGL (121.5 MHz).\n\nClass E | 3 SM\n10² ft",
        "e\u0301le\u0301ment \u0301 n\u0303 [CLS] [SEP] [PAD] ##ing don't re-enter",
        "x" * 500 + " " + "9" * (conf.LOCAL_WORD_LETTERS + 1),
        "",
        " \n ",
    ):
        assert MODEL.count_tokens(text) == MODEL.count_tokens(text) == tokens_of(text)
