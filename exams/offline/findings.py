"""Decides each key point of an answer: met, half, missing, or contradicted, with the reason in plain words.

Rules decide the clear cases first: an answer without content misses every point, pressing on in spite of a risk
mitigates nothing, a key point or an accepted wording that is said verbatim is met, and else a known mix-up that is said
verbatim contradicts. The classifier decides the rest, with the rules' results as features (`features.py`). What is met
with words that turn the point round is half met. The same answer always has the same findings.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from numpy.typing import NDArray

from exams import conf
from exams.domain.keywords import matched_groups, said_wrong, share_of_groups, stand_together
from exams.domain.values import Met
from exams.domain.verdicts import FIGURE_WRONG, NOT_SAID, SAID_OTHERWISE, SAYS_ELSE, TURNED_ROUND
from exams.offline.amounts import Amount, amounts_of, exchanged_amount, undecided_amount
from exams.offline.answer_filter import (
    WHY_NOTHING,
    AnswerText,
    filter_answer,
    gaps_admitted,
    matters_not_known,
)
from exams.offline.assertions import without_repaired
from exams.offline.classifier import FINDINGS, Classifier
from exams.offline.features import PointText, describe_point, nearest_texts
from knowledge.text.conditions import SPOKEN_CLASSES, conditions_in
from knowledge.text.opposites import said_opposite
from knowledge.text.quantities import format_quantity
from knowledge.text.sentences import sentences_in
from knowledge.text.synonyms import idea_set
from knowledge.text.text_cache import cached_by_text
from knowledge.text.word_tables import read_phrases

_PHRASES: Final = read_phrases(Path(__file__).with_name("phrases.csv"), ignore_case=True)
_DENIAL: Final = "¬"
_UNDECIDED: Final = "You said this, and did not say which it is."
_OPPOSITE: Final = "This says the opposite of what was expected."
_DENIED: Final = "You deny what was expected."
_BELIEVED: Final = "This is a common mix-up."
_TOO_LONG: Final = "Too long to be heard: say it in your own words, in three minutes at most."


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The finding on one key point. `said` is verbatim from the answer; it is "" if nothing was said. `conveyed` is the
    probability that the answer says the point, at least in part; where a rule decided, 0 or 1."""

    met: Met
    why: str
    said: str = ""
    conveyed: float = -1.0

    def __post_init__(self) -> None:
        if self.conveyed < 0:
            object.__setattr__(self, "conveyed", float(self.met in ("met", "half")))


