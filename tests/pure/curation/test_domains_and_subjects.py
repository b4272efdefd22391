"""The domains of claims are data with a shape of their own."""

from curation.offline.priority import domain_of, read_domains
from curation.values import Material
from knowledge.text.phrases import PhraseSet


def test_each_domain_has_sections_or_phrases_and_a_known_priority() -> None:
    names = [one["domain"] for one in read_domains()]
    assert len(set(names)) == len(names)
    for one in read_domains():
        assert one.keys() <= {"domain", "priority", "sections", "phrases", "otherwise"}
        assert one.get("sections") or one.get("phrases")
        assert one.get("priority", "P2") in ("P0", "P1", "P2")
        assert not PhraseSet(one.get("phrases", ["nothing"])).is_in("")
    sections = [section for one in read_domains() for section in one.get("sections", "").split()]
    assert len(set(sections)) == len(sections)


def test_domain_is_found_across_a_thin_space() -> None:
    material = Material(text="", section="", doc_type="aim")
    assert domain_of("Pilots may enter Class\u2009B airspace.", material) == "airspace"
