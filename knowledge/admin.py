"""The admin pages of the library, the graph and the logs. Claims have their own queue, in `curation`."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import get_fields_from_path
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from unfold.admin import ModelAdmin, TabularInline
from unfold.decorators import action
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from knowledge.access.people import acts_for, may_act_for, school_for, schools_of
from knowledge.documents.authoring import CannotPublish, begin_written, may_be_edited, publish_written
from knowledge.documents.queries import documents_of_operator
from knowledge.library_version import remove_from_library
from knowledge.optimistic_form import SEEN, OptimisticForm
from knowledge.retrieval.glossary import check_abbreviation, save_abbreviation

from . import models
from .flags import FREE_QUESTIONS
from .models.documents import DocType, DocumentStatus, Origin
from .models.glossary import Spelling
from .models.telemetry import NoteRole
from .models.tenancy import Role
from .notes import check_note_text, save_note


class OwnValues(admin.AllValuesFieldListFilter):
    """A filter that offers only values of rows that the person may see."""

    def __init__(
        self, field: Any, request: HttpRequest, params: Any, model: Any, model_admin: Any, field_path: str
    ) -> None:
        super().__init__(field, request, params, model, model_admin, field_path)
        rows = model_admin.get_queryset(request)
        self.lookup_choices = rows.order_by(field_path).values_list(field_path, flat=True).distinct()


class OwnRelated(admin.RelatedFieldListFilter):
    """The same for values in another table, such as people."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: Any) -> Any:
        seen = model_admin.get_queryset(request).order_by().values(self.field_path)
        ordering = self.field_admin_ordering(field, request, model_admin)
        return field.get_choices(include_blank=False, ordering=ordering, limit_choices_to={"pk__in": seen})


class OfOwnSchools(ModelAdmin):  # type: ignore[misc]
    """The base of every admin page over schools' rows: it shows the rows of schools in which the person has one of
    `roles`. Django's own permissions do not count here.

    `tenant_field` leads to a row's school; it holds several fields, separated by spaces, if a row has several schools,
    and is empty for rows that belong to none. With `shared` everybody also sees the shared library's rows, except
    drafts as told by `status_field`. `writers` may add rows."""

    tenant_field = ""
    roles: tuple[Role, ...] = (Role.REVIEWER, Role.OPERATOR)
    shared = False
    status_field = ""
    writers: tuple[Role, ...] = (Role.OPERATOR,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        for field in self.tenant_field.split():
            visible = acts_for(request.user, *self.roles, field=field)
            if visible and self.shared:
                shared = Q(**{f"{field}__isnull": True})
                if self.status_field:
                    shared &= ~Q(**{self.status_field: DocumentStatus.DRAFT})
                visible |= shared
            rows = rows.filter(visible)
        return rows

    def holds_role(self, request: HttpRequest) -> bool:
        return bool(schools_of(request.user, *self.roles))

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.holds_role(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.holds_role(request) and self.holds(request, obj)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def holds(self, request: HttpRequest, obj: Any) -> bool:
        """Whether the row is among those that the person sees here. A page of rows within rows asks dozens of times."""
        if obj is None:
            return True
        held: set[Any] = request.__dict__.setdefault("rows_held", set())
        key = (self.model, obj.pk)
        if key not in held and self.get_queryset(request).filter(pk=obj.pk).exists():
            held.add(key)
        return key in held

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> Any:
        """Somebody who writes for several schools chooses one before filling in the form."""
        if self.has_add_permission(request) and self.tenant_field:
            school_for(request, *self.writers)
        return super().add_view(request, form_url, extra_context)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        return super().formfield_for_foreignkey(
            db_field, request, **self._visible_choices(db_field, request), **kwargs
        )

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        return super().formfield_for_manytomany(
            db_field, request, **self._visible_choices(db_field, request), **kwargs
        )

    def _visible_choices(self, field: Any, request: HttpRequest) -> dict[str, Any]:
        """A form offers those rows of another table that the person sees on that table's own page."""
        other = self.admin_site._registry.get(field.remote_field.model)
        return {"queryset": other.get_queryset(request)} if other else {}

    def get_list_filter(self, request: HttpRequest) -> Any:
        """Replace filters that would offer values of all schools."""
        filters: list[Any] = []
        for one in super().get_list_filter(request):
            field = get_fields_from_path(self.model, one)[-1] if isinstance(one, str) else None
            if field is not None and field.remote_field:
                filters.append((one, OwnRelated))
            elif field is not None and not field.choices and "__" in one:
                filters.append((one, OwnValues))
            else:
                filters.append(one)
        return filters

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """The fingerprint of what was seen belongs only to a page that can be saved; on one that cannot, a related row
        that the person may not open is no link."""
        fields = super().get_fields(request, obj)
        if obj is not None and self.has_change_permission(request, obj):
            return fields
        return [self._without_shut_door(request, name) for name in fields if name != SEEN]

    def _without_shut_door(self, request: HttpRequest, name: Any) -> Any:
        """The field, or only its words where its link would lead to a row that the person may not open."""
        field = next((one for one in self.opts.fields if one.name == name and one.remote_field), None)
        other = self.admin_site._registry.get(field.remote_field.model) if field else None
        if field is None or other is None or other.has_view_permission(request):
            return name
        return admin.display(description=field.verbose_name)(lambda row: getattr(row, name))


class MembershipInline(TabularInline):  # type: ignore[misc]
    model = models.Membership
    extra = 0
    readonly_fields = ("person",)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        who = "user" if request.user.is_superuser else "person"  # accounts are a superuser's page
        return [who, "role"]

    def person(self, member: models.Membership) -> str:
        return str(member.user)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True  # of a school that the page shows

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)  # the form would offer the people of every school

    has_change_permission = has_delete_permission = has_add_permission


@admin.register(models.Tenant)
class TenantAdmin(OfOwnSchools):
    """A school and its people, shown to its own staff; only a superuser changes them."""

    tenant_field = "pk"
    list_display = ["slug", "name", "model_calls", "created_at"]
    search_fields = ["slug", "name"]
    inlines = [MembershipInline]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)

    has_delete_permission = has_change_permission


