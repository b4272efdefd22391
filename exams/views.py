"""The student's pages: the desk, the room, the report, and what a student may do with own exams."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from exams.desk_page import (
    anchoring_now,
    areas_for,
    board_for,
    demo_library,
    describe,
    exams_of,
    mastery_of,
    open_exam_of,
)
from exams.domain.exam_request import OrderRefused, order_from
from exams.domain.scope import AIRCRAFT_CLASSES, Scope
from exams.examiner.element_facts import certificates, task_names
from exams.exchange import session
from knowledge.access.people import school_read_by
from knowledge.access.throttling import costs
from knowledge.models.tenancy import Role
from knowledge.whole_numbers import whole_number

from .conf import EXAM_COST
from .models import Exam
from .report import export_of, lists_of, report_of

MODES = [
    ("full", "The whole ground portion"),
    ("area", "The Areas I choose"),
    ("weak", "What I am weak at"),
    ("drill", "A drill: weak elements, quickly"),
]
CLASSES = dict(
    zip(
        AIRCRAFT_CLASSES,
        ("single-engine land", "multiengine land", "single-engine sea", "multiengine sea"),
        strict=True,
    )
)
DIFFICULTIES = [("easy", "plain"), ("standard", "as in the test"), ("hard", "demanding")]
NOTHING_ASKED: Final[Mapping[str, object]] = {
    "mode": "full",
    "class": "ASEL",
    "difficulty": "standard",
    "questions": "",
    "areas": (),
}
OPENING = (
    "I am your practice examiner. We talk as in the oral of a practical test; this is practice, and nothing here "
    "is a certificate. Take your time. “I don’t know” and “say it again” are fine."
)


@login_required
@require_GET
def desk(request: HttpRequest) -> HttpResponse:
    return _desk(request)


@login_required
@require_GET
def coverage(request: HttpRequest) -> HttpResponse:
    """The board of Tasks and elements: what the library lets an examiner ask, and what is missing."""
    certificate = request.GET.get("certificate", "private")
    aircraft_class = request.GET.get("class", "ASEL")
    if certificate not in certificates() or aircraft_class not in AIRCRAFT_CLASSES:
        certificate, aircraft_class = "private", "ASEL"
    names = task_names(certificate)
    board = board_for(certificate, aircraft_class, tenant=school_read_by(request, Role.STUDENT))
    context = {
        "section": "exams",
        "board": board,
        "rows": [(task, names[task.task].title if task.task in names else "") for task in board.tasks],
        "certificate": certificate,
        "certificates": certificates(),
        "aircraft_class": aircraft_class,
        "classes": AIRCRAFT_CLASSES,
        "run": anchoring_now(),
    }
    return render(request, "exams/coverage.html", context)


def _desk(
    request: HttpRequest,
    errors: Sequence[str] = (),
    asked: Mapping[str, object] = NOTHING_ASKED,
    status: int = 200,
    planned: Scope | None = None,
) -> HttpResponse:
    tenant = school_read_by(request, Role.STUDENT)
    areas = areas_for("private", "ASEL", tenant=tenant)
    context = {
        "section": "exams",
        "open_exam": open_exam_of(request.user),
        "can_begin": any(area.askable for area in areas),
        "areas": areas,
        "modes": MODES,
        "classes": CLASSES.items(),
        "difficulties": DIFFICULTIES,
        "asked": asked,
        "exams": exams_of(request.user),
        "mastery": mastery_of(request.user, "private"),
        "demo_library": demo_library(tenant),
        "board": board_for("private", "ASEL", tenant=tenant),
        "anchoring": anchoring_now(),
        "setup_errors": errors,
        "planned": planned,
        "planned_sentence": _sentence(planned) if planned else "",
    }
    return render(request, "exams/desk.html", context, status=status)


@login_required
@require_POST
@costs(EXAM_COST)
def begin(request: HttpRequest) -> HttpResponse:
    try:
        exam = session.create_exam(
            request.user, school_read_by(request, Role.STUDENT), order_from(_posted(request))
        )
    except OrderRefused as error:
        return _desk(request, _in_words(error), _kept(request), status=400)
    except session.TooManyOpen as error:
        return _desk(request, [error.message], _kept(request), status=409)
    return redirect("exams:room", exam.pk)


@login_required
@require_POST
@costs(EXAM_COST)
def preview(request: HttpRequest) -> HttpResponse:
    """The desk with what the oral that is set up would cover; nothing is begun."""
    try:
        order = order_from(_posted(request))
        scope = session.plan_scope(request.user, school_read_by(request, Role.STUDENT), order, seed="preview")
    except OrderRefused as error:
        return _desk(request, _in_words(error), _kept(request), status=400)
    return _desk(request, asked=_kept(request), planned=scope)


def _in_words(refused: OrderRefused) -> list[str]:
    return [f"{name.capitalize()}: {' '.join(problems)}" for name, problems in refused.fields.items()]


def _kept(request: HttpRequest) -> dict[str, object]:
    """What was filled in, to be corrected instead of written again."""
    filled = {name: request.POST[name] for name in NOTHING_ASKED if request.POST.get(name)}
    return {**NOTHING_ASKED, **filled, "areas": request.POST.getlist("areas")}


def _posted(request: HttpRequest) -> dict[str, Any]:
    """The form's fields that were filled in; numbers as numbers."""
    fields: dict[str, Any] = {
        name: request.POST[name]
        for name in ("mode", "class", "difficulty", "certificate", "manner")
        if request.POST.get(name)
    }
    questions = request.POST.get("questions", "").strip()
    if questions:
        number = whole_number(questions)
        fields["questions"] = questions if number is None else number
    codes = request.POST.get("codes", "").replace(",", " ").split()
    if codes:
        fields |= {"codes": codes, "mode": "drill"}
    areas = request.POST.getlist("areas")
    if areas:
        fields |= {"areas": areas, "mode": "area"}
    return fields


