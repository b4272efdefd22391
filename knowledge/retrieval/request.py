"""Turns typed input into a search request, or into one line that says what cannot be searched.

It serves the API, commands, and pages. An exam builds its requests itself.
"""

from collections.abc import Mapping

from django.db.models import Q

from knowledge import conf
from knowledge.models import AcsElement
from knowledge.models.documents import DocType
from knowledge.whole_numbers import whole_number

from .values import ARMS, Filters, SearchRequest

TEXTS = {"q": "question", "question": "examiner’s question", "answer": "answer"}
NAMES_LONGEST = 60


class BadSearch(ValueError):
    """What cannot be searched; `name` is the field at fault."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


def request_from(given: Mapping[str, str], tenant: int | None) -> SearchRequest:
    """Fields `q element question answer type abbreviation serves k arm`; an absent one asks for nothing. Raises
    BadSearch.

    One of `q element question answer` must say something. The search itself finds out whether the element exists.
    """
    texts = {name: clean_text(name, given.get(name, "")) for name in TEXTS}
    element = _short_text(given, "element", "An element’s code").upper()
    if not any((*texts.values(), element)):
        raise BadSearch("q", "Say what to look for.")
    doc_type = given.get("type", "").strip()
    if doc_type and doc_type not in DocType.values:
        raise BadSearch("type", f"One of {', '.join(DocType.values)}.")
    number = given.get("k", "").strip()
    k = whole_number(number) if number else conf.SEARCH_K
    if k is None or not 1 <= k <= conf.TYPED_MOST:
        raise BadSearch("k", f"A whole number from 1 to {conf.TYPED_MOST}.")
    wanted = given.get("arm", "").strip() or "hybrid"
    arm = next((arm for arm in ARMS if arm == wanted), None)
    if arm is None:
        raise BadSearch("arm", f"One of {', '.join(ARMS)}.")
    return SearchRequest(
        query=texts["q"],
        question=texts["question"],
        answer=texts["answer"],
        element=element,
        tenant=tenant,
        k=k,
        arm=arm,
        filters=Filters(
            doc_types=(doc_type,) if doc_type else (),
            abbreviation=_short_text(given, "abbreviation", "An abbreviation"),
            serves=clean_code(given.get("serves", "")),
        ),
    )


def clean_text(name: str, typed: str) -> str:
    """A field of `TEXTS`, stripped. Raises BadSearch if it is too long."""
    text = typed.replace("\0", " ").strip()
    if len(text) > conf.TYPED_LONGEST:
        most, length = f"{conf.TYPED_LONGEST:,}", f"{len(text):,}"
        raise BadSearch(name, f"The {TEXTS[name]} may have {most} characters; this has {length}.")
    return text


def clean_code(typed: str) -> str:
    """The code of an element or a Task whose passages alone are wanted. Raises BadSearch if there is no such code."""
    code = typed.replace("\0", " ").strip().upper()
    if code and not AcsElement.objects.filter(Q(code=code) | Q(task__code=code)).exists():
        raise BadSearch(
            "serves",
            "No loaded standard has this code. Give an element, such as PA.I.A.K1, or a Task: PA.I.A.",
        )
    return code


def _short_text(given: Mapping[str, str], name: str, what: str) -> str:
    text = given.get(name, "").replace("\0", " ").strip()
    if len(text) > NAMES_LONGEST:
        raise BadSearch(name, f"{what} has at most {NAMES_LONGEST} characters.")
    return text
