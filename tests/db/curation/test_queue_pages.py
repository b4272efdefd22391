"""The verification queue: P0 first, one decision brings the next claim, a refused one keeps the reviewer's text."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from curation.models import Claim, QueueEntry, ReviewDecision
from curation.queue import hold_for_reader, queue_for
from curation.review import approve_claim
from knowledge.graph.skeleton import load_standard
from knowledge.models import Item, KeyPoint, Page
from knowledge.models.tenancy import Role
from tests.doubles.claims import RULES, make_claims, make_rules_chunk, make_user
from tests.doubles.library import join, make_chunk, make_evidence, make_node
from tests.doubles.standards import small_standard

pytestmark = pytest.mark.django_db
QUEUE = "/admin/curation/claim/queue/"


def url_of(claim: Claim) -> str:
    return f"{QUEUE}{claim.pk}/"


def send(browser: Client, claim: Claim, decision: str, **fields: Any) -> Any:
    return browser.post(url_of(claim), {"decision": decision, "version": claim.version, **fields})


def test_p0_comes_first(browser: Client) -> None:
    claims = make_claims()
    urgent = claims[-1]
    Claim.objects.exclude(pk=urgent.pk).update(priority="P2")
    Claim.objects.filter(pk=urgent.pk).update(priority="P0")
    assert browser.get(QUEUE).context["claim"] == urgent


def test_a_claim_fetched_ahead_is_held_for_nobody(
    browser: Client, django_assert_max_num_queries: Any
) -> None:
    first, second = make_claims()[:2]
    browser.get(url_of(first))
    browser.get(url_of(second), headers={"X-Ahead": "yes"})  # its elements are looked up and kept
    send(browser, first, "flag")
    held = list(QueueEntry.objects.order_by("pk").values())
    with django_assert_max_num_queries(12) as asked:
        ahead = browser.get(url_of(second), headers={"X-Ahead": "yes"})
    assert ahead.context["claim"] == second
    assert not [one["sql"] for one in asked if not one["sql"].lstrip("(").startswith("SELECT")]
    assert list(QueueEntry.objects.order_by("pk").values()) == held
    page = browser.get(url_of(second))
    assert "Flagged:" in page.content.decode()  # the message waited for the page
    assert QueueEntry.objects.get(pk=second.pk).held_by == page.wsgi_request.user


@pytest.mark.long
def test_a_claim_that_binds_nobody_in_the_oral_comes_last_and_says_why(browser: Client) -> None:
    make_claims(
        "(a) No person may operate a helicopter at night.\n(b) Each member must log a flight within 2 days."
    )
    helicopter = Claim.objects.get(name__contains="helicopter")
    Claim.objects.filter(pk=helicopter.pk).update(priority="P0")
    first = browser.get(QUEUE).context
    assert "log a flight" in first["claim"].name
    assert (first["place"].number, first["place"].after) == (1, helicopter.pk)
    page = browser.get(url_of(helicopter))
    assert (page.context["place"].number, page.context["place"].total) == (2, 2)
    assert "binds nobody in any oral" in page.content.decode()
    assert "helicopter (its own words)" in page.content.decode()


def test_the_page_shows_what_an_approval_links_the_claim_to_and_why(browser: Client, reviewer: Any) -> None:
    load_standard(small_standard())
    text = "No person may operate an aircraft in Class G airspace unless the visibility is 1 statute mile."
    node = make_node(text, status="pending")
    make_evidence(node, make_chunk(text, section="91.155", embed=False), text)
    claim = Claim.objects.get(pk=node.pk)
    before = browser.get(url_of(claim)).content.decode()
    assert "Will serve" in before
    assert "PA.I.E.K1" in before
    approve_claim(claim.pk, reviewer, version=claim.version)
    after = browser.get(url_of(claim)).content.decode()
    assert "Serves" in after
    assert "its section was read for this element" in after


def test_the_page_shows_claim_facts_evidence_and_keys(browser: Client) -> None:
    make_claims()
    claim = Claim.objects.get(name__contains="2 days")
    page = browser.get(url_of(claim)).content.decode()
    assert "Each member must log a flight within 2 days after landing." in page
    assert "not more than 2 days" in page
    for key in ("a", "e", "r", "j"):
        assert f'data-key="{key}"' in page
    assert "<script>" not in page.split('class="queue"')[1]


@pytest.mark.long
def test_facts_of_several_values_are_a_list(browser: Client) -> None:
    make_claims()
    claim = Claim.objects.get(name__contains="2 days")
    claim.key_facts = {"also": ["two days, no more", "within <2> days"], "unit": ["day"], "empty": []}
    claim.save()
    page = browser.get(url_of(claim)).content.decode()
    assert (
        "<dt>may be said as</dt><dd><ul><li>two days, no more</li><li>within &lt;2&gt; days</li></ul></dd>"
        in page
    )
    assert "<dt>unit</dt><dd>day</dd>" in page
    assert "<dt>empty</dt>" not in page


@pytest.mark.long
def test_facts_that_the_statement_has_word_for_word_are_folded_and_counted(browser: Client) -> None:
    make_claims()
    claim = Claim.objects.get(name__contains="2 days")
    claim.key_facts = {
        "cfr_reference": "61.57",
        "conditions": ["after landing", "if alone"],
        "numbers": ["2 days", "a flight"],
        "exceptions": ["log"],
    }
    claim.save()
    shown = browser.get(url_of(claim))
    assert shown.context["facts"] == [("conditions", ["if alone"]), ("reference", ["61.57"])]
    assert "Said already: 2 numbers, 1 condition, 1 exception<" in shown.content.decode()


@pytest.mark.long
def test_the_statement_stands_once_with_what_differs_from_its_quote_marked_in_it(browser: Client) -> None:
    quote = "(a) Each member must log a long flight within 2 days."
    node = make_node("Each pilot must log a flight within 2 days.", status="pending")
    make_evidence(node, make_chunk(quote, section="1.1", embed=False), quote)
    page = browser.get(f"{QUEUE}{node.pk}/").content.decode()
    heading = page.partition('<h1 id="statement"')[2].partition("</h1>")[0]
    assert "<ins>pilot</ins>" in heading
    assert '<del data-words="long "></del>' in heading
    assert page.partition("<textarea")[0].count("log a") == 1


@pytest.mark.long
def test_key_facts_stand_under_the_buttons_and_what_is_beside_the_claim_under_the_evidence(
    browser: Client,
) -> None:
    first, *_ = make_claims()
    page = browser.get(url_of(first)).content.decode()
    parts = ('data-key="a"', "<h2>Key facts</h2>", "Will serve", 'class="queue-evidence"')
    assert sorted(parts, key=page.index) == list(parts)
    send(browser, first, "approve")
    page = browser.get(QUEUE).content.decode()
    assert page.index('class="queue-evidence"') < page.index("Your last decisions")


@pytest.mark.long
def test_what_parks_a_whole_document_stands_beside_its_name(browser: Client) -> None:
    """Under a table of a hundred parts nobody would find it."""
    make_claims()
    above, _, table = browser.get(reverse("admin:curation_claim_board")).content.decode().partition("<thead>")
    assert "Park all" in above
    assert "Park all" not in table


@pytest.mark.long
def test_words_without_a_page_are_marked_in_their_passage(browser: Client) -> None:
    make_claims()
    claim = Claim.objects.get(name__contains="2 days")
    page = browser.get(url_of(claim)).content.decode()
    assert "<mark>Each member must log a flight within 2 days after landing.</mark>" in page


def test_words_on_a_page_are_lit_on_its_picture(browser: Client) -> None:
    text = "Each member must log a flight within 2 days after landing."
    lines = [{"page": 1, "bbox": [72, 100, 400, 112], "start": 0, "end": len(text)}]
    chunk = make_rules_chunk(text, lines=lines)
    Page.objects.create(document=chunk.document, number=1, width=612, height=792)
    node = make_node(text, status="pending")
    make_evidence(node, chunk, text)
    page = browser.get(f"{QUEUE}{node.pk}/").content.decode()
    assert reverse("library:page_picture", args=[chunk.document_id, 1]) in page
    assert '<rect class="lit" x="72.00" y="100.00"' in page


def test_a_decision_brings_the_next_claim(browser: Client) -> None:
    make_claims()
    first = browser.get(QUEUE).context["claim"]
    answer = send(browser, first, "approve")
    assert answer.status_code == 302
    following = browser.get(answer.url).context["claim"]
    assert following.pk != first.pk
    assert following.validation_status == "pending"
    first.refresh_from_db()
    assert first.validation_status == "validated"


@pytest.mark.long
def test_after_the_last_decision_nothing_waits(browser: Client) -> None:
    make_claims("(b) Each member must log a flight within 2 days after landing.")
    answer = send(browser, Claim.objects.get(), "approve")
    assert "No claims are waiting" in browser.get(answer.url).content.decode()


def test_a_stale_edit_keeps_the_text_and_says_what_changed(browser: Client) -> None:
    claim = make_claims()[0]
    approve_claim(claim.pk, make_user("colleague"), version=claim.version)
    answer = send(browser, claim, "edit", statement="My careful wording.", reason="Clearer.")
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "colleague approved it" in page
    assert "My careful wording." in page
    assert 'value="Clearer."' in page
    assert f'name="version" value="{claim.version + 1}"' in page


@pytest.mark.long
def test_a_stale_rejection_keeps_the_reason(browser: Client) -> None:
    claim = make_claims()[0]
    approve_claim(claim.pk, make_user("colleague"), version=claim.version)
    answer = send(browser, claim, "reject", reason="It is outdated since May.")
    assert answer.status_code == 409
    assert "It is outdated since May." in answer.content.decode()


@pytest.mark.long
def test_an_edit_that_leaves_the_quote_is_explained_and_kept(browser: Client) -> None:
    make_claims()
    claim = Claim.objects.get(name__contains="2 days")
    said = "Each member must log a flight within 9 days after landing."
    answer = send(browser, claim, "edit_approve", statement=said)
    assert answer.status_code == 400
    assert "no longer agrees with its quote" in answer.content.decode()
    assert answer.context["statement"] == said


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"decision": "approve"},
        {"decision": "sing", "version": 1},
        {"decision": "approve", "version": "one"},
    ],
)
def test_a_broken_form_is_a_400(fields: dict[str, Any], browser: Client) -> None:
    claim = make_claims()[0]
    assert browser.post(url_of(claim), fields).status_code == 400
    assert not ReviewDecision.objects.exists()


def test_a_statement_of_markup_is_shown_as_text(browser: Client) -> None:
    node = make_node("<script>alert(1)</script> must be worn.", status="pending")
    make_evidence(
        node, make_rules_chunk("<script>alert(1)</script> must be worn."), "<script>alert(1)</script>"
    )
    page = browser.get(f"{QUEUE}{node.pk}/").content.decode()
    assert "<script>alert(1)" not in page


@pytest.mark.parametrize("path", [QUEUE, "/admin/curation/claim/", "/admin/curation/reviewdecision/"])
def test_students_are_sent_away(path: str) -> None:
    client = Client()
    assert client.get(path).status_code == 302
    client.force_login(make_user("student", Role.STUDENT))
    assert client.get(path).status_code in (302, 403)


def test_operators_do_not_review() -> None:
    claim = make_claims()[0]
    client = Client()
    client.force_login(make_user("operator", Role.OPERATOR))
    assert client.get(QUEUE).status_code == 403
    assert send(client, claim, "approve").status_code == 403
    assert not ReviewDecision.objects.exists()


@pytest.mark.long
def test_the_lists_open_and_lead_into_the_queue(browser: Client, reviewer: Any) -> None:
    claim = make_claims(RULES)[0]
    approve_claim(claim.pk, reviewer, version=claim.version)
    assert QUEUE in browser.get("/admin/curation/claim/").content.decode()
    assert browser.get(f"/admin/curation/claim/{claim.pk}/change/")["Location"] == url_of(claim)
    assert "approve" in browser.get("/admin/curation/reviewdecision/").content.decode().lower()


def test_an_unknown_claim_is_a_404(browser: Client) -> None:
    assert browser.get(f"{QUEUE}00000000-0000-0000-0000-000000000000/").status_code == 404


@pytest.mark.long
def test_every_page_of_the_review_counts_what_waits_by_kind(browser: Client) -> None:
    make_claims()
    make_node("Night", "definition", "pending")
    make_node("Clouds are fine.", "misconception", "pending")
    edge = join(make_node("Stalls", "topic"), "requires_knowledge_of", make_node("Lift", "topic"))
    type(edge).objects.filter(pk=edge.pk).update(status="pending")
    claims = Claim.objects.count()
    counts = {"Claims": claims, "Items": 0, "Relations": 1, "Definitions": 1, "Wrong beliefs": 1}
    counts["Topics and artifacts"] = 0
    for page, shown in (
        (QUEUE, ["Claims"]),
        (url_of(Claim.objects.all()[0]), ["Claims"]),
        ("/admin/curation/claim/items/queue/", ["Items"]),
        ("/admin/curation/graphdecision/review/", ["Relations"]),
        ("/admin/curation/graphdecision/review/?what=beliefs", ["Wrong beliefs"]),
        ("/admin/curation/claim/items/", []),
        ("/admin/curation/claim/board/", []),
    ):
        answer = browser.get(page)
        kinds = answer.context["kinds"]()
        assert {one.title: one.count for one in kinds} == counts, page
        assert [one.title for one in kinds if one.shown] == shown, page
        for title in shown:
            assert f'aria-current="true">{title} <b>{counts[title]}</b>' in answer.content.decode()
    operator = make_user("operator", Role.OPERATOR)
    browser.force_login(operator)
    assert "What waits, by kind" not in browser.get("/admin/curation/claim/progress/").content.decode()


@pytest.mark.long
def test_what_somebody_else_reads_or_must_read_does_not_count_as_waiting(browser: Client) -> None:
    claims, second = make_claims(), make_user("second")
    fields = {"stem": "?", "again": "?", "why": "."}
    item = Item.objects.create(key="pa.i.a.k1.x", task="PA.I.A", elements=["PA.I.A.K1"], **fields)
    point = make_node("Members taxi slowly.", "procedure", "pending")
    KeyPoint.objects.create(item=item, key="p", order=1, text=point.name, concept=point, anchor="clean")

    def counts() -> dict[str, int]:
        kinds = browser.get("/admin/curation/claim/board/").context["kinds"]()
        return {one.title: one.count for one in kinds}

    whole = counts()
    assert (whole["Claims"], whole["Items"]) == (len(claims), 1)
    claim = queue_for(second)[0]
    for row in (claim, item):
        hold_for_reader(row, second)
    assert counts() == {**whole, "Claims": len(claims) - 1, "Items": 0}
    QueueEntry.objects.update(held_by=None, held_until=None)
    assert counts() == {**whole, "Items": 0}
    Claim.objects.filter(pk=claim.pk).update(priority="P0")
    send(browser, claim, "approve")
    assert counts() == {**whole, "Items": 0, "Claims": len(claims) - 1}


@pytest.mark.long
def test_a_claim_that_is_not_among_those_shown_has_no_number(browser: Client) -> None:
    claim, other = make_claims()[:2]
    send(browser, claim, "flag")
    assert "queue-place" not in browser.get(url_of(claim)).content.decode()
    assert '"queue-place">1 of 1<' in browser.get(f"{url_of(claim)}?state=flagged").content.decode()
    send(browser, other, "approve")
    page = browser.get(f"{QUEUE}?state=approved").content.decode()
    assert f"<b>{other.priority}</b> 1 approved" in page
    assert "waiting</li>" not in page


@pytest.mark.long
def test_a_rule_of_a_regulation_says_if_nobody_stated_who_is_bound(browser: Client) -> None:
    claim = make_claims()[0]
    warning = '<dt>who is bound</dt><dd class="queue-no">not stated</dd>'
    assert warning not in browser.get(url_of(claim)).content.decode()
    Claim.objects.filter(pk=claim.pk).update(key_facts={"domain": "currency"})
    assert warning in browser.get(url_of(claim)).content.decode()
    claim.evidence.get().chunk.document.__class__._default_manager.update(doc_type="handbook")
    assert warning not in browser.get(url_of(claim)).content.decode()


@pytest.mark.long
def test_words_that_point_elsewhere_are_named_under_the_statement(browser: Client) -> None:
    node = make_node("That information must include the fuel for 30 minutes.", status="pending")
    page = browser.get(f"{QUEUE}{node.pk}/").content.decode()
    assert "“That information” may point at something outside it; 30 minutes is in no key fact." in page


@pytest.mark.long
def test_the_next_claim_does_not_count_the_other_kinds_anew(browser: Client) -> None:
    first, second = make_claims()[:2]
    make_node("Clouds are fine.", "misconception", "pending")
    review = "/admin/curation/graphdecision/review/?what=beliefs"

    def counted(page: str) -> tuple[int, int]:
        kinds = {one.title: one.count for one in browser.get(page).context["kinds"]()}
        return kinds["Claims"], kinds["Wrong beliefs"]

    waiting = Claim.objects.count()
    assert counted(url_of(first)) == (waiting, 1)
    make_node("Fuel is light.", "misconception", "pending")
    send(browser, first, "approve")
    assert counted(url_of(second)) == (waiting - 1, 1)
    assert counted(review) == (waiting - 1, 2)
    assert counted(url_of(second)) == (waiting - 1, 2)
