"""Exams in the admin: read-only, except that a reviewer decides a dispute."""

from collections.abc import Iterator
from typing import Any, ClassVar

from django.contrib import admin
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.text import Truncator

from exams import item_admin, models  # noqa: F401  (it registers the pages of the item bank)
from exams.dispute_admin import item_reports_page, regrade_page
from exams.exchange.regrading import final_of, record_dispute
from knowledge.admin import OfOwnSchools
from knowledge.models.tenancy import Role
from knowledge.optimistic_form import SEEN, OptimisticForm


@admin.register(models.Exam)
class ExamAdmin(OfOwnSchools):
    tenant_field = "tenant"
    list_display = ["created_at", "student", "standard", "aircraft_class", "mode", "status", "pause_reason"]
    list_filter = ["status", "pause_reason", "mode", "aircraft_class"]
    list_select_related = ["student"]


@admin.register(models.Assessment)
class AssessmentAdmin(OfOwnSchools):
    tenant_field = "turn__exam__tenant"
    list_display = ["created_at", "element", "verdict", "final", "score", "degraded"]
    list_filter = ["verdict", "final"]
    search_fields = ["element"]


@admin.register(models.Rating)
class RatingAdmin(OfOwnSchools):
    tenant_field = "turn__exam__tenant"
    list_display = ["created_at", "turn", "fair", "note"]
    list_filter = ["fair"]


class ForReviewers(OfOwnSchools):
    roles = (Role.REVIEWER,)


@admin.register(models.DecidedDispute)
class DecidedDisputeAdmin(ForReviewers):
    """Decisions whose exams their students have deleted."""

    tenant_field = "tenant"
    list_display = ["element", "question", "resolution"]
    search_fields = ["element", "question", "resolution"]
    fields = ["element", "question", "expected", "resolution"]
    readonly_fields = ["expected"]

    @admin.display(description="Expected")
    def expected(self, decided: models.DecidedDispute) -> str:
        return "\n".join(decided.expectations)


class RaisedByFilter(admin.BooleanFieldListFilter):
    def choices(self, changelist: Any) -> Iterator[Any]:
        for choice, words in zip(
            super().choices(changelist), ("All", "The sample", "A student"), strict=True
        ):
            yield {**choice, "display": words}


class ResolutionForm(OptimisticForm):
    class Meta:
        model = models.Dispute
        fields: ClassVar = ["resolution", "resolved"]


@admin.register(models.Dispute)
class DisputeAdmin(ForReviewers):
    """“I disagree”, or the sample's doubt: what was asked, said and decided, beside the note."""

    tenant_field = "exam__tenant"

    list_display = ["asked", "verdict", "note", "raised_by", "state", "created_at"]
    list_display_links = None  # a row leads to the page on which it is decided
    list_filter: ClassVar = ["resolved", ("by_sample", RaisedByFilter)]
    ordering: ClassVar = ["resolved", "by_sample", "created_at"]
    list_select_related = ["turn", "reviewer"]
    form = ResolutionForm
    readonly_fields = ["question", "answer", "verdict", "points", "note", "decide", "reviewer"]
    fields = [*readonly_fields[:-1], "resolution", "resolved", "reviewer", SEEN]

    def get_urls(self) -> list[URLPattern]:
        def view(request: HttpRequest, dispute_id: int) -> HttpResponse:
            context = self.admin_site.each_context(request) | {"opts": self.model._meta}
            answer: HttpResponse = regrade_page(request, context, dispute_id)
            return answer

        def items(request: HttpRequest) -> HttpResponse:
            context = self.admin_site.each_context(request) | {"opts": self.model._meta}
            answer: HttpResponse = item_reports_page(request, context)
            return answer

        return [
            path("<int:dispute_id>/regrade/", self.admin_site.admin_view(view), name="exams_dispute_regrade"),
            path("items/", self.admin_site.admin_view(items), name="exams_item_reports"),
            *super().get_urls(),
        ]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_view_permission(request, obj)

    def save_model(self, request: HttpRequest, obj: models.Dispute, form: Any, change: bool) -> None:
        """Note who decides, and record it if anything changed. The student may have deleted the exam since the page was
        opened."""
        decision = "edit"
        if "resolved" in form.changed_data:
            decider: Any = request.user
            obj.reviewer = decider if obj.resolved else None
            decision = "uphold" if obj.resolved else "reopen"
        with transaction.atomic():
            rows = models.Dispute.objects.filter(pk=obj.pk)
            before = rows.select_related("exam", "turn").first()
            if before is None:
                raise Http404("The student has deleted this exam.")
            if (before.resolution, before.resolved) == (obj.resolution, obj.resolved):
                return
            rows.update(resolution=obj.resolution, resolved=obj.resolved, reviewer=obj.reviewer)
            record_dispute(before, request.user, decision, reason=obj.resolution)

    @admin.display(description="Question")
    def asked(self, dispute: models.Dispute) -> str:
        address = reverse("admin:exams_dispute_regrade", args=[dispute.pk])
        words = Truncator(dispute.turn.text).words(16, truncate=" …")
        return format_html('<a href="{}">{}: {}</a>', address, dispute.turn.element, words)

    @admin.display(description="Raised by", ordering="by_sample")
    def raised_by(self, dispute: models.Dispute) -> str:
        return "the sample" if dispute.by_sample else "a student"

    @admin.display(description="Decision", ordering="resolved")
    def state(self, dispute: models.Dispute) -> str:
        if not dispute.resolved:
            return "open"
        return f"decided by {dispute.reviewer}" if dispute.reviewer else "decided"

    @admin.display(description="Question")
    def question(self, dispute: models.Dispute) -> str:
        return dispute.turn.text

    @admin.display(description="Answer")
    def answer(self, dispute: models.Dispute) -> str:
        return " / ".join(answer.text for answer in dispute.turn.answers.all())

    @admin.display(description="Verdict")
    def verdict(self, dispute: models.Dispute) -> str:
        final = final_of(dispute)
        return final.verdict if final else "not final"

    @admin.display(description="Decide")
    def decide(self, dispute: models.Dispute) -> str:
        address = reverse("admin:exams_dispute_regrade", args=[dispute.pk])
        return format_html('<a href="{}">Overrule it, or withdraw the item</a>', address)

    @admin.display(description="Why")
    def points(self, dispute: models.Dispute) -> str:
        final = final_of(dispute)
        points = final.points if final else []
        lines = [f"{point['met']}: {point['expectation']} – {point['why']}" for point in points]
        return format_html("{}", "\n".join(lines))
