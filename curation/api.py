"""The claims API for reviewers: list, read, approve, edit and reject, with the version that was read."""

from typing import Any

from django.core.exceptions import ValidationError as BadId
from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import mixins, serializers, viewsets
from rest_framework.decorators import action
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from curation import conf
from curation.models import Claim
from curation.review import StaleDecision, approve_claim, edit_claim, reject_claim
from curation.selectors import ORDER, UnknownClaim, WrongDecision, claim_as_dict, claims_for, with_evidence
from knowledge.access.permissions import IsReviewer
from knowledge.api import validated_data
from knowledge.models.graph import Priority, ValidationStatus


class ClaimSerializer(serializers.BaseSerializer[Claim]):
    """A claim as the queue shows it."""

    def to_representation(self, instance: Claim) -> dict[str, Any]:
        return claim_as_dict(instance)


class ApproveSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField(min_value=1)
    reason = serializers.CharField(
        required=False, allow_blank=True, max_length=conf.REASON_LENGTH, default=""
    )


class RejectSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField(min_value=1)
    reason = serializers.CharField(max_length=conf.REASON_LENGTH)


class EditSerializer(ApproveSerializer):
    statement = serializers.CharField(max_length=conf.EDITED_LENGTH)
    priority = serializers.ChoiceField(choices=Priority.choices, required=False, default="")


class ClaimViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Claim]):
    serializer_class = ClaimSerializer
    permission_classes = [IsAuthenticated, IsReviewer]
    queryset = Claim.objects.none()
    lookup_value_regex = "[0-9a-fA-F-]{36}"

    def get_queryset(self) -> QuerySet[Claim]:
        claims = with_evidence(claims_for(self.request.user)).order_by(*ORDER)
        status = self.request.query_params.get("status", "")
        if status and status not in ValidationStatus.values:
            known = ", ".join(ValidationStatus.values)
            raise serializers.ValidationError({"status": [f"{status!r} is none of {known}"]})
        return claims.filter(validation_status=status) if status else claims

    @extend_schema(
        operation_id="claims_list", parameters=[OpenApiParameter("status", str)], responses={200: dict}
    )
    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The claims, P0 first."""
        return super().list(request, *args, **kwargs)

    @extend_schema(responses={200: dict})
    def retrieve(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().retrieve(request, *args, **kwargs)

    @extend_schema(request=ApproveSerializer, responses={200: dict, 409: dict})
    @action(detail=True, methods=["post"])
    def approve(self, request: Request, pk: str) -> Response:
        """Approve the claim: from now on it counts."""
        return _decide_claim(approve_claim, pk, request, ApproveSerializer)

    @extend_schema(request=EditSerializer, responses={200: dict, 409: dict})
    @action(detail=True, methods=["post"])
    def edit(self, request: Request, pk: str) -> Response:
        """Reword the claim over the same quote; it waits for approval."""
        return _decide_claim(edit_claim, pk, request, EditSerializer)

    @extend_schema(request=RejectSerializer, responses={200: dict, 409: dict})
    @action(detail=True, methods=["post"])
    def reject(self, request: Request, pk: str) -> Response:
        """Reject the claim: it never counts."""
        return _decide_claim(reject_claim, pk, request, RejectSerializer)


def _decide_claim(
    decide: Any, claim_id: str, request: Request, shape: type[serializers.Serializer[Any]]
) -> Response:
    given = validated_data(shape, request)
    try:
        decided = decide(claim_id, request.user, **given)
        # a P0 claim: this was the first reader's verdict
        waits = decide is not edit_claim and decided.is_undecided
        return Response(claim_as_dict(decided) | ({"waits_for": "second reviewer"} if waits else {}))
    except (UnknownClaim, BadId) as error:
        raise Http404("There is no such claim.") from error
    except WrongDecision as error:
        raise serializers.ValidationError({"statement": [str(error)]}) from error
    except StaleDecision as error:
        now = {name: [str(value)] for name, value in error.current.to_dict().items()}
        fields = {"changed": list(error.changed), **now}
        return Response({"code": "stale", "message": str(error), "fields": fields}, status=409)
