"""One claim, one screen: the elements it will serve, its key facts, the claims beside it, merging and splitting."""

from typing import Any

import pytest
from django.test import Client

from curation import conf
from curation.merging import merge_claims, split_claim
from curation.models import Claim, QueueEntry, ReviewDecision
from curation.offline.key_facts import key_facts_of
from curation.queue import QueueFilter, park_group, put_aside, queue_for
from curation.reading.editable_facts import fields_for
from curation.reading.served_elements import find_missing_elements, served_elements
from curation.reading.similar_claims import similar_claims
from curation.review import approve_claim, edit_claim, undo_decision
from curation.selectors import WrongDecision
from curation.values import Material
from knowledge.db.connections import try_lock
from knowledge.graph.skeleton import load_standard
from knowledge.models import Chunk, Concept, Document, Page
from knowledge.models.graph import RelationType
from tests.doubles.claims import make_user
from tests.doubles.library import make_chunk, make_document, make_evidence, make_node
from tests.doubles.standards import small_standard

pytestmark = pytest.mark.django_db
QUEUE = "/admin/curation/claim/queue/"
SAID = "Class B airspace requires 3 statute miles of visibility and a clearance."
QUOTED = f"{SAID} A member who flies there keeps the radio on and carries the chart."


@pytest.fixture(autouse=True)
def standard() -> None:
    load_standard(small_standard())


def make_claim(statement: str = SAID, quote: str = QUOTED, status: str = "pending") -> Claim:
    """A claim of § 91.155, which a person read for PA.I.E.K1 and PA.I.E.S1."""
    document = Document.objects.filter(title="Rules").first()
    document = document or make_document("Rules", abbreviation="14 CFR 91", doc_type="cfr")
    chunk = make_chunk(quote, document, embed=False, section="91.155", heading="Weather")
    node = make_node(statement, status=status)
    node.key_facts = {
        "domain": "weather_minimums",
        "cfr_reference": "14 CFR 91.155",
        "numbers": ["3 statute miles"],
        "quotes": [quote],
    }
    node.save()
    make_evidence(node, chunk, quote)
    QueueEntry.objects.create(claim=node, source="14 CFR 91", group="Subpart B")
    return Claim.objects.get(pk=node.pk)


def links(claim: Claim) -> dict[str, str]:
    rows = claim.relations_out.filter(relation_type=RelationType.APPLIES_IN_SCENARIO)
    return {key.partition(":")[2].upper(): by for key, by in rows.values_list("target__key", "created_by")}


# --- elements ---------------------------------------------------------------------------------------------------


def test_the_elements_are_found_ahead_and_filter_the_queue(reviewer: Any) -> None:
    claim = make_claim()
    assert find_missing_elements() == 1
    assert find_missing_elements() == 0
    claim = Claim.objects.select_related("queue_entry").get(pk=claim.pk)
    assert [one.code for one in served_elements(claim)] == ["PA.I.E.K1", "PA.I.E.S1"]
    for wanted, found in {
        "PA.I.E.K1": True,
        "pa.i.e": True,
        "PA.I.E.K2": False,
        "PA.III": False,
        "x": False,
    }.items():
        assert queue_for(reviewer, QueueFilter(element=wanted)).filter(pk=claim.pk).exists() == found, wanted


@pytest.mark.long
def test_elements_are_found_again_when_a_standard_is_loaded(reviewer: Any) -> None:
    claim = make_claim()
    assert find_missing_elements() == 1
    QueueEntry.objects.filter(pk=claim.pk).update(elements_found_at="2020-01-01T00:00Z")
    assert find_missing_elements() == 1


@pytest.mark.long
def test_a_run_ends_in_time_and_the_next_one_goes_on(django_assert_max_num_queries: Any) -> None:
    for number in range(3):
        make_claim(f"{SAID} {number}")
    assert find_missing_elements(seconds=0) == 0
    with django_assert_max_num_queries(30):  # the elements and key points are read once a run
        assert find_missing_elements() == 3


def test_one_run_at_a_time_looks_up_elements() -> None:
    make_claim()
    with try_lock("curation.find_elements"):
        assert find_missing_elements() == 0
    assert find_missing_elements() == 1


