"""The REST API for documents, jobs, search and elements. Each view fetches, calls one function and shapes the
answer."""

from functools import partial
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import mixins, serializers, viewsets
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from knowledge.access.people import school_for, school_id_read_by
from knowledge.access.permissions import IsOperator
from knowledge.access.throttling import upload_cost
from knowledge.decision_tables.answers import compute_tables
from knowledge.decision_tables.table_data import UnknownCell, decision_tables, find_cell, table_named
from knowledge.documents.lifecycle import (
    archive_document,
    deprecate_document,
    publish_document,
    reinstate_document,
)
from knowledge.documents.queries import documents_for, jobs_of_operator
from knowledge.documents.standard_intake import TOLD, hand_in_upload
from knowledge.ingestion.chunking.strategies import UnknownStrategy
from knowledge.ingestion.jobs.jobs import cancel_job, retry_job, start_job
from knowledge.ingestion.reread_jobs import recognise_document
from knowledge.retrieval.request import BadSearch, request_from
from knowledge.retrieval.search import search
from llm.registry import embedding_model

from . import conf
from .graph.bundle import bundle_for_element
from .ingestion.errors import IngestionError
from .ingestion.reread_jobs import rechunk_document, rechunk_reason_for
from .ingestion.source_files import BadOption
from .models import AcsElement, Document, IngestionJob
from .models.documents import DocType, DocumentStatus
from .models.tenancy import Role
from .retrieval.values import ARMS
from .standards.elements import UnknownElement, element_as_dict, elements_known
from .whole_numbers import whole_number


def validated_data(shape: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """What a request says, in this shape. Raises DRF's ValidationError."""
    form = shape(data=request.data)
    form.is_valid(raise_exception=True)
    found: dict[str, Any] = form.validated_data
    return found


class DocumentSerializer(serializers.ModelSerializer[Document]):
    class Meta:
        model = Document
        fields = [
            "id", "title", "abbreviation", "doc_type", "edition", "edition_date", "check_by", "status",
            "category", "tags", "origin", "paged", "page_count", "source_name", "content_hash", "chunking",
            "demo", "follows", "superseded_by", "deprecated_at", "deprecated_reason", "created_at", "updated_at",
        ]  # fmt: skip


class JobSerializer(serializers.ModelSerializer[IngestionJob]):
    """`standard` says what a certification standard changes, before it does; empty for another document."""

    standard = serializers.SerializerMethodField()

    class Meta:
        model = IngestionJob
        fields = [
            "id", "document", "source_name", "state", "held", "standard", "step", "steps", "counts", "error",
            "attempts", "created_at", "started_at", "finished_at",
        ]  # fmt: skip

    def get_standard(self, job: IngestionJob) -> list[str]:
        return list(job.estimate.get(TOLD, ()))


class UploadSerializer(serializers.Serializer[Any]):
    file = serializers.FileField(allow_empty_file=True)
    doc_type = serializers.ChoiceField(choices=DocType.choices, required=False)
    title = serializers.CharField(max_length=300, required=False)
    abbreviation = serializers.CharField(max_length=60, required=False)
    edition_date = serializers.DateField(required=False)
    edition_of = serializers.UUIDField(required=False)
    category = serializers.CharField(max_length=60, required=False)
    status = serializers.ChoiceField(choices=DocumentStatus.choices, required=False)
    held = serializers.BooleanField(
        required=False, default=False, help_text="Wait for `start`, so that `standard` can be read first."
    )


class DeprecateSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=300)


class RechunkSerializer(serializers.Serializer[Any]):
    chunking = serializers.CharField(max_length=20, required=False, allow_blank=True, default="")
    force = serializers.BooleanField(required=False, default=False)


