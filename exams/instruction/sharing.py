"""Who sees a student's practice: the instructors of a school, if the student of that school agreed; and who has looked.

Whoever asks for what is not shared gets NotShared, from the first moment after a consent is withdrawn.
"""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from exams.conf import LOOKS_SHOWN
from exams.models import OPEN_STATUSES, Exam, Look, SharedPractice
from knowledge.access.people import read_memberships, school_for
from knowledge.models import Membership, Tenant
from knowledge.models.tenancy import Role


class NotShared(Exception):
    """It may not be seen; the message says why."""


def schools_as(user: Any, role: Role) -> list[Tenant]:
    """The schools in which the user has the role; a superuser has none without a membership."""
    return [row.tenant for row in read_memberships(user, role) if row.tenant]


def school_taught(request: HttpRequest) -> Tenant:
    """The school whose instructor the person is and acts for. Raises PermissionDenied and WhichSchool."""
    held = schools_as(request.user, Role.INSTRUCTOR)
    school = school_for(request, Role.INSTRUCTOR) if held else None
    if school is None:
        raise PermissionDenied("Only instructors of a school may do this.")
    return school


def students_of(school: Tenant) -> QuerySet[Any]:
    """The school's students, those who agreed first (`shares`)."""
    held = Membership.objects.filter(user=OuterRef("pk"), tenant=school, role=Role.STUDENT)
    shared = SharedPractice.objects.filter(student=OuterRef("pk"), tenant=school)
    students = get_user_model()._default_manager.filter(Exists(held), is_active=True)
    in_order: QuerySet[Any] = students.annotate(shares=Exists(shared)).order_by("-shares", "username")
    return in_order


def shared_student(school: Tenant, student_id: int) -> Any:
    """Raises NotShared."""
    student = students_of(school).filter(pk=student_id).first()
    if student is None:
        raise NotShared(f"There is no such student of {school}, or they have left the school.")
    if not student.shares:
        raise NotShared(
            f"{student.get_username()} has not agreed to share their practice with the instructors of {school}, or"
            f" no longer does. They can agree on their page “What my instructors see”."
        )
    return student


def shared_oral(schools: Collection[Tenant], exam_id: UUID) -> Exam:
    """An oral that is over, at one of these schools. Raises NotShared."""
    orals = Exam.objects.filter(tenant__in=schools).exclude(status__in=OPEN_STATUSES)
    exam = orals.select_related("student", "tenant").filter(pk=exam_id).first()
    if exam is None or exam.tenant is None:
        raise NotShared(
            "There is no such oral for you: its student has deleted it, it is not over yet, or it belongs to"
            " somebody else."
        )
    shared_student(exam.tenant, exam.student_id)
    return exam


# --- consent ---


def share_practice(student: Any, school: Tenant) -> None:
    SharedPractice.objects.get_or_create(student=student, tenant=school)


def withdraw_consent(student: Any, school: Tenant) -> None:
    SharedPractice.objects.filter(student=student, tenant=school).delete()


def consents_of(student: Any) -> list[dict[str, Any]]:
    """Each school of the student, since when the practice is shared there (None: it is not), and its instructors."""
    schools = schools_as(student, Role.STUDENT)
    since = dict(SharedPractice.objects.filter(student=student).values_list("tenant", "since"))
    teaching = Membership.objects.filter(tenant__in=schools, role=Role.INSTRUCTOR, user__is_active=True)
    names = list(teaching.order_by("user__username").values_list("tenant", "user__username"))
    return [
        {
            "school": school,
            "since": since.get(school.pk),
            "instructors": [name for key, name in names if key == school.pk],
        }
        for school in schools
    ]


# --- who has looked ---


def record_look(viewer: Any, student: Any, school: Tenant, oral: Exam | None = None) -> None:
    """One row an hour for each thing that an instructor opens."""
    if viewer.pk == student.pk:
        return
    hour = timezone.now().replace(minute=0, second=0, microsecond=0)
    row = Look(viewer=viewer, student=student, tenant=school, oral=oral.pk if oral else None, hour=hour)
    Look.objects.bulk_create([row], ignore_conflicts=True)


def looks_at(student: Any) -> Sequence[Look]:
    """The latest LOOKS_SHOWN, newest first; `exam` is the oral, or None where it was deleted."""
    looks = list(Look.objects.filter(student=student).select_related("viewer", "tenant")[:LOOKS_SHOWN])
    own = Exam.objects.filter(Q(pk__in={look.oral for look in looks if look.oral}), student=student)
    orals = own.only("created_at", "certificate", "aircraft_class").in_bulk()
    for look in looks:
        look.exam = orals.get(look.oral) if look.oral else None  # type: ignore[attr-defined]
    return looks
