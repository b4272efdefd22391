"""A P0 claim counts when two reviewers, of whom the second does not see the first one's verdict, approve it."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from waffle.models import Flag

from curation.models import Claim, DecisionKind, ReviewDecision
from curation.oversight.audit import verify_chains
from curation.queue import QueueFilter, next_to_read, queue_for
from curation.review import (
    approve_claim,
    edit_and_approve_claim,
    edit_claim,
    reject_claim,
    undo_decision,
)
from curation.selectors import WrongDecision
from knowledge.flags import SINGLE_READER
from knowledge.models import Membership
from knowledge.models.graph import Priority, ValidationStatus
from knowledge.models.tenancy import Role
from tests.doubles.claims import make_claims, make_user
from tests.doubles.library import make_tenant

pytestmark = pytest.mark.django_db
PENDING, VALIDATED, REJECTED = ValidationStatus.PENDING, ValidationStatus.VALIDATED, ValidationStatus.REJECTED


@pytest.fixture
def claim() -> Claim:
    first = make_claims()[0]
    Claim.objects.exclude(pk=first.pk).delete()
    Claim.objects.update(priority=Priority.P0)
    return Claim.objects.get()


@pytest.fixture
def readers() -> list[Any]:
    return [make_user(name) for name in ("anna", "ben", "cleo")]


def client_of(user: Any) -> Client:
    user.user_permissions.set(Permission.objects.filter(content_type__app_label="curation"))
    client = Client()
    client.force_login(user)
    return client


def address(claim: Claim) -> str:
    return f"/admin/curation/claim/queue/{claim.pk}/"


def kinds() -> list[str]:
    return list(ReviewDecision.objects.order_by("number").values_list("decision", flat=True))


def test_two_reviewers_approve_the_same_version(claim: Claim, readers: list[Any]) -> None:
    first, second, _ = readers
    read = approve_claim(claim.pk, first, version=claim.version)
    assert (read.validation_status, read.version) == (PENDING, claim.version)
    decided = approve_claim(claim.pk, second, version=claim.version)
    assert (decided.validation_status, decided.version) == (VALIDATED, claim.version + 1)
    assert kinds() == [DecisionKind.VERDICT, DecisionKind.APPROVE]
    assert verify_chains().broken == ()


def test_one_reviewer_cannot_be_both(claim: Claim, readers: list[Any]) -> None:
    approve_claim(claim.pk, readers[0], version=claim.version)
    for decide in (approve_claim, lambda *args, **named: reject_claim(*args, reason="No.", **named)):
        with pytest.raises(WrongDecision, match="a second reviewer reads it too"):
            decide(claim.pk, readers[0], version=claim.version)
    assert Claim.objects.get().validation_status == PENDING


def test_rejection_needs_two_as_well(claim: Claim, readers: list[Any]) -> None:
    assert reject_claim(claim.pk, readers[0], version=claim.version, reason="Cut off.").is_undecided
    rejected = reject_claim(claim.pk, readers[1], version=claim.version, reason="A fragment.")
    assert rejected.validation_status == REJECTED


def test_approved_claim_is_rejected_by_one(claim: Claim, readers: list[Any]) -> None:
    for reader in readers[:2]:
        approved = approve_claim(claim.pk, reader, version=claim.version)
    rejected = reject_claim(claim.pk, readers[2], version=approved.version, reason="Wrong after all.")
    assert rejected.validation_status == REJECTED


def test_third_reviewer_decides_where_two_differ(claim: Claim, readers: list[Any]) -> None:
    first, second, third = readers
    approve_claim(claim.pk, first, version=claim.version)
    reject_claim(claim.pk, second, version=claim.version, reason="The limit is missing.")
    assert [list(queue_for(one)) for one in readers] == [[], [], [claim]]
    page = client_of(third).get(address(claim)).content.decode()
    assert "anna: approve" in page
    assert "ben: reject: The limit is missing." in page
    assert approve_claim(claim.pk, third, version=claim.version).validation_status == VALIDATED
    assert ReviewDecision.objects.latest("number").after["settles"] is True


@pytest.mark.long
def test_two_who_differ_may_come_round(claim: Claim, readers: list[Any]) -> None:
    approve_claim(claim.pk, readers[0], version=claim.version)
    reject_claim(claim.pk, readers[1], version=claim.version, reason="Unclear.")
    stays = reject_claim(claim.pk, readers[1], version=claim.version, reason="Still unclear.")
    assert stays.validation_status == PENDING
    assert approve_claim(claim.pk, readers[1], version=claim.version).validation_status == VALIDATED


def test_edit_starts_again(claim: Claim, readers: list[Any]) -> None:
    first, second, _ = readers
    approve_claim(claim.pk, first, version=claim.version)
    edited = edit_and_approve_claim(
        claim.pk, second, version=claim.version, statement=f"{claim.name.rstrip('.')} at once."
    )
    assert edited.validation_status == PENDING
    assert [list(queue_for(one)) for one in (first, second)] == [[edited], []]
    assert approve_claim(claim.pk, first, version=edited.version).validation_status == VALIDATED


@pytest.mark.long
def test_edit_that_takes_p0_away_needs_a_second_reader(claim: Claim, readers: list[Any]) -> None:
    edited = edit_and_approve_claim(
        claim.pk, readers[0], version=claim.version, statement=claim.name, priority="P2"
    )
    assert (edited.priority, edited.validation_status) == ("P2", PENDING)
    assert approve_claim(claim.pk, readers[1], version=edited.version).validation_status == VALIDATED


@pytest.mark.parametrize("priority", ["P1", "P2"])
def test_other_priorities_need_one(claim: Claim, readers: list[Any], priority: str) -> None:
    Claim.objects.update(priority=priority)
    assert approve_claim(claim.pk, readers[0], version=claim.version).validation_status == VALIDATED


# --- what the second reader sees ---------------------------------------------------------------------------------


def test_second_reader_sees_neither_name_nor_verdict(claim: Claim, readers: list[Any]) -> None:
    edited = edit_and_approve_claim(
        claim.pk,
        readers[0],
        version=claim.version,
        statement=f"{claim.name.rstrip('.')} at once.",
        reason="Crystal clear.",
    )
    client = client_of(readers[1])
    assert next_to_read(readers[1]) == edited
    assert not queue_for(readers[1], QueueFilter(reviewer="anna")).exists()
    for page in (address(claim), "/admin/curation/reviewdecision/", "/admin/curation/claim/queue/"):
        shown = client.get(page).content.decode()
        assert not [word for word in ("anna", "Crystal clear") if word in shown], page
    sent = {"decision": "approve", "version": claim.version}
    refused = client.post(address(claim), sent)
    assert refused.status_code == 409
    assert "anna edited it" in refused.content.decode()  # what changed, not what anna thinks of it
    assert "verdict" not in refused.content.decode().lower().replace("each other's verdict", "")


def test_first_reader_sees_the_own_verdict_and_takes_it_back(claim: Claim, readers: list[Any]) -> None:
    client = client_of(readers[0])
    answer = client.post(address(claim), {"decision": "approve", "version": claim.version}, follow=True)
    assert "Your verdict is noted, and a second reviewer reads it too" in answer.content.decode()
    assert "Your verdict: approve." in client.get(address(claim)).content.decode()
    undone = undo_decision(ReviewDecision.objects.get().pk, readers[0])
    assert (undone.validation_status, undone.version) == (PENDING, claim.version + 1)
    assert list(queue_for(readers[0])) == [undone]
    assert approve_claim(claim.pk, readers[1], version=undone.version).validation_status == PENDING


def test_verdict_that_is_disputed_is_not_taken_back(claim: Claim, readers: list[Any]) -> None:
    approve_claim(claim.pk, readers[0], version=claim.version)
    reject_claim(claim.pk, readers[1], version=claim.version, reason="No.")
    with pytest.raises(WrongDecision, match="second reviewer has read"):
        undo_decision(ReviewDecision.objects.get(reviewer=readers[0]).pk, readers[0])


def test_history_is_shown_once_the_claim_is_decided(claim: Claim, readers: list[Any]) -> None:
    for reader in readers[:2]:
        approve_claim(claim.pk, reader, version=claim.version)
    page = client_of(readers[2]).get(address(claim)).content.decode()
    assert "Verdict by anna" in page
    assert "Approve by ben" in page


# --- where one reader is enough ------------------------------------------------------------------------------------


def test_only_reviewer_of_a_school_decides_alone(claim: Claim) -> None:
    only, school = make_user("only"), make_tenant("elsewhere")
    for name in ("student", "elsewhere"):
        other = make_user(name, None)
        Membership.objects.create(
            user=other,
            role=Role.STUDENT if name == "student" else Role.REVIEWER,
            tenant=school if name == "elsewhere" else None,
        )
    make_user("left").__class__.objects.filter(username="left").update(is_active=False)
    page = client_of(only).get(address(claim)).content.decode()
    assert "Only one person reviews here." in page
    assert approve_claim(claim.pk, only, version=claim.version).validation_status == VALIDATED


def test_flag_lets_one_reviewer_decide(claim: Claim, readers: list[Any]) -> None:
    approve_claim(claim.pk, readers[0], version=claim.version)
    assert not queue_for(readers[0]).exists()
    Flag.objects.filter(name=SINGLE_READER).update(everyone=True)
    assert list(queue_for(readers[0])) == [claim]
    assert "the flag “One reader for P0 claims”" in client_of(readers[2]).get(address(claim)).content.decode()
    assert approve_claim(claim.pk, readers[0], version=claim.version).validation_status == VALIDATED


def test_api_says_that_a_second_reviewer_is_needed(claim: Claim, readers: list[Any]) -> None:
    where = f"/api/v1/claims/{claim.pk}/approve/"
    answer = client_of(readers[0]).post(where, {"version": claim.version}, "application/json").json()
    assert (answer["status"], answer["waits_for"]) == ("pending", "second reviewer")
    answer = client_of(readers[1]).post(where, {"version": claim.version}, "application/json").json()
    assert (answer["status"], answer.get("waits_for")) == ("validated", None)


def test_edit_alone_is_no_verdict(claim: Claim, readers: list[Any]) -> None:
    edited = edit_claim(
        claim.pk, readers[0], version=claim.version, statement=f"{claim.name.rstrip('.')} at once."
    )
    assert list(queue_for(readers[0])) == [edited]
