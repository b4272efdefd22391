"""Flags in the admin, which promotes an arm only if measurements show it to be better; accounts for superusers only."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.http import HttpRequest
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm
from waffle.models import Flag as Row
from waffle.models import Sample, Switch

from desk.experiments.flag_promotion import NotSupported, check_promotion, is_promotion
from knowledge.access.people import may_act_for
from knowledge.flags import BY_NAME, state_in_words
from knowledge.models.tenancy import Role

for model in (Row, Sample, Switch):  # waffle's own pages offer what the product ignores
    admin.site.unregister(model)


class SuperuserAdmin(ModelAdmin):  # type: ignore[misc]
    """Accounts and groups belong to no school: these pages show the people of every school, and an editor here
    can grant any right."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return self.has_module_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.has_module_permission(request)

    has_change_permission = has_view_permission
    has_delete_permission = has_view_permission


for account in (User, Group):
    admin.site.unregister(account)


@admin.register(User)
class OwnUserAdmin(SuperuserAdmin, UserAdmin):  # type: ignore[type-arg]
    """Without Django's own permissions and its `is_staff`: a membership alone gives a role."""

    form, add_form, change_password_form = UserChangeForm, UserCreationForm, AdminPasswordChangeForm
    list_display = ["username", "email", "is_active", "is_superuser", "last_login"]
    list_filter = ["is_active", "is_superuser"]
    filter_horizontal, autocomplete_fields = [], ["groups"]
    add_fieldsets = UserAdmin.add_fieldsets
    fieldsets = [
        (None, {"fields": ["username", "password"]}),
        ("Person", {"fields": ["first_name", "last_name", "email"]}),
        ("Rights", {"fields": ["is_active", "is_superuser", "groups"]}),
        ("Dates", {"fields": ["last_login", "date_joined"]}),
    ]


@admin.register(Group)
class OwnGroupAdmin(SuperuserAdmin, GroupAdmin):  # type: ignore[misc]
    """Groups serve as targets of flags."""

    fields, filter_horizontal = ["name"], []


class FlagForm(forms.ModelForm):  # type: ignore[type-arg]
    """Refuses to turn an arm on for everyone unless measurements show it to be better."""

    class Meta:
        model = Row
        fields = ["everyone", "percent", "users", "groups"]
        help_texts = {
            "everyone": "Yes: on for everyone. No: off for everyone. Unknown: the settings below decide.",
            "percent": "Percent of students, 0 to 99.9. A student stays on the same side while this is unchanged.",
            "users": "On for these users, whatever the percentage.",
            "groups": "On for the members of these groups, whatever the percentage.",
        }

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        before = Row.objects.get(pk=self.instance.pk)
        if is_promotion(before, given.get("everyone"), float(given.get("percent") or 0)):
            try:
                check_promotion(before.name)
            except NotSupported as error:
                raise forms.ValidationError(str(error)) from error
        return given


@admin.register(Row)
class FlagAdmin(ModelAdmin):  # type: ignore[misc]
    form = FlagForm
    list_display = ["name", "state", "owner", "default", "effect"]
    autocomplete_fields = ["users", "groups"]
    readonly_fields = ["name", "note"]

    def get_fields(self, request: HttpRequest, obj: object = None) -> list[str]:
        """The lists of people are a superuser's: they name those of every school."""
        fields = ["name", "note", "everyone", "percent"]
        return [*fields, "users", "groups"] if request.user.is_superuser else fields

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return may_act_for(request.user, Role.OPERATOR, None)

    has_change_permission = has_view_permission
    has_module_permission = has_view_permission

    @admin.display(description="state")
    def state(self, row: Row) -> str:
        return state_in_words(row)

    @admin.display(description="owner")
    def owner(self, row: Row) -> str:
        flag = BY_NAME.get(row.name)
        return flag.owner if flag else "not a product flag"

    @admin.display(description="default")
    def default(self, row: Row) -> str:
        flag = BY_NAME.get(row.name)
        return "on" if flag and flag.default else "off"

    @admin.display(description="effect")
    def effect(self, row: Row) -> str:
        flag = BY_NAME.get(row.name)
        return flag.effect if flag else ""
