"""Claims and decisions in the admin, read-only: reviewers decide on the pages of `curation.views`."""

from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path

from curation import models
from curation.selectors import decisions_beside
from curation.views.claim_board import claim_board_page
from curation.views.claims import elements_to_serve, queue_page, undo_page
from curation.views.graph_review import graph_review_page
from curation.views.items import board_page, item_page, sample_page, undo_item_page
from curation.views.oversight import (
    agreement_page,
    batch_page,
    batches_page,
    guidelines_page,
    progress_page,
    undo_batch_page,
)
from knowledge.access.people import schools_named
from knowledge.admin import OfOwnSchools
from knowledge.models import Item
from knowledge.models.tenancy import Role


class ForReviewers(OfOwnSchools):
    """Visible to reviewers, read-only for everybody."""

    roles = (Role.REVIEWER,)

    def _admin_page(self, page: Any, model: type[Model], name: str, route: str, *roles: Role) -> URLPattern:
        """A page within the admin, for reviewers unless it names `roles`, about rows of the model."""

        def view(request: HttpRequest, **named: Any) -> HttpResponse:
            schools_named(request, *(roles or (Role.REVIEWER,)))
            context = self.admin_site.each_context(request) | {"opts": model._meta}
            answer: HttpResponse = page(request, context, **named)
            return answer

        pattern: URLPattern = path(route, self.admin_site.admin_view(view), name=f"curation_{name}")
        return pattern


@admin.register(models.Claim)
class ClaimAdmin(ForReviewers):
    tenant_field = "tenant"
    list_display = ["statement", "level", "validation_status", "stale", "updated_at"]
    list_filter = ["validation_status", "priority", "stale"]
    search_fields = ["name", "key"]
    ordering = ["priority", "created_at", "key"]
    list_before_template = "admin/curation/claim/list_before.html"

    @admin.display(description="priority", ordering="priority")
    def level(self, claim: models.Claim) -> str:
        return claim.priority

    @admin.display(description="claim", ordering="name")
    def statement(self, claim: models.Claim) -> str:
        return claim.name[:160]

    def get_urls(self) -> list[URLPattern]:
        everybody = Role.REVIEWER, Role.OPERATOR
        claims: list[tuple[Any, ...]] = [
            (claim_board_page, "claim_board", "board/"),
            (queue_page, "claim_queue", "queue/"),
            (undo_page, "claim_undo", "queue/undo/<int:decision_id>/"),
            (elements_to_serve, "claim_elements", "queue/elements/"),
            (queue_page, "claim_decide", "queue/<uuid:claim_id>/"),
            (progress_page, "claim_progress", "progress/", *everybody),
            (agreement_page, "claim_agreement", "agreement/", *everybody),
            (guidelines_page, "claim_guidelines", "guidelines/", *everybody),
            (batches_page, "claim_batches", "batches/"),
            (batch_page, "claim_batch", "batch/"),
            (undo_batch_page, "claim_batch_undo", "batch/<uuid:batch_id>/undo/"),
        ]
        items: list[tuple[Any, ...]] = [
            (board_page, "item_board", "items/"),
            (item_page, "item_queue", "items/queue/"),
            (sample_page, "item_sample", "items/sample/"),
            (undo_item_page, "item_undo", "items/undo/<int:decision_id>/"),
            (item_page, "item", "items/<uuid:item_id>/"),
        ]
        return [
            *(self._admin_page(page, models.Claim, *named) for page, *named in claims),
            *(self._admin_page(page, Item, *named) for page, *named in items),
            *super().get_urls(),
        ]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        return redirect("admin:curation_claim_decide", object_id)


@admin.register(models.ParkedGroup)
class ParkedGroupAdmin(ForReviewers):
    tenant_field = "tenant"
    list_display = ["__str__", "tenant", "reviewer", "created_at", "ended_by", "ended_at"]
    list_select_related = ["tenant", "reviewer", "ended_by"]
    search_fields = ["source", "group"]


@admin.register(models.ReviewDecision)
class ReviewDecisionAdmin(ForReviewers):
    tenant_field = "claim__tenant"
    list_display = ["created_at", "decision", "claim", "reviewer", "reason"]
    list_filter = ["decision", "reviewer"]
    list_select_related = ["claim", "reviewer"]
    search_fields = ["claim__name", "reason"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Without what another reader said of a claim that waits for a second one."""
        return super().get_queryset(request).exclude(decisions_beside(request.user))


@admin.register(models.CaseDecision)
class CaseDecisionAdmin(ForReviewers):
    tenant_field = "tenant"
    list_display = ["created_at", "decision", "kind", "words", "reviewer"]
    list_filter = ["decision", "kind"]
    list_select_related = ["reviewer"]

    @admin.display(description="about")
    def words(self, decision: models.CaseDecision) -> str:
        return str(decision.after.get("what", ""))


@admin.register(models.GraphDecision)
class GraphDecisionAdmin(ForReviewers):
    tenant_field = "tenant"
    list_display = ["created_at", "decision", "relation", "concept", "reviewer"]
    list_filter = ["decision"]
    list_select_related = ["relation", "concept", "reviewer"]

    def get_urls(self) -> list[URLPattern]:
        review = self._admin_page(graph_review_page, models.GraphDecision, "graph_review", "review/")
        return [review, *super().get_urls()]
