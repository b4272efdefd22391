"""The pages of instructors, and the page on which a student agrees to be seen and sees who has looked."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from exams.conf import ASSIGNMENT_NOTE_MOST, EXAM_COST, STUDENTS_A_PAGE, WEAK_SHOWN
from exams.desk_page import CHOICES, areas_for, choice_of, chosen_standard, filled_fields
from exams.domain.exam_request import OrderRefused
from exams.exchange.session import TooManyOpen
from exams.instruction import assignments, comments, overview, sharing
from exams.instruction.sharing import NotShared, school_taught, schools_as, shared_oral, shared_student
from exams.report import report_context
from knowledge.access.throttling import charge_page
from knowledge.models import Tenant
from knowledge.models.tenancy import Role
from knowledge.whole_numbers import whole_number

SHOWN_ORALS: Final = 50
View = Callable[..., HttpResponse]


def for_instructors(view: View) -> View:
    """What is not shared is answered by a page that says why, and gives back what was written."""

    @wraps(view)
    @login_required
    def answer(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        try:
            return view(request, *args, **named)
        except NotShared as error:
            return _refuse(request, "This is not shared with you.", str(error), status=404)

    return answer


def _refuse(request: HttpRequest, what: str, then: str, *, status: int, again: bool = False) -> HttpResponse:
    kept = request.POST.get("text") or request.POST.get("note") or ""
    context = {"what": what, "then": then, "kept": kept, "again": again, "sent": request.POST}
    return render(request, "exams/instruction/refused.html", context, status=status)


# --- the class ---


@for_instructors
@require_GET
def class_page(request: HttpRequest) -> HttpResponse:
    """The school's students, 50 a page, and the weak elements of those who agreed."""
    school, now = school_taught(request), timezone.now()
    standard = chosen_standard(request, school)
    page = Paginator(sharing.students_of(school), STUDENTS_A_PAGE).get_page(request.GET.get("page"))
    weak = overview.weak_elements_of_class(school, standard)
    shown = weak if request.GET.get("weak") == "all" else weak[:WEAK_SHOWN]
    context = choice_of(standard) | {
        "school": school,
        "table": {"page": page},
        "lines": overview.student_lines(list(page), standard, now),
        "areas": areas_for(standard),
        "weak": shown,
        "weak_left": len(weak) - len(shown),
    }
    return render(request, "exams/instruction/class.html", context)


# --- one student ---


@for_instructors
@require_GET
def student_page(request: HttpRequest, student_id: int) -> HttpResponse:
    school = school_taught(request)
    student = shared_student(school, student_id)
    sharing.record_look(request.user, student, school)
    return _render_student(request, student, school)


def _render_student(
    request: HttpRequest, student: Any, school: Tenant, *, status: int = 200, **more: Any
) -> HttpResponse:
    standard = chosen_standard(request, school)
    shown = None if request.GET.get("orals") == "all" else SHOWN_ORALS
    practice = overview.practice_of(student, standard, timezone.now(), shown=shown)
    context = (
        choice_of(standard)
        | practice
        | {
            "student": student,
            "name": student.get_username(),
            "school": school,
            "assigned": assignments.assigned_by_school(student, school),
            "modes": CHOICES["modes of an assigned oral"].items(),
            "manners": CHOICES["manners"].items(),
            "areas_to_ask": areas_for(standard),
            "sent": request.POST,
            "sent_areas": request.POST.getlist("areas"),
            "note_most": ASSIGNMENT_NOTE_MOST,
            **more,
        }
    )
    return render(request, "exams/instruction/student.html", context, status=status)


class AssignmentForm(forms.Form):
    due = forms.DateField(
        required=False, error_messages={"invalid": "Due: a date such as 2026-12-24, please."}
    )
    note = forms.CharField(
        required=False,
        max_length=ASSIGNMENT_NOTE_MOST,
        error_messages={"max_length": "Your word to the student has at most %(limit_value)s characters."},
    )

    def clean_due(self) -> Any:
        due = self.cleaned_data["due"]
        if due is not None and due < timezone.now().date():
            raise forms.ValidationError("Due: that day is over. Choose a later one.")
        return due


@for_instructors
@require_POST
@charge_page(EXAM_COST)
def assign(request: HttpRequest, student_id: int) -> HttpResponse:
    """Assign an oral; what is refused comes back with the form as it was sent."""
    school = school_taught(request)
    student = shared_student(school, student_id)
    form = AssignmentForm(request.POST)
    errors = [str(error) for found in form.errors.values() for error in found]
    if not errors:
        try:
            row, scope = assignments.assign_oral(
                request.user, student, school, filled_fields(request.POST), **form.cleaned_data
            )
            told = f"Assigned to {student.get_username()}: {row.covered}, {scope.questions} questions."
            messages.success(request, " ".join([told, *scope.notices]))
            return redirect("exams:class-student", student_id)
        except OrderRefused as error:
            errors = error.lines
    return _render_student(request, student, school, status=400, errors=errors)


