"""Say what loading a standard would change, before anything changes."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from knowledge.models import AcsElement, Document, Standard
from knowledge.models.documents import DocumentStatus

from .acs_reader import AcsStandard
from .loading import current_after

NAMED = 8  # codes in one sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """A standard compared with the current one of its certificate ("" if there is none).

    `added`, `removed` and `reworded` are codes, compared with the current standard unless that is the demo's. `stays`:
    the current one stays, because the new one is older. `put_away` are demo documents that no longer count.
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

    def sentences(self) -> list[str]:
        """Sentences for the person who is about to load it."""
        said = [f"{self.edition}: {self.areas} Areas, {self.tasks} Tasks, {self.elements:,} elements."]
        if self.stays:
            said.append(f"It is older than the current one: {self.current} stays current.")
        elif self.demo:
            said.append("It replaces the demo standard.")
        elif self.same:
            rest = "; nothing changes" if self.nothing else ", and is read again"
            said.append(f"It is the current standard already{rest}.")
        elif self.current:
            said.append(f"It replaces {self.current}.")
        else:
            said.append(f"It becomes the standard of the {self.certificate} certificate; there is none yet.")
        if self.put_away:
            said.append(
                f"The demo no longer counts: {', '.join(self.put_away)} is archived; its page publishes it again."
            )
        for what, codes in (("added", self.added), ("removed", self.removed), ("reworded", self.reworded)):
            if codes and self.current and not self.demo and not self.stays:
                count = "1 element" if len(codes) == 1 else f"{len(codes):,} elements"
                more = ", …" if len(codes) > NAMED else "."
                said.append(f"{count} {what}: {', '.join(codes[:NAMED])}{more}")
        if self.misprints:
            said.append(f"Misprints: {'; '.join(self.misprints[:NAMED])}.")
        return said

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
            "told": self.sentences(),
        }


def changes_by(text: AcsStandard) -> Changes:
    """Compare a standard that was read with what is loaded, without changing anything."""
    current = Standard.objects.filter(certificate=text.certificate, current=True).first()
    stays = current is not None and not current_after(text, current)
    demo = current is not None and current.demo and not stays
    before: dict[str, str] = {}
    if current is not None and not current.demo:
        rows = AcsElement.objects.filter(edition=current.number, archived=False).order_by("order")
        before = dict(rows.values_list("code", "text"))
    after = {one.code: one.text for one in text.elements if not one.archived}
    shown = Document.objects.filter(demo=True, status=DocumentStatus.PUBLISHED)
    return Changes(
        number=text.number,
        certificate=text.certificate,
        edition=_edition_label(text.number, text.edition_date),
        areas=len(text.areas),
        tasks=len(text.tasks),
        elements=len(text.elements),
        current=_edition_label(current.number, current.edition_date) if current else "",
        demo=demo,
        same=current is not None and current.number == text.number,
        stays=stays,
        added=tuple(code for code in after if code not in before) if before else (),
        removed=tuple(code for code in before if code not in after),
        reworded=tuple(code for code, words in before.items() if after.get(code, words) != words),
        put_away=() if stays else tuple(shown.order_by("title").values_list("title", flat=True)),
        misprints=text.misprints,
    )


def _edition_label(number: str, day: date | None) -> str:
    return f"{number} of {day:%B %Y}" if day else number
