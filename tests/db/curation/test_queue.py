"""The queue goes by need: filters, parking by subpart, deferring, one reader for a claim, and decisions taken back."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation import conf
from curation.intake import take_in_chunk
from curation.models import Claim, ParkedGroup, QueueEntry, ReviewDecision
from curation.queue import (
    QueueFilter,
    bring_group_back,
    hold_for_reader,
    next_to_read,
    park_group,
    place_in_queue,
    put_aside,
    queue_for,
)
from curation.review import (
    StaleDecision,
    approve_claim,
    edit_and_approve_claim,
    edit_claim,
    reject_claim,
    reopen_claim,
    retire_claim,
    undo_decision,
)
from curation.selectors import WrongDecision
from knowledge.graph.skeleton import load_standard
from knowledge.models import Tenant
from knowledge.models.graph import RelationType
from knowledge.models.tenancy import Role
from tests.doubles.claims import EXTRACTOR, make_claims, make_rules_chunk, make_user
from tests.doubles.library import make_chunk, make_document, make_evidence, make_node
from tests.doubles.standards import small_standard

pytestmark = pytest.mark.django_db
QUEUE = "/admin/curation/claim/queue/"
BOARD = "/admin/curation/claim/board/"
TAXI, LOGS = "Subpart A Taxi", "Subpart B Logs"
ONE = "(a) Each member must log a flight within {} days after landing."


@pytest.fixture
def extract() -> Callable[[str, str], list[Claim]]:
    """Claims of a passage in a subpart of one and the same document."""
    document = make_document("Club rules", abbreviation="CR", doc_type="cfr")

    def made(text: str, subpart: str) -> list[Claim]:
        before = set(Claim.objects.values_list("pk", flat=True))
        chunk = make_rules_chunk(text, document=document, section_path=[subpart])
        take_in_chunk(chunk, EXTRACTOR)
        return list(Claim.objects.exclude(pk__in=before).order_by("name"))

    return made


def waiting(user: Any, **wanted: str) -> set[Any]:
    return set(queue_for(user, QueueFilter(**wanted)).values_list("pk", flat=True))


# --- filters and search -----------------------------------------------------------------------------------------


def test_filters_name_the_claims_to_go_through(reviewer: Any, extract: Any) -> None:
    (two,), (three,) = extract(ONE.format(2), TAXI), extract(ONE.format(3), LOGS)
    Claim.objects.filter(pk=two.pk).update(priority="P0", key_facts={"domain": "currency"})
    assert waiting(reviewer, source="CR") == {two.pk, three.pk}
    assert waiting(reviewer, source="CR", group=LOGS) == {three.pk}
    assert waiting(reviewer, priority="P0") == {two.pk}
    assert waiting(reviewer, domain="currency") == {two.pk}
    assert waiting(reviewer, source="nothing") == set()
    assert place_in_queue(reviewer, three, QueueFilter(group=LOGS)).total == 1


@pytest.mark.long
def test_a_claim_is_found_by_the_oral_in_which_it_binds_somebody(reviewer: Any) -> None:
    facts = {
        "both": {"orals": ["private", "commercial"]},
        "commercial": {"orals": ["commercial"]},
        "none": {"orals": [], "unbound": "glider"},
        "older": {},
    }
    made = {name: make_node(f"{name} must log.", status="pending") for name in facts}
    for name, node in made.items():
        Claim.objects.filter(pk=node.pk).update(key_facts=facts[name])

    def names(bound: str) -> set[str]:
        return {name for name, node in made.items() if node.pk in waiting(reviewer, bound=bound)}

    assert names("private") == {"both", "older"}
    assert names("commercial") == {"both", "commercial", "older"}
    assert names("no") == {"none"}
    assert names("yes") == {"both", "commercial", "older"}


@pytest.mark.long
def test_a_claim_is_found_by_who_decided_on_it(reviewer: Any, browser: Client) -> None:
    own, other, still = (make_node(f"{name} must log.", status="pending") for name in ("I", "You", "All"))
    second = make_user("second")
    approve_claim(own.pk, reviewer, version=1)
    reject_claim(other.pk, second, version=1, reason="No rule.")
    found = {
        name: set(queue_for(reviewer, QueueFilter.from_query({"reviewer": name})))
        for name in ("me", "colleagues", "second", "nobody")
    }
    named = {name: {claim.name for claim in claims} for name, claims in found.items()}
    assert named == {
        "me": {own.name},
        "colleagues": {other.name},
        "second": {other.name},
        "nobody": set(),
    }
    assert waiting(reviewer) == {still.pk}
    assert browser.get(f"{QUEUE}?reviewer=second").context["claim"].pk == other.pk
    progress = browser.get("/admin/curation/claim/progress/").content.decode()
    assert f'href="{QUEUE}?state=decided&amp;reviewer=second"' in progress


@pytest.mark.long
def test_a_place_is_named_by_the_work_and_where_there_are_several_by_the_part() -> None:
    made: list[QueueEntry] = []
    for title, abbreviation in (
        ("Parts 61 and 91", ""),
        ("Circular C", "AC 90-66C"),
        ("Circular D", "AC 90-66D"),
    ):
        document = make_document(title, abbreviation=abbreviation, doc_type="cfr")
        text = ONE.format(len(made) + 2)
        chunk = make_chunk(text, document, embed=False, section="91.7", heading="Logs", section_path=[TAXI])
        take_in_chunk(chunk, EXTRACTOR)
        made.append(QueueEntry.objects.latest("claim__created_at"))
    assert made[0].group == f"Part 91, {TAXI}"
    assert made[1].group == TAXI
    assert made[1].source == made[2].source == "AC 90-66"


@pytest.mark.long
@pytest.mark.parametrize(
    ("said", "found"),
    [("91.15", False), ("91.151", True), ("§ 91.151", True), ("14 CFR 91.151(a)", True), ("151", False)],
)
def test_a_reference_finds_its_claims_and_not_those_of_a_longer_number(
    reviewer: Any, said: str, found: bool
) -> None:
    claim = make_node("No person may begin a flight without fuel.", status="pending")
    claim.key_facts = {"cfr_reference": "14 CFR 91.151(a)(1)"}
    claim.save()
    assert (claim.pk in waiting(reviewer, q=said)) == found


@pytest.mark.parametrize(
    "query",
    [
        "?state=nonsense",
        "?priority=P9",
        "?q=" + "(" * 300,
        "?group=%27%3B--",
        "?bound=maybe",
        "?source=\\",
    ],
)
def test_a_filter_that_cannot_be_shows_the_queue(browser: Client, query: str) -> None:
    make_claims()
    assert browser.get(QUEUE + query).status_code == 200


@pytest.mark.long
def test_the_filter_stays_while_the_reviewer_goes_on(browser: Client, extract: Any) -> None:
    extract(ONE.format(2), TAXI)
    first, second = extract(ONE.format(3) + "\n" + ONE.format(4).replace("(a)", "(b)"), LOGS)
    query = QueueFilter(group=LOGS).query
    claim = browser.get(QUEUE + query).context["claim"]
    answer = browser.post(f"{QUEUE}{claim.pk}/{query}", {"decision": "approve", "version": claim.version})
    left = second if claim == first else first
    assert answer["Location"] == f"{QUEUE}{left.pk}/{query}"
    answer = browser.post(f"{QUEUE}{left.pk}/{query}", {"decision": "approve", "version": left.version})
    assert "Nothing here" in browser.get(answer["Location"]).content.decode()


# --- parking ----------------------------------------------------------------------------------------------------


def test_a_parked_subpart_waits_nowhere_until_it_is_brought_back(reviewer: Any, extract: Any) -> None:
    (taxi,), (logs,) = extract(ONE.format(2), TAXI), extract(ONE.format(3), LOGS)
    park, count = park_group(reviewer, tenant=None, source="CR", group=TAXI)
    assert (count, waiting(reviewer), waiting(reviewer, state="parked")) == (1, {logs.pk}, {taxi.pk})
    (later,) = extract(ONE.format(5), TAXI)  # extracted when its subpart is parked
    assert waiting(reviewer) == {logs.pk}
    assert bring_group_back(reviewer, park.pk) == (park, 2)
    assert waiting(reviewer) == {taxi.pk, logs.pk, later.pk}
    with pytest.raises(WrongDecision):
        bring_group_back(reviewer, park.pk)


@pytest.mark.long
def test_what_binds_nobody_is_parked_by_one_decision(reviewer: Any, extract: Any) -> None:
    extract(
        "(a) No person may operate a helicopter at night.\n(b) Each member must log a flight within 2 days.",
        TAXI,
    )
    _, count = park_group(reviewer, tenant=None, source="CR", unbound_only=True)
    assert count == 1
    assert [claim.name for claim in queue_for(reviewer)] == ["Each member must log a flight within 2 days."]
    extract(
        "(a) No person may operate a glider at night.\n(b) Each guest must log a flight within 9 days.", LOGS
    )
    assert not queue_for(reviewer).filter(name__contains="glider").exists()
    assert queue_for(reviewer).filter(name__contains="guest").exists()


@pytest.mark.long
def test_what_binds_nobody_in_the_oral_of_a_certificate_is_parked(
    browser: Client, reviewer: Any, extract: Any
) -> None:
    commercial = "(a) A {} pilot must log a flight within {} days after landing."
    extract(commercial.format("commercial", 2), TAXI)
    extract(commercial.format("private", 3), TAXI)
    (document,) = browser.get(BOARD).context["documents"]
    assert document["by_certificate"] == {"private": 1}
    assert ">Park the 1 that bind nobody in the private oral<" in browser.get(BOARD).content.decode()
    page = browser.post(BOARD, {"source": "CR", "tenant": "", "certificate": "private"}, follow=True)
    assert "Parked: CR (binds nobody in the private oral), 1 claim." in page.content.decode()
    assert ["private" in claim.name for claim in queue_for(reviewer)] == [True]
    extract(commercial.format("commercial", 4), LOGS)
    assert queue_for(reviewer).count() == 1
    (park,) = page.context["parks"]
    assert bring_group_back(reviewer, park.pk)[1] == 2


@pytest.mark.long
def test_parking_twice_is_one_parking_and_decided_claims_stay(reviewer: Any, extract: Any) -> None:
    (claim,) = extract(ONE.format(2), TAXI)
    approve_claim(claim.pk, reviewer, version=claim.version)
    for _ in range(2):
        assert park_group(reviewer, tenant=None, source="CR", group=TAXI)[1] == 0
    assert ParkedGroup.objects.count() == 1
    claim.refresh_from_db()
    assert claim.validation_status == "validated"
    assert waiting(reviewer, state="parked") == set()


def test_only_reviewers_of_a_school_park_its_claims(reviewer: Any, extract: Any) -> None:
    extract(ONE.format(2), TAXI)
    school = Tenant.objects.create(name="School", slug="school")
    with pytest.raises(PermissionDenied):
        park_group(reviewer, tenant=school, source="CR")
    with pytest.raises(PermissionDenied):
        park_group(make_user("student", Role.STUDENT), tenant=None, source="CR")
    park, _ = park_group(reviewer, tenant=None, source="CR")
    with pytest.raises(PermissionDenied):
        bring_group_back(make_user("other", Role.STUDENT), park.pk)


def test_the_board_counts_parks_and_brings_back(browser: Client, extract: Any) -> None:
    extract(ONE.format(2), TAXI)
    extract(ONE.format(3), LOGS)
    (document,) = browser.get(BOARD).context["documents"]
    assert [(row["group"], row["waiting"]) for row in document["rows"]] == [(TAXI, 1), (LOGS, 1)]
    page = browser.post(BOARD, {"source": "CR", "group": TAXI, "tenant": ""}, follow=True)
    assert "Parked: CR, Subpart A Taxi, 1 claim." in page.content.decode()
    (park,) = page.context["parks"]
    assert (
        page.context["documents"][0]["total"] | {"waiting": 1, "parked": 1}
        == page.context["documents"][0]["total"]
    )
    page = browser.post(BOARD, {"back": park.pk}, follow=True)
    assert page.context["documents"][0]["total"]["waiting"] == 2


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"source": "nothing"},
        {"back": "99"},
        {"back": "x"},
        {"tenant": "7", "source": "CR"},
        {"certificate": "x", "source": "CR"},
    ],
)
def test_parking_what_is_not_there_is_said(browser: Client, said: dict[str, str]) -> None:
    page = browser.post(BOARD, said, follow=True)
    assert page.status_code == 200
    assert "messages" in page.context
    assert [str(one) for one in page.context["messages"]]


# --- putting aside, and one reader for a claim --------------------------------------------------------------------


@pytest.mark.parametrize(("key", "state"), [("defer", "deferred"), ("flag", "flagged")])
def test_a_claim_put_aside_comes_back_by_one_decision(
    browser: Client, reviewer: Any, key: str, state: str
) -> None:
    claim = make_claims()[0]
    browser.post(f"{QUEUE}{claim.pk}/", {"decision": key, "version": claim.version})
    assert claim.pk not in waiting(reviewer)
    assert waiting(reviewer, state=state) == {claim.pk}
    claim.refresh_from_db()
    assert (claim.validation_status, claim.version) == ("pending", 1)
    browser.post(f"{QUEUE}{claim.pk}/", {"decision": "in_line", "version": claim.version})
    assert claim.pk in waiting(reviewer)


def test_two_reviewers_are_never_given_the_same_claim(reviewer: Any) -> None:
    claims = make_claims()
    second = make_user("second")
    given = [next_to_read(user) for user in (reviewer, second)]
    assert None not in given
    assert given[0] != given[1]
    assert next_to_read(reviewer) == given[0]  # the own one again
    assert given[0] not in queue_for(second)
    assert len(claims) > 2


@pytest.mark.long
def test_a_claim_that_was_left_open_is_free_after_a_while(reviewer: Any) -> None:
    claim = make_claims()[0]
    assert hold_for_reader(claim, reviewer) is None
    second = make_user("second")
    assert hold_for_reader(claim, second) == reviewer
    QueueEntry.objects.filter(pk=claim.pk).update(held_until=timezone.now() - timedelta(seconds=1))
    assert hold_for_reader(claim, second) is None


@pytest.mark.long
def test_the_page_says_who_reads_a_claim(browser: Client) -> None:
    claim = make_claims()[0]
    hold_for_reader(claim, make_user("second"))
    assert "second is reading this claim now" in browser.get(f"{QUEUE}{claim.pk}/").content.decode()


# --- taking back --------------------------------------------------------------------------------------------------


@pytest.fixture
def linked() -> Claim:
    """A claim that an approval links to an element."""
    load_standard(small_standard())
    text = "No person may operate an aircraft in Class G airspace unless the visibility is 1 statute mile."
    node = make_node(text, status="pending")
    make_evidence(node, make_chunk(text, section="91.155", embed=False), text)
    return Claim.objects.get(pk=node.pk)


def links(claim: Claim) -> int:
    return claim.relations_out.filter(relation_type=RelationType.APPLIES_IN_SCENARIO).count()


def test_an_approval_is_taken_back_with_its_links(reviewer: Any, linked: Claim) -> None:
    approve_claim(linked.pk, reviewer, version=1)
    assert links(linked)
    undone = undo_decision(ReviewDecision.objects.get().pk, reviewer)
    assert (undone.validation_status, undone.version, links(linked)) == ("pending", 3, 0)
    assert ReviewDecision.objects.filter(decision="reopen", reason="Approve taken back").exists()


@pytest.mark.long
def test_an_edit_of_an_approved_claim_is_taken_back_to_the_approved_words(
    reviewer: Any, linked: Claim
) -> None:
    approve_claim(linked.pk, reviewer, version=1)
    words, before = linked.name, links(linked)
    edit_claim(linked.pk, reviewer, version=2, statement=words.replace("No person may", "Nobody may"))
    undone = undo_decision(ReviewDecision.objects.get(decision="edit").pk, reviewer)
    assert (undone.name, undone.validation_status, links(linked)) == (words, "validated", before)


@pytest.mark.long
def test_a_rejection_of_an_approved_claim_is_taken_back(reviewer: Any, linked: Claim) -> None:
    approve_claim(linked.pk, reviewer, version=1)
    before = links(linked)
    reject_claim(linked.pk, reviewer, version=2, reason="A slip of the finger.")
    undone = undo_decision(ReviewDecision.objects.get(decision="reject").pk, reviewer)
    assert (undone.validation_status, links(linked)) == ("validated", before)


def test_nobody_takes_back_what_another_decided_or_what_was_decided_on_since(reviewer: Any) -> None:
    claim, second = make_claims()[0], make_user("second")
    reject_claim(claim.pk, reviewer, version=1, reason="No rule.")
    decision = ReviewDecision.objects.get()
    with pytest.raises(WrongDecision, match="your own"):
        undo_decision(decision.pk, second)
    reopen_claim(claim.pk, second, version=2)
    with pytest.raises(WrongDecision, match="since"):
        undo_decision(decision.pk, reviewer)


@pytest.mark.long
def test_a_rejected_claim_is_decided_again(browser: Client, reviewer: Any) -> None:
    claim = make_claims()[0]
    reject_claim(claim.pk, reviewer, version=1, reason="No rule.")
    page = browser.get(f"{QUEUE}{claim.pk}/").content.decode()
    assert 'value="reopen"' in page
    assert 'value="approve"' not in page
    browser.post(f"{QUEUE}{claim.pk}/", {"decision": "reopen", "version": 2})
    claim.refresh_from_db()
    assert (claim.validation_status, claim.version) == ("pending", 3)
    with pytest.raises(StaleDecision):
        reopen_claim(claim.pk, reviewer, version=3)


def test_the_last_decision_is_taken_back_on_the_page(browser: Client, reviewer: Any) -> None:
    claim = make_claims()[0]
    reject_claim(claim.pk, reviewer, version=1, reason="No rule.")
    (decision,) = browser.get(QUEUE).context["own_decisions"]
    answer = browser.post(f"{QUEUE}undo/{decision.pk}/", follow=True)
    assert answer.context["claim"] == claim
    assert "Taken back" in answer.content.decode()
    again = browser.post(f"{QUEUE}undo/{decision.pk}/", follow=True)
    assert "not taken back: reviewer reopened it on" in again.content.decode()


@pytest.mark.long
def test_a_page_of_the_queue_costs_few_queries(browser: Client, django_assert_max_num_queries: Any) -> None:
    claim = make_claims()[0]
    browser.get(f"{QUEUE}{claim.pk}/")
    with django_assert_max_num_queries(12):
        browser.get(f"{QUEUE}{claim.pk}/")


@pytest.mark.long
def test_a_claim_behind_all_that_are_counted_has_its_neighbors_from_the_same_query(
    reviewer: Any, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    make_claims()
    line = list(queue_for(reviewer))
    monkeypatch.setattr(conf, "QUEUE_COUNTED", 1)
    with django_assert_num_queries(2):  # the first reads the memberships
        place = place_in_queue(reviewer, line[2])
    assert (place.before, place.after, place.more) == (line[1].pk, line[3].pk, True)
    last = place_in_queue(reviewer, line[-1])
    assert (last.before, last.after) == (line[-2].pk, None)


@pytest.mark.long
def test_a_decision_does_not_count_the_queue(browser: Client, reviewer: Any) -> None:
    make_claims()
    line = list(queue_for(reviewer))
    with CaptureQueriesContext(connection) as asked:
        sent = {"decision": "defer", "version": line[1].version}
        assert browser.post(f"{QUEUE}{line[1].pk}/", sent)["Location"] == f"{QUEUE}{line[2].pk}/"
    assert not any(f"LIMIT {conf.QUEUE_COUNTED + 1}" in one["sql"] for one in asked.captured_queries)


@pytest.mark.long
def test_save_and_approve_is_taken_back_as_one_decision(reviewer: Any, linked: Claim) -> None:
    words, facts = linked.name, dict(linked.key_facts)
    said = words.replace("an aircraft", "a helicopter, or another aircraft,")
    edit_and_approve_claim(linked.pk, reviewer, version=1, statement=said)
    undone = undo_decision(ReviewDecision.objects.get(decision="approve").pk, reviewer)
    assert (undone.name, undone.validation_status, undone.key_facts) == (words, "pending", facts)
    assert links(linked) == 0


@pytest.mark.long
def test_one_decision_after_another_is_taken_back(browser: Client, reviewer: Any) -> None:
    first, second = make_claims()[:2]
    for claim in (first, second):
        reject_claim(claim.pk, reviewer, version=1, reason="No rule.")
    for claim in (second, first):
        undoable = browser.get(QUEUE).context["undoable"]
        assert ReviewDecision.objects.get(pk=undoable).claim_id == claim.pk
        browser.post(f"{QUEUE}undo/{undoable}/")
    assert browser.get(QUEUE).context["undoable"] is None
    assert not Claim.objects.exclude(validation_status="pending").exists()


@pytest.mark.long
def test_what_went_out_of_force_meanwhile_comes_back_stale(reviewer: Any, linked: Claim) -> None:
    approve_claim(linked.pk, reviewer, version=1)
    reject_claim(linked.pk, reviewer, version=2, reason="A slip of the finger.")
    document = linked.evidence.get().chunk.document
    newer = make_document("A newer edition")
    type(document).objects.filter(pk=document.pk).update(superseded_by=newer)
    undone = undo_decision(ReviewDecision.objects.get(decision="reject").pk, reviewer)
    assert (undone.validation_status, undone.stale) == ("validated", True)
    assert linked.pk in waiting(reviewer)
    retire_claim(linked.pk, reviewer, version=4)
    reopened = reopen_claim(linked.pk, reviewer, version=5)
    assert reopened.stale
    retire_claim(linked.pk, reviewer, version=6)  # no dead end


@pytest.mark.long
def test_a_decision_puts_a_claim_back_in_line_for_the_next_time(browser: Client, reviewer: Any) -> None:
    claim = make_claims()[0]
    put_aside(claim, reviewer, "deferred")
    approve_claim(claim.pk, reviewer, version=1)
    assert QueueEntry.objects.get(pk=claim.pk).aside == ""
    late = browser.post(f"{QUEUE}{claim.pk}/", {"decision": "defer", "version": 1})
    assert late.status_code == 400
    assert QueueEntry.objects.get(pk=claim.pk).aside == ""


@pytest.mark.long
def test_what_another_parking_covers_stays_parked(reviewer: Any, extract: Any) -> None:
    (taxi,) = extract(ONE.format(2), TAXI)
    part, _ = park_group(reviewer, tenant=None, source="CR", group=TAXI)
    whole, count = park_group(reviewer, tenant=None, source="CR")
    assert count == 0
    assert bring_group_back(reviewer, part.pk)[1] == 0
    assert waiting(reviewer, state="parked") == {taxi.pk}
    assert bring_group_back(reviewer, whole.pk)[1] == 1
    assert waiting(reviewer) == {taxi.pk}


@pytest.mark.long
def test_looking_at_a_decided_claim_keeps_the_one_in_hand(browser: Client, reviewer: Any) -> None:
    first, second = make_claims()[:2]
    reject_claim(first.pk, reviewer, version=1, reason="No rule.")
    browser.get(f"{QUEUE}{second.pk}/")
    browser.get(f"{QUEUE}{first.pk}/")
    assert QueueEntry.objects.get(pk=second.pk).held_by == reviewer
