"""The editor of the item bank: an instructor edits a whole item and sees it as the student will.

A saved item passes the checks of an item file. Items from a file are only shown here and are changed in the file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import forms
from django.contrib import admin, messages
from django.forms.models import BaseInlineFormSet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from pydantic import ValidationError
from unfold.admin import StackedInline
from unfold.widgets import UnfoldAdminTextareaWidget

from exams.bank.files import fault_text
from exams.bank.lint import faults_in_item
from exams.bank.loading import store_item
from exams.bank.schema import ITEM_FIELDS, POINT_FIELDS, ItemText
from exams.bank.sources import SourceError, parse_source
from exams.bank.trips.trip import read_trips
from knowledge.access.people import may_act_for, school_for, schools_of
from knowledge.admin import OfOwnSchools
from knowledge.models import Artifact, Item, KeyPoint, MixUp
from knowledge.models.items import ItemOrigin
from knowledge.models.tenancy import Role
from knowledge.standards.ask_location import task_code_of
from knowledge.text.slots import fill_slots, fillings_of

AUTHORS = (Role.REVIEWER, Role.OPERATOR, Role.INSTRUCTOR)


class ItemRefused(ValueError):
    """The item cannot be stored as it is; `faults` say what to change."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = tuple(faults)


def check_item(
    item: Item, points: Sequence[Mapping[str, Any]], mixups: Sequence[Mapping[str, Any]]
) -> ItemText:
    """The item with these points and mix-ups, as the text of an item file. Raises ItemRefused."""
    try:
        text = ItemText.model_validate(
            {name: getattr(item, name) for name in ITEM_FIELDS}
            | {"id": item.key, "after": item.after or None, "points": list(points), "mixups": list(mixups)}
        )
    except ValidationError as error:
        raise ItemRefused([fault_text(one) for one in error.errors()]) from error
    known = set(Artifact.objects.filter(key__in=text.needs).values_list("key", flat=True))
    faults = [
        *faults_in_item(text),
        *(f"needs {one}, which is no artifact" for one in text.needs if one not in known),
    ]
    if faults:
        raise ItemRefused(faults)
    return text


