"""Answers in the admin: operators edit those of their schools, with their source, the day they were checked, and all
that became of them before."""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget, UnfoldAdminURLInputWidget

from knowledge.admin import OfOwnSchools, ReadOnly
from knowledge.models.tenancy import Role
from knowledge.people import acts_for, has_role, may_act_for

from . import conf
from .asking import UnknownCountry, country_named
from .editing import remove_answer, store_answer
from .models import RuleAnswer, RuleAnswerChange, RuleQuestion

_LINK = URLValidator(schemes=["http", "https"])


class AnswerForm(forms.ModelForm):  # type: ignore[type-arg]
    """`seen` is the version that somebody has before their eyes: what was changed since is not written over."""

    country = forms.CharField(
        max_length=60, widget=UnfoldAdminTextInputWidget(), help_text="A code of ISO 3166, or its name."
    )
    links = forms.CharField(
        required=False, widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}), help_text="One address a line."
    )
    reason = forms.CharField(
        required=False,
        max_length=300,
        widget=UnfoldAdminTextInputWidget(),
        help_text="Why it is changed; kept in the history.",
    )
    source_link = forms.URLField(
        required=False,
        max_length=conf.LINK_LENGTH,
        assume_scheme="https",
        widget=UnfoldAdminURLInputWidget(),
        help_text="Where the rule itself is published.",
    )
    seen = forms.IntegerField(required=False, widget=forms.HiddenInput())

    class Meta:
        model = RuleAnswer
        fields = ["question", "country", "text", "links", "source_link", "date_checked"]
        widgets = {"text": UnfoldAdminTextareaWidget(attrs={"rows": 8, "maxlength": conf.ANSWER_LENGTH})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["links"] = "\n".join(self.instance.links)
        self.initial["seen"] = self.instance.version

    def clean_text(self) -> str:
        text = str(self.cleaned_data["text"]).strip()
        if not any(letter.isalnum() for letter in text):
            raise ValidationError("An answer says something; to have none, delete it.")
        return text

    def clean_country(self) -> str:
        try:
            return country_named(self.cleaned_data["country"])
        except UnknownCountry as error:
            raise ValidationError(str(error)) from error

    def clean_links(self) -> list[str]:
        links = list(dict.fromkeys(self.cleaned_data["links"].split()))
        for link in links:
            if len(link) > conf.LINK_LENGTH:
                raise ValidationError(f"An address has at most {conf.LINK_LENGTH} characters.")
            _LINK(link)
        return links

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if self.instance.pk and not self.instance._state.adding:
            now = RuleAnswer.objects.filter(pk=self.instance.pk).values_list("version", flat=True).first()
            if given.get("seen") != now:
                raise ValidationError("Somebody changed this answer meanwhile: open it anew and look again.")
        return given


class ForOperators:
    """Of one's own schools, and of the shared library for who operates that."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return has_role(request.user, Role.OPERATOR)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return has_role(request.user, Role.OPERATOR)


@admin.register(RuleAnswer)
class RuleAnswerAdmin(ForOperators, OfOwnSchools):
    tenant_field, roles = "question__tenant", (Role.OPERATOR,)
    form = AnswerForm
    list_display = ["question", "country", "said", "date_checked", "origin", "updated_at"]
    list_filter = ["country", "question__category", "origin"]
    search_fields = ["question__text", "text", "country"]
    list_select_related = ["question"]
    autocomplete_fields = ["question"]
    readonly_fields = ["history"]
    date_hierarchy = "date_checked"
    ordering = ["question__position", "country"]

    @admin.display(description="answer")
    def said(self, answer: RuleAnswer) -> str:
        return answer.text[:120]

    @admin.display(description="history")
    def history(self, answer: RuleAnswer) -> SafeString | str:
        """Newest first: when, what, who and why, and the text as it stood then."""
        rows = RuleAnswerChange.objects.filter(
            tenant=answer.question.tenant_id, question_key=answer.question.key, country=answer.country
        ).select_related("by")
        told = ((_told(row), row.text[:500]) for row in rows)
        return format_html_join("", "<p><strong>{}</strong><br>{}</p>", told) or "Nothing yet."

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        fields = ["question", "country", "text", "links", "source_link", "date_checked", "reason", "seen"]
        return [*fields, "history"] if obj else fields

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Whose answer it is stays: another cell is another answer."""
        return ["question", "country", "history"] if obj else []

    def has_add_permission(self, request: HttpRequest) -> bool:
        return has_role(request.user, Role.OPERATOR)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        if obj is None:
            return has_role(request.user, Role.OPERATOR)
        return may_act_for(request.user, Role.OPERATOR, obj.question.tenant_id)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_change_permission(request, obj)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "question":
            own = acts_for(request.user, Role.OPERATOR)
            kwargs["queryset"] = RuleQuestion.objects.filter(own)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if change and not set(form.changed_data) - {"reason", "seen"}:
            return
        store_answer(obj, by=request.user, reason=form.cleaned_data["reason"])

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        remove_answer(obj, by=request.user)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[RuleAnswer]) -> None:
        for answer in queryset.select_related("question"):
            remove_answer(answer, by=request.user)


def _told(row: RuleAnswerChange) -> str:
    who = f" by {row.by.get_username()}" if row.by else ""
    checked = f", checked {row.date_checked:%Y-%m-%d}" if row.date_checked else ""
    return f"{row.created_at:%Y-%m-%d %H:%M} {row.kind}{who}{checked}{': ' if row.reason else ''}{row.reason}"


@admin.register(RuleQuestion)
class RuleQuestionAdmin(ForOperators, ReadOnly):
    """Questions come from files alone; here they are looked up."""

    tenant_field, roles = "tenant", (Role.OPERATOR,)
    list_display = ["text", "category", "tags", "tenant"]
    list_filter = ["category"]
    search_fields = ["text", "key"]


@admin.register(RuleAnswerChange)
class RuleAnswerChangeAdmin(ForOperators, ReadOnly):
    tenant_field, roles = "tenant", (Role.OPERATOR,)
    list_display = ["created_at", "kind", "country", "question_key", "by", "reason"]
    list_filter = ["kind", "country"]
    search_fields = ["question_key", "text", "reason"]
    list_select_related = ["by"]
