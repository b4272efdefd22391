"""Tokens, and the description of the websocket's frames."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.authentication import SessionAuthentication
from rest_framework.authtoken.views import ObtainAuthToken
from rest_framework.exceptions import APIException, Throttled
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from desk.login_throttle import NotCounting, forget_tries, seconds_to_wait
from desk.parsers import ShallowJSONParser
from desk.throttles import ScopeRate
from exams.protocol.frames import describe_frames
from knowledge.access.signed_in import TokenSignIn, ends_at, revoke_token, token_for


class Unavailable(APIException):
    status_code = 503
    default_code = "unavailable"
    default_detail = "Signing in is not possible just now. Try again in a minute."


class TokenView(ObtainAuthToken):
    parser_classes = [ShallowJSONParser, FormParser, MultiPartParser]
    throttle_classes = [ScopeRate]
    throttle_scope = "token"

    def get_authenticators(self) -> list[Any]:
        """A password is asked for where a token is given, and a token or a session where it is taken back."""
        return [TokenSignIn(), SessionAuthentication()] if self._takes_back else []

    def get_permissions(self) -> list[Any]:
        return [IsAuthenticated()] if self._takes_back else []

    @property
    def _takes_back(self) -> bool:
        return getattr(self.request, "method", "") == "DELETE"  # the schema is made without a request

    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Your token, by name and password: the one you have, or a new one where it has ended or was revoked. The same
        count of guesses as on the page for signing in."""
        name = request.data.get("username", "") if isinstance(request.data, Mapping) else ""
        who = request.META.get("REMOTE_ADDR", ""), str(name)
        try:
            wait = seconds_to_wait(*who)
        except NotCounting as error:
            raise Unavailable from error
        if wait:
            raise Throttled(wait)
        form = self.get_serializer(data=request.data)
        form.is_valid(raise_exception=True)
        forget_tries(*who)
        token = token_for(form.validated_data["user"])
        return Response({"token": token.key, "ends_at": ends_at(token)})

    @extend_schema(request=None, responses={204: None})
    def delete(self, request: Request) -> Response:
        """Revoke your token. The next POST gives another one."""
        revoke_token(request.user)
        return Response(status=204)


class FramesView(APIView):
    permission_classes = [AllowAny]

    @extend_schema(responses={200: dict})
    def get(self, request: Request) -> Response:
        """Every frame of the live exam with its fields."""
        return Response(describe_frames())