@for_instructors
@require_POST
def withdraw_assigned(request: HttpRequest, student_id: int) -> HttpResponse:
    school = school_taught(request)
    student = shared_student(school, student_id)
    try:
        assignments.withdraw_assigned(
            request.user, student, school, whole_number(request.POST.get("assignment", "")) or 0
        )
        messages.success(request, "Withdrawn. An oral that was begun by it goes on.")
    except assignments.NotAssigned as error:
        messages.error(request, str(error))
    return redirect("exams:class-student", student_id)


# --- one oral ---


@for_instructors
@require_GET
def oral_page(request: HttpRequest, exam_id: UUID) -> HttpResponse:
    """The report of a student's oral that is over, with its transcript, to read and to comment on."""
    exam = shared_oral(schools_as(request.user, Role.INSTRUCTOR), exam_id)
    sharing.record_look(request.user, exam.student, exam.tenant, exam)  # type: ignore[arg-type]  # it has a school
    context = report_context(exam) | {"instructor": request.user, "speaker": exam.student.get_username()}
    return render(request, "exams/report.html", context)


@for_instructors
@require_POST
def comment(request: HttpRequest, exam_id: UUID) -> HttpResponse:
    """Write, change or remove a comment. One that is refused is given back to be mended."""
    exam = shared_oral(schools_as(request.user, Role.INSTRUCTOR), exam_id)
    turn, key = (whole_number(request.POST.get(name, "")) for name in ("turn", "comment"))
    try:
        if "remove" in request.POST:
            comments.remove_comment(request.user, exam, key or 0)
            messages.success(request, "The comment is removed.")
        else:
            comments.write_comment(request.user, exam, request.POST.get("text", ""), turn=turn, key=key)
            messages.success(request, f"Your comment is stored; {exam.student.get_username()} is told.")
    except comments.CommentRefused as error:
        return _refuse(request, "The comment was not stored.", str(error), status=400, again=True)
    anchor = f"turn-{turn}" if turn else "comments"
    return redirect(f"{reverse('exams:class-oral', args=[exam_id])}#{anchor}")


# --- the student's side ---


@login_required
@require_GET
def sharing_page(request: HttpRequest) -> HttpResponse:
    """What the student's instructors see, who has looked, and the consent to it."""
    context = {
        "consents": sharing.consents_of(request.user),
        "looks": sharing.looks_at(request.user),
        "section": "exams",
    }
    return render(request, "exams/instruction/sharing.html", context)


@login_required
@require_GET
def seen_page(request: HttpRequest, slug: str) -> HttpResponse:
    """A student's practice at a school, as its instructors see it or would see it."""
    school = _own_school(request, slug)
    standard = chosen_standard(request, school)
    practice = overview.practice_of(request.user, standard, timezone.now(), shown=None)
    context = (
        choice_of(standard)
        | practice
        | {
            "school": school,
            "own": True,
            "assigned": assignments.assigned_by_school(request.user, school),
        }
    )
    return render(request, "exams/instruction/student.html", context)


def _own_school(request: HttpRequest, slug: str) -> Tenant:
    """The school of this name in which the person is a student; 404 for another."""
    for school in schools_as(request.user, Role.STUDENT):
        if school.slug == slug:
            return school
    raise Http404("You are no student of this school.")


@login_required
@require_POST
def consent(request: HttpRequest, slug: str) -> HttpResponse:
    school = _own_school(request, slug)
    if "withdraw" in request.POST:
        sharing.withdraw_consent(request.user, school)
        messages.success(
            request, f"Withdrawn: the instructors of {school} see nothing of your practice any more."
        )
    elif "agree" in request.POST:
        sharing.share_practice(request.user, school)
        messages.success(request, f"The instructors of {school} now see your practice there.")
    return redirect("exams:sharing")


@login_required
@require_POST
@charge_page(EXAM_COST)
def assigned(request: HttpRequest) -> HttpResponse:
    """Begin an assigned oral with one click, or dismiss it."""
    key = whole_number(request.POST.get("assignment", "")) or 0
    try:
        if "dismiss" in request.POST:
            assignments.dismiss_assigned(request.user, key)
            messages.success(request, "Dismissed. Your instructor sees that you did.")
        else:
            return redirect("exams:room", assignments.begin_assigned(request.user, key).pk)
    except (assignments.NotAssigned, TooManyOpen) as error:
        messages.error(request, str(error))
    except OrderRefused as error:
        told = " ".join(why for problems in error.fields.values() for why in problems)
        messages.error(request, f"This oral cannot be asked with the library as it is now. {told}")
    return redirect("exams:desk")
