"""Exams over HTTP: create, look, pause, end, report."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, viewsets
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from exams.conf import EXAM_COST
from exams.domain.exam_request import OrderRefused, order_from
from exams.exchange import session
from exams.models import Exam
from exams.report import report_of
from knowledge.access.people import school_read_by
from knowledge.models.tenancy import Role


class ExamSerializer(serializers.ModelSerializer[Exam]):
    ws = serializers.SerializerMethodField()
    scope = serializers.SerializerMethodField()
    flight = serializers.SerializerMethodField(help_text="Of a mock oral: its flight, as the room shows it.")

    class Meta:
        model = Exam
        fields = [
            "id", "certificate", "standard", "aircraft_class", "mode", "manner", "difficulty", "status",
            "pause_reason", "scope", "flight", "result", "ws", "created_at", "finished_at",
        ]  # fmt: skip

    def get_ws(self, exam: Exam) -> str:
        return f"/ws/exams/{exam.pk}/"

    def get_flight(self, exam: Exam) -> dict[str, Any] | None:
        scene = exam.read_scene()
        if scene is None:
            return None
        givens = [{"name": one.name, "value": one.value} for one in scene.givens]
        return {"title": scene.title, "told": scene.told, "givens": givens}

    def get_scope(self, exam: Exam) -> dict[str, Any]:
        scope = exam.read_scope()
        return {
            "title": scope.title,
            "questions": scope.questions,
            "minutes": scope.minutes,
            "tasks": list(scope.task_codes),
            "not_askable": [
                {"task": item.task, "reference": item.reference, "elements": list(item.elements)}
                for item in scope.not_askable
            ],
            "notices": list(scope.notices),
        }


class ExamViewSet(viewsets.ReadOnlyModelViewSet[Exam]):
    serializer_class = ExamSerializer
    queryset = Exam.objects.none()

    def get_queryset(self) -> QuerySet[Exam]:
        return Exam.objects.filter(student=self.request.user).order_by("-created_at")  # type: ignore[misc]

    def throttle_cost(self, request: Request) -> int:
        return EXAM_COST if self.action == "create" else 0

    @extend_schema(request=dict, responses={201: ExamSerializer, 409: dict})
    def create(self, request: Request) -> Response:
        try:
            exam = session.create_exam(
                request.user, school_read_by(request, Role.STUDENT), order_from(request.data)
            )
        except OrderRefused as error:
            raise ValidationError(error.fields) from error
        except session.TooManyOpen as error:
            body = {"code": error.code, "message": error.message, "fields": {"open": list(error.open)}}
            return Response(body, status=409)
        return Response(ExamSerializer(exam).data, status=201)

    def destroy(self, request: Request, pk: str) -> Response:
        session.delete_exam(self.get_object())
        return Response(status=204)

    @extend_schema(request=None, responses=ExamSerializer)
    @action(detail=True, methods=["post"])
    def pause(self, request: Request, pk: str) -> Response:
        return self._change_exam(session.pause_exam)

    @extend_schema(request=None, responses=ExamSerializer)
    @action(detail=True, methods=["post"])
    def end(self, request: Request, pk: str) -> Response:
        return self._change_exam(session.end_exam)

    @extend_schema(responses={200: dict})
    @action(detail=True)
    def report(self, request: Request, pk: str) -> Response:
        return Response(report_of(self.get_object()).to_dict())

    def _change_exam(self, change: Any) -> Response:
        exam = self.get_object()
        try:
            change(exam.pk)
        except session.NoSuchExam as error:
            raise Http404("There is no such exam.") from error
        except session.Refused as error:
            return Response({"code": error.code, "message": error.message, "fields": {}}, status=409)
        exam.refresh_from_db()
        return Response(ExamSerializer(exam).data)
