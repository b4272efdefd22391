"""Labels, lead-ins and run-in headings of a regulation."""

import pytest

from knowledge.grounding.outline import outline_of

TEXT = """§ 7.12 Club flying.

(a) Taxi. No member may taxi unless—
(1) The brakes work; and
(2) The member holds—
(i) A badge; or
(ii) A letter of the board.
(b) Parking. (1) Members park on grass. (2) Guests park on gravel.
(h) Fuel. Fill the tanks.
(i) Oil. Check the oil.
(j) Logs are kept."""


def test_paths_follow_the_labels() -> None:
    paths = [node.path for node in outline_of(TEXT, "Club flying") if node.text]
    assert paths == [
        "(a)",
        "(a)(1)",
        "(a)(2)",
        "(a)(2)(i)",
        "(a)(2)(ii)",
        "(b)(1)",
        "(b)(2)",
        "(h)",
        "(i)",
        "(j)",
    ]


def test_run_in_headings_are_no_sentences() -> None:
    headings = {node.path: node.heading for node in outline_of(TEXT, "Club flying")}
    assert headings["(a)"] == "Taxi"
    assert headings["(b)"] == "Parking"
    assert headings["(j)"] == ""


def test_an_item_knows_its_lead_ins() -> None:
    nodes = {node.path: node for node in outline_of(TEXT)}
    assert [above.path for above in nodes["(a)(2)(i)"].lead_ins()] == ["(a)", "(a)(2)"]
    assert nodes["(b)(1)"].lead_ins() == ()


def test_every_node_keeps_the_characters_it_came_from() -> None:
    for node in outline_of(TEXT):
        assert TEXT[node.start : node.end].strip() == node.text


@pytest.mark.parametrize("text", ["(2) The lights work.", "(ii) The badge is worn."])
def test_an_item_without_its_paragraph_is_an_orphan(text: str) -> None:
    (node,) = outline_of(text)
    assert node.is_orphan


def test_text_without_labels_is_one_level() -> None:
    assert [(node.level, node.path) for node in outline_of("One thing.\nAnother thing.")] == [
        (0, ""),
        (0, ""),
    ]