def test_a_reviewer_takes_an_element_out_and_adds_another(browser: Client, reviewer: Any) -> None:
    claim = make_claim()
    page = browser.get(f"{QUEUE}{claim.pk}/").content.decode()
    assert 'value="PA.I.E.S1" checked' in page
    sent = {
        "decision": "approve",
        "version": 1,
        "elements_offered": "PA.I.E.K1 PA.I.E.S1 ",
        "elements": ["PA.I.E.K1"],
        "element_added": "pa.iii.a.k5",
    }
    assert browser.post(f"{QUEUE}{claim.pk}/", sent).status_code == 302
    assert links(claim) == {"PA.I.E.K1": "likeness", "PA.III.A.K5": "reviewer"}
    assert ReviewDecision.objects.get().after["elements"] == ["PA.I.E.K1", "pa.iii.a.k5"]


def test_without_a_change_the_proposed_elements_are_linked(browser: Client) -> None:
    claim = make_claim()
    offered = ["PA.I.E.K1", "PA.I.E.S1"]
    sent = {"decision": "approve", "version": 1, "elements_offered": " ".join(offered), "elements": offered}
    browser.post(f"{QUEUE}{claim.pk}/", sent)
    assert links(claim) == {"PA.I.E.K1": "likeness", "PA.I.E.S1": "likeness"}


def test_an_element_that_is_not_there_is_named_and_the_ticks_stay(browser: Client) -> None:
    claim = make_claim()
    sent = {
        "decision": "approve",
        "version": 1,
        "elements_offered": "PA.I.E.K1 PA.I.E.S1",
        "elements": ["PA.I.E.S1"],
        "element_added": "PA.X.Y.K9 <b>",
    }
    answer = browser.post(f"{QUEUE}{claim.pk}/", sent)
    assert answer.status_code == 400
    page = answer.content.decode()
    assert "No standard in use has PA.X.Y.K9, &lt;b&gt;" in page
    assert 'value="PA.I.E.K1" data-key' in page  # taken out
    assert 'value="PA.I.E.S1" checked' in page
    assert Claim.objects.get(pk=claim.pk).validation_status == "pending"


def test_an_approval_without_elements_links_nothing(browser: Client) -> None:
    claim = make_claim()
    sent = {"decision": "approve", "version": 1, "elements_offered": "PA.I.E.K1 PA.I.E.S1"}
    assert browser.post(f"{QUEUE}{claim.pk}/", sent).status_code == 302
    assert links(claim) == {}


# --- key facts --------------------------------------------------------------------------------------------------


def test_the_fields_are_those_of_the_subject() -> None:
    claim = make_claim()
    assert {"numbers", "visibility_sm", "airspace_class"} <= {one.name for one in fields_for(claim)}
    claim.key_facts = {"domain": "documents"}
    assert not {"visibility_sm", "reserve_minutes"} & {one.name for one in fields_for(claim)}
    claim.key_facts = {"domain": "oxygen"}
    assert {"altitude_band", "after_minutes", "supply_minutes"} <= {one.name for one in fields_for(claim)}


@pytest.mark.long
def test_an_amount_of_the_subject_is_edited_and_follows_a_new_wording(reviewer: Any) -> None:
    said = "Each airplane must have fuel for at least 30 minutes by day and at least 45 minutes at night."
    claim = make_claim(said, said)
    Chunk.objects.update(section="91.151")
    Claim.objects.filter(pk=claim.pk).update(key_facts={"domain": "fuel", "quotes": [said]})
    with pytest.raises(WrongDecision, match="does not agree with the quote"):
        edit_claim(claim.pk, reviewer, version=1, statement=said, facts={"fact_reserve_minutes": "20"})
    read = "Each airplane must have fuel for at least 45 minutes at night."
    edited = edit_claim(claim.pk, reviewer, version=1, statement=read)
    assert edited.key_facts["reserve_minutes"] == 45
    by_hand = {"fact_reserve_minutes": "30"}
    edited = edit_claim(claim.pk, reviewer, version=2, statement=said, facts=by_hand)
    assert edited.key_facts["reserve_minutes"] == 30


