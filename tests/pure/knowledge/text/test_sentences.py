"""Where a sentence of aviation text ends, and where it does not."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.text.sentences import sentences_in


def texts(source: str) -> list[str]:
    return [sentence.text for sentence in sentences_in(source)]


ONE = [
    "Monitor 121.5 MHz at all times.",
    "As required by § 91.205(b)(1), an airspeed indicator is installed.",
    "Avoid hazards (e.g., Wires and towers) near the field.",
    "The fee applies from 6 a.m. EST to 8 p.m. EST on weekdays.",
    "The U.S. Department of Transportation issues this AC.",
    "See FAA Order No. 7110 for details.",
    "A line from lat. 36°14′00″ N., long. 113°09′50″ W. to the point of beginning.",
    "1. If the restricted area is not active, the ATC facility allows it.",
    "9.12.3.4 Jet Blast from an engine.",
    "a. Time, climb and descent rates.",
    "See Fig. 3 and Sec. 4 on p. 15.",
    "As amended by Amdt. 91-235, Dec. 17, 1991.",
    "Examples include the National Mall in Washington, D.C., where offices are located. [Figure 15-2]",
    "Task A.  Steep Turns.................................................. 31",
    "Figure 15-1. Airspace profile.",
    "The MAYDAY call of J. Smith was heard.",
]


@pytest.mark.parametrize("source", ONE)
def test_one_sentence_stays_one(source: str) -> None:
    assert texts(source) == [source]


SEVERAL = [
    ("It is flown in Class G. The floor is 1,200 feet.", 2),
    ("Stay clear of clouds. 14 CFR part 91 applies.", 2),
    ("The rule is “clear of clouds.” Pilots plan for it.", 2),
    ("It ends at 6 p.m. The tower then closes.", 2),
    ("Flights in the U.S. The rule differs abroad.", 2),
    ("Is it legal? No person may do so. (See FIG 3-2-1.) Next.", 4),
    ("The visibility is 3.5 miles. See 91.155. Then go.", 3),
    ("No pilot may enter:\n(1) Without radio; or\n(2) Without clearance.", 3),
    ("Airspace | Flight visibility\nClass B | 3 statute miles", 2),
    ("A heading without a stop\n\nA paragraph that follows.", 2),
    ("The area is active. [Figure 15-2] Restricted areas follow.", 2),
    ("Is it safe? No. Then do not go.", 3),
]


@pytest.mark.parametrize(("source", "count"), SEVERAL)
def test_several_sentences_are_parted(source: str, count: int) -> None:
    assert len(texts(source)) == count, texts(source)


def test_a_wrapped_line_does_not_end_a_sentence() -> None:
    assert texts("The pilot remains clear\nof clouds at all times.") == [
        "The pilot remains clear\nof clouds at all times."
    ]


@given(st.text(alphabet="aB1. §()\n|e.g,:", max_size=120))
def test_nothing_is_lost_and_offsets_hold(source: str) -> None:
    found = sentences_in(source)
    assert "".join("".join(s.text.split()) for s in found) == "".join(source.split())
    assert all(source[s.start : s.end] == s.text for s in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


@given(st.integers(1, 999), st.integers(0, 999), st.sampled_from([" MHz", "", "(b)(1)", " feet", ")."]))
def test_numbers_survive(left: int, right: int, tail: str) -> None:
    number = f"{left}.{right}{tail}"
    assert any(number in sentence for sentence in texts(f"Tune {number} now. Then read back {number}"))
