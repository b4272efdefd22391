"""Tokens, and the description of the websocket's frames."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema, inline_serializer
from rest_framework.authentication import SessionAuthentication
from rest_framework.authtoken.serializers import AuthTokenSerializer
from rest_framework.exceptions import APIException, Throttled
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import CharField, DateTimeField
from rest_framework.views import APIView

from desk.accounts.login_throttle import count_try, forget_tries
from desk.api_limits import ScopeRate, ShallowJSONParser
from exams.protocol.frames import describe_frames
from knowledge.access.signed_in import TokenSignIn, key_by_password, revoke_keys
from knowledge.models import ApiKey


class Unavailable(APIException):
    status_code = 503
    default_code = "unavailable"


class TokenView(APIView):
    serializer_class = AuthTokenSerializer
    parser_classes = [ShallowJSONParser, FormParser, MultiPartParser]
    throttle_classes = [ScopeRate]
    throttle_scope = "token"

    def get_authenticators(self) -> list[Any]:
        """Getting a token takes a password; revoking it takes the token or a session."""
        return [TokenSignIn(), SessionAuthentication()] if self._is_revocation else []

    def get_permissions(self) -> list[Any]:
        return [IsAuthenticated()] if self._is_revocation else []

    @property
    def _is_revocation(self) -> bool:
        return getattr(self.request, "method", "") == "DELETE"  # the schema is made without a request

    @extend_schema(
        request=AuthTokenSerializer,
        responses=inline_serializer("Token", {"token": CharField(), "ends_at": DateTimeField()}),
    )
    def post(self, request: Request) -> Response:
        """A new API key, by name and password, as `token`. It is stored as a digest, so keep it; it ends at `ends_at`,
        and your eleventh ends the oldest. Tries count together with those on the sign-in page."""
        name = request.data.get("username", "") if isinstance(request.data, Mapping) else ""
        who = request.META.get("REMOTE_ADDR", ""), str(name)
        refusal = count_try(*who)
        if refusal:
            raise Throttled(refusal.seconds) if refusal.status == 429 else Unavailable(refusal.text)
        form = AuthTokenSerializer(data=request.data, context={"request": request})
        form.is_valid(raise_exception=True)
        forget_tries(*who)
        row, secret = key_by_password(form.validated_data["user"])
        return Response({"token": secret, "ends_at": row.expires_at})

    @extend_schema(request=None, responses={204: None})
    def delete(self, request: Request) -> Response:
        """Revoke the API key that is sent as token; with a session, all of your API keys."""
        if isinstance(request.auth, ApiKey):
            request.auth.delete()
        else:
            revoke_keys(request.user)
        return Response(status=204)


class FramesView(APIView):
    permission_classes = [AllowAny]

    @extend_schema(responses={200: dict})
    def get(self, request: Request) -> Response:
        """Every websocket frame of the live exam, with its fields."""
        return Response(describe_frames())
