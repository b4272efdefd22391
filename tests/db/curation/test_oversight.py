"""Agreement, progress and batches: what is counted, what is approved, and who sees it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from curation.models import CaseDecision, Claim, DecisionKind, QueueEntry, ReviewDecision
from curation.oversight.agreement_report import agreement_report
from curation.oversight.batches import batches_for, sample_size, sound_claims
from curation.oversight.progress import progress_of, what_is_left, work_by_day
from curation.queue import put_aside
from curation.review import approve_claim, edit_claim, reject_claim
from knowledge.models import Chunk, Concept, ConceptChunkEvidence, Tenant
from knowledge.models.graph import Priority, ValidationStatus
from tests.doubles.claims import make_rules_chunk, make_user
from tests.doubles.schools import Schools

pytestmark = pytest.mark.django_db
PAGES = ("progress", "agreement", "guidelines", "batches")


def make_claim(name: str, tenant: Tenant | None = None, **fields: Any) -> Claim:
    given = {"priority": Priority.P2, "key_facts": {"domain": "fuel"}, "category": "regulatory_claim"}
    concept = Concept.objects.create(key=f"claim:{name}", name=name, tenant=tenant, **given | fields)
    QueueEntry.objects.create(claim=concept, source="14 CFR Part 91", group="Subpart B")
    return Claim.objects.get(pk=concept.pk)


def make_alike(chunk: Chunk, count: int, tenant: Tenant | None = None) -> list[Claim]:
    """Claims that each repeat their quote, in words that are not alike."""
    claims = []
    for number in range(count):
        said = f"The operator number{number} keeps gauge{number} of tank{number} before departure{number}."
        claims.append(make_claim(said, tenant))
        ConceptChunkEvidence.objects.create(concept=claims[-1], chunk=chunk, quote=said)
    return claims


@pytest.fixture
def chunk() -> Chunk:
    return make_rules_chunk()


def address(page: str) -> str:
    return f"/admin/curation/claim/{page}/"


# --- agreement --------------------------------------------------------------------------------------------------


def read_by_two(first: str, second: str, name: str, readers: list[Any], **fields: Any) -> Claim:
    """A P0 claim that each reader judged as named: approve, reject or edit."""
    claim = make_claim(name, priority=Priority.P0, **fields)
    for reader, judgment in zip(readers, (first, second), strict=False):
        if judgment == "edit":
            edit_claim(claim.pk, reader, version=claim.version, statement=f"{name} indeed")
        elif judgment == "reject":
            reject_claim(claim.pk, reader, version=claim.version, reason="No.")
        else:
            approve_claim(claim.pk, reader, version=claim.version)
    return claim


def test_agreement_is_computed_from_claims_that_two_read() -> None:
    readers = [make_user(name) for name in ("anna", "ben", "cleo")]
    for number in range(3):
        read_by_two("approve", "approve", f"Good rule {number}", readers, key_facts={"domain": "airspace"})
    read_by_two("reject", "reject", "Bad rule", readers)
    read_by_two("approve", "edit", "Unclear rule", readers)
    disputed = read_by_two("approve", "reject", "Disputed rule", readers, key_facts={"domain": "lights"})
    approve_claim(disputed.pk, readers[2], version=disputed.version)  # settles, and is no third judgment
    read_once = make_claim("Read once", priority=Priority.P0)
    approve_claim(read_once.pk, readers[0], version=1)
    approve_claim(make_claim("Of one reader").pk, readers[0], version=1)

    report = agreement_report(readers[0])
    (pair,) = report.pairs
    assert (pair.name, pair.claims, pair.agreed, pair.is_small) == ("anna and ben", 6, 4, True)
    # anna approves 5 of 6 and rejects 1; ben approves 3, rejects 2, edits 1: expected (5*3 + 1*2) / 36
    assert pair.value == pytest.approx((4 / 6 - 17 / 36) / (1 - 17 / 36))
    assert [(one.name, one.claims) for one in report.reviewers] == [("anna", 6), ("ben", 6)]
    assert [(one.name, one.claims, one.agreed) for one in report.domains] == [
        ("airspace", 3, 3),
        ("fuel", 2, 1),
        ("lights", 1, 0),
    ]
    assert [one.statement for one in report.differing] == ["Disputed rule", "Unclear rule indeed"]
    assert report.differing[0].judgments == {"anna": "approve", "ben": "reject"}
    assert agreement_report(readers[0], "lights").overall.claims == 1


def test_first_verdict_alone_is_not_in_the_report() -> None:
    readers = [make_user(name) for name in ("anna", "ben")]
    claim = make_claim("Read once", priority=Priority.P0)
    reject_claim(claim.pk, readers[0], version=1, reason="Crystal clear.")
    assert agreement_report(readers[1]).overall.claims == 0
    client = Client()
    client.force_login(readers[1])
    assert "Crystal clear" not in client.get(address("agreement")).content.decode()


@pytest.mark.long
def test_agreement_page_lists_differences(django_assert_max_num_queries: Any) -> None:
    readers = [make_user(name) for name in ("anna", "ben")]
    claims = [read_by_two("approve", "reject", f"Rule {number}", readers) for number in range(12)]
    client = Client()
    client.force_login(readers[0])
    client.get(address("agreement"))
    with django_assert_max_num_queries(8):
        page = client.get(address("agreement")).content.decode()
    assert page.count("anna: approve; ben: reject") == 12
    assert "small sample" in page
    assert f"/admin/curation/claim/queue/{claims[0].pk}/" in page


# --- progress ---------------------------------------------------------------------------------------------------


def at(minute: float) -> datetime:
    return datetime(2026, 5, 4, 9, 0, tzinfo=UTC) + timedelta(minutes=minute)


@pytest.mark.long
def test_pace_is_counted_within_sittings() -> None:
    morning = [
        ("anna", at(minute / 4), "approve", False) for minute in range(41)
    ]  # four a minute, ten minutes
    later = [("anna", at(120), "reject", False), ("anna", at(121), "edit", False)]
    batch = [("anna", at(121.5), "approve", True)] * 100
    (work,) = work_by_day([*morning, *later, *batch])
    assert (work.decided, work.batched, work.kinds["approve"]) == (43, 100, 41)
    assert work.seconds_each == 15
    program = [("anna", at(122 + second / 100), "approve", False) for second in range(50)]
    (whole,) = work_by_day([*morning, *later, *program])
    assert (whole.decided, whole.seconds_each) == (93, 15)
    (few,) = work_by_day(morning[:5])
    assert few.seconds_each is None


@pytest.mark.long
def test_progress_counts_by_person_and_day() -> None:
    anna, ben = make_user("anna"), make_user("ben")
    now = timezone.now()
    claim = make_claim("A rule.")
    for who, day, kind in ((anna, 0, "approve"), (anna, 1, "reject"), (ben, 1, "edit"), (ben, 40, "edit")):
        ReviewDecision.objects.create(
            claim=claim,
            reviewer=who,
            decision=DecisionKind(kind),
            version_read=1,
            before={},
            after={},
            created_at=now - timedelta(days=day),
        )
    progress = progress_of(anna, now)
    told = [(one.person, one.day, dict(one.by_kind)) for one in progress.days]
    today, yesterday = now.date(), now.date() - timedelta(days=1)
    assert told == [
        ("anna", today, {"approve": 1}),
        ("anna", yesterday, {"reject": 1}),
        ("ben", yesterday, {"edit": 1}),
    ]
    assert [(one.person, one.decided) for one in progress.people] == [("anna", 2), ("ben", 1)]
    assert [one.decided for one in progress.bars][-2:] == [2, 1]
    assert progress.bars[-2].height == 100


@pytest.mark.parametrize(("seconds", "hours"), [(30, None), (120, 120 / 3600)])
def test_how_long_the_rest_takes_is_said_from_half_an_hour(seconds: int, hours: float | None) -> None:
    anna, claim = make_user("anna"), make_claim("A rule.")
    noon = timezone.now().replace(hour=12)
    ReviewDecision.objects.bulk_create(
        ReviewDecision(
            claim=claim,
            reviewer=anna,
            decision=DecisionKind.EDIT,
            version_read=1,
            before={},
            after={},
            created_at=noon - timedelta(seconds=number * seconds),
        )
        for number in range(21)
    )
    assert progress_of(anna, noon).hours_left == (pytest.approx(hours) if hours else None)


def test_what_was_deferred_or_flagged_is_work_and_on_record() -> None:
    anna, claim = make_user("anna"), make_claim("A rule.")
    for aside in ("deferred", "deferred", "flagged", ""):
        put_aside(claim, anna, aside)
    (work,) = progress_of(anna, timezone.now()).days
    assert dict(work.by_kind) == {"defer": 1, "flag": 1}
    rows = CaseDecision.objects.filter(kind="claim", row=str(claim.pk)).order_by("number")
    assert [one.after["aside"] for one in rows] == ["deferred", "flagged"]


@pytest.mark.long
def test_what_is_left() -> None:
    anna, _ = make_user("anna"), make_user("ben")
    claims = [make_claim(f"Rule {priority}", priority=priority) for priority in ("P0", "P0", "P1", "P2")[1:]]
    QueueEntry.objects.filter(claim=claims[2]).update(aside="deferred")
    approve_claim(claims[0].pk, anna, version=1)
    left = what_is_left(anna)
    assert (left.by_priority, left.read_once, left.aside) == ({"P0": 1, "P1": 1, "P2": 0}, 1, 1)


# --- batches ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("claims", "read"), [(1, 1), (19, 19), (20, 16), (100, 39), (400, 52)])
def test_sample_size_of_a_lot(claims: int, read: int) -> None:
    """With (claims - read) over claims, taken for the least number of wrong ones that is too many, below 5 %."""
    assert sample_size(claims) == read


def test_batches_are_alike_claims_of_low_risk(chunk: Chunk) -> None:
    reviewer = make_user("anna")
    claims = make_alike(chunk, 25)
    others: list[tuple[Callable[[Claim], Any], str]] = [
        (lambda claim: Claim.objects.filter(pk=claim.pk).update(priority="P0"), "P0"),
        (lambda claim: QueueEntry.objects.filter(claim=claim).update(aside="flagged"), "flagged"),
        (lambda claim: QueueEntry.objects.filter(claim=claim).update(group="Subpart C"), "another part"),
        (lambda claim: Claim.objects.filter(pk=claim.pk).update(key_facts={"domain": "lights"}), "subject"),
        (lambda claim: Claim.objects.filter(pk=claim.pk).update(key_facts={"unbound": "x"}), "unbound"),
    ]
    for claim, (change, _) in zip(claims, others, strict=False):
        change(claim)
    (batch,) = batches_for(reviewer)
    assert (batch.claims, batch.domain, batch.priority, batch.group) == (20, "fuel", "P2", "Subpart B")
    assert {one.pk for one in sound_claims(reviewer, batch).claims} == {one.pk for one in claims[5:]}


def test_faults_and_contradictions_are_left_out(chunk: Chunk) -> None:
    reviewer = make_user("anna")
    claims = make_alike(chunk, 20)
    said = "Each operator keeps reserve fuel for at least {} minutes on every flight by night."
    for minutes, quoted in ((30, 45), (60, 60)):
        claim = make_claim(said.format(minutes))
        ConceptChunkEvidence.objects.create(concept=claim, chunk=chunk, quote=said.format(quoted))
    make_claim("The operator keeps a list of tanks.")
    approved = make_claim(said.format(90))
    Claim.objects.filter(pk=approved.pk).update(validation_status=ValidationStatus.VALIDATED)
    (batch,) = batches_for(reviewer)
    sound = sound_claims(reviewer, batch)
    assert {one.pk for one in sound.claims} == {one.pk for one in claims}
    why = {claim.name: reason for claim, reason in sound.left_out}
    assert "differ from the quote" in why[said.format(30)]
    assert "contradicts" in why[said.format(60)]
    assert why["The operator keeps a list of tanks."] == "it has no evidence"


def batch_page(client: Client) -> tuple[str, Any]:
    (batch,) = batches_for(client.user)  # type: ignore[attr-defined]
    named = {"source": batch.source, "group": batch.group, "domain": batch.domain, "priority": batch.priority}
    query = "&".join(f"{name}={value.replace(' ', '+')}" for name, value in named.items())
    where = f"{address('batch')}?{query}"
    return where, client.get(where)


@pytest.fixture
def client() -> Client:
    client = Client()
    client.user = make_user("anna")  # type: ignore[attr-defined]
    client.force_login(client.user)  # type: ignore[attr-defined]
    return client


@pytest.mark.long
def test_sample_shows_each_quote_once_and_a_lead_in_before_its_item(chunk: Chunk, client: Client) -> None:
    lead_in = "The operator must do this:"
    for claim in make_alike(chunk, 24):
        quotes = [lead_in, claim.name, claim.name]
        Claim.objects.filter(pk=claim.pk).update(key_facts=claim.key_facts | {"quotes": quotes})
    _, page = batch_page(client)
    assert [quotes for _, quotes in page.context["read"]] == [
        [lead_in, claim.name] for claim in page.context["sample"]
    ]


@pytest.mark.parametrize("query", ["", "?source=x&priority=P0", "?source=x&priority=P2&tenant=999"])
def test_batch_that_is_no_batch(client: Client, query: str) -> None:
    assert client.get(f"{address('batch')}{query}").status_code == 404


# --- schools ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES)
def test_pages_open_for_reviewers_alone_or_with_operators(schools: Schools, page: str) -> None:
    codes = {
        name: schools.client(name).get(address(page)).status_code
        for name in ("reviewer-of-first", "operator-of-first", "student-of-first")
    }
    operator = 403 if page == "batches" else 200
    assert codes == {"reviewer-of-first": 200, "operator-of-first": operator, "student-of-first": 302}


def test_nothing_of_another_school_is_shown(schools: Schools, chunk: Chunk) -> None:
    make_alike(chunk, 22, schools.second)
    theirs = [schools.people["reviewer-of-second"], schools.people["superuser"]]
    disputed = make_claim("Secret rule", schools.second, priority=Priority.P0)
    for reader, kind in zip(theirs, ("approve", "reject"), strict=True):
        ReviewDecision.objects.create(
            claim=disputed,
            reviewer=reader,
            decision=DecisionKind.VERDICT,
            version_read=1,
            before={},
            after={"verdict": kind, "version": 1},
        )
    for name in ("reviewer-of-first", "operator-of-first"):
        client = schools.client(name)
        shown = "".join(client.get(address(page)).content.decode() for page in PAGES[:2])
        assert not [word for word in ("Secret rule", "reviewer-of-second", "superuser") if word in shown]
        assert "0 claims wait" in shown
    reviewer = schools.people["reviewer-of-first"]
    assert batches_for(reviewer) == []
    where = f"{address('batch')}?source=14+CFR+Part+91&group=Subpart+B&domain=fuel&priority=P2"
    assert schools.client("reviewer-of-first").get(f"{where}&tenant={schools.second.pk}").status_code == 404
    assert agreement_report(schools.people["reviewer-of-second"]).differing_count == 1
    assert len(batches_for(schools.people["reviewer-of-second"])) == 1
