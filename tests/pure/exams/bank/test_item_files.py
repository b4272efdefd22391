"""Item files: what is broken is refused by file, line and name, and the rest is read."""

from pathlib import Path
from typing import Any

import pytest

from exams.bank.files import FILE_BYTES_MOST, ItemsRead, read_items
from knowledge.text.slots import fill_slots
from tests.doubles.item_files import item, point, write_file


def read(folder: Path, *items: dict[str, Any], **more: Any) -> ItemsRead:
    return read_items([write_file(folder, *items, **more)])


def only_fault(found: ItemsRead) -> str:
    assert len(found.faults) == 1, [str(one) for one in found.faults]
    return str(found.faults[0])


def test_good_file_is_read_whole(tmp_path: Path) -> None:
    found = read(tmp_path, item())
    assert found.faults == []
    assert [one.id for one in found.items] == ["pa.i.a.k1.passengers-after-a-break"]
    assert found.items[0].points[1].source == ["14 CFR 61.57(b)(1)", "AIM 8-1-1"]


OTHER = "pa.i.a.k1.other"
BROKEN = {
    "no must point": (item(points=[point(must=False)]), "no point is a must"),
    "no such source": (item(points=[point(source="The big book")]), "names no source"),
    "slot without values": (
        item(stem="You flew {when}, solo. How do you decide about friends?"),
        "{when} has no values",
    ),
    "slot of a follow-up without values": (
        item(points=[point(ask="And at {hour}?")]),
        "{hour} has no values",
    ),
    "slot where none is filled": (
        item(why="After {days} days skill fades, so it matters."),
        "where none is filled",
    ),
    "stem holds its answer": (
        item(
            stem="You have three takeoffs and three landings within the preceding 90 days. What is the rule?",
            slots={},
        ),
        "from the point three-in-90",
    ),
    "markup in a stem": (
        item(stem="You fly <b>tonight</b> with {days} days off. How do you decide?"),
        "holds markup",
    ),
    "yes or no": (item(stem="You last flew {days} days ago. May you take passengers?"), "yes or no"),
    "too long": (item(stem="word " * 70 + "{days} how?"), "60 is the most"),
    "a class twice": (item(classes=["AMEL", "AMEL"]), "names a class twice"),
    "one class's airplane": (
        item(again="You fly your rented 172 after {days} days. What has to be in the logbook?"),
        "asks every class about “your rented 172”",
    ),
    "no such class": (item(classes=["AMEL", "glider"]), "classes.1"),
    "same words again": (item(again=item()["stem"]), "the same words"),
    "unknown field": (item(colour="blue"), "colour"),
    "no element of its id": (item(elements=["PA.I.A.K2"]), "not among its elements"),
    "value that never is": (item(points=[point(when={"days": [7]})]), "never is"),
    "accepted and rejected": (
        item(points=[point(accept=["three in the last ninety"], reject=["three .. ninety"])]),
        "rejects “three .. ninety”, which stands in the right words “three in the last ninety”",
    ),
    "a key word nobody says": (
        item(
            points=[point(accept=["three in the last ninety"], keywords=[["three", "3"], ["gear", "flap*"]])]
        ),
        "has one of the key words “gear, flap*”",
    ),
    "a key word that everybody says": (
        item(points=[point(accept=["it was three"], keywords=[["three", "was"]])]),
        "key word “was” of point",
    ),
    "an end without a trip": (item(ends="Say it stops."), "only a situation on a trip has to be closed"),
    "an end that asks": (
        item(on_trip="{days} days ago you were in {destination}. How do you decide?", ends="Does it stop?"),
        "say in 25 words at most how the situation ends",
    ),
    "rejected in one word": (item(points=[point(reject=["yearly"])]), "may stand in a right answer"),
    "unknown point denied": (
        item(
            mixups=[
                {
                    "text": "It is enough.",
                    "answer": "It is not enough.",
                    "source": "P/CG",
                    "contradicts": ["x"],
                }
            ]
        ),
        "is no point of this item",
    ),
    "artifact that is not there": (item(needs=["logbook"]), "is no artifact"),
    "trip that fills nothing": (
        item(on_trip="You last flew {days} days ago, on {planet}. How do you decide about {companion}?"),
        "no trip fills {planet}",
    ),
    "trip that loses a given": (
        item(on_trip="{companion} wants to come along to {destination}. How do you decide?"),
        "leaves out the given {days}",
    ),
    "trip that is not named": (
        item(on_trip="You last flew {days} days ago, and somebody wants to come along. How do you decide?"),
        "names nothing of a trip",
    ),
    "trip that says yes or no": (
        item(on_trip="You last flew {days} days ago. May you take {companion}?"),
        "stem on a trip: can be answered by yes or no",
    ),
    "trip that is too long": (
        item(on_trip="word " * 60 + "{days} {companion} how?"),
        "60 is the most",
    ),
    "trip that tells the answer": (
        item(
            on_trip="{days} days, {companion}, three takeoffs and three landings within the preceding 90. How?"
        ),
        "from the point three-in-90",
    ),
    "slot named like a trip's": (
        item(
            stem="You last flew {miles} miles. How do you decide about friends?",
            again="The same. How do you decide?",
            slots={"miles": [40]},
            on_trip="{miles} miles with {companion}. How do you decide?",
        ),
        "give it another name",
    ),
    "after nothing": (item(after="pa.i.a.k1.nothing"), "does not exist"),
    "own element second": (item(elements=["PA.I.A.S1", "PA.I.A.K1"]), "write that first"),
    "builds on itself": (item(requires=["PA.I.A.K1"]), "from PA.I.A.K1 to PA.I.A.K1"),
    "builds on another certificate": (item(requires=["CA.I.A.K1"]), "elements of one certificate, here PA"),
    "builds on what is flown": (item(requires=["PA.VI.A.S1"]), "is shown in the airplane"),
    "leads to what is flown": (item(leads_to=["PA.IV.A.R1"]), "is shown in the airplane"),
    "builds on where it leads": (
        item(requires=["PA.I.A.K2"], leads_to=["PA.I.A.K2"]),
        "both builds on PA.I.A.K2 and leads to it",
    ),
}


