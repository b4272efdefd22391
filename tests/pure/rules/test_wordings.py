"""Everyday words of pilots mean matters that rules have names for."""

import pytest

from rules.query.synonyms import matters_in, read_matters


def formal(text: str) -> list[str]:
    return [matter.formal for matter in matters_in(text)]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("where do I clear customs", "arriving Non-Schengen, international"),
        ("squawk box broken", "transponder requirements"),
        ("do I have to phone ahead", "PPR prior permission"),
        ("skydivers over the field", "penetration of Parachute Areas"),
        ("VFR in G without a plan", "Class G airspace"),
        ("golf airspace", "Class G airspace"),
        ("entering an R area", "penetration of Restricted Areas"),
        ("can I taxi", "permissions on taxiways and aprons"),
        ("cloud break at the big airport", "cloudbreak followed by VFR transit"),
        ("TAXIING", "permissions on taxiways and aprons"),
    ],
)
def test_a_wording_means_its_matter(said: str, meant: str) -> None:
    assert meant in formal(said)


@pytest.mark.parametrize(
    ("said", "not_meant"),
    [
        ("I play golfing games", "Class G airspace"),
        ("land in a g-suit", "Class G airspace"),
        ("our car areas", "penetration of Restricted Areas"),
        ("he enforces nothing at all", "FIS"),
        ("confirm it", "crossing a FIR boundary"),
    ],
)
def test_a_part_of_a_word_means_nothing(said: str, not_meant: str) -> None:
    assert not_meant not in formal(said)


def test_words_without_a_matter_have_none() -> None:
    assert formal("chocolate cake") == []


def test_no_wording_stands_for_two_matters_unless_it_is_meant() -> None:
    """A few do: "in the air" is where a permission is wanted, and where a plan may be filed."""
    both = {"in the air"}
    seen: dict[str, str] = {}
    for matter in read_matters():
        for said in matter.said:
            assert said in both or seen.setdefault(said, matter.formal) == matter.formal, said


def test_every_matter_is_met_by_its_own_wordings() -> None:
    for matter in read_matters():
        for said in matter.said:
            spoken = said.replace("~", "").replace("[", "").replace("]", "")
            assert matter in matters_in(f"is it about {spoken} there"), said
