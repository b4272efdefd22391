"""Add a school, and people to it."""

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandParser
from django.urls import reverse

from knowledge.access.membership import MembershipRefused, add_school, invite, join_school
from knowledge.access.tenants import tenant_named
from knowledge.management.json_command import JsonCommand
from knowledge.models import Invitation, Membership, Tenant
from knowledge.models.tenancy import Role


class Command(JsonCommand):
    help = "Add a school, or a person to a school."
    refusals = (MembershipRefused,)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=["add", "invite"], help="add a school, or invite somebody to one")
        parser.add_argument("slug", help="the school's short name: letters, digits and hyphens")
        parser.add_argument("user", nargs="?", help="the name or e-mail address of whom to invite")
        parser.add_argument("role", nargs="?", choices=Role.values, help="the role to invite to")
        parser.add_argument("--name", default="", help="of a new school; without it, made of the short name")
        parser.add_argument("--address", default="", help="of this installation: https://oral.example.org")

    def answer(self, options: dict[str, Any]) -> Any:
        slug = options["slug"]
        if options["what"] == "add":
            if options["user"]:
                raise MembershipRefused("add takes one school: manage.py tenant add SLUG")
            return _describe_school(add_school(slug, options["name"] or slug.replace("-", " ").title()))
        school = tenant_named(slug)
        if school is None or not options["role"]:
            raise MembershipRefused("say whom and as what: manage.py tenant invite SLUG USER ROLE")
        user = _find_user(options["user"])
        if user is not None:
            new = join_school(user, school, options["role"])
            return _describe_school(school) | {"user": user.get_username(), "joined": new, "link": None}
        named = {"email" if "@" in options["user"] else "name": options["user"]}
        invitation, secret = invite(school, options["role"], **named)
        path = reverse("desk:invitation", args=[secret])
        link = {"link": f"{options['address'].rstrip('/')}{path}", "expires_at": invitation.expires_at}
        return _describe_school(school) | {"user": options["user"], "joined": False} | link

    def show(self, answer: Any) -> None:
        if "user" not in answer:
            self.stdout.write(f"{answer['name']} ({answer['slug']}) is added.")
        elif answer["link"]:
            self.stdout.write(f"{answer['user']} joins {answer['name']} by this link, once: {answer['link']}")
        else:
            state = "is now a member" if answer["joined"] else "was a member with this role before"
            self.stdout.write(f"{answer['user']} {state} of {answer['name']}.")


def _find_user(named: str) -> User | None:
    """By name, else by address. Raises MembershipRefused if several accounts have the address."""
    found = list(User.objects.filter(username=named)) or (
        list(User.objects.filter(email__iexact=named)) if "@" in named else []
    )
    if len(found) > 1:
        names = ", ".join(user.get_username() for user in found)
        raise MembershipRefused(f"several accounts have the address {named}; name one of them: {names}")
    return found[0] if found else None


def _describe_school(school: Tenant) -> dict[str, Any]:
    members = (
        Membership.objects.filter(tenant=school).select_related("user").order_by("user__username", "role")
    )
    waiting = Invitation.objects.filter(tenant=school, used_at=None)
    return {
        "slug": school.slug,
        "name": school.name,
        "members": [{"user": row.user.get_username(), "role": row.role} for row in members],
        "invitations": [
            {"name": row.name, "email": row.email, "role": row.role, "expires_at": row.expires_at}
            for row in waiting
        ],
    }
