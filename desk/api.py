"""Tokens, and the description of the websocket's frames."""

from drf_spectacular.utils import extend_schema
from rest_framework.authtoken.views import ObtainAuthToken
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from desk.parsers import ShallowJSONParser
from desk.throttles import ScopeRate
from exams.protocol import describe


class TokenView(ObtainAuthToken):
    parser_classes = [ShallowJSONParser, FormParser, MultiPartParser]
    throttle_classes = [ScopeRate]
    throttle_scope = "token"


class FramesView(APIView):
    permission_classes = [AllowAny]

    @extend_schema(responses={200: dict})
    def get(self, request: Request) -> Response:
        """Every frame of the live exam with its fields."""
        return Response(describe())