def test_key_facts_are_edited_and_stay_when_the_statement_changes(browser: Client, reviewer: Any) -> None:
    claim = make_claim()
    sent = {
        "decision": "edit",
        "version": 1,
        "statement": SAID,
        "fact_numbers": "3 statute miles",
        "fact_visibility_sm": "3",
        "fact_airspace_class": "b",
        "fact_exceptions": "a special VFR clearance\r\nan emergency",
        "fact_domain": "airspace",
    }
    assert browser.post(f"{QUEUE}{claim.pk}/", sent).status_code == 302
    facts = Claim.objects.get(pk=claim.pk).key_facts
    assert facts["exceptions"] == ["a special VFR clearance", "an emergency"]
    assert (facts["visibility_sm"], facts["airspace_class"], facts["domain"]) == (3, "B", "airspace")
    assert facts["by_hand"] == ["airspace_class", "domain", "exceptions", "visibility_sm"]
    edit_claim(claim.pk, reviewer, version=2, statement=SAID.replace("requires", "needs"))
    facts = Claim.objects.get(pk=claim.pk).key_facts
    assert facts["exceptions"] == ["a special VFR clearance", "an emergency"]
    undo_decision(ReviewDecision.objects.order_by("-pk")[0].pk, reviewer)
    undone = Claim.objects.get(pk=claim.pk)
    assert (undone.name, undone.key_facts["airspace_class"]) == (SAID, "B")


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("numbers", "5 statute miles", "does not agree with the quote"),
        ("visibility_sm", "five", "a number such as 3"),
        ("visibility_sm", "inf", "a number such as 3"),
        ("effective_date", "soon", "a date such as"),
        ("airspace_class", "F", "A, B, C, D, E or G"),
        ("domain", "nonsense", "choose one of"),
        ("certificate", "wizard", "choose one of"),
        ("orals", "private, commercial", "choose from private, commercial"),
        ("cfr_reference", "x" * 1001, "longer than 1000"),
    ],
)
def test_a_fact_that_cannot_be_kept_is_named_and_what_was_written_stays(
    browser: Client, name: str, value: str, said: str
) -> None:
    claim = make_claim()
    sent = {"decision": "edit", "version": 1, "statement": SAID, f"fact_{name}": value}
    answer = browser.post(f"{QUEUE}{claim.pk}/", sent)
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert value in answer.content.decode()
    assert "by_hand" not in Claim.objects.get(pk=claim.pk).key_facts


def test_who_is_bound_is_edited_in_one_field_and_follows_in_the_other(browser: Client, reviewer: Any) -> None:
    claim = make_claim()

    def save(version: int, **facts: str) -> tuple[Any, Any]:
        sent = {"decision": "edit", "version": version, "statement": SAID}
        sent |= {f"fact_{name}": value for name, value in facts.items()}
        assert browser.post(f"{QUEUE}{claim.pk}/", sent).status_code == 302
        facts_now = Claim.objects.get(pk=claim.pk).key_facts
        return facts_now.get("orals"), facts_now.get("unbound")

    def bound(where: str) -> bool:
        return queue_for(reviewer, QueueFilter(bound=where)).filter(pk=claim.pk).exists()

    assert save(1, orals="commercial") == (["commercial"], None)
    assert (bound("private"), bound("commercial"), bound("no")) == (False, True, False)
    assert save(2, orals="commercial", unbound="pilots of gliders") == (None, "pilots of gliders")
    assert (bound("private"), bound("commercial"), bound("no")) == (False, False, True)
    assert save(3, unbound="") == (["private", "commercial"], None)
    assert (bound("private"), bound("commercial"), bound("no")) == (True, True, False)
    assert save(4, unbound="gliders")[1] == "gliders"
    assert save(5, orals="private", unbound="gliders") == (["private"], None)


GLIDERS = "Each pilot of a glider must carry the chart."