def find_points(
    points: Sequence[PointText], question: str, answer: str, classifier: Classifier, *, answers: int = 1
) -> tuple[Finding, ...]:
    """One finding for each point, in their order. `answers` is the number of answers of a ladder in the text."""
    kept = filter_answer(answer, question)
    if whole := _find_by_whole_answer(answer, kept, answers):
        return tuple(whole for _ in points)
    decided: dict[int, Finding] = {}
    for place, point in enumerate(points):  # what no classifier has to find
        if point.role == "mitigate" and (said := find_pressing_on(kept.text)):
            why = "This holds to going on in spite of the risk."
            decided[place] = Finding(met="contradicted", why=why, said=said)
        elif accepted := _find_said_as_accepted((point.text, *point.wordings), kept.asserted):
            decided[place] = accepted
        elif (held := _find_said_as_accepted(point.against, kept.asserted, exact=True)) and held.met == "met":
            decided[place] = replace(held, met="contradicted", why=_BELIEVED, conveyed=0.0)
    not_known = idea_set(" ".join(gaps_admitted(answer)))
    left = [place for place in range(len(points)) if place not in decided]
    parts = split_into_parts(kept.text, conf.PARTS_MOST * answers) if left else []
    read = [_probabilities_by_wordings(points, left, question, part, classifier) for part in parts]
    for at, place in enumerate(left):
        row = min((rows[at] for rows in read), key=lambda one: float(one[FINDINGS.index("missing")]))
        others = _other_points(points, place)
        amounts = amounts_of(points[place].text, question, kept.text, others=others)
        met = decide_met(row, conf.MET_SURE_BY_WORDINGS if points[place].wordings else conf.MET_SURE)
        conveyed = float(row[FINDINGS.index("met")] + row[FINDINGS.index("half")])
        other_figures = any(one.outcome == "wrong" for one in amounts)
        asked_words = all(matched_groups(points[place].keywords, question))
        asserted = "" if other_figures or asked_words else kept.asserted
        met = checked_by_keywords(met, conveyed, points[place], kept.text, asserted)
        if met == "met" and any(one.outcome == "absent" for one in amounts):
            # Who says 5 miles, and of the distances that they are not known, has half of the rule.
            met = "half" if idea_set(points[place].text) & not_known else "met"
        own_ideas = idea_set(points[place].text) - idea_set(others)
        if len(own_ideas & idea_set(" ".join(matters_not_known(answer)))) >= conf.IDEAS_NOT_KNOWN:
            decided[place] = Finding(met="missing", why=WHY_NOTHING["unknown"])
            continue
        # Of a point that is half met a figure is surely wrong only in words that speak of it.
        misstated = [one for one in amounts if one.outcome == "wrong"] if met == "half" else []
        said = next(
            (
                one.text
                for one in sentences_in(kept.asserted)
                if any(amount.said.strip() in one.text for amount in misstated)
                and len(idea_set(one.text) & own_ideas) > 1
            ),
            "",
        )
        reason = explain_finding(met, amounts if said or not misstated else ())
        decided[place] = Finding(met=met, why=reason, said=said, conveyed=conveyed)
        if met == "met" and (wrong := exchanged_amount(points[place].text, question, kept.text)):
            why = explain_finding("contradicted", (wrong,))
            decided[place] = Finding(met="contradicted", why=why, conveyed=conveyed)
        if decided[place].met == "met" and (
            said := undecided_amount(points[place].text, question, kept.asserted, others=others)
        ):
            said = said if said in kept.text else ""
            decided[place] = Finding(met="half", why=_UNDECIDED, said=said, conveyed=conveyed)
        known = (question, *points[place].wordings)
        if met == "met" and (said := said_opposite(points[place].text, known, kept.text)):
            decided[place] = Finding(met="contradicted", why=_OPPOSITE, said=said, conveyed=conveyed)
    sentences = [(one.text, without_repaired(one.text)) for one in sentences_in(kept.asserted)]
    for place, one in decided.items():
        reject = points[place].reject
        if one.met == "contradicted" or one.why == WHY_NOTHING["unknown"]:
            continue
        turned = next((said for said, meant in sentences if said_wrong(reject, meant)), "")
        if turned:
            met, why = ("missing", SAID_OTHERWISE) if one.met == "missing" else ("half", TURNED_ROUND)
            names_lack = one.why.startswith(NOT_SAID)
            decided[place] = replace(one, met=met, why=one.why if names_lack else why, said=turned)
    if _leaves_it_open(answer):  # an "or" without "either" mostly joins two cases of a rule
        met_places = [place for place, found in decided.items() if found.met == "met"]
        for place in _places_undecided(points, met_places, question, kept.text, classifier):
            decided[place] = Finding(met="missing", why=_UNDECIDED)
    return tuple(decided[place] for place in range(len(points)))


