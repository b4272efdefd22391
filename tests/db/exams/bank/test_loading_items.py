"""Item files become rows and nodes of the graph; loading again keeps what was decided."""

import io
import json
from copy import deepcopy
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from desk.demo.content import demo_standard
from exams.bank.bank_graph import BANK_GRAPH
from exams.bank.loading import Loaded, load_item_files
from exams.bank.schema import ItemText
from knowledge.graph.identity import node_key
from knowledge.graph.skeleton import load_standard
from knowledge.graph.writing import read_sources
from knowledge.models import Artifact, Concept, ConceptRelation, Item, KeyPoint
from tests.doubles.item_files import item, point, write_file

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def standard() -> None:
    load_standard(demo_standard(), demo=True)


def load(folder: Path, *items: dict[str, Any], **more: Any) -> Loaded:
    return load_item_files([write_file(folder, *items, **more)])


def test_item_is_stored_with_its_points_mixups_and_artifacts(tmp_path: Path) -> None:
    sheet = {"id": "logbook", "kind": "papers", "title": "Logbook, last page", "text": "MAR 02  1  1"}
    loaded = load(tmp_path, item(needs=["logbook"]), artifacts=[sheet])
    row = Item.objects.get()
    assert (loaded.items, loaded.points, loaded.changed) == (1, 2, [row.key])
    assert (row.task, row.elements, row.slots, row.origin) == (
        "PA.I.A",
        ["PA.I.A.K1"],
        {"days": [40, 95]},
        "file",
    )
    assert [one.key for one in row.points.all()] == ["three-in-90", "full-stop"]
    assert row.mixups.get().contradicts == ["three-in-90"]
    assert Artifact.objects.get().title == "Logbook, last page"


def test_notes_alone_bring_no_withdrawn_item_back(tmp_path: Path) -> None:
    """Rejected wordings, key words, and the moment on a trip are no part of the question."""
    load(tmp_path, item())
    Item.objects.update(withdrawn=True, withdrawn_reason="It has two right answers.")
    notes = {"reject": ["three of them in a year"], "keywords": [["three", "3"]]}
    noted = item(moment="planning", points=[{**one, **deepcopy(notes)} for one in item()["points"]])
    assert load(tmp_path, noted).changed
    row = Item.objects.get()
    assert (row.withdrawn_reason, row.version, row.moment) == ("It has two right answers.", 2, "planning")
    assert [(one.reject, one.keywords) for one in row.points.all()] == [
        (notes["reject"], notes["keywords"])
    ] * 2
    assert not load(tmp_path, noted).changed
    assert load(tmp_path, item(points=noted["points"])).changed
    assert Item.objects.get().moment == ""


def test_points_mixups_and_elements_are_nodes_with_edges(tmp_path: Path) -> None:
    load(tmp_path, item(leads_to=["PA.III.A.K5"]))
    kinds = set(
        ConceptRelation.objects.filter(created_by="item bank").values_list("relation_type", flat=True)
    )
    assert {"applies_in_scenario", "contrasts_with", "leads_to_discussion_of"} <= kinds
    assert Concept.objects.filter(category="misconception").count() == 1
    assert KeyPoint.objects.get(key="three-in-90").concept.validation_status == "pending"  # type: ignore[union-attr]


def test_what_an_item_requires_underlies_no_fact_that_it_only_touches(tmp_path: Path) -> None:
    load(tmp_path, item(elements=["PA.I.A.K1", "PA.I.A.K4"], requires=["PA.I.A.K2"]))
    edges = ConceptRelation.objects.filter(relation_type="requires_knowledge_of", created_by="item bank")
    ends = [edge.key for pair in edges for edge in (pair.source, pair.target)]
    assert ends == [node_key("acs_element", code) for code in ("PA.I.A.K1", "PA.I.A.K2")]


def test_loading_again_changes_nothing_and_keeps_a_decision(tmp_path: Path) -> None:
    load(tmp_path, item())
    Concept.objects.filter(key_points__key="three-in-90").update(validation_status="validated")
    again = load(tmp_path, item(why="A better reason for the debrief."))
    assert again.changed == ["pa.i.a.k1.passengers-after-a-break"]
    assert KeyPoint.objects.get(key="three-in-90").concept.validation_status == "validated"  # type: ignore[union-attr]
    assert load(tmp_path, item(why="A better reason for the debrief.")).changed == []


