"""What loading a standard would change, told before anything does."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from knowledge.models import AcsElement, Document, Standard
from knowledge.models.documents import DocumentStatus

from .acs_reader import AcsStandard
from .loading import current_after

NAMED = 8  # codes that a sentence names


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """A standard against the one that is current for its certificate ("" where there is none).

    `added`, `removed` and `reworded` are codes, compared with the current standard unless that is the demo's. `stays`
    says that the current one stays: the new one is older. `put_away` are the demo documents that no longer count.
    """

    number: str
    certificate: str
    edition: str
    areas: int
    tasks: int
    elements: int
    current: str = ""
    demo: bool = False
    same: bool = False
    stays: bool = False
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    reworded: tuple[str, ...] = ()
    put_away: tuple[str, ...] = ()
    misprints: tuple[str, ...] = ()

    @property
    def nothing(self) -> bool:
        """Whether loading it changes no exam."""
        return self.stays or (
            self.same and not (self.added or self.removed or self.reworded or self.put_away)
        )

    def told(self) -> list[str]:
        """Sentences for who is about to load it."""
        said = [
            f"{self.edition}: {self.areas} Areas, {self.tasks} Tasks, {self.elements:,} elements.",
            self._told_of_current(),
        ]
        if self.put_away:
            said.append(
                f"The demo no longer counts: {', '.join(self.put_away)} is archived; its page publishes it again."
            )
        for what, codes in (("added", self.added), ("removed", self.removed), ("reworded", self.reworded)):
            if codes and self.current and not self.demo and not self.stays:
                said.append(f"{_number(len(codes))} {what}: {_listed(codes)}")
        if self.misprints:
            said.append(f"Misprints: {'; '.join(self.misprints[:NAMED])}.")
        return said

    def _told_of_current(self) -> str:
        if self.stays:
            return f"It is older than the current one: {self.current} stays current."
        if self.demo:
            return "It replaces the demo standard."
        if self.same and self.nothing:
            return "It is the current standard already; nothing changes."
        if self.same:
            return "It is the current standard already, and is read again."
        if self.current:
            return f"It replaces {self.current}."
        return f"It becomes the standard of the {self.certificate} certificate; there is none yet."

    def to_dict(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "certificate": self.certificate,
            "current": self.current,
            "replaces_demo": self.demo,
            "stays": self.stays,
            "changes_nothing": self.nothing,
            "added": list(self.added),
            "removed": list(self.removed),
            "reworded": list(self.reworded),
            "put_away": list(self.put_away),
            "told": self.told(),
        }


def changes_by(text: AcsStandard) -> Changes:
    """Compare a standard that was read with what is loaded. Changes nothing."""
    current = Standard.objects.filter(certificate=text.certificate, current=True).first()
    stays = current is not None and not current_after(text, current)
    demo = current is not None and current.demo and not stays
    before = _elements_of(current) if current is not None and not current.demo else {}
    after = {one.code: one.text for one in text.elements if not one.archived}
    shown = Document.objects.filter(demo=True, status=DocumentStatus.PUBLISHED)
    return Changes(
        number=text.number,
        certificate=text.certificate,
        edition=_edition(text.number, text.edition_date),
        areas=len(text.areas),
        tasks=len(text.tasks),
        elements=len(text.elements),
        current=_edition(current.number, current.edition_date) if current else "",
        demo=demo,
        same=current is not None and current.number == text.number,
        stays=stays,
        added=tuple(code for code in after if code not in before) if before else (),
        removed=tuple(code for code in before if code not in after),
        reworded=tuple(code for code, words in before.items() if after.get(code, words) != words),
        put_away=() if stays else tuple(shown.order_by("title").values_list("title", flat=True)),
        misprints=text.misprints,
    )


def _elements_of(standard: Standard) -> dict[str, str]:
    rows = AcsElement.objects.filter(edition=standard.number, archived=False).order_by("order")
    return dict(rows.values_list("code", "text"))


def _edition(number: str, day: date | None) -> str:
    return f"{number} of {day:%B %Y}" if day else number


def _number(count: int) -> str:
    return "1 element" if count == 1 else f"{count:,} elements"


def _listed(codes: tuple[str, ...]) -> str:
    return ", ".join(codes[:NAMED]) + (", …" if len(codes) > NAMED else ".")