@pytest.mark.parametrize(("broken", "said"), BROKEN.values(), ids=BROKEN)
def test_broken_item_is_refused_by_name_and_line_and_the_rest_loads(
    tmp_path: Path, broken: dict[str, Any], said: str
) -> None:
    good = item(
        id=OTHER, stem="Tell me what your logbook must show before a {days} day gap ends with guests aboard."
    )
    good["points"] = [point(text="A pilot logs the aircraft flown and the date.", source="14 CFR 61.51")]
    found = read(tmp_path, good, broken)
    assert [one.id for one in found.items] == [OTHER]
    assert any(said in fault.message for fault in found.faults), [str(one) for one in found.faults]
    assert all(fault.line > 1 and fault.file.endswith("pa_i_a.yaml") for fault in found.faults)


def test_two_items_with_one_id_are_told_and_one_is_kept(tmp_path: Path) -> None:
    found = read(tmp_path, item(), item())
    assert len(found.items) == 1
    assert any("another item has this id" in fault.message for fault in found.faults)


def test_item_that_rewords_another_is_refused(tmp_path: Path) -> None:
    found = read(tmp_path, item(), item(id=OTHER))
    assert any("rewords pa.i.a.k1.passengers" in fault.message for fault in found.faults)
    twin, single = item(classes=["AMEL", "AMES"]), item(id=OTHER, classes=["ASEL", "ASES"])
    assert read(tmp_path, twin, single).faults == []


def test_elements_that_build_on_each_other_are_told_and_one_that_underlies_two_is_not(tmp_path: Path) -> None:
    def about(code: str, *requires: str, text: str) -> dict[str, Any]:
        stem = f"Tell me what you know about {text}, so that {{days}} days later I still remember it."
        points = [point(text=f"A pilot knows {text}.")]
        key = f"{code.lower()}.one"
        return item(
            id=key, elements=[code, "PA.I.A.S1"], stem=stem, points=points, mixups=[], requires=list(requires)
        )

    first = about("PA.I.A.K1", "PA.I.A.K2", text="currency and logbooks")
    second = about("PA.I.A.K2", "PA.I.A.K3", text="privileges of sharing costs")
    third = about("PA.I.A.K3", text="medical certificates")
    risk = about("PA.I.A.S1", "PA.I.A.K1", "PA.I.A.K3", text="the whole scenario") | {
        "elements": ["PA.I.A.S1"]
    }
    assert read(tmp_path, first, second, third, risk).faults == []
    found = read(tmp_path, first, second, third | {"requires": ["PA.I.A.K1"]}, risk)
    assert [one.id for one in found.items] == [risk["id"]]
    assert "requires PA.I.A.K2, which itself builds on PA.I.A.K1" in str(found.faults[0])


def test_risk_item_needs_hazard_assessment_and_mitigation(tmp_path: Path) -> None:
    found = read(tmp_path, item(id="pa.i.a.r1.rusty", elements=["PA.I.A.R1"]))
    lacking = [fault.message for fault in found.faults]
    assert all(any(role in one for one in lacking) for role in ("hazard", "assess", "mitigate"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("items: [unclosed", "is no YAML"),
        ("- just\n- a list", "holds no item list"),
        ("items:\n  key: value", "is no list"),
        ("a: &a [x]\nitems: [*a]", "aliases"),
        ("items: " + "[" * 40 + "]" * 40, "nested too deeply"),
        ("colour: blue", "is unknown here"),
        ("items:\n  - !!python/object:os.system {}", "cannot be read"),
    ],
)
def test_broken_yaml_is_a_fault_and_no_traceback(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text(text)
    assert said in only_fault(read_items([path]))


def test_file_that_is_no_text_and_one_too_large_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(b"\xff\xfe\x00items")
    (tmp_path / "b.yaml").write_text("x" * (FILE_BYTES_MOST + 1))
    said = [str(one) for one in read_items([tmp_path]).faults]
    assert "cannot be read" in said[0]
    assert "larger than" in said[1]


def test_folder_without_item_files_is_told(tmp_path: Path) -> None:
    assert "holds no item files" in only_fault(read_items([tmp_path]))


def test_the_projects_own_items_are_without_fault() -> None:
    from desk.demo.content import ITEMS as DEMO
    from exams.bank.files import ITEMS

    for folder in (ITEMS, DEMO):
        found = read_items([folder])
        assert [str(one) for one in found.faults] == []
        assert found.items


def test_given_that_ends_with_a_period_ends_the_sentence_with_one() -> None:
    assert fill_slots("You leave at {time}. Off at {time}, and {what}?", {"time": "5 p.m."}) == (
        "You leave at 5 p.m. Off at 5 p.m., and {what}?"
    )
    assert fill_slots("It is {days}. So?", {"days": 40}) == "It is 40. So?"