def add_own_words(
    points: Sequence[PointText], found: Sequence[Finding], question: str, answer: str, classifier: Classifier
) -> tuple[Finding, ...]:
    """The findings, each with the sentence of the answer that supports it best. Those that have words already, or
    nothing to show, stay as they are. What no sentence says by itself, or with the next one, is not wholly met: an
    answer with most of the points makes the classifier believe the others."""
    places = [at for at, one in enumerate(found) if one.met != "missing" and not one.said]
    if not places:
        return tuple(found)
    sentences = [one.text for one in sentences_in(filter_answer(answer, question).text)] or [answer]
    sentences = [one for one in sentences if not _PHRASES["unknown"].search(one)] or sentences
    # Of a long answer those that share most ideas with the points, in their order.
    wanted = idea_set(" ".join(points[place].text for place in places))
    near = sorted(sentences, key=lambda one: -len(idea_set(one) & wanted))[: conf.SENTENCES_MOST]
    sentences = [one for one in sentences if one in near]
    if len(sentences) < 2:
        return tuple(replace(one, said=sentences[0]) if at in places else one for at, one in enumerate(found))
    read = [_probabilities_for(points, places, question, one, classifier) for one in sentences]
    settled = dict(enumerate(found))
    named = [labels_of(one) for one in sentences]
    for at, place in enumerate(places):
        # "Delta's the one that takes a clearance" says nothing of Class B, where another sentence speaks of that.
        labels, told = labels_of(points[place].text), labels_of(_other_points(points, place))
        own = labels - told or labels
        others = told - labels if any(own & one for one in named) else frozenset()
        elsewhere = [bool(one & others) and not one & own for one in named]
        share = dict.fromkeys(("met", "half"), 1.0)
        if found[place].met == "contradicted":
            share = dict.fromkeys(share, conf.ALSO_SAYS) | {"contradicted": 1.0}
        wordings = [idea_set(one) for one in (points[place].text, *points[place].wordings)]
        said = [
            0.0 if other else sum(rows[at][FINDINGS.index(one)] * part for one, part in share.items())
            for rows, other in zip(read, elsewhere, strict=True)
        ]
        groups = [share_of_groups(points[place].keywords, one) for one in sentences]
        # A sentence alone is less than the classifier is used to: its words count as much as what it is taken for.
        worth = [
            likely + max(len(ideas & idea_set(one)) / len(ideas) for ideas in wordings if ideas) + share
            for likely, share, one in zip(said, groups, sentences, strict=True)
        ]
        chosen = max(
            range(len(sentences)), key=lambda one: (not elsewhere[one], groups[one] == 1, worth[one])
        )
        settled[place] = replace(found[place], said=sentences[chosen])
        if found[place].met == "met" and max(said) < conf.SAID_LEAST:
            pairs = [
                f"{sentences[at]} {sentences[at + 1]}"
                for at, (one, following) in enumerate(pairwise(elsewhere))
                if not (one or following)
            ]
            rows = (_probabilities_for(points, [place], question, one, classifier)[0] for one in pairs)
            likely = (row[FINDINGS.index("met")] + row[FINDINGS.index("half")] for row in rows)
            if max(likely, default=0.0) < conf.SAID_LEAST:
                settled[place] = replace(settled[place], met="half", why=explain_finding("half", ()))
    return tuple(settled.values())


def labels_of(text: str) -> frozenset[str]:
    """The times of day and the classes of airspace that a text names, also as "noon" and "Bravo"."""
    found, words = conditions_in(text), set(re.findall(r"[a-z]+", text.lower()))
    spoken = {letter for word, letter in SPOKEN_CLASSES.items() if word in words}
    noon = {"day"} if words & {"noon", "midday"} else set()
    return found.times | {one for one in found.airspace if len(one) == 1} | spoken | noon


def _places_undecided(
    points: Sequence[PointText], places: Sequence[int], question: str, answer: str, classifier: Classifier
) -> set[int]:
    """The places of the points that another alternative of the answer contradicts: "either A or B" says neither."""
    after = (
        one.text[joint.end() :]
        for one in sentences_in(answer)
        for joint in _PHRASES["alternative"].finditer(one.text)
    )
    others = [one for one in after if len(one.split()) > 1][: conf.ALTERNATIVES_MOST] if places else []
    return {
        place
        for other in others
        for place, row in zip(
            places, _probabilities_for(points, places, question, other, classifier), strict=True
        )
        if row[FINDINGS.index("contradicted")] >= conf.ALTERNATIVE_SURE
        or any(states_belief(other, one) for one in points[place].against)
    }


def states_belief(said: str, belief: str) -> bool:
    """Whether the words have half of the ideas of a wrong belief."""
    ideas = idea_set(belief)
    return bool(ideas) and 2 * len(ideas & idea_set(said)) >= len(ideas)


def _probabilities_for(
    points: Sequence[PointText], places: Sequence[int], question: str, said: str, classifier: Classifier
) -> NDArray[Any]:
    """What the classifier says of the points at these places, by a part of an answer alone."""
    told = [describe_point(points[place], _other_points(points, place), question, said) for place in places]
    return classifier.probabilities(question, said, told)


