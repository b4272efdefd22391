"""What somebody typed becomes a search request, or one clear line about what cannot be searched.

For the API, the commands and the pages alike. An exam asks with values of its own and does not come through here.
"""

from collections.abc import Mapping
from typing import get_args

from knowledge import conf
from knowledge.models.documents import DocType
from knowledge.whole_numbers import whole_number

from .values import ARMS, Arm, Filters, SearchRequest

TEXTS = {"q": "question", "question": "examiner’s question", "answer": "answer"}
NAMES_LONGEST = 60


class BadSearch(ValueError):
    """What cannot be searched, and which field says so."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


def request_from(given: Mapping[str, str], tenant: int | None) -> SearchRequest:
    """Fields `q element question answer type abbreviation k arm`; an absent one asks for nothing. Raises BadSearch.

    Of `q element question answer` one must say something. Whether the element exists, the search finds out.
    """
    texts = {name: _text(given, name) for name in TEXTS}
    element = _short(given, "element", "An element’s code").upper()
    if not any((*texts.values(), element)):
        raise BadSearch("q", "Say what to look for.")
    kind = given.get("type", "").strip()
    return SearchRequest(
        query=texts["q"],
        question=texts["question"],
        answer=texts["answer"],
        element=element,
        tenant=tenant,
        k=_number(given.get("k", "")),
        arm=_arm(given.get("arm", "")),
        filters=Filters(
            doc_types=(_kind(kind),) if kind else (),
            abbreviation=_short(given, "abbreviation", "An abbreviation"),
        ),
    )


def check_typed(*, query: str, element: str) -> None:
    """The same of a command's own arguments. Raises BadSearch."""
    if not (_text({"q": query}, "q") or element.strip()):
        raise BadSearch("q", "Say what to look for.")


def check_length(name: str, text: str) -> None:
    """That an examiner's question or an answer is not too long. Raises BadSearch."""
    _text({name: text}, name)


def _text(given: Mapping[str, str], name: str) -> str:
    text = given.get(name, "").replace("\0", " ").strip()
    if len(text) > conf.TYPED_LONGEST:
        most, length = f"{conf.TYPED_LONGEST:,}", f"{len(text):,}"
        raise BadSearch(name, f"The {TEXTS[name]} may have {most} characters; this has {length}.")
    return text


def _short(given: Mapping[str, str], name: str, what: str) -> str:
    text = given.get(name, "").replace("\0", " ").strip()
    if len(text) > NAMES_LONGEST:
        raise BadSearch(name, f"{what} has at most {NAMES_LONGEST} characters.")
    return text


def _number(text: str) -> int:
    number = whole_number(text.strip()) if text.strip() else conf.SEARCH_K
    if number is None or not 1 <= number <= conf.TYPED_MOST:
        raise BadSearch("k", f"A whole number from 1 to {conf.TYPED_MOST}.")
    return number


def _kind(text: str) -> str:
    if text not in DocType.values:
        raise BadSearch("type", f"One of {', '.join(DocType.values)}.")
    return text


def _arm(text: str) -> Arm:
    for arm in get_args(Arm):
        if arm == (text.strip() or "hybrid"):
            return arm  # type: ignore[no-any-return]
    raise BadSearch("arm", f"One of {', '.join(ARMS)}.")
