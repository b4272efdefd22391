"""Feature flags: each has an owner, a default and an effect, and is on for some students.

A flag is a row of django-waffle: on or off for everyone, or on for named students, groups, and a percentage of the
rest. A student's arm follows from student and flag alone, and stays when the percentage rises. Rows are read for each
turn, so a flag that is turned off is off at the next turn. A missing row is an error, not "off".
"""

from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256
from typing import Any, NamedTuple

from django.core.exceptions import ImproperlyConfigured
from waffle.models import Flag as Row

from knowledge.db.connections import fetch_prepared

Switched = tuple[str, ...]
"""The names of the flags that are on, in order."""


@dataclass(frozen=True)
class Flag:
    """`title` is how pages call it; `effect` says what it does when it is on and when it is off."""

    name: str
    title: str
    owner: str
    default: bool
    effect: str

    @property
    def note(self) -> str:
        """The note of the flag's row in the admin."""
        return f"Owner: {self.owner}. Default: {'on' if self.default else 'off'}. {self.effect}"


ENHANCED = "graph.enhanced_retrieval"
SHADOW = "graph.shadow_mode"
FILTER = "rag.metadata_filter"
FREE_QUESTIONS = "exams.free_questions"
SAMPLE_BY_MODEL = "exams.sample_by_model"
JUDGED_HERE = "exams.judged_here_when_away"
SINGLE_READER = "curation.single_reader"

FLAGS = (
    Flag(
        ENHANCED,
        "Passages around an element",
        "retrieval",
        True,
        "On: examiner and assessor read the passages around an element in the graph beside what a search finds."
        " Off: the search alone.",
    ),
    Flag(
        SHADOW,
        "Shadow mode",
        "retrieval",
        False,
        "On: after a turn both ways are taken once more and compared, in a worker. Off: only the way in use.",
    ),
    Flag(
        FILTER,
        "Filters from the words",
        "retrieval",
        True,
        "On: a search keeps to what its words name, and passages that serve the Task being tested go"
        " first, unless too little is found. Off: never.",
    ),
    Flag(
        FREE_QUESTIONS,
        "Questions without an item",
        "exams",
        False,
        "On: a vendor's examiner may also ask about elements that no item of the bank covers, from approved claims."
        " Off: only items are asked.",
    ),
    Flag(
        SAMPLE_BY_MODEL,
        "Sample read by a vendor's model",
        "exams",
        False,
        "On, for everyone: a vendor's model also reads the statements of the sampled exchanges, one call each."
        " Off: the local check alone.",
    ),
    Flag(
        JUDGED_HERE,
        "Answers judged here while the vendor is away",
        "exams",
        True,
        "On: while a vendor's model cannot be reached, this machine judges the answers and says so."
        " Off: the oral is paused until the model is back.",
    ),
    Flag(
        SINGLE_READER,
        "One reader for P0 claims",
        "curation",
        False,
        "On, for everyone: one reviewer's verdict decides a P0 claim. Off: two reviewers who do not see each other's"
        " verdict must agree, in a school that has two.",
    ),
)
NAMES = {flag.name for flag in FLAGS}
BY_NAME = {flag.name: flag for flag in FLAGS}


def title_of(name: str) -> str:
    """How pages call a flag; the name itself of one that is gone."""
    return BY_NAME[name].title if name in BY_NAME else name


def flags_for(student: int | None) -> Switched:
    """Which flags are on for a student; without one, which are on for everyone. One query.

    Raises ImproperlyConfigured for a flag that has no row.
    """
    asked = {"student": student, "names": sorted(NAMES)}
    rows = {row.name: row for row in map(_Row._make, fetch_prepared(_ROWS, asked))}
    missing = sorted(NAMES - rows.keys())
    if missing:
        raise ImproperlyConfigured(f"No row for the flag {', '.join(missing)}: run manage.py migrate.")
    on = []
    for name, row in sorted(rows.items()):
        is_among = student is not None and (row.named or place_of(student, name) < float(row.percent or 0))
        if row.everyone or (row.everyone is None and is_among):
            on.append(name)
    return tuple(on)


def is_on(name: str) -> bool:
    """Whether it is on for everyone. Raises ImproperlyConfigured for a flag that is not declared here or has no row."""
    if name not in NAMES:
        raise ImproperlyConfigured(f"The flag {name} is not declared in knowledge/flags.py.")
    return name in flags_for(None)


class _Row(NamedTuple):
    """A flag as it is read, in the order of `_ROWS`; `named`: the flag lists the student or one of the student's
    groups."""

    name: str
    everyone: bool | None
    percent: Decimal | None
    named: bool


_ROWS = """
    SELECT flag.name, flag.everyone, flag.percent,
           EXISTS (SELECT FROM waffle_flag_users u WHERE u.flag_id = flag.id AND u.user_id = %(student)s::bigint)
           OR EXISTS (SELECT FROM waffle_flag_groups g JOIN auth_user_groups m ON m.group_id = g.group_id
                      WHERE g.flag_id = flag.id AND m.user_id = %(student)s::bigint)
    FROM waffle_flag flag WHERE flag.name = ANY(%(names)s)"""


def place_of(student: int, name: str) -> float:
    """A student's place for one flag, 0 to 100: below the per cent it is on. Even over students, and of no other flag's
    making, so that who has one arm here may have any there."""
    digest = sha256(f"{name}:{student}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64 * 100


def create_missing_flags() -> None:
    for flag in FLAGS:
        Row.objects.get_or_create(
            name=flag.name, defaults={"everyone": flag.default, "note": flag.note, "superusers": False}
        )


def state_in_words(row: Any) -> str:
    """ "on for everyone", "off for everyone", "on for 20 % of students and 2 by name"."""
    if row.everyone is not None:
        return "on for everyone" if row.everyone else "off for everyone"
    named = row.users.count() + row.groups.count()
    percent = f"{float(row.percent):g} % of students" if row.percent else ""
    parts = filter(None, (percent, f"{named} by name" if named else ""))
    return f"on for {' and '.join(parts)}" if percent or named else "off for everyone"
