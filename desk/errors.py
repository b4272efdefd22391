"""What a client sees when something goes wrong: a page that says what to do next, or {"code", "message", "fields"}."""

import math
import sys
from typing import Any, Final

import structlog
from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig, TooManyFilesSent
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from kombu.exceptions import OperationalError as BrokerAway
from redis.exceptions import RedisError
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from desk.conf import RETRY_AFTER_SECONDS
from knowledge.access.people import NAMED, WhichSchool, slug_of
from knowledge.access.throttling import TooManyRequests
from knowledge.conf import UPLOAD_FILES
from llm.errors import UnknownModel

log = structlog.get_logger(__name__)

AWAY: Final = (OperationalError, InterfaceError, RedisError, BrokerAway, UnknownModel)
"""Errors that mean that the database, Redis or the model of the searches is unavailable, not that our code is wrong."""
AWAY_MESSAGE: Final = "The database or Redis does not answer. Nothing is lost; try again in a few seconds."
NO_MODEL_MESSAGE: Final = (
    "Searches use a model that is not set up on this machine. Nothing is lost. An operator of the shared library sets"
    " its key, or switches searches to another model: Quality, then Search vectors."
)

PAGES: Final = {
    400: ("This request could not be read.", "Go back and try again."),
    403: ("This page is not for your account.", "Sign in with an account that has the right role."),
    404: ("There is nothing at this address.", "It may have been deleted, or it belongs to somebody else."),
    405: (
        "This address takes only what a form sends.",
        "Go back to the page with the form, and send it from there.",
    ),
    413: (
        f"An upload holds at most {UPLOAD_FILES:,} files.",
        "Upload a part of the folder at a time, or several zips. Nothing of this upload was stored.",
    ),
    500: ("Something went wrong on our side.", "Nothing you entered was graded. Try again in a moment."),
}


# --- pages ---


def _error_page(request: HttpRequest, status: int) -> HttpResponse:
    what, then = PAGES[status]
    if request.path.startswith("/api/"):
        return JsonResponse({"code": f"http_{status}", "message": what, "fields": {}}, status=status)
    return render(request, "error.html", {"what": what, "then": then, "status": status}, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if not isinstance(exception, WhichSchool):
        return _error_page(request, 413 if isinstance(exception, TooManyFilesSent) else 400)
    schools = [(slug_of(school), school or "The shared library") for school in exception.schools]
    status = 200 if request.method in ("GET", "HEAD") else 400  # who only opens a page did nothing wrong
    return render(request, "desk/which_school.html", {"choice": schools}, status=status)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _error_page(request, 403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _error_page(request, 404)


def not_allowed(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    page = _error_page(request, 405)
    page["Allow"] = answer["Allow"]
    return page


def too_many_requests(request: HttpRequest, exception: TooManyRequests) -> HttpResponse:
    context = {"what": "Please wait a moment.", "then": str(exception), "status": 429}
    headers = {"Retry-After": str(exception.seconds)}
    return HttpResponse(render_to_string("error.html", context, request), status=429, headers=headers)


def server_error(request: HttpRequest) -> HttpResponse:
    error = sys.exc_info()[1]
    return unavailable(request, error) if isinstance(error, AWAY) else _error_page(request, 500)


def unavailable(request: HttpRequest, exception: BaseException) -> HttpResponse:
    """The page shows nobody signed in, since sessions are in the database. It reloads itself after a GET; the user must
    send a form again."""
    not_set_up = isinstance(exception, UnknownModel)  # only an operator can mend it: nothing is tried again
    told = _away_message(exception)
    (log.error if not_set_up else log.warning)("service_away", path=request.path, error=str(exception))
    if request.path.startswith("/api/"):
        body = {"code": "service_away", "message": told, "fields": {}}
        answer: HttpResponse = JsonResponse(body, status=503)
    else:
        again = RETRY_AFTER_SECONDS if request.method == "GET" and not not_set_up else None
        what = "Searches are not set up." if not_set_up else "HeyDPE is unavailable for a moment."
        page = {"what": what, "then": told, "status": 503}
        answer = render(None, "error.html", {**page, "again": again}, status=503)  # type: ignore[arg-type]
    if not not_set_up:
        answer["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return answer


def _away_message(exception: BaseException) -> str:
    return NO_MODEL_MESSAGE if isinstance(exception, UnknownModel) else AWAY_MESSAGE


# --- the API ---


class BodyTooLong(exceptions.APIException):
    status_code = 413
    default_code = "too_long"
    default_detail = (
        f"A request holds at most {settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 1024**2} MB besides its files."
    )


class ServiceAway(exceptions.APIException):
    status_code = 503
    default_code = "service_away"
    default_detail = AWAY_MESSAGE
    wait = RETRY_AFTER_SECONDS  # the header Retry-After


def handle_api_exception(exception: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's EXCEPTION_HANDLER."""
    if isinstance(exception, RequestDataTooBig):
        exception = BodyTooLong()
    elif isinstance(exception, AWAY):
        log.warning("service_away", error=str(exception))
        exception = ServiceAway(_away_message(exception))
    if isinstance(exception, WhichSchool):
        named = {NAMED: [slug_of(school) for school in exception.schools]}
        return Response({"code": "which_school", "message": str(exception), "fields": named}, status=400)
    response = exception_handler(exception, context)
    if response is None:
        return None
    detail = getattr(exception, "detail", None)
    fields: dict[str, list[str]] = {}
    if isinstance(detail, dict):
        if {"code", "message"} <= detail.keys():
            response.data = {"fields": {}, **detail}
            return response
        reserved = ("detail", "code", "message")
        fields = {name: _messages_in(value) for name, value in detail.items() if name not in reserved}
    if isinstance(exception, exceptions.Throttled):
        message = str(TooManyRequests(math.ceil(getattr(exception, "wait", None) or 1)))
    elif isinstance(exception, Http404 | PermissionDenied):
        message = str(response.data.get("detail", exception))
    else:
        message = "; ".join(_messages_in(detail))
    response.data = {"code": _code_for(exception), "message": message, "fields": fields}
    return response


def _code_for(exception: Exception) -> str:
    if isinstance(exception, exceptions.ValidationError):
        return "invalid"
    if isinstance(exception, exceptions.APIException):
        return str(exception.default_code)
    return "not_found" if isinstance(exception, Http404) else "permission_denied"


def _messages_in(detail: Any) -> list[str]:
    if isinstance(detail, list):
        return [message for item in detail for message in _messages_in(item)]
    if isinstance(detail, dict):
        return [f"{key}: {message}" for key, value in detail.items() for message in _messages_in(value)]
    return [str(detail)]
