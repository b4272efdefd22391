"""The library, the graph and the records in the admin. Claims have their own queue, in `curation`."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from unfold.admin import ModelAdmin, TabularInline

from . import models
from .models.tenancy import Role
from .people import acts_for


class OfOwnSchools(ModelAdmin):  # type: ignore[misc]
    """Rows of the schools for which somebody holds one of `roles`; `tenant_field` leads to a row's school and is
    empty for rows that belong to none. `shared`: everybody here sees those of the shared library, too."""

    tenant_field = ""
    roles: tuple[Role, ...] = (Role.REVIEWER, Role.OPERATOR)
    shared = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        if not self.tenant_field:
            return rows
        own = acts_for(request.user, *self.roles, field=self.tenant_field)
        return rows.filter(own | Q(**{f"{self.tenant_field}__isnull": True}) if own and self.shared else own)


class ReadOnly(OfOwnSchools):
    """Rows that the system writes and people only read."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class MembershipInline(TabularInline):  # type: ignore[misc]
    model = models.Membership
    extra = 0


@admin.register(models.Tenant)
class TenantAdmin(ModelAdmin):  # type: ignore[misc]
    list_display = ["slug", "name", "created_at"]
    search_fields = ["slug", "name"]
    inlines = [MembershipInline]


@admin.register(models.Document)
class DocumentAdmin(ReadOnly):
    tenant_field, shared = "tenant", True
    list_display = ["title", "abbreviation", "doc_type", "status", "edition_date", "page_count", "tenant"]
    list_filter = ["doc_type", "status", "demo"]
    search_fields = ["title", "abbreviation", "source_name"]


@admin.register(models.Chunk)
class ChunkAdmin(ReadOnly):
    tenant_field, shared = "document__tenant", True
    list_display = ["document", "index", "section", "heading", "page_start", "tokens"]
    search_fields = ["heading", "section", "document__title"]
    list_select_related = ["document"]


@admin.register(models.Image)
class ImageAdmin(ReadOnly):
    tenant_field, shared = "document__tenant", True
    list_display = ["figure_label", "caption", "document", "page", "category"]
    list_select_related = ["document"]


@admin.register(models.IngestionJob)
class JobAdmin(ReadOnly):
    tenant_field, roles = "tenant", (Role.OPERATOR,)
    list_display = ["source_name", "state", "step", "attempts", "created_at", "finished_at"]
    list_filter = ["state"]


@admin.register(models.Standard)
class StandardAdmin(ReadOnly):
    list_display = ["number", "certificate", "title", "edition_date", "current"]


@admin.register(models.AcsElement)
class ElementAdmin(ReadOnly):
    list_display = ["code", "kind", "text", "where", "archived"]
    list_filter = ["kind", "where", "archived", "task__area"]
    search_fields = ["code", "text"]


@admin.register(models.ConceptRelation)
class RelationAdmin(ReadOnly):
    tenant_field, shared = "source__tenant", True
    list_display = ["source", "relation_type", "target", "confidence", "created_by"]
    list_filter = ["relation_type"]
    list_select_related = ["source", "target"]


@admin.register(models.RetrievalLog)
class RetrievalLogAdmin(ReadOnly):
    tenant_field = "tenant"
    list_display = [
        "query",
        "element",
        "arm",
        "quality",
        "top",
        "fallback",
        "cached",
        "latency_ms",
        "created_at",
    ]
    list_filter = ["quality", "arm", "fallback", "cached"]
    search_fields = ["query", "element"]