def test_a_new_wording_is_read_for_who_is_bound(reviewer: Any) -> None:
    claim = make_claim(GLIDERS, f"{GLIDERS} Each private pilot must carry it, too.")
    edit_claim(claim.pk, reviewer, version=1, statement=GLIDERS.replace("chart", "club's chart"))
    facts = Claim.objects.get(pk=claim.pk).key_facts
    assert facts["unbound"].startswith("glider")
    assert facts["orals"] == []
    Claim.objects.filter(pk=claim.pk).update(validation_status="pending")
    park_group(reviewer, tenant=None, source="14 CFR 91", unbound_only=True)
    edit_claim(claim.pk, reviewer, version=2, statement="Each private pilot must carry the chart.")
    facts = Claim.objects.get(pk=claim.pk).key_facts
    assert "unbound" not in facts
    assert "private" in facts["orals"]
    assert queue_for(reviewer).get().pk == claim.pk  # what is parked binds nobody


def test_a_claim_leaves_the_parking_of_a_certificate_once_it_binds_somebody_there(reviewer: Any) -> None:
    claim = make_claim(GLIDERS)
    Claim.objects.filter(pk=claim.pk).update(key_facts={"quotes": [GLIDERS], "orals": ["commercial"]})
    named: dict[str, Any] = {"source": "14 CFR 91", "unbound_only": True, "certificate": "private"}
    park_group(reviewer, tenant=None, **named)
    assert not queue_for(reviewer).exists()
    facts = {"fact_orals": "commercial\nprivate"}
    edit_claim(claim.pk, reviewer, version=1, statement=GLIDERS, facts=facts)
    assert Claim.objects.get(pk=claim.pk).queue_entry.parked is None


@pytest.mark.long
def test_a_new_wording_is_read_under_its_run_in_heading(reviewer: Any) -> None:
    said = "Each pilot must carry the chart."
    claim = make_claim(said)
    Chunk.objects.update(text=f"(a) Gliders. {said}\n(b) Radios. {QUOTED}")
    Claim.objects.filter(pk=claim.pk).update(key_facts={"quotes": [said]})
    edit_claim(claim.pk, reviewer, version=1, statement=said.replace("the", "a"))
    assert Claim.objects.get(pk=claim.pk).key_facts["unbound"].startswith("glider")


@pytest.mark.long
def test_what_a_reviewer_wrote_or_emptied_of_who_is_bound_outlives_a_new_wording(reviewer: Any) -> None:
    claim = make_claim(GLIDERS, GLIDERS)
    edit_claim(claim.pk, reviewer, version=1, statement=GLIDERS, facts={"fact_unbound": "nobody here"})
    edit_claim(claim.pk, reviewer, version=2, statement=GLIDERS.replace("chart", "club's chart"))
    assert Claim.objects.get(pk=claim.pk).key_facts["unbound"] == "nobody here"
    edit_claim(claim.pk, reviewer, version=3, statement=GLIDERS, facts={"fact_unbound": ""})
    edit_claim(claim.pk, reviewer, version=4, statement=GLIDERS.replace("chart", "map"))
    facts = Claim.objects.get(pk=claim.pk).key_facts
    assert "unbound" not in facts
    assert facts["orals"] == ["private", "commercial"]


def test_every_key_fact_is_a_field(browser: Client) -> None:
    claim = make_claim()
    sent = {
        "decision": "edit",
        "version": 1,
        "statement": SAID,
        "fact_certificate": "private pilot",
        "fact_aircraft_class": "airplane",
        "fact_aircraft": "airplanes\r\nhelicopters",
        "fact_subject": "Class B airspace",
    }
    assert browser.post(f"{QUEUE}{claim.pk}/", sent).status_code == 302
    facts = Claim.objects.get(pk=claim.pk).key_facts
    assert (facts["certificate"], facts["aircraft_class"]) == ("private pilot", "airplane")
    assert (facts["aircraft"], facts["subject"]) == (["airplanes", "helicopters"], "Class B airspace")
    read = key_facts_of(SAID, Material(text=QUOTED, section="91.155", doc_type="cfr"))
    assert read.keys() - {one.name for one in fields_for(Claim.objects.get(pk=claim.pk))} <= {
        "quotes",
        "term",
    }
    page = browser.get(f"{QUEUE}{claim.pk}/").content.decode()
    assert "one on each line: private, commercial" in page


