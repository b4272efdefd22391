"""The first page: what each of the three kinds of people comes here to do."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from desk.overview import overview_for_operator, overview_for_reviewer
from knowledge.access.people import schools_of
from knowledge.models.tenancy import Role


@login_required
def home(request: HttpRequest) -> HttpResponse:
    operator, reviewer = schools_of(request.user, Role.OPERATOR), schools_of(request.user, Role.REVIEWER)
    if not (operator or reviewer):
        return redirect("exams:desk")
    context = {
        "operator": overview_for_operator(request.user) if operator else None,
        "reviewer": overview_for_reviewer(request.user) if reviewer else None,
    }
    return render(request, "desk/home.html", context)


def about(request: HttpRequest) -> HttpResponse:
    return render(request, "desk/about.html")
