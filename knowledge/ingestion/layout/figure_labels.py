"""Read the names of figures and tables: in a caption, and where a text refers to them. Pure.

"Figure 15-2", "FIG 3-2-1", "Table A-1", "Figures 4-1 through 4-4" and "Figure 4-5A" are read. A figure of another
publication ("FAA-CT-8080-2H, Figure 26") is ignored. Must not know pages or pictures.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_KIND = r"(?P<kind>Figures?|FIGS?\.?|Tables?|TBLS?\.?)"
_DASH = "-–—‑"
_NUMBER = rf"(?:[A-Z]{{1,2}}[{_DASH}.]?)?\d{{1,3}}(?:[{_DASH}.]\d{{1,3}}){{0,3}}(?:[A-Z](?![A-Z]))?(?!\w|[{_DASH}.]\d)"
_AND = r"(?:\s*,\s*(?:and|or)?\s*|\s*(?:and|or|&|;)\s+)"
_TO = r"\s+(?:through|thru|to)\s+"

#: A paragraph that is a caption: the name, then a mark or nothing.
CAPTION = re.compile(rf"{_KIND}\s+(?P<number>{_NUMBER})\s*(?:[{_DASH}.:]|\Z)", re.IGNORECASE)
_LABEL = re.compile(rf"{_KIND}\s+(?:No\.?\s*)?(?P<number>{_NUMBER})", re.IGNORECASE)
_MENTION = re.compile(
    rf"\b{_KIND}\s+(?:No\.?\s*)?(?P<first>{_NUMBER})"
    rf"(?P<rest>(?:(?:{_AND}|{_TO})(?:{_KIND.replace('kind', 'again')}\s+)?{_NUMBER})*)",
    re.IGNORECASE,
)
_NEXT = re.compile(
    rf"(?:{_AND}|(?P<range>{_TO}))(?P<again>(?:[a-z]{{3,}}\.?\s+)?)(?P<number>{_NUMBER})", re.IGNORECASE
)
_LONGEST_RANGE = 30  # figures that one "through" spans at most; more is a slip of the pen

#: How a text names another publication, just before or after the figure's name.
_PUBLICATION = (
    r"(?:FAA-[A-Z]{1,4}-[\w.-]+\w|(?:AC|Advisory Circular)\s+\d[\w.-]*\w|Order\s+\d[\w.]*\w"
    r"|14\s+CFR(?:\s+part\s+\d+|\s+§+\s*[\d.]+)?|AIM|PHAK|AFH|IFH|POH"
    r"|(?:[A-Z][\w’'-]*\s+(?:(?:of|for|and|the)\s+)*){1,6}?(?:Handbook|Manual|Supplement|Guide|Circular)"
    r"(?:\s+of(?:\s+[A-Z]\w+)+)?)"
)
_FOREIGN_BEFORE = re.compile(
    rf"(?P<name>{_PUBLICATION})(?:\s*\([^)]*\))?\s*,?\s*(?:(?:Chapter|Appendix)\s+\w+\s*,\s*)?\Z"
)
_FOREIGN_AFTER = re.compile(
    rf"(?:\s*,\s*(?:area|point)s?\s+\w+)?\s*,?\s*(?:of|in|from)\s+(?:the\s+)?(?P<name>{_PUBLICATION})"
)
_BESIDE = 120  # characters before a figure's name in which another publication may be named


@dataclass(frozen=True, slots=True)
class Mention:
    """One or several figures that a text names. `keys` are certain; `instead` is what they mean where no figure has
    that name: "Figures 5-7" are 5, 6 and 7 in a document that numbers its figures by one number."""

    keys: tuple[str, ...]
    instead: tuple[str, ...] = ()


def label_of(caption: str) -> str:
    """The name with which a caption begins, as in "Figure 15-2"; empty if there is none."""
    match = _LABEL.match(caption)
    if not match:
        return ""
    return f"{'Table' if match['kind'][0] in 'Tt' else 'Figure'} {_with_plain_dashes(match['number'])}"


def key_of(label: str) -> str:
    """A label in the form in which labels are compared: "f15-2" for "Figure 15-2"."""
    kind, _, number = label.partition(" ")
    return ("t" if kind[:1] in ("T", "t") else "f") + _with_plain_dashes(number).lower()


def base_of(key: str) -> str:
    """The key of the figure of which a key names a part: "f4-5" for "f4-5a"; else the key itself."""
    return key[:-1] if key[-1:].isalpha() and len(key) > 1 and key[-2].isdigit() else key


def without_label(caption: str) -> str:
    """What a caption says after the name of its figure."""
    match = _LABEL.match(caption)
    return caption[match.end() :].lstrip(" \n.:—–-") if match else caption


def mentions_in(text: str, own: Sequence[str] = ()) -> tuple[Mention, ...]:
    """The figures and tables that a text names, without those of other publications. `own` are the names by which the
    document may call itself."""
    own_letters = [letters for name in own if (letters := _letters_of(name))]
    mentions = []
    for match in _MENTION.finditer(text):
        before = text[max(0, match.start() - _BESIDE) : match.start()]
        beside = (_FOREIGN_BEFORE.search(before), _FOREIGN_AFTER.match(text, match.end()))
        foreign = [_letters_of(found["name"]) for found in beside if found]
        if not all(any(name in known or known in name for known in own_letters) for name in foreign):
            continue
        kind, first = match["kind"], match["first"]
        is_plural = kind.rstrip(".").lower().endswith("s")
        keys, last = [key_of(f"{kind} {first}")], first
        for more in _NEXT.finditer(match["rest"]):
            again, number = more["again"].strip(), more["number"]
            if not (is_plural or again or re.search(rf"\d[{_DASH}.]\d", number)):
                break
            kind = again or kind
            numbers = _count_up(last, number) if more["range"] else [number]
            keys += [key_of(f"{kind} {one}") for one in numbers]
            last = number
        instead: tuple[str, ...] = ()
        if is_plural and len(keys) == 1:  # "Figures 5-7", if they are no one figure
            low, _, high = _with_plain_dashes(first).partition("-")
            if low.isdigit() and high.isdigit() and int(low) < int(high):
                instead = tuple(key_of(f"{kind} {one}") for one in (low, *_count_up(low, high)))
        mentions.append(Mention(tuple(dict.fromkeys(keys)), instead))
    return tuple(mentions)


def _letters_of(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def _count_up(first: str, last: str) -> list[str]:
    """The numbers after `first` up to `last`: 4-2, 4-3, 4-4 for "4-1 through 4-4"; only `last` if they do not count."""
    parts = [re.fullmatch(r"(.*?)(\d+)", _with_plain_dashes(number)) for number in (first, last)]
    if parts[0] and parts[1] and parts[0][1] == parts[1][1]:
        start, end = int(parts[0][2]), int(parts[1][2])
        if start < end <= start + _LONGEST_RANGE:
            return [f"{parts[0][1]}{number}" for number in range(start + 1, end + 1)]
    return [last]


def _with_plain_dashes(number: str) -> str:
    return re.sub(f"[{_DASH}]", "-", number)
