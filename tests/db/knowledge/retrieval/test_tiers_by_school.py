"""What one school wrote is in no tier of another: neither in memory, nor in the cache, nor in the log that it reads."""

from typing import Any

import pytest
from django.test import Client

from exams.examiner.briefing import Briefing, library_state
from knowledge.library_version import library_changed
from knowledge.models import Chunk, Membership, RetrievalLog, Tenant
from knowledge.models.tenancy import Role
from knowledge.retrieval.search import search
from knowledge.retrieval.search_log import note_cited
from knowledge.retrieval.values import ARMS, Arm, SearchRequest
from tests.doubles.briefings import briefing_about
from tests.doubles.claims import make_user
from tests.doubles.demo_library import Demo
from tests.doubles.library import MODEL, WEATHER, make_chunk, make_document, make_tenant

pytestmark = pytest.mark.django_db
SECRET = (
    "Our club needs 5 statute miles of visibility in Class G airspace by day, whatever the regulation says."
)


@pytest.fixture
def schools() -> tuple[Tenant, Tenant]:
    ours, theirs = make_tenant("ours"), make_tenant("theirs")
    make_chunk(WEATHER, section="91.155")
    make_chunk(SECRET, make_document("Club rules", tenant=ours, doc_type="sop"))
    return ours, theirs


def found(school: Tenant | None, arm: Arm = "hybrid") -> set[str]:
    request = SearchRequest(
        query="visibility in Class G by day", tenant=school.pk if school else None, arm=arm, threshold=0.0
    )
    return {one.text for one in search(request, MODEL).results}


@pytest.mark.parametrize("arm", ARMS)
def test_in_no_arm_first_or_cached(schools: tuple[Tenant, Tenant], arm: Arm) -> None:
    ours, theirs = schools
    for _ in range(2):  # the second time from the cache
        assert SECRET in found(ours, arm)
        assert SECRET not in found(theirs, arm)
        assert SECRET not in found(None, arm)


def texts(briefing: Briefing) -> str:
    return " ".join(one.text for one in briefing.context.passages)


def test_a_process_remembers_for_each_school(demo: Demo) -> None:
    ours, theirs = make_tenant("ours"), make_tenant("theirs")
    chunk = Chunk.objects.filter(text__contains="3 statute miles of flight visibility")[0]
    Chunk.objects.filter(pk=chunk.pk).update(text=f"{chunk.text}\n\n{SECRET}")
    type(chunk.document).objects.filter(pk=chunk.document_id).update(tenant=ours)
    for tenant in (None, ours.pk):
        library_changed(tenant)
    code = "PA.I.E.K1"
    own = briefing_about(code, library_state(ours.pk, None))
    assert SECRET in texts(own)
    for tenant in (theirs.pk, None):
        try:
            assert SECRET not in texts(briefing_about(code, library_state(tenant, None)))
        except LookupError:  # without the handbook it cannot be asked at all
            continue


def test_the_row_of_an_exam_that_cites_what_was_remembered_is_of_the_same_school(
    schools: tuple[Tenant, Tenant],
) -> None:
    ours, _ = schools
    found(ours)
    first = RetrievalLog.objects.get()
    RetrievalLog.objects.update(exam="00000000-0000-4000-8000-000000000001")
    note_cited(first.pk, ["a"], exam="00000000-0000-4000-8000-000000000002")  # type: ignore[arg-type]
    copy = RetrievalLog.objects.exclude(pk=first.pk).get()
    assert (copy.tenant, copy.tier, copy.cited, copy.results) == (ours, "memory", ["a"], first.results)
    first.refresh_from_db()
    assert first.cited == []


def test_an_operator_reads_the_own_schools_look_ups_alone(
    schools: tuple[Tenant, Tenant], client: Client
) -> None:
    ours, theirs = schools
    RetrievalLog.objects.create(
        tenant=ours, query="a question of ours", arm="hybrid", quality="strong", latency_ms=1
    )
    olga: Any = make_user("olga", Role.OPERATOR)
    for school, sees in ((theirs, False), (ours, True)):
        Membership.objects.filter(user=olga).update(tenant=school)
        client.force_login(olga)
        assert ("a question of ours" in client.get("/operations/searches/").content.decode()) is sees
