"""What went wrong, on a page that says what to do next."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

PAGES = {
    400: ("That request could not be read.", "Go back and try again."),
    403: ("This page is not for your account.", "Sign in with an account that has the right role."),
    404: ("There is nothing at this address.", "It may have been deleted, or it belongs to somebody else."),
    500: ("Something broke on our side.", "Nothing you entered was graded. Try again in a moment."),
}


def _page(request: HttpRequest, status: int) -> HttpResponse:
    what, then = PAGES[status]
    if request.path.startswith("/api/"):
        return JsonResponse({"code": f"http_{status}", "message": what, "fields": {}}, status=status)
    return render(request, "error.html", {"what": what, "then": then, "status": status}, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    return _page(request, 500)
