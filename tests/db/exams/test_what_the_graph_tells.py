"""What the concept graph holds around an element reaches the prompts of examiner and assessor, as it was when asked."""

from collections.abc import Iterator

import pytest
from waffle.testutils import override_flag

from exams.models import Exam, Turn
from knowledge.flags import FREE_QUESTIONS
from knowledge.library_version import library_changed
from knowledge.models import Chunk, Concept, ConceptRelation, Item
from llm.prompts import fence_text
from tests.doubles.demo_library import Demo
from tests.doubles.library import make_evidence, make_node
from tests.doubles.models import Wire, wire
from tests.doubles.rooms import answer_and_settle, new_exam, opened
from tests.doubles.vendor_orals import Vendors, anthropic_at, judges
from tests.doubles.vendors import EMPTY, VendorServer

__all__ = ["wire"]
pytestmark = pytest.mark.django_db
ANSWER = "Something about lights."
TOLD = {
    "approved rule: The red flag is down.": ("regulatory_claim", "applies_in_scenario"),
    "definition: Flag: a cloth on a pole.": ("definition", "applies_in_scenario"),
    "wrong belief: A flag is never down.": ("misconception", "applies_in_scenario"),
    "may lead to: Flags of airports": ("topic", "leads_to_discussion_of"),
    "mitigation: Look for the flag.": ("procedure", "mitigates_risk_of"),
}
"""What is told, by the category of its node and how the node is joined to every element."""
QUOTED = '"Aircraft calling, stand by" does not count.'
NEVER = "Nobody approved this."


@pytest.fixture
def vendors(wire: Wire, demo: Demo) -> Iterator[Vendors]:
    with VendorServer(EMPTY) as examiner, VendorServer(EMPTY) as assessor:
        wire(examiner=anthropic_at(examiner), assessor=anthropic_at(assessor))
        yield Vendors(examiner, assessor)


@pytest.fixture(autouse=True)
def graph(demo: Demo) -> None:
    """A node of each kind beside every element, more urgent than what the demo has there."""
    chunk = Chunk.objects.filter(text__contains=QUOTED).order_by("index")[0]
    elements = list(Concept.objects.filter(category="acs_element"))
    kinds = [(told.partition(": ")[2], "validated", *kind) for told, kind in TOLD.items()]
    for name, status, category, relation in (
        *kinds,
        (NEVER, "pending", "misconception", "applies_in_scenario"),
    ):
        node = make_node(name, category, status, priority="P0")
        make_evidence(node, chunk, QUOTED)
        leads = relation == "leads_to_discussion_of"
        ConceptRelation.objects.bulk_create(
            ConceptRelation(
                source=one if leads else node,
                target=node if leads else one,
                relation_type=relation,
                confidence=1.0,
            )
            for one in elements
        )
    library_changed(None)


def prompt_of(server: VendorServer) -> str:
    return str(server.received[0].body["system"])


def assert_told(prompt: str, *, without: str = "") -> None:
    for told in TOLD.keys() - {without}:
        assert fence_text("graph", told) in prompt, told
    assert NEVER not in prompt


def judged(exam: Exam, vendors: Vendors) -> str:
    vendors.will_judge(judges(exam, ANSWER, "missing"))
    answer_and_settle(exam, ANSWER, "a1")
    return prompt_of(vendors.assessor)


def test_the_assessor_reads_what_stood_there_when_the_item_was_asked(demo: Demo, vendors: Vendors) -> None:
    exam = opened(new_exam(demo.student))
    assert Turn.objects.get().item
    Concept.objects.filter(name="Look for the flag.").update(validation_status="rejected")
    library_changed(None)
    assert_told(judged(exam, vendors))


def test_an_examiner_that_words_a_question_and_its_assessor_read_it(demo: Demo, vendors: Vendors) -> None:
    """Approved rules are what such a question expects, so they stand among the expectations."""
    rule = next(iter(TOLD))
    Item.objects.update(withdrawn=True)
    library_changed(None)
    vendors.will_ask("It is Sunday morning and a friend sits beside you. What do you do?")
    with override_flag(FREE_QUESTIONS, active=True):
        exam = opened(new_exam(demo.student))
        assert_told(prompt_of(vendors.examiner), without=rule)
        assert_told(judged(exam, vendors), without=rule)
