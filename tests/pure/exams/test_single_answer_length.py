"""An answer that an exam would not take is refused before it is judged."""

import pytest

from exams.conf import ANSWER_CHARACTERS_MOST
from exams.exchange.single_answer import AnswerTooLong, assess_alone


def test_an_answer_beyond_the_limit_is_refused_in_words() -> None:
    with pytest.raises(AnswerTooLong, match="at most 10,000 characters, this is 10,001"):
        assess_alone("What do you need?", "w" * (ANSWER_CHARACTERS_MOST + 1), references=["a medical"])
