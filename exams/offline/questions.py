"""Material becomes an opening question, by rules alone.

Topics that an examiner knows are asked in his own forms; any other rule is taken apart and asked about.
Whatever comes out has passed the rules of questions. The same material always gives the same question;
another seed gives another form.
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Final

from exams.offline.asking import ClaimMaterial, HintMaterial, OpeningMaterial, ProbeMaterial, QuestionDraft
from exams.offline.catalog import risk, topic_for
from exams.offline.followups import hint_texts, probe_texts
from exams.offline.rephrasing import questions_from
from exams.offline.situations import slots_of
from exams.question_rules import faults_of, opener_of

_LAST_RESORTS: Final[tuple[str, ...]] = (
    "What can you tell me about this: {topic}? Say what is required, when, and why.",
    "Tell me what a pilot has to know and do when it comes to {topic}.",
    "How does {topic} bear on your flying, and what do the rules ask of you?",
)


def question_for(material: OpeningMaterial | ProbeMaterial | HintMaterial) -> QuestionDraft:
    """What the examiner says, and which citations it rests on: the skill of the role "examiner"."""
    match material:
        case OpeningMaterial():
            return QuestionDraft(
                text=opening(material), cites=[claim.citation for claim in material.claims if claim.citation]
            )
        case ProbeMaterial():
            return QuestionDraft(
                text=_first_sound(probe_texts(material), material), cites=_cites(material.citation)
            )
        case HintMaterial():
            return QuestionDraft(
                text=_first_sound(hint_texts(material), material), cites=_cites(material.citation)
            )


def opening(material: OpeningMaterial) -> str:
    """The question. Where every form breaks a rule, the plainest one about the topic."""
    sound = ranked(material)
    return sound[0] if sound else _plain(material)


def ranked(material: OpeningMaterial) -> tuple[str, ...]:
    """Every form that keeps the rules, the best first."""
    sound = [text for text in dict.fromkeys(texts_for(material)) if not _faults(text, material)]
    return tuple(sorted(sound, key=lambda text: _rank(text, material)))


def texts_for(material: OpeningMaterial) -> Iterator[str]:
    """Every form of the question, those of a known topic first, in an order that the seed gives."""
    if material.element_kind == "risk" or any(claim.kind == "hazard" for claim in material.claims):
        yield from _risk_texts(material)
        return
    for claim in material.claims[:1]:
        yield from known_forms(claim, lot(material.seed, claim.key))
        explains = claim.kind == "explain"
        yield from questions_from(
            claim.statement, explains=explains, heading=claim.heading, topic=material.topic
        )


def known_forms(claim: ClaimMaterial, number: int) -> tuple[str, ...]:
    """The forms of the claim's topic with their slots filled, turned by the number; none for an unknown topic."""
    topic = topic_for(claim.statement)
    if topic is None:
        return ()
    slots = slots_of(claim, number)
    filled = [" ".join(form.format(**slots).split()) for form in topic.forms if _names(form) <= slots.keys()]
    return _turned([_tidy(form) for form in filled], number)


def lot(seed: str, key: str) -> int:
    """A number that equal words always draw again."""
    return int(sha256(f"{seed}/{key}".encode()).hexdigest()[:8], 16)


def _risk_texts(material: OpeningMaterial) -> Iterator[str]:
    number = lot(material.seed, material.claims[0].key)
    whole = " ".join((*material.statements, material.topic))
    topic = next((one for one in risk.TOPICS if one.fits(whole)), None)
    endings = _turned(risk.ENDINGS, number // 7)
    if topic:
        for scene in _turned(topic.forms, number):
            yield from (scene,) if _asks(scene) else (f"{scene} {ending}" for ending in endings)
    about = _lower_first(material.topic.rstrip(". "))
    if about:
        for ending in endings:
            yield f"Think of your next flight and of this side of it: {about}. {ending}"
            yield f"Let us weigh a risk: {about}. {ending}"


def _asks(scene: str) -> bool:
    return scene.endswith("?") or "tell me" in scene


def _rank(text: str, material: OpeningMaterial) -> tuple[bool, bool, bool, bool]:
    """Lower is better: known topic, not asked before, another first word, the length that the difficulty wants."""
    known = {
        form for claim in material.claims[:1] for form in known_forms(claim, lot(material.seed, claim.key))
    }
    previous = material.history[-1] if material.history else ""
    situation = len(text.split(". ")) > 1
    wanted = {"easy": not situation, "hard": situation}.get(material.difficulty, True)
    return (
        bool(known) and text not in known,
        text in material.history,
        opener_of(text)[:1] == opener_of(previous)[:1],
        not wanted,
    )


def _faults(text: str, material: OpeningMaterial) -> tuple[str, ...]:
    previous = material.history[-1] if material.history else ""
    return faults_of(
        text, expectations=material.statements, element_text=material.element_text, previous=previous
    )


def _plain(material: OpeningMaterial) -> str:
    topic = _lower_first((material.topic or material.element_text or "this subject").rstrip(". :"))
    texts = [text.format(topic=topic) for text in _turned(_LAST_RESORTS, lot(material.seed, topic))]
    return next((text for text in texts if not _faults(text, material)), texts[0])


def _first_sound(texts: Iterator[str], material: ProbeMaterial | HintMaterial) -> str:
    """The first text that keeps the rules. The last one always does: it holds nothing of the answer."""
    text, own = "", material.answer if isinstance(material, ProbeMaterial) else ""
    for text in texts:
        if not faults_of(text, expectations=material.statements, previous=material.question, own_words=own):
            break
    return text


def _cites(citation: int) -> list[int]:
    return [citation] if citation else []


def _names(form: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(form) if name}


def _tidy(text: str) -> str:
    return text.replace(",.", ".").replace(",?", "?").replace(" ,", ",").replace(",,", ",")


def _turned(items: Sequence[str], number: int) -> tuple[str, ...]:
    start = number % len(items) if items else 0
    return (*items[start:], *items[:start])


def _lower_first(text: str) -> str:
    return text if text[:2].isupper() else text[:1].lower() + text[1:]
