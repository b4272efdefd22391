"""Whatever goes wrong behind the API becomes {"code", "message", "fields"} with the right status."""

import math
from typing import Any

import structlog
from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from desk.conf import RETRY_AFTER_SECONDS
from desk.services_away import AWAY, MESSAGE
from knowledge.access.people import NAMED, WhichSchool, slug_of
from knowledge.access.throttling import TooManyRequests

log = structlog.get_logger(__name__)

Fields = dict[str, list[str]]


class BodyTooLong(exceptions.APIException):
    status_code = 413
    default_code = "too_long"
    default_detail = (
        f"A request holds at most {settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 1024**2} MB beside its files."
    )


class ServiceAway(exceptions.APIException):
    status_code = 503
    default_code = "service_away"
    default_detail = MESSAGE
    wait = RETRY_AFTER_SECONDS  # the header Retry-After


def _words(detail: Any) -> list[str]:
    if isinstance(detail, list):
        return [word for item in detail for word in _words(item)]
    if isinstance(detail, dict):
        return [f"{key}: {word}" for key, value in detail.items() for word in _words(value)]
    return [str(detail)]


def _fields(detail: Any) -> Fields:
    if not isinstance(detail, dict):
        return {}
    return {
        name: _words(value) for name, value in detail.items() if name not in ("detail", "code", "message")
    }


def _code_of(exception: Exception) -> str:
    if isinstance(exception, exceptions.ValidationError):
        return "invalid"
    if isinstance(exception, exceptions.APIException):
        return str(exception.default_code)
    return "not_found" if isinstance(exception, Http404) else "permission_denied"


def handle(exception: Exception, context: dict[str, Any]) -> Response | None:
    if isinstance(exception, RequestDataTooBig):
        exception = BodyTooLong()
    elif isinstance(exception, AWAY):
        log.warning("service_away", error=str(exception))
        exception = ServiceAway()
    if isinstance(exception, WhichSchool):
        named = {NAMED: [slug_of(school) for school in exception.schools]}
        return Response({"code": "which_school", "message": str(exception), "fields": named}, status=400)
    response = exception_handler(exception, context)
    if response is None:
        return None
    detail = getattr(exception, "detail", None)
    if isinstance(detail, dict) and {"code", "message"} <= detail.keys():
        response.data = {"fields": {}, **{key: detail[key] for key in detail}}
        return response
    fields = _fields(detail)
    if isinstance(exception, exceptions.Throttled):
        message = str(TooManyRequests(math.ceil(getattr(exception, "wait", None) or 1)))
    elif isinstance(exception, Http404 | PermissionDenied):
        message = str(response.data.get("detail", exception))
    else:
        message = "; ".join(_words(detail))
    response.data = {"code": _code_of(exception), "message": message, "fields": fields}
    return response
