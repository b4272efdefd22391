"""What decision tables compute from approved claims reaches a vendor's assessor, to check figures against."""

from collections.abc import Iterator

import pytest

from exams import conf
from exams.domain.values import Exchange, Expectation
from exams.examiner.assessor import assess_answer
from exams.exchange.question_flow import aids_of
from knowledge.grounding.context import NO_SOURCES
from knowledge.models import Concept
from llm import registry
from llm.prompts import fence_text
from tests.db.knowledge.decision_tables.test_computed_answers import DAY, NIGHT, make_claim
from tests.doubles.chats import SaysInTurn, points
from tests.doubles.library import MODEL, make_chunk, make_tenant

pytestmark = pytest.mark.django_db
MINIMUMS = "PA.I.E.K1"
TOLD = (
    "Basic VFR weather minimums, Class G, 1,200 feet or less above the surface, Day, Airplane: Flight visibility:"
    " 1 statute mile; Distance from clouds: clear of clouds (14 CFR 91.155)"
)
VENDOR = SaysInTurn(points(("a", "met")), external=True)


@pytest.fixture(autouse=True)
def day() -> Iterator[Concept]:
    registry.configure_models(chat={}, embedding=lambda: MODEL)
    yield make_claim(DAY, make_chunk(DAY, section="91.155"))
    registry.reset_models()


def computed(element: str = MINIMUMS, tenant: int | None = None) -> tuple[str, ...]:
    return aids_of(VENDOR, element, tenant).computed


def test_cells_of_an_elements_tables_are_told_with_their_source() -> None:
    assert computed() == (TOLD,)
    assert computed("PA.I.E.K3") == ()


def test_only_what_is_approved_agrees_and_is_the_schools_own_is_told(day: Concept) -> None:
    school = make_tenant()
    make_claim(NIGHT, make_chunk(NIGHT, section="91.155"), tenant=school)
    assert len(computed()) == 1
    assert len(computed(tenant=school.pk)) == 2
    Concept.objects.filter(pk=day.pk).update(validation_status="pending")
    assert computed() == ()


def test_claims_that_contradict_each_other_are_no_fact(day: Concept) -> None:
    other = DAY.replace("1 statute mile", "2 statute miles")
    make_claim(other, make_chunk(other, section="91.155"))
    assert computed() == ()


def test_no_more_than_their_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conf, "COMPUTED_TOKENS", 20)
    assert computed() == ()


def test_a_vendors_prompt_has_them_fenced_and_the_local_judge_reads_none() -> None:
    model = SaysInTurn(points(("a", "met")), external=True)
    exchange = Exchange(asked="What do you need in Class G?", said="One mile and clear of clouds.")
    expected = (Expectation(key="a", text="One mile and clear of clouds."),)
    judged = assess_answer(
        (exchange,), expected, NO_SOURCES, aids=aids_of(model, MINIMUMS, None), model=model
    )
    assert fence_text("computed", TOLD) in model.asked[0].system
    assert judged.provenance["computed"] == 1
    assert aids_of(SaysInTurn({}), MINIMUMS, None).computed == ()
