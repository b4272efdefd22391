"""Text made of one short piece, again and again, costs no parser more than its length allows, and ends in no error."""

import random
import signal
import time
from collections.abc import Callable, Iterator
from types import FrameType

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from knowledge.text.quantities import quantities_in
from knowledge.text.sentences import sentences_in
from rules.conf import QUERY_LONGEST
from tests.doubles.parsers import PARSERS
from tests.sampling import WHOLE, sample_of

LONGEST = 10_000  # characters of an answer
RULES_QUESTION = frozenset(("route", "countries", "rules question parts"))
ENOUGH = 0.5  # s: below it a ratio of two times says nothing, on a busy core least of all
GROWTH = 10  # times the cost for four times the text: linear has 4, square 16
ENDLESS = 20  # s of the processor: a busy machine is no fault of a pattern
PIECES = (
    "1-1-", "½ ", "1nm ", "30 minutes, ", "A. ", "i) ", "one ", "a-a-", "no ", "not ", "unless ", "no one may ",
    "passengers, ", "90 days ", "1", ".", "x", "“", "(", "[[", "**", "<b>", "| a ", "\n", "a\n", "1\n", "a-\n", "# a\n",
    "Figure 1-1. ", "§91.1 ", "14 CFR 91.1, ", "(PIC) ", "in France, ", "EGLL ", "\u200b", "e.g. ", "must not ",
    "\\(a\\) ",
)  # fmt: skip
SAMPLE = PIECES if WHOLE else random.Random(17).sample(PIECES, 2)

Parser = Callable[[str], object]


class Endless(AssertionError):
    pass


@pytest.fixture(autouse=True)
def ends() -> Iterator[None]:
    """A pattern that backtracks for hours is a failure, not a hanging suite."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise Endless(f"still reading after {ENDLESS} s")

    before = signal.signal(signal.SIGVTALRM, stop)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


def cost(parse: Parser, text: str) -> float:
    signal.setitimer(signal.ITIMER_VIRTUAL, ENDLESS)
    start = time.process_time()
    parse(text)
    spent = time.process_time() - start
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return spent


def grows(name: str, piece: str) -> tuple[float, float]:
    """What a short text and a long one cost, the least of two readings where the first looks like growth."""
    longest = QUERY_LONGEST if name in RULES_QUESTION else LONGEST
    short, long = ((piece * longest)[:length] for length in (longest // 4, longest))
    costs = cost(PARSERS[name], short), cost(PARSERS[name], long)
    if is_linear(*costs):
        return costs
    return costs[0], min(costs[1], cost(PARSERS[name], f"{long[:-2]} y"))  # another text: readings are cached


def is_linear(short: float, long: float) -> bool:
    return long <= max(ENOUGH, GROWTH * short)


@pytest.mark.parametrize("name", PARSERS)
def test_repeated_pieces_cost_what_their_length_does(name: str) -> None:
    PARSERS[name]("A pilot must carry 3 things.")  # word lists are loaded
    for piece in SAMPLE:
        short, long = grows(name, piece)
        assert is_linear(short, long), (piece, short, long)


@pytest.mark.long
@pytest.mark.parametrize("name", PARSERS)
@seed(2026)
@settings(
    max_examples=200 if WHOLE else 2,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    pieces=st.lists(st.text(min_size=1, max_size=12) | st.sampled_from(PIECES), min_size=1, max_size=4),
    times=st.integers(1, 2_500),
)
def test_no_text_ends_in_an_error(name: str, pieces: list[str], times: int) -> None:
    longest = QUERY_LONGEST if name in RULES_QUESTION else LONGEST
    text = ("".join(pieces) * times)[:longest].replace("\0", " ")
    assert cost(PARSERS[name], text) < ENDLESS


@pytest.mark.parametrize(
    "piece", sample_of(["A. ", "i) ", "e.g. ", "U.S. ", ".", "x\n", "a", "Figure 1-1 "], 4)
)
def test_sentences_of_a_document_in_one_line(piece: str) -> None:
    """1.5 MB of "A. " once kept a worker busy for hours."""
    short, long = (cost(sentences_in, piece * (length // len(piece))) for length in (125_000, 500_000))
    assert long <= max(1.0, GROWTH * short)


@pytest.mark.parametrize(
    "text", ["9" * 400, "one " * 400, "9" * 20 + " feet", "hundred " * 300, "1/" + "7" * 350]
)
def test_number_too_long_is_no_number(text: str) -> None:
    assert all(quantity.value < 1e40 for quantity in quantities_in(text))
    assert not quantities_in("9" * 400)