def test_who_is_bound_is_not_said_both_ways(reviewer: Any) -> None:
    claim = make_claim()
    for facts in ({"fact_orals": "private", "fact_unbound": "gliders"}, {"fact_orals": " "}):
        Claim.objects.filter(pk=claim.pk).update(key_facts={"orals": ["commercial"]})
        with pytest.raises(WrongDecision, match="not both"):
            edit_claim(claim.pk, reviewer, version=1, statement=SAID, facts=facts)


# --- beside it --------------------------------------------------------------------------------------------------


def test_a_claim_on_the_same_quote_stands_beside_it_in_whatever_words(reviewer: Any) -> None:
    claim = make_claim()
    node = make_node("Keep well away from every cloud.", status="validated")
    make_evidence(node, claim.evidence.get().chunk, QUOTED)
    other = make_node("A card of another passage.", status="validated")
    make_evidence(other, make_chunk(QUOTED, embed=False), QUOTED)
    found = similar_claims(reviewer, claim, [], [QUOTED])
    assert [one.claim.pk for one in found] == [node.pk]
    assert similar_claims(reviewer, claim, ["PA.IX.Z"], []) == []


def test_claims_beside_say_the_same_or_differ(reviewer: Any) -> None:
    claim = make_claim()
    same = make_claim(SAID.replace("and a clearance", "with a clearance"))
    other = make_claim(SAID.replace("3 statute", "5 statute"), QUOTED.replace("3 statute", "5 statute"))
    make_claim("Each member must log a flight within 2 days after landing.")
    find_missing_elements()
    claim = Claim.objects.select_related("queue_entry").get(pk=claim.pk)
    found = {one.claim.pk: one for one in similar_claims(reviewer, claim, ["PA.I.E.K1"])}
    assert found.keys() == {same.pk, other.pk}
    assert found[same.pk].is_same
    assert "5 statute miles" in found[other.pk].fault
    stranger = make_user("stranger", role=None)
    assert similar_claims(stranger, claim, ["PA.I.E.K1"]) == []


def test_a_merge_gives_its_quotes_to_the_other_and_is_taken_back(browser: Client, reviewer: Any) -> None:
    kept, double = (
        make_claim(),
        make_claim(SAID.replace("and a clearance", "with a clearance"), f"Also: {SAID}"),
    )
    approve_claim(kept.pk, reviewer, version=1)
    sent = {"decision": "merge", "version": 1, "into": str(kept.pk)}
    assert browser.post(f"{QUEUE}{double.pk}/", sent).status_code == 302
    assert set(kept.evidence.values_list("quote", flat=True)) == {QUOTED, f"Also: {SAID}"}
    merged = Claim.objects.get(pk=double.pk)
    assert merged.validation_status == "rejected"
    decision = ReviewDecision.objects.get(decision="merge")
    assert decision.after["merged_into"] == str(kept.pk)
    undo_decision(decision.pk, reviewer)
    assert Claim.objects.get(pk=double.pk).validation_status == "pending"
    assert kept.evidence.count() == 1


@pytest.mark.long
def test_claims_that_contradict_each_other_are_not_merged(reviewer: Any) -> None:
    claim = make_claim()
    other = make_claim(SAID.replace("3 statute", "5 statute"), QUOTED.replace("3 statute", "5 statute"))
    with pytest.raises(WrongDecision, match="do not say the same"):
        merge_claims(claim.pk, reviewer, version=1, into=other.pk)
    with pytest.raises(WrongDecision, match="with itself"):
        merge_claims(claim.pk, reviewer, version=1, into=claim.pk)
    with pytest.raises(WrongDecision, match="is gone"):
        merge_claims(claim.pk, reviewer, version=1, into="d227de90-51f0-4262-976b-9c326ff13efd")
    assert not ReviewDecision.objects.exists()