class DocumentViewSet(viewsets.ReadOnlyModelViewSet[Document]):
    serializer_class = DocumentSerializer
    queryset = Document.objects.none()

    def get_queryset(self) -> QuerySet[Document]:
        rows = documents_for(self.request.user).order_by("title", "id")
        return rows.filter(trashed_at=None) if self.action == "list" else rows

    def throttle_cost(self, request: Request) -> int:
        if self.action == "create":
            return upload_cost(request)
        return conf.DOCUMENT_COST if self.action in ("rechunk", "recognise") else 0

    def get_permissions(self) -> list[Any]:
        reading = self.action in ("list", "retrieve", None)
        return [IsAuthenticated()] if reading else [IsAuthenticated(), IsOperator()]

    @extend_schema(request=UploadSerializer, responses={202: JobSerializer})
    def create(self, request: Request) -> Response:
        """Upload a file; the answer is the job that ingests it. What a certification standard changes stands in
        `standard`; with `held` the job waits for `jobs/<id>/start`."""
        given = validated_data(UploadSerializer, request)
        options = {
            key: str(value)
            for key, value in given.items()
            if key not in ("file", "held") and value is not None
        }
        try:
            job = hand_in_upload(
                given["file"],
                tenant=school_for(request, Role.OPERATOR),
                options=options,
                created_by=request.user,
                held=given["held"],
            )
        except IngestionError as error:
            raise ValidationError({"file": [str(error)]}) from error
        return Response(JobSerializer(job).data, status=202)

    @extend_schema(request=None, responses=DocumentSerializer)
    @action(detail=True, methods=["post"])
    def publish(self, request: Request, pk: str) -> Response:
        return self._answer(publish_document(self.get_object(), by=request.user))

    @extend_schema(request=None, responses=DocumentSerializer)
    @action(detail=True, methods=["post"])
    def archive(self, request: Request, pk: str) -> Response:
        return self._answer(archive_document(self.get_object(), by=request.user))

    @extend_schema(request=DeprecateSerializer, responses=DocumentSerializer)
    @action(detail=True, methods=["post"])
    def deprecate(self, request: Request, pk: str) -> Response:
        reason = validated_data(DeprecateSerializer, request)["reason"]
        return self._answer(deprecate_document(self.get_object(), reason, timezone.now(), by=request.user))

    @extend_schema(request=None, responses=DocumentSerializer)
    @action(detail=True, methods=["post"])
    def reinstate(self, request: Request, pk: str) -> Response:
        """No longer deprecated."""
        return self._answer(reinstate_document(self.get_object(), by=request.user))

    @extend_schema(request=RechunkSerializer, responses={200: dict, 202: JobSerializer})
    @action(detail=True, methods=["post"])
    def rechunk(self, request: Request, pk: str) -> Response:
        """Chunk again if that is needed, or with `force`; the answer is the job, or that there is no reason."""
        given = validated_data(RechunkSerializer, request)
        document, strategy = self.get_object(), given["chunking"]
        try:
            reason = rechunk_reason_for(document, embedding_model().name, strategy)
            if not reason and not given["force"]:
                return Response({"id": str(document.pk), "reason": None, "job": None})
            job = rechunk_document(document, strategy=strategy, created_by=request.user)
        except (BadOption, UnknownStrategy) as error:
            raise ValidationError({"chunking": [str(error)]}) from error
        return Response(JobSerializer(job).data, status=202)

    @extend_schema(request=None, responses={202: JobSerializer})
    @action(detail=True, methods=["post"])
    def recognise(self, request: Request, pk: str) -> Response:
        """Recognise the text of scanned pages (OCR); the answer is the job."""
        try:
            job = recognise_document(self.get_object(), created_by=request.user)
        except IngestionError as error:
            return Response({"code": error.code, "message": str(error), "fields": {}}, status=409)
        return Response(JobSerializer(job).data, status=202)

    def _answer(self, document: Document) -> Response:
        return Response(DocumentSerializer(document).data)


class JobViewSet(viewsets.ReadOnlyModelViewSet[IngestionJob]):
    serializer_class = JobSerializer
    permission_classes = [IsAuthenticated, IsOperator]
    queryset = IngestionJob.objects.none()

    def get_queryset(self) -> QuerySet[IngestionJob]:
        return jobs_of_operator(self.request.user).order_by("-created_at")

    @extend_schema(request=None, responses=JobSerializer)
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, pk: str) -> Response:
        return self._change_job(cancel_job, "This job is already over.")

    @extend_schema(request=None, responses=JobSerializer)
    @action(detail=True, methods=["post"])
    def start(self, request: Request, pk: str) -> Response:
        """Let a job begin that was uploaded with `held`."""
        return self._change_job(start_job, "This job does not wait for you.")

    @extend_schema(request=None, responses=JobSerializer)
    @action(detail=True, methods=["post"])
    def retry(self, request: Request, pk: str) -> Response:
        return self._change_job(
            partial(retry_job, by=request.user), "Only a failed or cancelled job can be retried."
        )

    def throttle_cost(self, request: Request) -> int:
        return conf.DOCUMENT_COST if self.action in ("start", "retry") else 0

    def _change_job(self, change: Any, refusal: str) -> Response:
        job = self.get_object()
        if not change(job):
            return Response({"code": "conflict", "message": refusal, "fields": {}}, status=409)
        job.refresh_from_db()
        return Response(JobSerializer(job).data)


