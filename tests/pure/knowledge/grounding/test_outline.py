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


def test_letters_stand_below_the_numbered_paragraphs_of_a_special_regulation() -> None:
    text = "1. Scope. This covers clubs.\n2. Relief.\n(a) Members. A member may wait.\n(1) Guests wait.\n3. It ends."
    assert [node.cited_path for node in outline_of(text) if node.text] == ["1", "2", "2(a)", "2(a)(1)", "3"]
    contents = f"1. Scope.\n2. Relief.\n{text}"
    assert [node.cited_path for node in outline_of(contents) if node.text][-4:] == [
        "2",
        "2(a)",
        "2(a)(1)",
        "3",
    ]
    points = "a. Members wait.\nd. Guests wait."
    assert [node.cited_path for node in outline_of(points)] == ["(a)", "(d)"]
    listed = "Carry the following:\n1. A lamp.\n2. A rope."
    assert [node.level for node in outline_of(listed)] == [0, 2, 2]


def test_a_list_whose_first_item_is_reserved_ends_before_the_next_letter() -> None:
    text = (
        "(a) A rule.\n(3) A seat if—\n(iii) It is held and—\n(B) It has a label:\n"
        "(3) Seats must bear a label showing:\n(ii) That it is new;\n(iii) That it is red;\n"
        "(4) Old seats stay.\n(C) The guide signs:\n(1) The seat fits."
    )
    assert [node.path for node in outline_of(text)][-5:] == [
        "(a)(3)(iii)(B)(3)(ii)",
        "(a)(3)(iii)(B)(3)(iii)",
        "(a)(3)(iii)(B)(4)",
        "(a)(3)(iii)(C)",
        "(a)(3)(iii)(C)(1)",
    ]


def test_roman_numbers_begin_again_below_a_title_deeper_in_the_outline() -> None:
    text = (
        "(5) Guests.\n(iii) Tows. (A) Gliders. A guest may wait.\n(1) Club. Members wait.\n(2) Grace period.\n"
        "(i) In May, a guest may wait.\n(ii) In June, a guest may not.\n(3) Safety. Guests sign.\n(6) Winches."
    )
    assert [node.path for node in outline_of(text)][-5:] == [
        "(5)(iii)(A)(2)",
        "(5)(iii)(A)(2)(i)",
        "(5)(iii)(A)(2)(ii)",
        "(5)(iii)(A)(3)",
        "(6)",
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


def test_a_reference_leads_in_to_nothing() -> None:
    text = """1. Look at the chart before you leave.

REFERENCE-

Club Manual, Paragraph 9-1-4, General Description of Each Chart

2. When you call, tell the club the following:
1. Your name.
2. Your airplane."""
    assert all(node.parent is None or node.parent.label for node in outline_of(text, "Charts"))
