"""What the examiner stated in one exchange, each statement with the sources that it cited, and whether they support it.

Everything is read from rows as the student was shown them. A student's own words are left out: what is kept here
outlives the exam.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, Literal

from exams.examiner.statement_checks import claims_something
from exams.models import Assessment, Turn
from knowledge.grounding.citations import find_quote
from knowledge.grounding.entailment import Entailment, check_entailment
from knowledge.grounding.fact_check import compare_facts
from knowledge.text.quantities import quantities_in
from knowledge.text.sentences import sentences_in

Kind = Literal["point", "why", "mix-up", "reason", "quote", "question"]

_QUOTED: Final = re.compile("“[^”]*”")
_FROM_THE_TABLE: Final = ("read", "decide")
"""Kinds of points that are read from an artifact of the question, which has no other source."""


@dataclass(frozen=True, slots=True)
class Stated:
    """`sources` are label, quote, and address of what it cites; `passages` the texts that these quotes stand in."""

    kind: Kind
    text: str
    sources: tuple[Mapping[str, str], ...]
    passages: tuple[str, ...]

    @property
    def digest(self) -> str:
        """The same for the same words on the same sources."""
        told = "\n".join((self.text, *sorted(source["quote"] for source in self.sources)))
        return sha256(told.encode("utf-8", "surrogatepass")).hexdigest()

    def check(self) -> Entailment:
        """Whether the quotes support it, or the passages around them."""
        quotes, whole = " ".join(source["quote"] for source in self.sources), "\n".join(self.passages)
        if self.kind == "quote":
            verbatim = any(find_quote(passage, self.text) for passage in self.passages)
            return Entailment(verbatim, float(verbatim), () if verbatim else ("not verbatim in its passage",))
        if self.kind == "reason":  # it speaks of the answer; of the rule it has an amount
            extra = compare_facts(self.text, f"{quotes}\n{whole}").extra
            reasons = tuple(f"the sources do not state “{one.text.strip()}”" for one in extra)
            return Entailment(not extra, float(not extra), reasons)
        found = check_entailment(self.text, quotes)
        if not found.supported and whole.strip():
            wider = check_entailment(self.text, whole)
            found = wider if wider.supported or wider.score > found.score else found
        return found


def statements_of(turn: Turn, final: Assessment | None, passages: Mapping[str, str]) -> list[Stated]:
    """What was stated from the question to the verdict, without repetitions. `final` is the verdict that was told, if
    any; `passages` are the texts of the chunks that its quotes name."""
    texts = dict(passages) | {one["chunk_id"]: one["text"] for one in turn.context.get("passages", ())}
    found = list(_asked(turn, texts))
    if final is not None:
        found += [*_told(final, texts), *_taught(turn, final, texts)]
    return list({one.digest: one for one in found}.values())


def _asked(turn: Turn, texts: Mapping[str, str]) -> Iterator[Stated]:
    """Of a question that is no item's opening, sentences that oblige, deny, or have a figure. An item's stem tells the
    scene of its question, which nobody has to support."""
    if turn.item and turn.form not in ("probe", "hint"):
        return
    for sentence in sentences_in(turn.text):
        said = sentence.text.strip()
        if not said.endswith("?") and not _QUOTED.search(said) and claims_something(said):
            yield _stated("question", said, turn.citations, texts)


def _told(final: Assessment, texts: Mapping[str, str]) -> Iterator[Stated]:
    """The points as the feedback has them, and the reasons that stand beside them."""
    for point in final.points:
        cited = [one for one in final.citations if one["n"] in point.get("citations", ())]
        if not cited and point.get("kind") in _FROM_THE_TABLE:
            continue
        yield _stated("point", point["expectation"], cited, texts)
        reason = _QUOTED.sub("“…”", point.get("why", ""))
        if quantities_in(reason):
            yield _stated("reason", reason, cited, texts)


def _taught(turn: Turn, final: Assessment, texts: Mapping[str, str]) -> Iterator[Stated]:
    """What the feedback adds: why it matters, the corrections of mix-ups, and quotes that stand near the answer."""
    if (why := turn.rubric.get("why", "")) and why in final.feedback:
        yield _stated("why", why, final.citations, texts)
    for mixup in turn.rubric.get("mixups", ()):
        if mixup["answer"] in final.feedback:
            yield _stated("mix-up", mixup["answer"], final.citations, texts)
    for one in final.near:
        yield _stated("quote", one["quote"], [one], texts)


def _stated(kind: Kind, text: str, cited: Sequence[Mapping[str, Any]], texts: Mapping[str, str]) -> Stated:
    sources = {one["quote"]: {name: str(one[name]) for name in ("label", "quote", "url")} for one in cited}
    chunks = dict.fromkeys(str(one.get("chunk_id", "")) for one in cited)
    return Stated(kind, text, tuple(sources.values()), tuple(texts[one] for one in chunks if one in texts))
