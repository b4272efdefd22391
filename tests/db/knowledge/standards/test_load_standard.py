"""A standard becomes rows and nodes, once; what it stops printing is archived and kept."""

from datetime import date

import pytest

from knowledge.graph.identity import node_key
from knowledge.graph.skeleton import load_standard
from knowledge.models import AcsElement, Concept, ConceptRelation, Standard
from knowledge.standards.elements import UnknownElement, element_as_dict, element_named, elements_known
from tests.doubles.standards import ELEMENTS, small_standard

pytestmark = pytest.mark.django_db


def counts() -> tuple[int, int, int]:
    return AcsElement.objects.count(), Concept.objects.count(), ConceptRelation.objects.count()


def test_loading_twice_changes_nothing() -> None:
    load_standard(small_standard())
    before = counts(), set(Concept.objects.values_list("id", "version"))
    loaded = load_standard(small_standard())
    assert (counts(), set(Concept.objects.values_list("id", "version"))) == before
    assert (loaded.areas, loaded.tasks, loaded.elements, loaded.dropped) == (2, 2, 8, ())


def test_every_node_hangs_on_its_whole() -> None:
    load_standard(small_standard())
    edges = set(ConceptRelation.objects.values_list("source__key", "target__key", "relation_type"))
    component = "is_component_of"
    assert (node_key("acs_element", "PA.I.E.K2a"), node_key("acs_element", "PA.I.E.K2"), component) in edges
    assert (node_key("acs_element", "PA.I.E.K2"), node_key("topic", "PA.I.E"), component) in edges
    assert (node_key("topic", "PA.I.E"), node_key("topic", "PA.I"), component) in edges
    assert len(edges) == len(ELEMENTS) + 2


def test_nodes_of_the_acs_are_validated() -> None:
    load_standard(small_standard())
    assert set(Concept.objects.values_list("validation_status", flat=True)) == {"validated"}


def test_a_dropped_element_is_archived_and_kept() -> None:
    load_standard(small_standard())
    loaded = load_standard(small_standard(without=("PA.I.E.R1",)))
    assert loaded.dropped == ("PA.I.E.R1",)
    assert element_named("PA.I.E.R1").archived


def test_a_new_edition_takes_over_and_marks_what_is_gone() -> None:
    load_standard(small_standard())
    load_standard(small_standard("FAA-S-ACS-6D", date(2026, 1, 1), without=("PA.I.E.R1",)))
    assert list(Standard.objects.filter(current=True).values_list("number", flat=True)) == ["FAA-S-ACS-6D"]
    assert Concept.objects.get(key=node_key("acs_element", "PA.I.E.R1")).key_facts["archived"] is True
    assert element_named("PA.I.E.R1").edition == "FAA-S-ACS-6C"
    assert element_named("pa.i.e.k1").edition == "FAA-S-ACS-6D"


def test_an_older_edition_does_not_take_over() -> None:
    load_standard(small_standard())
    load_standard(small_standard("FAA-S-ACS-6B", date(2018, 6, 1)))
    assert {one.edition for one in elements_known()} == {"FAA-S-ACS-6C"}


def test_a_demo_gives_way_to_the_faas_own() -> None:
    load_standard(small_standard("DEMO-ACS-1", date(2026, 6, 1)), demo=True)
    load_standard(small_standard())
    assert Standard.objects.get(current=True).number == "FAA-S-ACS-6C"


def test_elements_are_found_by_the_beginning_of_their_code() -> None:
    load_standard(small_standard())
    found = [element_as_dict(one) for one in elements_known("pa.iii")]
    assert [one["code"] for one in found] == ["PA.III.A.K1", "PA.III.A.K5"]
    assert found[0]["references"] == ["14 CFR part 91", "AIM", "FAA-H-8083-25"]
    assert (found[0]["where"], found[0]["parent"]) == ("table", None)


def test_an_unknown_code_says_what_to_do() -> None:
    with pytest.raises(UnknownElement, match=r"manage\.py elements"):
        element_named("PA.I.E.K99")
