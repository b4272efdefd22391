"""The student's pages: the desk, the room, the report, and what a student may do with own exams."""

from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from exams.conf import CARRIED_OVER_DAYS, DISPUTE_COST, EXAM_COST, NOTE_CHARACTERS_MOST, PDF_COST
from exams.desk_page import (
    CHOICES,
    anchoring_now,
    areas_for,
    board_for,
    choice_of,
    chosen_standard,
    due_for,
    filled_fields,
    is_demo_library,
    unreadable_items,
)
from exams.domain.exam_request import OrderRefused, order_from
from exams.domain.planner import failed_tasks
from exams.domain.scope import Scope
from exams.examiner.element_facts import task_names
from exams.exchange import session
from exams.exchange.qualification.asking import draw_qualification
from exams.instruction.assignments import assigned_to
from exams.instruction.comments import mark_read, unread_comments
from exams.models import OPEN_STATUSES, Dispute, Exam
from exams.progress.areas import areas_of
from exams.progress.comparison import compare_orals
from exams.progress.history import covered_by, development_of, history_of
from exams.report import BADGE_WORDS, export_of, report_context
from exams.report_pdf import pdf_of_report
from knowledge.access.people import school_read_by
from knowledge.access.throttling import charge_page
from knowledge.models.tenancy import Role
from knowledge.whole_numbers import whole_number

OF_AN_OWN_ORAL: Final = ("personas", "difficulties", "qualifications")
UNFILLED: Final[Mapping[str, object]] = {
    "mode": "full",
    "manner": "coach",
    "persona": "steady",
    "difficulty": "standard",
    "questions": "",
    "qualification": "",
    "areas": (),
}
SHOWN_EXAMS: Final = 50
OPENING: Final = (
    "I’m your practice examiner, and I’ll ask the way a DPE does on a practical test. This is practice: nothing here "
    "counts toward a certificate. Take your time. “I don’t know” and “say it again” are fine."
)
OPENING_OF_CHECKRIDE: Final = (
    f"{OPENING} As on the test, I won’t comment on your answers. The debrief tells you what was right and what was"
    " missing."
)


# --- the desk ------------------------------------------------------------------------------------------------


@login_required
@require_GET
def desk(request: HttpRequest) -> HttpResponse:
    return _render_desk(request)


@login_required
@require_GET
def coverage(request: HttpRequest) -> HttpResponse:
    """The board of Tasks and elements: what the library lets an examiner ask, and what is missing."""
    standard = chosen_standard(request, school_read_by(request, Role.STUDENT))
    names, board = task_names(standard.certificate), board_for(standard)
    context = choice_of(standard) | {
        "section": "exams",
        "board": board,
        "rows": [(task, names[task.task].title if task.task in names else "") for task in board.tasks],
        "run": anchoring_now(standard.tenant),
        "unreadable": unreadable_items(request.user, standard),
    }
    return render(request, "exams/coverage.html", context)


@login_required
@require_POST
@charge_page(EXAM_COST)
def begin(request: HttpRequest) -> HttpResponse:
    school = school_read_by(request, Role.STUDENT)
    try:
        exam = session.create_exam(request.user, school, order_from(filled_fields(request.POST)))
    except OrderRefused as error:
        return _render_refusal(request, error)
    except session.TooManyOpen as error:
        return _render_desk(request, [error.message], status=409)
    return redirect("exams:room", exam.pk)


@login_required
@require_POST
@charge_page(EXAM_COST)
def preview(request: HttpRequest) -> HttpResponse:
    """The desk with what the oral that is set up would cover; nothing is begun."""
    school = school_read_by(request, Role.STUDENT)
    try:
        order = order_from(filled_fields(request.POST))
        scope = session.plan_scope(request.user, school, order, seed="preview")
        papers = draw_qualification(order, "preview")
    except OrderRefused as error:
        return _render_refusal(request, error)
    return _render_desk(request, planned=scope, papers=papers is not None)


@login_required
@require_GET
def compare(request: HttpRequest) -> HttpResponse:
    """Two orals of the student side by side; anything else than two that can be compared is said on the desk."""
    own = Exam.objects.filter(student=request.user, result__isnull=False)  # type: ignore[misc]  # signed in
    over = own.exclude(status__in=OPEN_STATUSES)
    checked = set(request.GET.getlist("oral"))
    keys = [key for key in over.values_list("pk", flat=True) if str(key) in checked]
    if len(keys) != 2:
        return _render_desk(request, compare_error="Check two orals that are over, then compare.", status=400)
    earlier, later = over.filter(pk__in=keys).order_by("created_at")
    if earlier.certificate != later.certificate:
        words = "These two orals are for different certificates. Check two of the same certificate."
        return _render_desk(request, compare_error=words, status=400)
    names = task_names(later.certificate)
    context = {
        "section": "exams",
        "found": compare_orals(earlier, later),
        "earlier_covered": covered_by(earlier, names),
        "later_covered": covered_by(later, names),
    }
    return render(request, "exams/compare.html", context)