class Lines(forms.Field):
    """A list of texts, one a line."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"widget": UnfoldAdminTextareaWidget(attrs={"rows": 3}), **options})

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> list[str]:
        return [line.strip() for line in (value or "").splitlines() if line.strip()]

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(self.to_python(data) != (initial or []))


class KeywordGroups(Lines):
    """Groups of words, one a line, with commas between them."""

    def prepare_value(self, value: Any) -> Any:
        groups = value if isinstance(value, list) else []
        return "\n".join(", ".join(group) for group in groups) if groups else value or ""

    def to_python(self, value: Any) -> Any:
        lines = super().to_python((value or "").lower().replace("’", "'"))
        groups = ([one.strip() for one in re.split(r"(?<!\d),|,(?!\d{3}\b)", line)] for line in lines)
        return [kept for group in groups if (kept := [one for one in group if one])]


class Sources(Lines):
    """Sources, one a line, each in a form that is known."""

    def clean(self, value: Any) -> Any:
        named: list[str] = super().clean(value)
        try:
            return [str(parse_source(one)) for one in named]
        except SourceError as error:
            raise forms.ValidationError(str(error)) from error


QUESTION_FIELDS: Final = (
    *("key", "elements", "classes", "level", "stem", "again"),
    *("on_trip", "moment", "stage", "topic", "ends"),
)


class ItemForm(forms.ModelForm):  # type: ignore[type-arg]
    elements = Lines(help_text="ACS codes that the question is about, one a line: PA.I.A.K1")
    classes = Lines(required=False, help_text="Classes whose oral asks it, one a line: AMEL. None for all.")
    needs = Lines(required=False, help_text="Keys of artifacts that lie on the table, one a line.")
    requires = Lines(required=False, help_text="Elements that are known first, one a line.")
    leads_to = Lines(required=False, help_text="Elements where the talk goes next, one a line.")

    class Meta:
        model = Item
        fields = (
            *QUESTION_FIELDS,
            *("slots", "cases", "needs"),
            "why",
            *("requires", "leads_to", "after"),
        )


class PointForm(forms.ModelForm):  # type: ignore[type-arg]
    sources = Sources(
        help_text="Where the FAA writes it, the best first: 14 CFR 61.57(a)(1), or 14 CFR 91.125 “Steady green” with "
        "words of the quote"
    )
    accept = Lines(required=False, help_text="Whole wordings of a student, one a line.")
    reject = Lines(
        required=False, help_text="Phrases of those who have it wrong, one a line: “last .. taxiway”"
    )
    keywords = KeywordGroups(
        required=False,
        help_text="Groups of words of which whoever says it uses one each: a group a line, with commas between words."
        " An asterisk at the end of a word stands for any ending.",
    )

    class Meta:
        model = KeyPoint
        fields = ("key", "order", *POINT_FIELDS, "sources")


class MixUpForm(forms.ModelForm):  # type: ignore[type-arg]
    sources = Sources(help_text="Where the FAA writes what is right.")
    contradicts = Lines(required=False, help_text="Keys of points that cannot be true with this belief.")

    class Meta:
        model = MixUp
        fields = ("order", "text", "answer", "sources", "contradicts")


class PointFormSet(BaseInlineFormSet):  # type: ignore[type-arg]
    """Checks the whole item once its points are readable: the same checks as for a file."""

    def clean(self) -> None:
        super().clean()
        if any(self.errors) or not self.instance.key:
            return
        filled_in = [form.cleaned_data for form in self.forms if form.has_changed() or form.instance.pk]
        points = [
            {
                **{name: said[name] for name in POINT_FIELDS if name != "when"},
                "id": said["key"],
                "source": said["sources"],
                "when": said.get("when") or {},
            }
            for said in filled_in
            if said and not said.get("DELETE")
        ]
        try:
            check_item(self.instance, points, [])
        except ItemRefused as error:
            raise forms.ValidationError(
                [f"{fault[:1].upper()}{fault[1:]}" for fault in error.faults]
            ) from error


class OfTheItem(StackedInline):  # type: ignore[misc]
    """Rows of an item, changed by whoever may change the item."""

    extra = 0
    ordering = ("order",)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(schools_of(request.user, *AUTHORS))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        page = self.admin_site._registry[Item]
        return self.has_view_permission(request) and page.has_change_permission(request, obj)

    has_add_permission = has_delete_permission = has_change_permission


class PointInline(OfTheItem):
    model = KeyPoint
    form = PointForm
    formset = PointFormSet
    min_num = 1
    verbose_name = "key point"


class MixUpInline(OfTheItem):
    model = MixUp
    form = MixUpForm


class ForAuthors(OfOwnSchools):
    """Written by the authors of a school. Nothing is deleted: an item that was asked stays, and is withdrawn."""

    tenant_field = "tenant"
    shared = True
    roles = AUTHORS
    writers = AUTHORS

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.holds_role(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """An item of the shared library is changed by its own authors, not by those of a school that reads it."""
        own = obj is None or any(may_act_for(request.user, role, obj.tenant_id) for role in self.writers)
        return own and self.has_view_permission(request, obj)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if not change:
            obj.tenant = school_for(request, *AUTHORS)
        super().save_model(request, obj, form, change)


@admin.register(Item)
class ItemAdmin(ForAuthors):
    """Items by Task; one is edited whole."""

    form = ItemForm
    inlines = (PointInline, MixUpInline)
    list_display = ("key", "task", "level", "asks", "origin", "withdrawn")
    list_filter = ("task", "level", "origin", "withdrawn")
    search_fields = ("key", "stem", "points__text")
    ordering = ("task", "key")
    list_before_template = "admin/curation/item/list_before.html"
    readonly_fields = ("preview",)
    fieldsets = (
        ("As the student sees it", {"fields": ("preview",)}),
        (
            "Question",
            {
                "fields": (
                    *QUESTION_FIELDS,
                    "why",
                )
            },
        ),
        ("Givens", {"fields": ("slots", "cases", "needs")}),
        ("In the talk", {"fields": ("requires", "leads_to", "after")}),
    )

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and (obj is None or obj.origin != ItemOrigin.FILE)

    @admin.display(description="question")
    def asks(self, item: Item) -> str:
        return item.stem[:120]

    @admin.display(description="preview")
    def preview(self, item: Item) -> str:
        if not item.pk:
            return "Save the item to see it as the student will."
        try:
            values = next(fillings_of(item.slots, item.cases), {})
            points = [
                (
                    "".join(f"With {slot} {given.get(slot)}: " for slot in point.when),
                    fill_slots(point.ask, given),
                    fill_slots(point.hint, given),
                )
                for point in item.points.order_by("order", "pk")
                for given in (next(fillings_of(item.slots, item.cases, point.when), values),)
            ]
        except (AttributeError, TypeError):  # givens of another shape, which the form refuses
            return "Mend the givens to see it as the student will."
        things = Artifact.objects.filter(key__in=item.needs)
        sheets = format_html_join(
            "", "<p><b>{}</b></p><pre>{}</pre>", ((one.title, one.text or one.figure) for one in things)
        )
        stem, again = fill_slots(item.stem, values), fill_slots(item.again, values)
        follow_ups = format_html_join("", "<li>{}{} <i>Hint: {}</i></li>", points)
        shown = format_html(
            "<p>{}</p>{}<p><i>Asked again: {}</i></p><p>Follow-ups:</p><ul>{}</ul>",
            *(stem, sheets, again, follow_ups),
        )
        trips = [fill_slots(item.on_trip, {**trip.all_slots, **values}) for trip in read_trips()]
        on_trip = next((said for said in trips if said and "{" not in said), item.on_trip)
        return shown + format_html("<p><i>On a trip: {}</i></p>", on_trip) if on_trip else shown

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if not change:
            obj.origin = ItemOrigin.WRITTEN
        obj.task = task_code_of(obj.elements[0])
        super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Its points wait; the job that anchors them looks every minute."""
        super().save_related(request, form, formsets, change)
        item = form.instance
        points = [
            {name: getattr(point, name) for name in POINT_FIELDS} | {"id": point.key, "source": point.sources}
            for point in item.points.order_by("order", "pk")
        ]
        mixups = [
            {"text": one.text, "answer": one.answer, "source": one.sources, "contradicts": one.contradicts}
            for one in item.mixups.order_by("order", "pk")
        ]
        try:
            text = check_item(item, points, mixups)
            store_item(text, tenant=item.tenant, origin=ItemOrigin(item.origin), source_file=item.source_file)
        except ItemRefused as error:
            faults = "; ".join(error.faults)
            Item.objects.filter(pk=item.pk).update(withdrawn=True, withdrawn_reason=faults[:300])
            messages.error(request, f"Saved, but not asked until this is mended: {faults}")


@admin.register(Artifact)
class ArtifactAdmin(ForAuthors):
    """Things on the table, which items name by their key."""

    list_display = ("key", "kind", "title", "figure")
    list_filter = ("kind",)
    search_fields = ("key", "title", "text")
    fields = ("key", "kind", "title", "text", "figure")
