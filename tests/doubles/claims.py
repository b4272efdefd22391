"""A chunk of rules written for the tests, reviewers who read its claims, and the offline extractor."""

from typing import Any

from django.contrib.auth import get_user_model

from curation.intake import take_in_chunk
from curation.models import Claim
from curation.offline.extractor import extract_drafts
from knowledge.models import Chunk, Membership
from knowledge.models.tenancy import Role
from llm.offline import OfflineChatModel
from tests.doubles.library import make_chunk, make_document

EXTRACTOR = OfflineChatModel({"extractor": extract_drafts})

RULES = """(a) No member may taxi a club airplane unless—
(1) The member has checked the brakes; and
(2) The marshaller has given a signal from at least 30 feet away.
(b) Each member must log a flight within 2 days after landing.
(c) Members may park on the grass by day."""


def make_rules_chunk(text: str = RULES, **fields: Any) -> Chunk:
    document = fields.pop("document", None) or make_document("Club rules", abbreviation="CR", doc_type="cfr")
    return make_chunk(text, document, embed=False, section="7.12", heading="Taxi and logs", **fields)


def make_claims(text: str = RULES) -> list[Claim]:
    take_in_chunk(make_rules_chunk(text), EXTRACTOR)
    return list(Claim.objects.order_by("name"))


def make_user(name: str, role: Role | None = Role.REVIEWER) -> Any:
    user = get_user_model().objects.create_user(username=name, password="secret")
    if role:
        Membership.objects.create(user=user, tenant=None, role=role)
    return user
