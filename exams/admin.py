"""Exams in the admin: read-only, save that a reviewer answers a dispute."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html

from knowledge.admin import OfOwnSchools, ReadOnly
from knowledge.models.tenancy import Role
from knowledge.people import has_role

from . import models


@admin.register(models.Exam)
class ExamAdmin(ReadOnly):
    tenant_field = "tenant"
    list_display = ["created_at", "student", "standard", "aircraft_class", "mode", "status"]
    list_filter = ["status", "mode", "aircraft_class"]
    list_select_related = ["student"]


@admin.register(models.Assessment)
class AssessmentAdmin(ReadOnly):
    tenant_field = "turn__exam__tenant"
    list_display = ["created_at", "element", "verdict", "final", "score", "degraded"]
    list_filter = ["verdict", "final"]
    search_fields = ["element"]


@admin.register(models.Rating)
class RatingAdmin(ReadOnly):
    tenant_field = "turn__exam__tenant"
    list_display = ["created_at", "turn", "fair", "note"]
    list_filter = ["fair"]


@admin.register(models.Dispute)
class DisputeAdmin(OfOwnSchools):
    """“I disagree”: what was asked, said and decided, beside the student's note."""

    tenant_field, roles = "exam__tenant", (Role.REVIEWER,)

    list_display = ["created_at", "element", "verdict", "note", "resolved"]
    list_filter = ["resolved"]
    list_select_related = ["turn"]
    fields = ["question", "answer", "verdict", "points", "note", "resolution", "resolved"]
    readonly_fields = ["question", "answer", "verdict", "points", "note"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return has_role(request.user, Role.REVIEWER)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return has_role(request.user, Role.REVIEWER)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return has_role(request.user, Role.REVIEWER)

    @admin.display(description="Element")
    def element(self, dispute: models.Dispute) -> str:
        return dispute.turn.element

    @admin.display(description="Question")
    def question(self, dispute: models.Dispute) -> str:
        return dispute.turn.text

    @admin.display(description="Answer")
    def answer(self, dispute: models.Dispute) -> str:
        return " / ".join(answer.text for answer in dispute.turn.answers.all())

    @admin.display(description="Verdict")
    def verdict(self, dispute: models.Dispute) -> str:
        final = _final(dispute)
        return final.verdict if final else "not final"

    @admin.display(description="Why")
    def points(self, dispute: models.Dispute) -> str:
        final = _final(dispute)
        lines = (
            [f"{point['met']}: {point['expectation']} – {point['why']}" for point in final.points]
            if final
            else []
        )
        return format_html("{}", "\n".join(lines))


def _final(dispute: models.Dispute) -> models.Assessment | None:
    return models.Assessment.objects.filter(turn=dispute.turn, final=True).first()
