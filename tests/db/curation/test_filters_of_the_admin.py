"""What the admin offers to filter by is what the person may see: no category and no name of another school."""

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.test import Client

from curation.models import DecisionKind, ReviewDecision
from knowledge.models import Membership, Tenant
from knowledge.models.tenancy import Role
from rules.models import RuleAnswer, RuleQuestion
from tests.doubles.claims import make_claims
from tests.doubles.library import make_document, make_tenant

pytestmark = pytest.mark.django_db


def person(name: str, role: Role, tenant: Tenant | None) -> User:
    user = get_user_model().objects.create_user(name)
    Membership.objects.create(user=user, role=role, tenant=tenant)
    return user


def page(user: User, address: str) -> str:
    client = Client()
    client.force_login(user)
    shown = client.get(address)
    assert shown.status_code == 200
    return shown.content.decode()


def question(tenant: Tenant | None, category: str) -> RuleQuestion:
    row = RuleQuestion.objects.create(
        tenant=tenant, key=f"{category}?", text=f"{category}?", category=category
    )
    RuleAnswer.objects.create(question=row, country="FR", text="Yes")
    return row


@pytest.mark.parametrize("address", ["/admin/rules/ruleanswer/", "/admin/rules/rulequestion/"])
def test_categories_of_other_schools_are_not_offered(address: str) -> None:
    ours, theirs = make_tenant("ours"), make_tenant("theirs")
    for tenant, category in ((None, "Common"), (ours, "Our matters"), (theirs, "Secret deals")):
        question(tenant, category)
    shared = page(person("shared", Role.OPERATOR, None), address)
    assert "Common" in shared
    assert "Secret deals" not in shared
    assert "Our matters" not in shared
    own = page(person("own", Role.OPERATOR, ours), address)
    assert "Our matters" in own
    assert "Secret deals" not in own


def test_a_category_is_not_spelt_as_another_school_spells_it() -> None:
    ours, theirs = make_tenant("ours"), make_tenant("theirs")
    question(theirs, "SeCrEt")
    row = question(ours, "Our matters")
    client = Client()
    client.force_login(person("own", Role.OPERATOR, ours))
    sent = {"text": row.text, "category": "secret", "tags": "", "reason": ""}
    assert client.post(f"/admin/rules/rulequestion/{row.pk}/change/", sent).status_code == 302
    row.refresh_from_db()
    assert row.category == "secret"


def test_reviewers_of_other_schools_are_not_offered() -> None:
    ours, theirs = make_tenant("ours"), make_tenant("theirs")
    own_claim, their_claim, *_ = make_claims()
    mia, spy = person("mia", Role.REVIEWER, ours), person("spy-of-theirs", Role.REVIEWER, theirs)
    for claim, school, who in ((own_claim, ours, mia), (their_claim, theirs, spy)):
        claim.tenant = school
        claim.save()
        ReviewDecision.objects.create(
            claim=claim, reviewer=who, decision=DecisionKind.EDIT, version_read=1, before={}, after={}
        )
    shown = page(mia, "/admin/curation/reviewdecision/")
    assert "mia" in shown
    assert "spy-of-theirs" not in shown


def test_categories_of_other_schools_documents_are_not_offered() -> None:
    theirs = make_document("Their rules", tenant=make_tenant("theirs"), doc_type="sop")
    theirs.category = "Secret deals"
    theirs.save()
    shown = page(person("own", Role.OPERATOR, make_tenant("ours")), "/admin/knowledge/document/")
    assert "Secret deals" not in shown
