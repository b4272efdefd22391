"""Questions and answers in the admin.

Operators edit those of their schools, with the source, the date of the last check, and the history of earlier versions.
"""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget, UnfoldAdminURLInputWidget

from knowledge.access.people import school_for
from knowledge.admin import OfOwnSchools, WrittenByOperators
from knowledge.models.tenancy import Role, Tenant
from knowledge.optimistic_form import SEEN, OptimisticForm
from rules.data.edit import remove_answer, remove_question, store_answer, store_question, version_now
from rules.query.query_preparation import UnknownCountry, country_named
from rules.search.search import readable_by

from . import conf
from .models import Origin, RuleAnswer, RuleAnswerChange, RuleQuestion, RuleQuestionChange
from .tags import canonical_tag

_LINK = URLValidator(schemes=["http", "https"])


class AnswerForm(forms.ModelForm):  # type: ignore[type-arg]
    """`seen` is the version that the operator read. A later change is not overwritten: it is compared under the
    answer's lock, in the transaction that saves."""

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
        if not self.instance._state.adding and given.get("seen") != version_now(self.instance):
            raise ValidationError(
                "Somebody else changed this answer in the meantime. Open it again and check it."
            )
        return given


@admin.register(RuleAnswer)
class RuleAnswerAdmin(WrittenByOperators):
    tenant_field = "question__tenant"
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
        """Newest first: when, what, who, and why, with the text after each change."""
        rows = RuleAnswerChange.objects.filter(
            tenant=answer.question.tenant_id, question_key=answer.question.key, country=answer.country
        ).select_related("by")
        told = ((_describe_change(row), row.text[:500]) for row in rows)
        return format_html_join("", "<p><strong>{}</strong><br>{}</p>", told) or "Nothing yet."

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        fields = ["question", "country", "text", "links", "source_link", "date_checked", "reason", "seen"]
        return [*fields, "history"] if obj else fields

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Question and country are fixed: another cell is another answer."""
        return ["question", "country", "history"] if obj else []

    def tenant_of(self, row: RuleAnswer) -> int | None:
        return row.question.tenant_id

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if change and not set(form.changed_data) - {"reason", "seen"}:
            return
        store_answer(obj, by=request.user, reason=form.cleaned_data["reason"])

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        remove_answer(obj, by=request.user)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[RuleAnswer]) -> None:
        for answer in queryset.select_related("question"):
            remove_answer(answer, by=request.user)


def _describe_change(row: RuleAnswerChange | RuleQuestionChange) -> str:
    who = f" by {row.by.get_username()}" if row.by else ""
    day = getattr(row, "date_checked", None)
    checked = f", checked {day:%Y-%m-%d}" if day else ""
    return f"{row.created_at:%Y-%m-%d %H:%M} {row.kind}{who}{checked}{': ' if row.reason else ''}{row.reason}"


class QuestionForm(OptimisticForm):
    """A question that makes sense alone, with its tags in their stored spelling."""

    tags = forms.CharField(
        required=False, max_length=500, widget=UnfoldAdminTextInputWidget(), help_text="Separated by commas."
    )
    reason = forms.CharField(
        required=False,
        max_length=300,
        widget=UnfoldAdminTextInputWidget(),
        help_text="Why it is changed; kept in the history.",
    )

    class Meta:
        model = RuleQuestion
        fields = ["text", "category", "tags"]
        widgets = {"text": UnfoldAdminTextareaWidget(attrs={"rows": 3, "maxlength": conf.QUESTION_LENGTH})}

    instance_tenant: Tenant | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance._state.adding:
            self.instance.tenant = self.instance_tenant
        self.initial["tags"] = ", ".join(self.instance.tags)

    def clean_text(self) -> str:
        text = " ".join(str(self.cleaned_data["text"]).split())
        if not any(letter.isalnum() for letter in text):
            raise ValidationError("A question asks something.")
        same = RuleQuestion.objects.filter(Q(key=text) | Q(text=text), tenant=self.instance.tenant_id)
        if same.exclude(pk=self.instance.pk).exists():
            raise ValidationError("This question exists already. Edit that one.")
        return text

    def clean_category(self) -> str:
        """Use the spelling that this school already has, if there is one."""
        said = " ".join(str(self.cleaned_data["category"]).split())
        readable = RuleQuestion.objects.filter(readable_by(self.instance.tenant_id))
        known = readable.filter(category__iexact=said).values_list("category", flat=True)
        return known.first() or said

    def clean_tags(self) -> list[str]:
        tags = [canonical_tag(tag) for tag in self.cleaned_data["tags"].split(",") if tag.strip()]
        if any(len(tag) > conf.TAG_LENGTH for tag in tags):
            raise ValidationError(f"A tag has at most {conf.TAG_LENGTH} characters.")
        return list(dict.fromkeys(tags))


@admin.register(RuleQuestion)
class RuleQuestionAdmin(WrittenByOperators):
    """Questions from files, and those that operators write for their school. As with answers, a later change in the
    file wins. Only questions that were written here can be deleted here."""

    form = QuestionForm
    list_display = ["text", "category", "tags", "origin", "tenant"]
    list_filter = ["category", "origin"]
    search_fields = ["text", "key"]
    list_select_related = ["tenant"]
    readonly_fields = ["history"]

    @admin.display(description="history")
    def history(self, question: RuleQuestion) -> SafeString | str:
        rows = RuleQuestionChange.objects.filter(
            tenant=question.tenant_id, question_key=question.key
        ).select_related("by")
        told = (
            (_describe_change(row), f"{row.text} ({row.category}: {', '.join(row.tags)})") for row in rows
        )
        return format_html_join("", "<p><strong>{}</strong><br>{}</p>", told) or "As the file has it."

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        fields = ["text", "category", "tags", "reason"]
        return [*fields, SEEN, "history"] if obj else fields

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """Set the writer's school on a new question, so that the form can check whether it exists already."""
        form = super().get_form(request, obj, change=change, **kwargs)
        if obj is None:
            form = type(form.__name__, (form,), {"instance_tenant": school_for(request, Role.OPERATOR)})
        return form

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        if obj is None:
            return False  # one by one: each takes its answers along
        written = obj.origin == Origin.WRITTEN and not obj.loaded_hash
        return written and self.has_change_permission(request, obj)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if change and not set(form.changed_data) - {"reason", SEEN}:
            return
        store_question(obj, by=request.user, reason=form.cleaned_data["reason"])

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        remove_question(obj, by=request.user)


@admin.register(RuleAnswerChange)
class RuleAnswerChangeAdmin(OfOwnSchools):
    tenant_field, roles = "tenant", (Role.OPERATOR,)
    list_display = ["created_at", "kind", "country", "question_key", "by", "reason"]
    list_filter = ["kind", "country"]
    search_fields = ["question_key", "text", "reason"]
    list_select_related = ["by"]
