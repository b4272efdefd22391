"""Every name that the library of countries has is heard, and none ends in an error."""

from collections.abc import Callable

import pycountry
import pytest

from rules.countries import mentions_in

NAMES = sorted(
    {
        (name, one.alpha_2)
        for one in pycountry.countries
        for name in (one.name, getattr(one, "official_name", ""), getattr(one, "common_name", ""))
        if name
    }
)


@pytest.mark.parametrize(
    "spell", [str, str.lower, lambda name: name.replace(" ", "-"), lambda name: name.replace("-", " ")]
)
def test_a_name_is_read_without_an_error(spell: Callable[[str], str]) -> None:
    for name, _ in NAMES:
        mentions_in(spell(name))


@pytest.mark.parametrize(
    ("name", "code"), [("Republic of Guinea-Bissau", "GW"), ("Democratic Republic of Timor-Leste", "TL")]
)
def test_a_name_with_a_stroke_in_one_of_its_words_is_heard(name: str, code: str) -> None:
    assert {
        country for place in mentions_in(f"Is it allowed in the {name}?") for country in place.countries
    } == {code}