@pytest.mark.long
def test_claims_with_little_in_common_or_of_less_weight_are_not_merged(reviewer: Any) -> None:
    claim, other = (
        make_claim(),
        make_claim("Members wash the airplane after a flight.", "Members wash the airplane."),
    )
    with pytest.raises(WrongDecision, match="too few words in common"):
        merge_claims(claim.pk, reviewer, version=1, into=other.pk)
    same = make_claim(SAID.replace("and a clearance", "with a clearance"))
    Claim.objects.filter(pk=claim.pk).update(priority="P0")
    with pytest.raises(WrongDecision, match="only P2"):
        merge_claims(claim.pk, reviewer, version=1, into=same.pk)
    assert other.evidence.count() == same.evidence.count() == 1


@pytest.mark.long
def test_other_words_are_looked_up_anew(reviewer: Any) -> None:
    claim = make_claim()
    assert find_missing_elements() == 1
    edit_claim(claim.pk, reviewer, version=1, statement=SAID.replace("requires", "needs"))
    assert find_missing_elements() == 1


PARTS = [
    "Class B airspace requires 3 statute miles of visibility.",
    "Class B airspace requires a clearance.",
]


def test_a_split_makes_claims_that_wait_and_is_taken_back(browser: Client, reviewer: Any) -> None:
    claim = make_claim()
    sent = {"decision": "split", "version": 1, "parts": "\r\n".join(PARTS)}
    assert browser.post(f"{QUEUE}{claim.pk}/", sent).status_code == 302
    parts = Claim.objects.filter(name__in=PARTS)
    assert {one.validation_status for one in parts} == {"pending"}
    assert [one.evidence.count() for one in parts] == [1, 1]
    assert parts.get(name=PARTS[0]).key_facts["numbers"] == ["3 statute miles"]
    assert queue_for(reviewer, QueueFilter(group="Subpart B")).count() == 2
    undo_decision(ReviewDecision.objects.get(decision="split").pk, reviewer)
    assert not Concept.objects.filter(name__in=PARTS).exists()
    assert queue_for(reviewer).get().pk == claim.pk


@pytest.mark.long
def test_a_split_whose_part_was_decided_on_stays(reviewer: Any) -> None:
    claim = make_claim()
    split_claim(claim.pk, reviewer, version=1, statements=PARTS)
    decision = ReviewDecision.objects.get()
    approve_claim(Claim.objects.get(name=PARTS[0]).pk, reviewer, version=1)
    with pytest.raises(WrongDecision, match="decided on a part"):
        undo_decision(decision.pk, reviewer)
    assert Claim.objects.get(pk=claim.pk).validation_status == "rejected"


@pytest.mark.long
@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ([PARTS[0]], "two to 12 statements"),
        ([PARTS[0], PARTS[0]], "two to 12 statements"),
        (
            [PARTS[0], "Class B airspace requires 5 statute miles of visibility."],
            "does not agree with the quote",
        ),
        ([PARTS[0], "A clearance."], "too short"),
        ([PARTS[0], SAID], "is a claim already"),
    ],
)
def test_a_split_that_cannot_be_changes_nothing(reviewer: Any, parts: list[str], said: str) -> None:
    claim = make_claim()
    with pytest.raises(WrongDecision, match=said):
        split_claim(claim.pk, reviewer, version=1, statements=parts)
    assert Claim.objects.get().validation_status == "pending"


