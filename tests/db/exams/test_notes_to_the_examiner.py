"""What an operator tells the examiner steers manner and emphasis; nothing is found in it, quoted from it or judged."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from waffle.testutils import override_flag

from exams.exchange.prefetch import prepare_next
from exams.exchange.question_flow import context_from_stored
from exams.models import Exam, Turn
from knowledge.flags import FREE_QUESTIONS
from knowledge.grounding.citations import QuoteNotFound, cite_quote
from knowledge.library_version import generations_of, library_changed, remove_from_library
from knowledge.models import Item, Membership, Note, Tenant
from knowledge.models.tenancy import Role
from knowledge.notes import notes_for, save_note
from knowledge.retrieval.search import search
from knowledge.retrieval.values import SearchRequest
from llm.prompts import fence_text
from tests.doubles.claims import make_user
from tests.doubles.demo_library import Demo
from tests.doubles.library import make_tenant
from tests.doubles.models import Wire, wire
from tests.doubles.rooms import answer_and_settle, new_exam, opened
from tests.doubles.vendor_orals import Vendors, anthropic_at, judges
from tests.doubles.vendors import EMPTY, Says, VendorServer
from tests.sampling import sample_of

__all__ = ["wire"]
pytestmark = pytest.mark.django_db
ASKED = "It is Sunday morning and a friend sits beside you. What do you do?"
MANNER = "Speak slowly and ask about our grass strip whenever it fits."


def make_note(text: str = MANNER, tenant: Tenant | None = None, **fields: Any) -> Note:
    note = Note(text=text, tenant=tenant, **fields)
    save_note(note)
    return note


def told(tenant: Tenant | None = None, area: str = "I") -> tuple[str, ...]:
    owner = tenant.pk if tenant else None
    return notes_for("examiner", tenant=owner, area=area, generations=generations_of(owner))


@pytest.fixture
def vendors(wire: Wire, demo: Demo) -> Iterator[Vendors]:
    with VendorServer(EMPTY) as examiner, VendorServer(EMPTY) as assessor:
        wire(examiner=anthropic_at(examiner), assessor=anthropic_at(assessor))
        found = Vendors(examiner, assessor)
        found.will_ask(ASKED)
        yield found


@pytest.fixture
def freely(demo: Demo, vendors: Vendors) -> Iterator[Exam]:
    """An exam about claims, without items."""
    Item.objects.update(withdrawn=True)
    library_changed(None)
    with override_flag(FREE_QUESTIONS, active=True):
        yield new_exam(demo.student)


def prompts(server: VendorServer) -> list[str]:
    return [str(request.body["system"]) for request in server.received]


# --- who is told what -------------------------------------------------------------------------------------------


def test_of_the_house_and_of_the_own_school_by_area() -> None:
    school, other = make_tenant(), make_tenant("other")
    make_note("For all.")
    make_note("For the school.", school)
    make_note("Weather.", school, area="III")
    make_note("Resting.", school, active=False)
    assert told(school) == ("For all.", "For the school.")
    assert told(school, "III") == ("For all.", "For the school.", "Weather.")
    assert told(other) == told() == ("For all.",)


@pytest.mark.long
def test_they_are_held_in_memory_until_one_changes(django_assert_num_queries: Any) -> None:
    note, state = make_note(), generations_of(None)
    assert told() == (MANNER,)
    with django_assert_num_queries(0):
        notes_for("examiner", tenant=None, area="I", generations=state)
    note.text = "Be brief."
    save_note(note)
    assert told() == ("Be brief.",)
    remove_from_library(note)
    assert told() == ()


# --- what they do -----------------------------------------------------------------------------------------------


def test_the_examiner_that_words_a_question_reads_them_fenced(freely: Exam, vendors: Vendors) -> None:
    make_note()
    opened(freely)
    turn = Turn.objects.get(exam=freely)
    assert (turn.text, turn.item, turn.provenance["provider"]) == (ASKED, "", "anthropic")
    [prompt] = prompts(vendors.examiner)
    assert fence_text("note", MANNER) in prompt
    assert MANNER not in prompt.replace(fence_text("note", MANNER), "")
    vendors.will_judge(judges(freely, "Something about lights.", "missing"))
    answer_and_settle(freely, "Something about lights.", "a1")
    assert all(MANNER not in prompt for prompt in prompts(vendors.assessor))


@pytest.mark.long
def test_a_new_note_reaches_a_question_that_was_made_ahead(freely: Exam, vendors: Vendors) -> None:
    opened(freely)
    answered = 0
    while len(prompts(vendors.examiner)) == 1 or "grass" not in prompts(vendors.examiner)[-1]:
        prepare_next(freely.pk)
        if answered == 0:
            make_note()
        assert answered < 6
        vendors.will_judge(judges(freely, "Something about lights.", "contradicted"))
        answer_and_settle(freely, "Something about lights.", f"a{answered}")
        answered += 1
    assert Turn.objects.filter(exam=freely, form="opening").count() == 2


# --- no evidence ------------------------------------------------------------------------------------------------


def test_no_search_finds_them(demo: Demo) -> None:
    make_note()
    found = search(SearchRequest(query=MANNER, threshold=0.0))
    assert all("grass strip" not in one.text for one in found.results)


def test_a_citation_of_their_words_is_refused(demo: Demo) -> None:
    make_note()
    opened(new_exam(demo.student))
    context = context_from_stored(Turn.objects.get().context)
    for passage in context.passages:
        with pytest.raises(QuoteNotFound):
            cite_quote(passage, MANNER)


@pytest.mark.long
def test_an_amount_that_only_a_note_holds_is_not_asked_about(freely: Exam, vendors: Vendors) -> None:
    note = Note(text="The strip is 1,730 feet long.")
    note.save()  # past the check of its text
    vendors.will_ask("Our strip has 1,730 feet on a hot day. What do you make of that before you take off?")
    opened(freely)
    assert not Turn.objects.filter(text__contains="1,730").exists()
    assert "no figure" in prompts(vendors.examiner)[1]


@pytest.mark.long
def test_one_who_cites_a_note_as_a_source_is_asked_once_more(freely: Exam, vendors: Vendors) -> None:
    make_note()
    vendors.examiner.script[:] = [Says({"text": ASKED, "expectations": [], "sources": [99]})]
    opened(freely)
    assert "There is no source 99." in prompts(vendors.examiner)[1]


# --- who writes them --------------------------------------------------------------------------------------------


@pytest.fixture
def operator() -> Any:
    olga = make_user("olga", Role.OPERATOR)
    Membership.objects.filter(user=olga).update(tenant=make_tenant())
    return olga


def test_an_operator_writes_for_the_own_school_alone(client: Client, operator: Any) -> None:
    house = make_note("For all.")
    client.force_login(operator)
    given = {"role": "examiner", "area": "", "text": MANNER, "active": "on"}
    assert client.post("/admin/knowledge/note/add/", given).status_code == 302
    assert Note.objects.get(text=MANNER).tenant == make_tenant()
    assert client.post(f"/admin/knowledge/note/{house.pk}/change/", given).status_code == 403
    assert told(make_tenant()) == ("For all.", MANNER)


@pytest.mark.parametrize(
    ("given", "said"),
    sample_of(
        [
            ({"text": "They need 3 statute miles."}, "is a fact"),
            ({"role": "assessor", "text": "At our field 2 miles do."}, "is a fact"),
            ({"area": "XX"}, "There is no Area XX"),
            ({"role": "rules", "area": "I"}, "The rules desk knows no Areas"),
            ({"role": "grapher"}, "not one of the available choices"),
        ],
        3,
    ),
)
def test_figures_and_unknown_areas_are_refused(
    client: Client, operator: Any, given: dict[str, str], said: str
) -> None:
    client.force_login(operator)
    page = client.post("/admin/knowledge/note/add/", {"role": "examiner", "area": "", "text": MANNER} | given)
    assert said in page.content.decode()
    assert not Note.objects.exists()


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.STUDENT])
def test_others_write_none(client: Client, role: Role) -> None:
    client.force_login(make_user("rita", role))
    assert client.get("/admin/knowledge/note/add/").status_code in (302, 403)
