"""The phrase lists and the domains of claims are data with a shape of their own."""

import re

import pytest

from curation.offline.phrases import begins_with, has_phrase, pattern_of, read_phrases, subject_of
from curation.offline.priority import read_domains

SLOT = re.compile(r"…|[\w'-]+\*?(?:\|[\w'-]+\*?)*|#|\(")


def test_each_phrase_is_slots_of_words_and_stands_once_in_its_list() -> None:
    for name, phrases in read_phrases().items():
        assert len(set(phrases)) == len(phrases), name
        for phrase in phrases:
            assert all(SLOT.fullmatch(slot) for slot in phrase.split(" ")), (name, phrase)
            assert phrase.split(" ")[0] != "…", phrase


def test_each_domain_has_sections_or_phrases_and_a_known_priority() -> None:
    names = [one["domain"] for one in read_domains()]
    assert len(set(names)) == len(names)
    for one in read_domains():
        assert one.keys() <= {"domain", "priority", "sections", "phrases"}
        assert one.get("sections") or one.get("phrases")
        assert one.get("priority", "P2") in ("P0", "P1", "P2")
        for phrase in one.get("phrases", []):
            assert all(SLOT.fullmatch(slot) for slot in phrase.split(" ")), phrase
    sections = [section for one in read_domains() for section in one.get("sections", "").split()]
    assert len(set(sections)) == len(sections)


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("rule", "No person except a student may enter.", True),
        ("rule", "No person is here. One may leave.", False),
        ("rule", "A mustering point.", False),
        ("points elsewhere", "as paragraph (b) says", True),
        ("points elsewhere", "as shown in Section 4-1-2", True),
        ("verb or link", "Operating rules:", True),
    ],
)
def test_phrases_are_found_at_word_boundaries(name: str, text: str, found: bool) -> None:
    assert has_phrase(name, text) is found


def test_text_begins_with_a_phrase_only_at_its_start() -> None:
    assert begins_with("condition", "If the engine fails")
    assert not begins_with("condition", "Only if the engine fails")


def test_longest_phrase_at_a_place_is_found() -> None:
    found = pattern_of("gate").search("only when cleared")
    assert found is not None
    assert found.group() == "only when"


@pytest.mark.parametrize(
    ("sentence", "subject"),
    [
        ("Except in an emergency, no pilot may land.", "no pilot"),
        ("When told to hold, the pilot MUST STOP there.", "the pilot"),
        (
            "Any person who, before May 17, 1967, has flown must log it.",
            "Any person who, before May 17, 1967",
        ),
        ("In short, nothing.", None),
    ],
)
def test_subject_stands_before_the_verb(sentence: str, subject: str | None) -> None:
    assert subject_of(sentence) == subject