class WrittenForm(OptimisticForm):
    """The fields of a document that is written here."""

    also_seen = ("status",)

    tags = forms.CharField(
        required=False, max_length=500, widget=UnfoldAdminTextInputWidget(), help_text="Separated by commas."
    )

    class Meta:
        model = models.Document
        fields = ["title", "abbreviation", "doc_type", "edition", "edition_date", "category", "tags", "body"]
        widgets = {"body": UnfoldAdminTextareaWidget(attrs={"rows": 24})}
        help_texts = {
            "body": "Markdown. A line that begins with “## ” is a heading; number it (“## 3.2 Fuel”) and it is cited "
            "by its number.",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        tags = self.initial.get("tags")
        self.initial["tags"] = ", ".join(map(str, tags)) if isinstance(tags, list) else tags

    def clean_tags(self) -> list[str]:
        return [tag.strip() for tag in self.cleaned_data["tags"].split(",") if tag.strip()]


@admin.register(models.Document)
class DocumentAdmin(OfOwnSchools):
    """The library's documents, read only. Operators may write a short one here as a draft for their school; publishing
    it queues its ingestion."""

    tenant_field, shared, status_field = "tenant", True, "status"
    form = WrittenForm
    list_display = [
        "title", "abbreviation", "doc_type", "state", "edition_date", "check_by", "tenant", "next_edition",
    ]  # fmt: skip
    list_filter = ["doc_type", "status", "origin", "category", "demo"]
    search_fields = ["title", "abbreviation", "source_name", "category"]
    list_select_related = ["tenant", "superseded_by"]
    actions_submit_line = ["save_and_publish"]

    @admin.display(description="state", ordering="status")
    def state(self, document: models.Document) -> str:
        told = [document.status] + ["deprecated"] * bool(document.deprecated_at)
        return ", ".join([*told, *["superseded"] * bool(document.superseded_by_id)])

    @admin.display(description="")
    def next_edition(self, document: models.Document) -> str:
        if document.origin != Origin.WRITTEN or document.status == DocumentStatus.DRAFT:
            return ""
        address = reverse("admin:knowledge_document_add")
        return format_html('<a href="{}?follows={}">Write the next edition</a>', address, document.pk)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(schools_of(request.user, Role.OPERATOR))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        if obj is None or not may_be_edited(obj):
            return False
        return may_act_for(request.user, Role.OPERATOR, obj.tenant_id)

    def changeform_view(
        self, request: HttpRequest, object_id: Any = None, form_url: str = "", extra_context: Any = None
    ) -> Any:
        """A new document may be published at once."""
        new = {} if object_id else {"actions_submit_line": self.get_actions_submit_line(request, None)}
        return super().changeform_view(request, object_id, form_url, {**new, **(extra_context or {})})

    def get_actions_submit_line(self, request: HttpRequest, object_id: Any) -> Any:
        document = self.get_object(request, str(object_id)) if object_id else None
        if document is not None and not self.has_change_permission(request, document):
            return []
        return super().get_actions_submit_line(request, object_id)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        before = self._followed_document(request)
        if before is None:
            return {"doc_type": DocType.SOP}
        names = ("title", "abbreviation", "doc_type", "category", "tags", "body")
        return {name: getattr(before, name) for name in names}

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if not change:
            obj.follows = self._followed_document(request)
            obj.tenant = obj.follows.tenant if obj.follows else school_for(request, Role.OPERATOR)
            obj.created_by = request.user
            begin_written(obj)
        super().save_model(request, obj, form, change)

    @action(description="Save and publish")  # type: ignore[untyped-decorator]
    def save_and_publish(self, request: HttpRequest, obj: models.Document) -> None:
        try:
            publish_written(obj, timezone.now().date(), request.user)
        except CannotPublish as error:
            messages.error(request, str(error))
        else:
            messages.success(
                request, "It is being read; when its job is done, it can be found. See Operations."
            )

    def _followed_document(self, request: HttpRequest) -> models.Document | None:
        """The document whose next edition is being written, if the writer may change it."""
        try:
            return documents_of_operator(request.user).filter(pk=UUID(request.GET.get("follows", ""))).first()
        except ValueError:
            return None


@admin.register(models.Chunk)
class ChunkAdmin(OfOwnSchools):
    tenant_field, shared, status_field = "document__tenant", True, "document__status"
    list_display = ["document", "index", "section", "heading", "page_start", "tokens"]
    fields = [
        "document", "section", "heading", "text", "kind", "tokens", "page_start", "page_end", "retired_at",
    ]  # fmt: skip
    search_fields = ["heading", "section", "document__title"]
    list_select_related = ["document"]


@admin.register(models.Image)
class ImageAdmin(OfOwnSchools):
    tenant_field, shared, status_field = "document__tenant", True, "document__status"
    list_display = ["figure_label", "caption", "document", "page", "category"]
    list_select_related = ["document"]
    exclude = ["file"]
    readonly_fields = ["picture"]

    @admin.display(description="picture")
    def picture(self, image: models.Image) -> str:
        """Through the library's own page: files lie where no address leads."""
        address = reverse("library:figure", args=[image.pk])
        return format_html('<img src="{}" alt="{}" width="480">', address, image.caption or "figure")


@admin.register(models.IngestionJob)
class JobAdmin(OfOwnSchools):
    tenant_field, roles = "tenant", (Role.OPERATOR,)
    list_display = ["source_name", "state", "step", "attempts", "created_at", "finished_at"]
    list_filter = ["state"]
    fields = [
        *("source_name", "kind", "document", "tenant", "state", "step", "error", "attempts"),
        *("created_by", "created_at", "started_at", "finished_at"),
    ]


@admin.register(models.Standard)
class StandardAdmin(OfOwnSchools):
    list_display = ["number", "certificate", "title", "edition_date", "current"]


@admin.register(models.AcsElement)
class ElementAdmin(OfOwnSchools):
    list_display = ["code", "kind", "text", "where", "archived"]
    list_filter = ["kind", "where", "archived", "task__area"]
    search_fields = ["code", "text"]


@admin.register(models.ConceptRelation)
class RelationAdmin(OfOwnSchools):
    tenant_field, shared = "source__tenant target__tenant", True
    list_display = ["source", "relation_type", "target", "confidence", "created_by"]
    list_filter = ["relation_type"]
    list_select_related = ["source", "target"]


class NoteForm(OptimisticForm):
    class Meta:
        model = models.Note
        fields = ["role", "area", "text", "active"]
        widgets = {"text": UnfoldAdminTextareaWidget(attrs={"rows": 5})}
        help_texts = {
            "role": "A vendor’s model in this role reads it; without one, nobody does. The examiner reads it where it "
            f"words a question itself (flag {FREE_QUESTIONS}): an item’s question has words of its own.",
            "text": "To the examiner and the rules desk: how to speak and what to dwell on. To the assessor: how your "
            "students speak, such as their abbreviations and names of places; it judges no more and no less strictly. "
            "Figures and rules do not belong here.",
        }

    def clean_area(self) -> str:
        area = str(self.cleaned_data["area"]).strip().upper()
        if area and self.cleaned_data.get("role") == NoteRole.RULES:
            raise forms.ValidationError("The rules desk knows no Areas. Leave the Area empty.")
        known = set(models.AcsArea.objects.values_list("numeral", flat=True))
        if area and area not in known:
            raise forms.ValidationError(
                f"There is no Area {area}. There is: {', '.join(sorted(known)) or 'none'}."
            )
        return area

    def clean_text(self) -> str:
        text = str(self.cleaned_data["text"]).strip()
        check_note_text(text)
        return text


class WrittenByOperators(OfOwnSchools):
    """Rows that operators write for their schools."""

    tenant_field, roles = "tenant", (Role.OPERATOR,)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.holds_role(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        if obj is None:
            return self.holds_role(request)
        return may_act_for(request.user, Role.OPERATOR, self.tenant_of(obj))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_change_permission(request, obj)

    def tenant_of(self, row: Any) -> int | None:
        tenant: int | None = row.tenant_id
        return tenant


class OperatorsOwn(WrittenByOperators):
    """Those of the shared library are shown to all operators. `store` and `remove` write a row."""

    shared = True
    list_select_related = ["tenant"]
    store: Callable[[Any], None]
    remove: Callable[[Any], None]

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        return {}

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if not change:
            obj.tenant, obj.created_by = school_for(request, Role.OPERATOR), request.user
        self.store(obj)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        self.remove(obj)


@admin.register(models.Note)
class NoteAdmin(OperatorsOwn):
    """What operators tell a model in a role."""

    form = NoteForm
    list_display = ["text", "role", "area", "tenant", "active", "updated_at"]
    list_filter = ["active", "role", "area"]
    store, remove = staticmethod(save_note), staticmethod(remove_from_library)


class AbbreviationForm(OptimisticForm):
    class Meta:
        model = models.Abbreviation
        fields = ["short", "long", "active"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        check_abbreviation(cleaned.get("short", ""), cleaned.get("long", ""))
        return cleaned


@admin.register(models.Abbreviation)
class AbbreviationAdmin(OperatorsOwn):
    """The abbreviations that searches expand."""

    form = AbbreviationForm
    list_display = ["short", "long", "origin", "tenant", "active", "updated_at"]
    list_filter = ["active", "origin"]
    search_fields = ["short", "long"]
    readonly_fields = ["origin", "passage", "quote"]
    fields = ["short", "long", "active", "origin", "passage", "quote", SEEN]
    store, remove = staticmethod(save_abbreviation), staticmethod(remove_from_library)

    @admin.display(description="Where it is spelled out")
    def passage(self, row: models.Abbreviation) -> str:
        if row.chunk_id is None:
            return "–"
        return format_html('<a href="{}">the passage</a>', reverse("library:passage", args=[row.chunk_id]))

    def has_delete_permission(self, request: HttpRequest, obj: models.Abbreviation | None = None) -> bool:
        """A built-in abbreviation, or one that a document spells out, would come back: it can only be switched off."""
        is_written = obj is None or obj.origin == Spelling.WRITTEN
        return is_written and super().has_delete_permission(request, obj)


@admin.register(models.RetrievalLog)
class RetrievalLogAdmin(OfOwnSchools):
    tenant_field = "tenant"
    list_display = ["query", "element", "kind", "arm", "quality", "score", "took", "created_at"]
    list_filter = ["kind", "tier", "quality", "arm", "fallback"]
    exclude = ["results", "cited", "top", "latency_ms"]
    readonly_fields = ["score", "took", "passages"]

    @admin.display(description="best score", ordering="top")
    def score(self, log: models.RetrievalLog) -> str:
        return "–" if log.top is None else f"{log.top:.2f}"

    @admin.display(description="took", ordering="latency_ms")
    def took(self, log: models.RetrievalLog) -> str:
        return f"{log.latency_ms:,.0f} ms"

    @admin.display(description="passages shown")
    def passages(self, log: models.RetrievalLog) -> str:
        found = (
            (reverse("library:passage", args=[row["chunk_id"]]), f"{row.get('score') or 0:.2f}")
            for row in log.results
        )
        return format_html_join("", '<p><a href="{}">passage</a> {}</p>', found) or "–"

    search_fields = ["query", "element"]