def _own(request: HttpRequest, exam_id: UUID) -> Exam:
    return get_object_or_404(Exam, pk=exam_id, student=request.user)


@login_required
@require_GET
def room(request: HttpRequest, exam_id: UUID) -> HttpResponse:
    exam = describe(_own(request, exam_id))
    if not exam.is_open:  # type: ignore[attr-defined]
        return redirect("exams:report", exam_id)
    scope = Scope.from_dict(exam.scope)
    names = task_names(exam.certificate)
    context = {
        "exam": exam,
        "section": "exams",
        "opening": OPENING,
        "scope_sentence": _sentence(scope),
        "notices": scope.notices,
        "tasks": [names[code] for code in scope.task_codes if code in names],
        "socket_path": f"/ws/exams/{exam.pk}/",
    }
    return render(request, "exams/room.html", context)


def _sentence(scope: Scope) -> str:
    return f"{scope.title}, {scope.questions} questions, about {scope.minutes} minutes."


@login_required
@require_GET
def report(request: HttpRequest, exam_id: UUID) -> HttpResponse:
    exam = describe(_own(request, exam_id))
    if exam.is_open:  # type: ignore[attr-defined]
        return redirect("exams:room", exam_id)
    found = report_of(exam)
    context = {"exam": exam, "report": found, "lists": lists_of(found), "section": "exams"}
    return render(request, "exams/report.html", context)


@login_required
@require_GET
def download(request: HttpRequest, exam_id: UUID) -> HttpResponse:
    exam = _own(request, exam_id)
    response = JsonResponse(export_of(exam), json_dumps_params={"indent": 1, "ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="oral-{exam.created_at:%Y-%m-%d}-{exam.pk}.json"'
    return response


@login_required
@require_http_methods(["GET", "POST"])
def delete(request: HttpRequest, exam_id: UUID) -> HttpResponse:
    exam = describe(_own(request, exam_id))
    if request.method == "GET":
        return render(request, "exams/delete.html", {"exam": exam, "section": "exams"})
    session.delete_exam(exam)
    return redirect("exams:desk")
