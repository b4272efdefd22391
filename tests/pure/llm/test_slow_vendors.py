"""A vendor that hangs, or drips, is left when the time is up."""

import pytest

from llm.errors import TimedOut
from tests.doubles.vendors import Drips, Hangs, Says, VendorServer
from tests.pure.llm.cast import GOOD, VENDORS, ChatMaker, grade_request


@pytest.mark.parametrize("chat", VENDORS)
@pytest.mark.parametrize("slow", [Hangs(), Drips()])
def test_the_time_limit_holds_for_the_whole_answer(chat: ChatMaker, slow: Hangs | Drips) -> None:
    with VendorServer(slow) as vendor, pytest.raises(TimedOut):
        chat(vendor).complete(grade_request(timeout=0.4))
    assert len(vendor.received) == 1


@pytest.mark.parametrize("chat", VENDORS)
def test_a_slow_answer_within_the_limit_is_taken(chat: ChatMaker) -> None:
    with VendorServer(Says(GOOD)) as vendor:
        assert chat(vendor).complete(grade_request(timeout=30)).stop == "complete"