def _probabilities_by_wordings(
    points: Sequence[PointText], places: Sequence[int], question: str, said: str, classifier: Classifier
) -> NDArray[Any]:
    """The same, averaged with what it says of the accepted wording that the part meets best: a student's words are
    nearer to one of these than to the rule's, and errors on two readings seldom agree."""
    rows = _probabilities_for(points, places, question, said, classifier)
    near = [nearest_texts(points[place].wordings, said)[: conf.WORDINGS_READ] for place in places]
    told = [
        f"{points[place].role} : {one}" for place, texts in zip(places, near, strict=True) for one in texts
    ]
    if not told:
        return rows
    read = iter(classifier.probabilities(question, said, told))
    for at, texts in enumerate(near):
        if texts:
            best = max((next(read) for _ in texts), key=lambda row: float(row[FINDINGS.index("met")]))
            denied = rows[at][
                FINDINGS.index("contradicted")
            ]  # a wording says more than the rule: it contradicts nothing
            rows[at] = (rows[at] + best) / 2
            rows[at][FINDINGS.index("contradicted")] = min(denied, rows[at][FINDINGS.index("contradicted")])
    return rows


def _other_points(points: Sequence[PointText], place: int) -> str:
    return " ".join(one.text for at, one in enumerate(points) if at != place)


def can_be_heard(answer: str) -> bool:
    """Whether one answer is short enough to be judged."""
    return len(answer.split()) <= conf.PART_WORDS * conf.PARTS_MOST


def split_into_parts(answer: str, most: int = conf.PARTS_MOST) -> list[str]:
    """The answer in parts of whole sentences, at most `most`. An answer of ordinary length is one part."""
    parts: list[list[str]] = [[]]
    for sentence in sentences_in(answer):
        words = sentence.text.split()
        if parts[-1] and len(parts[-1]) + len(words) > conf.PART_WORDS:
            parts.append([])
        parts[-1] += words
    return [" ".join(part) for part in parts[:most]]


def decide_met(row: NDArray[Any], sure: float = conf.MET_SURE) -> Met:
    """The finding by its probabilities. Met and contradicted need a high one; half needs met and half together."""
    chances = dict(zip(FINDINGS, row.tolist(), strict=True))
    if chances["met"] >= sure:
        return "met"
    if chances["contradicted"] >= conf.CONTRADICTED_SURE:
        return "contradicted"
    return "half" if chances["met"] + chances["half"] >= conf.HALF_SURE else "missing"


def checked_by_keywords(met: Met, conveyed: float, point: PointText, said: str, asserted: str) -> Met:
    """What the classifier finds, checked by the point's key words: without one of each group it is half met at most,
    and without any it is missing, unless the classifier is sure; with all of them close together, and asserted, it is
    met where the classifier hears it in part."""
    matched = matched_groups(point.keywords, said)
    if met == "met" and conveyed < conf.KEYWORDS_DOUBT and not all(matched):
        met = "half"
    if met == "half" and matched and not any(matched):
        return "missing"
    if (
        met in ("half", "missing")
        and conveyed >= conf.KEYWORDS_DECIDE
        and stand_together(point.keywords, asserted)
    ):
        return "met"
    return met


# --- Rules -------------------------------------------------------------------------------------------------------


def _find_by_whole_answer(answer: str, kept: AnswerText, answers: int) -> Finding | None:
    """The finding for every point where the answer as a whole decides it."""
    if kept.nothing:
        met: Met = "contradicted" if kept.nothing == "taken back" else "missing"
        return Finding(met=met, why=WHY_NOTHING[kept.nothing], said=kept.rejection)
    if answers == 1 and not can_be_heard(answer):
        return Finding(met="missing", why=_TOO_LONG)
    return None


def find_pressing_on(answer: str) -> str:
    """The sentence in which the answer continues in spite of a risk; "" if there is none. What going on would lead to
    ("if I press on I end up in cloud") is no plan to do it."""
    for sentence in sentences_in(answer):
        for found in _PHRASES["presses on"].finditer(sentence.text):
            before, after = sentence.text[: found.start()], sentence.text[found.end() :]
            gerund = found[0].split()[0].endswith("ing")  # "pressing on eats my reserve"
            named = (
                _PHRASES["only imagined before"].search(before)
                or (gerund and (not before.strip() or _PHRASES["begins a clause"].search(before)))
                or (
                    not _PHRASES["speaks of oneself"].search(before)
                    and _PHRASES["only imagined after"].match(after)
                )
            )
            if not named:
                return sentence.text
    return ""