@pytest.mark.long
@pytest.mark.parametrize("counted", [conf.QUEUE_COUNTED, 0], ids=["counted", "behind all that are counted"])
@pytest.mark.parametrize("address", [QUEUE, f"{QUEUE}{{}}/"])
def test_a_page_of_the_fullest_claim_takes_at_most_12_queries(
    browser: Client,
    reviewer: Any,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_max_num_queries: Any,
    address: str,
    counted: int,
) -> None:
    monkeypatch.setattr(conf, "QUEUE_COUNTED", counted)
    claim, _ = make_claim(), make_claim(SAID.replace("and a clearance", "with a clearance"))
    document = claim.evidence.get().chunk.document
    for number in (1, 2):
        Page.objects.create(document=document, number=number, width=612, height=792)
    further = make_chunk("Members carry the chart.", document, embed=False, page_start=2, page_end=2)
    make_evidence(claim, further, "carry the chart.")
    edit_claim(claim.pk, reviewer, version=1, statement=SAID.replace("requires", "needs"), priority="P0")
    make_user("second")
    find_missing_elements()
    claim.evidence.create(chunk=further, quote="Members carry", evidence_type="example", reviewer=reviewer)
    put_aside(claim, reviewer, "flagged")
    address = address.format(claim.pk) + "?state=flagged"
    browser.get(address)
    with django_assert_max_num_queries(12):
        page = browser.get(address).content.decode()
    for shown in (
        "two readers must agree",
        "flagged by reviewer",
        "says the same",
        "marked by reviewer",
        "PA.I.E.K1",
    ):
        assert shown in page
    assert "Edit by reviewer" in page
    assert page.count('class="queue-sheet"') == 2


@pytest.mark.long
def test_the_last_ten_decisions_are_taken_back_one_after_another(browser: Client, reviewer: Any) -> None:
    for number in range(10):
        said = f"Class {number} airspace requires a clearance."
        approve_claim(make_claim(said, said).pk, reviewer, version=1)
    taken_back = []
    while last := browser.get(QUEUE).context["undoable"]:
        taken_back.append(undo_decision(last, reviewer).pk)
    assert len(set(taken_back)) == len(taken_back) == 10
    page = browser.get(QUEUE)
    assert [one.decision for one in page.context["own_decisions"]] == ["approve"] * 10
    assert page.content.decode().count("changed since") == 10


@pytest.mark.long
def test_a_lead_in_read_minutes_before_and_what_stands_elsewhere_are_not_read_again(
    browser: Client, reviewer: Any
) -> None:
    said = "When you operate an aircraft in Class D airspace, {}."
    first, second = (make_claim(said.format(rest), said.format(rest)) for rest in ("call ATC", "squawk"))
    for claim in (first, second):
        claim.key_facts |= {"effective_date": "2026-01-22", "orals": ["private", "commercial"]}
        claim.save()
    Document.objects.update(edition="January 2026", edition_date="2026-01-22")
    assert browser.get(f"{QUEUE}{second.pk}/").context["runs"][0].read is False
    approve_claim(first.pk, reviewer, version=1)
    page = browser.get(f"{QUEUE}{second.pk}/")
    assert [one.words for one in page.context["runs"] if one.read] == [
        "When you operate an aircraft in Class D airspace,"
    ]
    assert ("who is bound", ["private, commercial"]) in page.context["facts"]
    assert "effective date" not in dict(page.context["facts"])
    assert "14 CFR 91, January 2026, 91.155" in page.content.decode()


@pytest.mark.long
def test_a_lead_in_between_the_first_one_and_the_item_is_lit_and_compared(browser: Client) -> None:
    quotes = ["No person may fly a balloon unless—", "The balloon is equipped with—", "A chart."]
    claim = make_claim(
        "No person may fly a balloon unless the balloon is equipped with a chart.", " ".join(quotes)
    )
    Claim.objects.filter(pk=claim.pk).update(key_facts=claim.key_facts | {"quotes": quotes})
    claim.evidence.update(quote=quotes[2])
    claim.evidence.create(chunk=claim.evidence.get().chunk, quote=quotes[0], evidence_type="secondary")
    page = browser.get(f"{QUEUE}{claim.pk}/")
    assert "Word for word as quoted." in page.content.decode()
    assert [words for words, quoted in page.context["evidence"][0].parts if quoted] == quotes
    assert claim.evidence.count() == 2


@pytest.mark.long
def test_all_quotes_of_one_passage_are_marked_together(browser: Client) -> None:
    claim = make_claim()
    row = claim.evidence.get()
    claim.evidence.update(quote=SAID)
    claim.evidence.create(chunk=row.chunk, quote="carries the chart.", evidence_type="secondary")
    page = browser.get(f"{QUEUE}{claim.pk}/").content.decode()
    assert page.count("<article>") == 1
    assert (page.count("<mark>"), page.count('class="queue-quote"')) == (2, 2)
