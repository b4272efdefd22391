"""The rules desk over HTTP: ask and compare. Nothing is stored here: the client sends the earlier messages."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from knowledge.access.people import school_id_read_by
from knowledge.api import validated_data
from rules.answers.answer import ask_rules
from rules.answers.compare import RulesComparison, compare_rules
from rules.query.query_preparation import Unanswerable, country_named
from rules.search.search import NoRules, checked_filters, known_filters

from . import conf, limits

HISTORY_MOST = 100  # messages that are taken; the last few of them are read
COUNTRIES_NAMED = 300  # names in one request: more than there are countries


class NothingLoaded(APIException):
    status_code = 409
    default_code = "no_rules"


class _Filters(serializers.Serializer[Any]):
    countries = serializers.ListField(
        child=serializers.CharField(max_length=80), required=False, default=list, max_length=COUNTRIES_NAMED
    )
    category = serializers.CharField(
        max_length=conf.CATEGORY_LENGTH, required=False, allow_blank=True, default=""
    )
    tags = serializers.ListField(
        child=serializers.CharField(max_length=conf.TAG_LENGTH), required=False, default=list, max_length=50
    )


class AskSerializer(_Filters):
    """`history` is what the user said before, oldest first. `countries` are codes or names; where they are left out,
    they are heard from the conversation."""

    query = serializers.CharField(max_length=conf.QUERY_LONGEST)
    history = serializers.ListField(
        child=serializers.CharField(allow_blank=True), required=False, default=list, max_length=HISTORY_MOST
    )


class CompareSerializer(_Filters):
    """`max` is how many questions are given, `min_difference` from which difference on, 0 to 1; left out, both are
    those of the configuration."""

    max = serializers.IntegerField(
        min_value=1, max_value=conf.COMPARED_LIMIT, required=False, allow_null=True, default=None
    )
    min_difference = serializers.FloatField(
        min_value=0, max_value=1, required=False, allow_null=True, default=None
    )


class CitationSerializer(serializers.Serializer[Any]):
    n = serializers.IntegerField()
    country = serializers.CharField()
    name = serializers.CharField()
    question = serializers.CharField()
    category = serializers.CharField()
    quote = serializers.CharField()
    links = serializers.ListField(child=serializers.CharField())
    date_checked = serializers.DateField(allow_null=True)
    answer_id = serializers.UUIDField()
    url = serializers.CharField()


class AnsweredSerializer(serializers.Serializer[Any]):
    """`unanswered` fits better than all that has an answer, and these countries have none to it."""

    path = serializers.ChoiceField(choices=["rules", "database", "both"])
    confidence = serializers.FloatField()
    reasoning = serializers.CharField()
    question = serializers.CharField()
    countries = serializers.ListField(child=serializers.CharField())
    answer = serializers.CharField()
    citations = CitationSerializer(many=True)
    missing_countries = serializers.ListField(child=serializers.CharField())
    unanswered = serializers.ListField(child=serializers.DictField())
    sections = serializers.ListField(child=serializers.DictField())
    quality = serializers.ChoiceField(choices=["strong", "weak", "none"])
    by = serializers.CharField()
    degraded = serializers.CharField()


class ComparedSerializer(serializers.Serializer[Any]):
    countries = serializers.ListField(child=serializers.CharField())
    differences = serializers.ListField(child=serializers.DictField())
    missing = serializers.ListField(child=serializers.DictField())
    unstated = serializers.ListField(child=serializers.DictField())
    missing_countries = serializers.ListField(child=serializers.CharField())
    compared = serializers.IntegerField()
    alike = serializers.IntegerField()
    left_out = serializers.IntegerField()
    degraded = serializers.CharField()


class AskView(APIView):
    throttle_scope = limits.SCOPE

    @extend_schema(request=AskSerializer, responses={200: AnsweredSerializer})
    def post(self, request: Request) -> Response:
        """An answer from the rules, with a citation for each country."""
        given = validated_data(AskSerializer, request)
        tenant = school_id_read_by(request)
        with _refused_by_field(), limits.paid_by_user(request.user):
            countries = _countries_named(given["countries"])
            # Wrong filters are refused even where nothing is searched.
            checked_filters(given["category"], given["tags"], known_filters(tenant))
            decision, answered = ask_rules(
                given["query"],
                given["history"],
                countries=countries,
                category=given["category"],
                tags=given["tags"],
                tenant=tenant,
            )
        return Response(
            {
                **answered.to_dict(),
                "confidence": round(decision.confidence, 3),
                "reasoning": decision.reasoning,
            }
        )


class CompareView(APIView):
    throttle_scope = limits.SCOPE

    @extend_schema(request=CompareSerializer, responses={200: ComparedSerializer})
    def post(self, request: Request) -> Response:
        """What two or more countries answer differently, the widest difference first."""
        given = validated_data(CompareSerializer, request)
        with _refused_by_field():
            asked = RulesComparison(
                countries=_countries_named(given["countries"]),
                category=given["category"],
                tags=tuple(given["tags"]),
                tenant=school_id_read_by(request),
                most=given["max"],
                least=given["min_difference"],
            )
            compared = compare_rules(asked)
        return Response(compared.to_dict())


def _countries_named(named: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(country_named, named)))


@contextmanager
def _refused_by_field() -> Iterator[None]:
    """What cannot be answered, as a refusal that names the field."""
    try:
        yield
    except NoRules as error:
        raise NothingLoaded({"code": "no_rules", "message": str(error)}) from error
    except Unanswerable as error:
        raise ValidationError({error.field: [str(error)]}) from error
