"""Words become names of figures: what a caption calls its figure, and which figures a text speaks of. Pure.

"Figure 15-2", "FIG 3-2-1", "Table A-1", "Figures 4-1 through 4-4" and "Figure 4-5A" are read; a figure of
another publication ("FAA-CT-8080-2H, Figure 26") is none of ours. Knows nothing of pages or pictures.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

_KIND = r"(?P<kind>Figures?|FIGS?\.?|Tables?|TBLS?\.?)"
_DASH = "-–—‑"
_NUMBER = rf"(?:[A-Z]{{1,2}}[{_DASH}.]?)?\d{{1,3}}(?:[{_DASH}.]\d{{1,3}}){{0,3}}(?:[A-Z](?![A-Z]))?(?!\w|[{_DASH}.]\d)"
_PARTED = rf"(?:[A-Z]{{1,2}}[{_DASH}.])?\d{{1,3}}(?:[{_DASH}.]\d{{1,3}}){{1,3}}(?:[A-Z](?![A-Z]))?(?!\w|[{_DASH}.]\d)"
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
    rf"(?P<join>{_AND}|{_TO})(?P<again>(?:[a-z]{{3,}}\.?\s+)?)(?P<number>{_NUMBER})", re.IGNORECASE
)
_LONGEST_RANGE = 30  # figures that one "through" spans at most; more is a slip of the pen

#: How a text calls another publication, at the end or the start of what stands beside the figure's name.
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
_BESIDE = 120  # characters on either side in which another publication may be named


@dataclass(frozen=True, slots=True)
class Mention:
    """A figure or several that a text names. `keys` are sure; `instead` is what they may mean where no
    figure has that name: "Figures 5-7" are 5, 6 and 7 in a document whose figures have one number."""

    keys: tuple[str, ...]
    instead: tuple[str, ...] = ()


def label_of(caption: str) -> str:
    """What a caption calls its figure: "Figure 15-2"; empty if nothing."""
    match = _LABEL.match(caption)
    if not match:
        return ""
    return f"{'Table' if _is_table(match['kind']) else 'Figure'} {_plain(match['number'])}"


def key_of(label: str) -> str:
    """A label as it is compared: "f15-2" of "Figure 15-2"."""
    kind, _, number = label.partition(" ")
    return _key(kind, number)


def without_label(caption: str) -> str:
    """What a caption says after the name of its figure."""
    return _LABEL.sub("", caption, count=1).lstrip(" \n.:—–-") if _LABEL.match(caption) else caption


def mentions_in(text: str, own: Sequence[str] = ()) -> tuple[Mention, ...]:
    """The figures and tables a text names, without those of other publications. `own` are names of the
    document itself, which may call itself by them."""
    return tuple(
        _mention(match)
        for match in _MENTION.finditer(text)
        if not _is_foreign(text[max(0, match.start() - _BESIDE) : match.start()], match, text, own)
    )


def base_of(key: str) -> str:
    """The figure of which a key names a part: "f4-5" of "f4-5a"; the key itself if it names a whole."""
    return key[:-1] if key[-1:].isalpha() and len(key) > 1 and key[-2].isdigit() else key


# --- one mention ------------------------------------------------------------


def _mention(match: re.Match[str]) -> Mention:
    kind, first = match["kind"], match["first"]
    plural = kind.rstrip(".").lower().endswith("s")
    keys, last = [_key(kind, first)], first
    for more in _NEXT.finditer(match["rest"]):
        again = more["again"].strip()
        if not (plural or again or re.fullmatch(_PARTED, more["number"], re.IGNORECASE)):
            break
        kind = again or kind
        is_range = bool(re.fullmatch(_TO, more["join"], re.IGNORECASE))
        numbers = _between(last, more["number"]) if is_range else [more["number"]]
        keys += [_key(kind, number) for number in numbers]
        last = more["number"]
    return Mention(tuple(dict.fromkeys(keys)), _instead(kind, first) if plural and len(keys) == 1 else ())


def _instead(kind: str, number: str) -> tuple[str, ...]:
    """What "Figures 5-7" are if they are no one figure."""
    first, _, last = _plain(number).partition("-")
    numbers = _between(first, last) if first.isdigit() and last.isdigit() and int(first) < int(last) else []
    return tuple(_key(kind, one) for one in (first, *numbers)) if numbers else ()


def _between(first: str, last: str) -> list[str]:
    """The numbers after `first` up to `last`: 4-2, 4-3, 4-4 of "4-1 through 4-4"."""
    stem, start = _counted(first)
    other, end = _counted(last)
    if stem != other or start is None or end is None or not start < end <= start + _LONGEST_RANGE:
        return [last]
    return [f"{stem}{number}" for number in range(start + 1, end + 1)]


def _counted(number: str) -> tuple[str, int | None]:
    match = re.fullmatch(r"(.*?)(\d+)", _plain(number))
    return (match[1], int(match[2])) if match else (number, None)


def _is_foreign(before: str, match: re.Match[str], text: str, own: Sequence[str]) -> bool:
    beside = (_FOREIGN_BEFORE.search(before), _FOREIGN_AFTER.match(text, match.end()))
    return any(found and not _is_own(found["name"], own) for found in beside)


def _is_own(name: str, own: Iterable[str]) -> bool:
    said = _letters(name)
    return any(said and (said in _letters(known) or _letters(known) in said) for known in own if known)


def _letters(text: str) -> str:
    return "".join(_all_letters(text))


def _all_letters(text: str) -> Iterator[str]:
    return (letter for letter in text.lower() if letter.isalnum())


def _is_table(kind: str) -> bool:
    return kind.lower().startswith("t")


def _plain(number: str) -> str:
    return re.sub(f"[{_DASH}]", "-", number)


def _key(kind: str, number: str) -> str:
    return ("t" if _is_table(kind) else "f") + _plain(number).lower()