def test_point_with_other_words_waits_again(tmp_path: Path) -> None:
    load(tmp_path, item())
    KeyPoint.objects.update(anchor="clean")
    Concept.objects.filter(key_points__key="three-in-90").update(validation_status="validated")
    load(tmp_path, item(points=[point(text="Five takeoffs and five landings within the preceding 90 days.")]))
    changed = KeyPoint.objects.get(key="three-in-90")
    assert (changed.anchor, changed.concept.validation_status) == ("waiting", "pending")  # type: ignore[union-attr]
    assert not KeyPoint.objects.filter(key="full-stop").exists()


def test_item_that_its_file_no_longer_holds_is_withdrawn_and_comes_back(tmp_path: Path) -> None:
    other = item(
        id="pa.i.a.k1.other", stem="Tell me what your logbook shows before guests board after {days} days."
    )
    load(tmp_path, item(), other)
    load(tmp_path, item())
    assert list(Item.objects.filter(withdrawn=True).values_list("key", flat=True)) == ["pa.i.a.k1.other"]
    load(tmp_path, item(), other)
    assert not Item.objects.filter(withdrawn=True).exists()


def test_item_that_a_reviewer_withdrew_comes_back_with_a_changed_file_alone(tmp_path: Path) -> None:
    load(tmp_path, item())
    Item.objects.update(withdrawn=True, withdrawn_reason="It has two right answers.")
    load(tmp_path, item())
    assert Item.objects.get().withdrawn_reason == "It has two right answers."
    load(tmp_path, item(why="It was reworded after the dispute."))
    assert not Item.objects.get().withdrawn


def test_file_that_is_broken_withdraws_nothing(tmp_path: Path) -> None:
    load(tmp_path, item())
    (tmp_path / "pa_i_a.yaml").write_text("items: [")
    assert load_item_files([tmp_path]).faults
    assert not Item.objects.filter(withdrawn=True).exists()


def told(*arguments: str) -> Any:
    out = io.StringIO()
    call_command("load_items", *arguments, "--json", stdout=out)
    return json.loads(out.getvalue())


def test_command_tells_the_contracts_fields_and_what_is_missing(tmp_path: Path) -> None:
    found = told(
        str(write_file(tmp_path, item(), item(id="pa.i.a.k1.bad", stem="May you fly {days} days after it?")))
    )
    assert (found["items"], found["points"], found["anchored"]) == (1, 2, 0)
    assert found["unanchored"][0] == {
        "item": "pa.i.a.k1.passengers-after-a-break",
        "point": "three-in-90",
        "source": "14 CFR 61.57(a)(1)",
        "missing_document": "14 CFR part 61",
    }
    assert found["errors"][0]["line"] > 1


def test_check_loads_nothing_and_a_wrong_path_is_a_wrong_argument(tmp_path: Path) -> None:
    assert told("--check", str(write_file(tmp_path, item())))["items"] == 1
    assert not Item.objects.exists()
    with pytest.raises(CommandError, match="there is no"):
        told(str(tmp_path / "nowhere"))


@pytest.mark.long
def test_reading_the_bank_into_the_graph_withdraws_no_point(tmp_path: Path) -> None:
    load(tmp_path, item())
    Concept.objects.filter(key_points__key="three-in-90").update(validation_status="validated")
    load(tmp_path, item(why="A better reason for the debrief."))
    assert read_sources([BANK_GRAPH], again=True)
    assert not Concept.objects.filter(stale=True).exists()


def test_a_stem_on_a_trip_that_is_added_keeps_anchors_and_decisions(tmp_path: Path) -> None:
    load(tmp_path, item())
    Concept.objects.filter(key_points__isnull=False).update(validation_status="validated")
    KeyPoint.objects.update(anchor="clean")
    before = Item.objects.get()
    hanging = item(
        on_trip="You last flew {days} days ago. How do you decide whether {companion} may come along?"
    )
    assert load(tmp_path, hanging).changed == [before.key]
    row = Item.objects.get()
    assert (row.on_trip, row.version) == (hanging["on_trip"], before.version + 1)
    assert set(row.points.values_list("anchor", "concept__validation_status")) == {("clean", "validated")}


def test_items_without_trip_or_classes_are_not_loaded_again_because_there_are_such(tmp_path: Path) -> None:
    """Their hash is that of the time before the fields existed."""
    load(tmp_path, item())
    later: Any = {
        **dict.fromkeys(("on_trip", "moment", "stage", "topic", "ends", "classes"), True),
        "points": {"__all__": {"reject", "keywords", "then"}},
    }
    text = ItemText.model_validate(item()).model_dump(mode="json", exclude=later)
    digest = sha256(json.dumps(text, sort_keys=True).encode()).hexdigest()
    assert Item.objects.get().content_hash == digest