def _render_desk(
    request: HttpRequest,
    errors: Sequence[str] = (),
    status: int = 200,
    planned: Scope | None = None,
    compare_error: str = "",
    *,
    papers: bool = False,
) -> HttpResponse:
    tenant = school_read_by(request, Role.STUDENT)
    standard = chosen_standard(request, tenant)
    areas = areas_for(standard)
    own_exams = Exam.objects.filter(student=request.user)  # type: ignore[misc]  # signed in
    now = timezone.now()
    shown = None if request.GET.get("orals") == "all" else SHOWN_EXAMS
    history = history_of(own_exams.defer("planner", "request", "study")[:shown])
    older = own_exams.count() - len(history)
    filled = {name: request.POST[name] for name in UNFILLED if request.POST.get(name)}
    context = choice_of(standard) | {
        "section": "exams",
        "class_name": CHOICES["classes"][standard.aircraft_class],
        "open_exam": own_exams.filter(status__in=OPEN_STATUSES).first(),
        "can_begin": any(area.askable for area in areas),
        "areas": areas,
        **{name: CHOICES[name].items() for name in ("modes", "manners", *OF_AN_OWN_ORAL)},
        "asked": {**UNFILLED, **filled, "areas": request.POST.getlist("areas")},
        "history": history,
        "older_orals": older,
        "can_compare": sum(row.asked is not None for row in history) > 1,
        "compare_error": compare_error,
        "due": due_for(request.user, standard, now),
        "areas_now": areas_of(request.user, standard, now),
        "development": development_of(request.user, standard),
        "ready_days": CARRIED_OVER_DAYS,
        "demo_library": is_demo_library(),
        "board": board_for(standard),
        "anchoring": anchoring_now(tenant),
        "assigned": assigned_to(request.user),
        "new_comments": unread_comments(request.user),
        "setup_errors": errors,
        "planned": planned,
        "planned_sentence": _scope_sentence(planned, papers=papers) if planned else "",
    }
    return render(request, "exams/desk.html", context, status=status)


def _render_refusal(request: HttpRequest, error: OrderRefused) -> HttpResponse:
    return _render_desk(request, error.lines, status=400)


# --- one exam ------------------------------------------------------------------------------------------------


@login_required
@require_GET
def room(request: HttpRequest, exam_id: UUID) -> HttpResponse:
    exam = _own_exam(request, exam_id)
    if not exam.is_open:
        return redirect("exams:report", exam_id)
    scope = exam.read_scope()
    names = task_names(exam.certificate)
    context = {
        "exam": exam,
        "section": "exams",
        "opening": OPENING if exam.manner == "coach" else OPENING_OF_CHECKRIDE,
        "failed_tasks": failed_tasks(exam.read_planner()),
        "scope_sentence": _scope_sentence(scope, papers=bool(exam.qualification)),
        "notices": scope.notices,
        "tasks": [names[code] for code in scope.task_codes if code in names],
        "socket_path": f"/ws/exams/{exam.pk}/",
        "badge_words": BADGE_WORDS,
        "flight": exam.read_scene(),
    }
    return render(request, "exams/room.html", context)


@login_required
@require_GET
def report(request: HttpRequest, exam_id: UUID) -> HttpResponse:
    exam = _own_exam(request, exam_id)
    if exam.is_open:
        return redirect("exams:room", exam_id)
    context = report_context(exam)
    mark_read(exam)
    return render(request, "exams/report.html", context)


@login_required
@require_GET
@charge_page(PDF_COST)
def report_pdf(request: HttpRequest, exam_id: UUID) -> HttpResponse:
    exam = _own_exam(request, exam_id)
    if exam.is_open:
        return redirect("exams:room", exam_id)
    response = HttpResponse(pdf_of_report(report_context(exam)), content_type="application/pdf")
    response["Content-Disposition"] = (
        f'attachment; filename="debrief-{exam.created_at:%Y-%m-%d}-{exam.pk}.pdf"'
    )
    return response


@login_required
@require_POST
@charge_page(DISPUTE_COST)
def dispute(request: HttpRequest, exam_id: UUID) -> HttpResponse:
    """Send a verdict of the report to a reviewer."""
    exam = _own_exam(request, exam_id)
    number, note = whole_number(request.POST.get("turn", "")), request.POST.get("note", "").strip()
    turn = exam.turns.filter(number=number).first() if number else None
    if turn is None or exam.is_open:
        raise Http404("There is no such verdict.")
    if not note or len(note) > NOTE_CHARACTERS_MOST:
        messages.error(
            request, f"Say in up to {NOTE_CHARACTERS_MOST:,} characters what the examiner got wrong."
        )
    elif (
        Dispute.objects.filter(turn=turn, by_sample=True, resolved=False).update(note=note, by_sample=False)
        or Dispute.objects.get_or_create(exam=exam, turn=turn, defaults={"note": note})[1]
    ):
        messages.success(request, "Sent to a reviewer. The verdict stands until they decide.")
    return redirect("exams:report", exam_id)


@login_required
@require_GET
def download(request: HttpRequest, exam_id: UUID) -> HttpResponse:
    exam = _own_exam(request, exam_id)
    response = JsonResponse(export_of(exam), json_dumps_params={"indent": 1, "ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="oral-{exam.created_at:%Y-%m-%d}-{exam.pk}.json"'
    return response


@login_required
@require_http_methods(["GET", "POST"])
def delete(request: HttpRequest, exam_id: UUID) -> HttpResponse:
    exam = _own_exam(request, exam_id)
    if request.method == "GET":
        return render(request, "exams/delete.html", {"exam": exam, "section": "exams"})
    session.delete_exam(exam)
    return redirect("exams:desk")


def _own_exam(request: HttpRequest, exam_id: UUID) -> Exam:
    return get_object_or_404(Exam, pk=exam_id, student=request.user)


def _scope_sentence(scope: Scope, *, papers: bool = False) -> str:
    opens = " It opens with the papers, about 10 minutes." if papers else ""
    return f"{scope.title}, {scope.questions} questions, about {scope.minutes} minutes.{opens}"
