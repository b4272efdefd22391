"""A school with an instructor, "ivy", an operator, "olga", and a student, "sam", who shares what was done there."""

from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password
from django.utils import timezone

from exams.domain.exam_request import order_from
from exams.exchange.session import create_exam
from exams.instruction.assignments import assign_oral
from exams.instruction.comments import write_comment
from exams.instruction.sharing import share_practice
from exams.models import CheckedExchange
from knowledge.access.membership import add_school, join_school
from knowledge.models.tenancy import Role
from tests.doubles.past_orals import past_oral

SLUG = "axe"


def make_class(password: str) -> None:
    """Sam has elements due, a comment to read, an oral assigned, an exchange that a check refused, and a mock oral
    open; another student shares nothing."""
    school = add_school(SLUG, "A school")
    people: dict[str, Any] = {}
    held = {"ivy": Role.INSTRUCTOR, "sam": Role.STUDENT, "silent": Role.STUDENT, "olga": Role.OPERATOR}
    for name, role in held.items():
        # As the product hashes it: a house does not know the tests' own hasher.
        hashed = make_password(password, hasher="pbkdf2_sha256")
        people[name] = get_user_model().objects.create(username=name, password=hashed)
        join_school(people[name], school, role)
    ivy, sam = people["ivy"], people["sam"]
    share_practice(sam, school)
    for days in (40, 20):
        answered = past_oral(
            sam,
            {"PA.I.E.K1": "satisfactory", "PA.XI.A.K4": "unsatisfactory"},
            tenant=school,
            days_ago=days,
        )
    write_comment(ivy, answered, "Read the chapter on airspace again.")
    assign_oral(ivy, sam, school, {"mode": "drill", "codes": ["PA.I.E.K1"]}, note="Before Friday.")
    statement = {"kind": "reason", "text": "It is so.", "digest": "0" * 64, "supported": False, "sources": []}
    CheckedExchange.objects.create(
        turn=answered.turns.get(number=1),
        asked_at=timezone.now(),
        statements=[statement | {"reasons": ["The source says otherwise."]}],
        refused=["0" * 64],
    )
    create_exam(sam, school, order_from({"mode": "mock"}))