class SearchView(APIView):
    def throttle_cost(self, request: Request) -> int:
        return conf.RERANK_COST if request.query_params.get("arm") == "hybrid+rerank" else conf.SEARCH_COST

    @extend_schema(
        parameters=[
            OpenApiParameter("q", str),
            OpenApiParameter("element", str),
            OpenApiParameter("question", str),
            OpenApiParameter("answer", str),
            OpenApiParameter("k", int),
            OpenApiParameter("type", str, enum=DocType.values),
            OpenApiParameter("abbreviation", str),
            OpenApiParameter("serves", str, description="An element or a Task: only passages that serve it."),
            OpenApiParameter("arm", str, enum=ARMS),
        ],
        responses={200: dict},
    )
    def get(self, request: Request) -> Response:
        """Passages for `q`, an element, an examiner's question, an answer, or several of these."""
        try:
            wanted = request_from(request.query_params.dict(), school_id_read_by(request))
            return Response(search(wanted).to_dict())
        except BadSearch as error:
            raise ValidationError({error.name: [str(error)]}) from error
        except UnknownElement as error:
            raise ValidationError({"element": [str(error)]}) from error


class TablesView(APIView):
    @extend_schema(operation_id="tables_list", responses={200: dict})
    def get(self, request: Request) -> Response:
        """The decision tables, with the values of their dimensions."""
        return Response(
            [
                {
                    "domain": table.domain,
                    "title": table.title,
                    "references": table.references,
                    "dimensions": {name: list(one.values) for name, one in table.dimensions.items()},
                }
                for table in decision_tables().values()
            ]
        )


class TableView(APIView):
    def throttle_cost(self, request: Request) -> int:
        return conf.TABLE_COST

    @extend_schema(
        parameters=[
            OpenApiParameter(name, str, description="In tables that have this dimension.")
            for name in sorted({name for table in decision_tables().values() for name in table.dimensions})
        ],
        responses={200: dict, 400: dict},
    )
    def get(self, request: Request, domain: str) -> Response:
        """A decision table as approved claims fill it; with values of its dimensions, the cell at these values."""
        try:
            table = table_named(domain)
        except UnknownCell as error:
            raise Http404(str(error)) from error
        asked = {name: value for name, value in request.query_params.dict().items() if name != "format"}
        try:
            if asked:
                find_cell(table, asked)
        except UnknownCell as error:
            raise ValidationError({"cell": [str(error)]}) from error
        (computed,) = compute_tables([table], school_id_read_by(request))
        return Response((computed.cell_at(asked) if asked else computed).to_dict())


class ElementSerializer(serializers.ModelSerializer[AcsElement]):
    class Meta:
        model = AcsElement
        fields = ["code", "kind", "text", "page", "edition", "archived", "where"]


class ElementViewSet(mixins.ListModelMixin, viewsets.GenericViewSet[AcsElement]):
    serializer_class = ElementSerializer
    queryset = AcsElement.objects.none()
    lookup_value_regex = r"[A-Za-z0-9.]+"
    lookup_field = "code"

    def throttle_cost(self, request: Request) -> int:
        return conf.BUNDLE_COST if self.action == "bundle" else 0

    @extend_schema(parameters=[OpenApiParameter("prefix", str)])
    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        page = self.paginate_queryset(elements_known(request.query_params.get("prefix", "")))
        return self.get_paginated_response([element_as_dict(element) for element in page or ()])

    @extend_schema(responses={200: dict})
    @action(detail=True)
    def bundle(self, request: Request, code: str) -> Response:
        depth = whole_number(request.query_params.get("depth", "2"))
        if depth is None or depth > 4:
            raise ValidationError({"depth": ["A whole number from 0 to 4."]})
        try:
            found = bundle_for_element(code.upper(), tenant=school_id_read_by(request), depth=depth)
        except UnknownElement as error:
            raise Http404(str(error)) from error
        return Response(found.to_dict())