def _leaves_it_open(answer: str) -> bool:
    return bool(_PHRASES["leaves it open"].match(answer))


def _find_said_as_accepted(wordings: Sequence[str], answer: str, *, exact: bool = False) -> Finding | None:
    """The finding where an accepted wording stands in the answer word for word: contradicted where the word before
    denies it, met where nothing in its sentence or about the whole answer takes it back. Or where all its ideas stand
    there in order, if it is not `exact` with others among them: "the ailerons roll it, the elevator pitches the nose"
    holds the ideas of "the ailerons pitch the nose"."""
    if _leaves_it_open(answer):
        return None
    end = r"[.!?;]\s|\n"
    for text in filter(_spoken_words, wordings):
        wording = _spoken_words(text)
        for sentence in [answer] if re.search(end, text) else re.split(end, f"{answer} "):
            told = _spoken_words(sentence)
            place = f" {told} ".find(f" {wording} ")
            if place > 0 and re.search(r"(?:\bnot|\bnever|n't) $", told[:place]):
                return Finding(met="contradicted", why=_DENIED, said=sentence.strip())
            if place >= 0 and not _PHRASES["takes back"].search(told[:place] + told[place + len(wording) :]):
                return Finding(met="met", why="Said in your own words.", said=sentence.strip())
    told_ideas = _ideas_in_order(answer)
    if any(_are_said_in_order(_ideas_in_order(one), told_ideas, exact=exact) for one in wordings):
        return Finding(met="met", why="Said in your own words.")
    return None


def _are_said_in_order(wanted: Sequence[str], told: Sequence[str], *, exact: bool) -> bool:
    """Whether all ideas and numbers of a wording are said in its order, with few others between (none if `exact`), and
    none that denies or turns it round: nearly its words, in whatever sentences."""
    if len(set(wanted)) < conf.IDEAS_IN_ORDER_LEAST:
        return False
    turning = [one for one in wanted if _turns_round(one)]
    most = len(wanted) if exact else int(conf.IDEAS_BETWEEN * len(wanted)) + 1
    for start in (at for at, one in enumerate(told) if one == wanted[0]):
        rest = iter(wanted)
        expected, end = next(rest), start
        for end in range(start, min(len(told), start + most)):
            if told[end] == expected and (expected := next(rest, "")) == "":
                break
        span = told[start : end + 1]
        numbers = {one for one in span if one[0].isdigit()}
        if (
            not expected
            and _DENIAL not in told[max(0, start - 2) : start]
            and [one for one in span if _turns_round(one)] == turning
            and numbers <= set(wanted)
        ):
            return True
    return False


def _turns_round(idea: str) -> bool:
    return idea == _DENIAL or bool(_PHRASES["turns round"].fullmatch(idea))


@cached_by_text
def _ideas_in_order(text: str) -> tuple[str, ...]:
    """The ideas and numbers of a text in their order, with each word that denies or can turn it round."""
    found: list[str] = []
    for word in _spoken_words(text).split():
        if _PHRASES["takes back"].fullmatch(word) or word.endswith("n't"):
            found.append(_DENIAL)
        elif any(char.isdigit() for char in word) or _turns_round(word):
            found.append(word)
        else:
            found += sorted(idea_set(word))
    return tuple(found)


def _spoken_words(text: str) -> str:
    """The words of a text in lower case, with the points of its figures and its apostrophes."""
    return " ".join(re.findall(r"[\w'.]*\w", text.lower().replace("’", "'")))


def explain_finding(met: Met, amounts: Sequence[Amount]) -> str:
    """The reason for a finding of the classifier, in plain words to the student."""
    if met == "met":
        given = amounts and all(one.outcome == "given" for one in amounts)
        return "Said, with its figures." if given else "Said in your own words."
    wrong = next((one for one in amounts if one.outcome == "wrong"), None)
    if wrong and met != "missing":
        return FIGURE_WRONG.format(said=wrong.said.strip(), expected=format_quantity(wrong.demanded))
    if met == "contradicted":
        return SAYS_ELSE
    if met == "half":
        absent = next((one for one in amounts if one.outcome == "absent"), None)
        return f"{NOT_SAID}{format_quantity(absent.demanded)}." if absent else "Said in part; not all of it."
    return "Not said."
