"""Tokens, and the description of the websocket's frames."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.authtoken.views import ObtainAuthToken
from rest_framework.exceptions import APIException, Throttled
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from desk.guessing import NotCounting, forget_tries, seconds_to_wait
from desk.parsers import ShallowJSONParser
from desk.throttles import ScopeRate
from exams.protocol import describe


class Unavailable(APIException):
    status_code = 503
    default_code = "unavailable"
    default_detail = "Signing in is not possible just now. Try again in a minute."


class TokenView(ObtainAuthToken):
    parser_classes = [ShallowJSONParser, FormParser, MultiPartParser]
    throttle_classes = [ScopeRate]
    throttle_scope = "token"

    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The same count of guesses as on the page for signing in."""
        name = request.data.get("username", "") if isinstance(request.data, Mapping) else ""
        who = request.META.get("REMOTE_ADDR", ""), str(name)
        try:
            wait = seconds_to_wait(*who)
        except NotCounting as error:
            raise Unavailable from error
        if wait:
            raise Throttled(wait)
        response: Response = super().post(request, *args, **kwargs)
        forget_tries(*who)
        return response


class FramesView(APIView):
    permission_classes = [AllowAny]

    @extend_schema(responses={200: dict})
    def get(self, request: Request) -> Response:
        """Every frame of the live exam with its fields."""
        return Response(describe())
