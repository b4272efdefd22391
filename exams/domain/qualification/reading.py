"""Reads a student's statements on the papers: which are in order, which are not, and whether the oral may begin.

A clause that names a paper and its state is about that paper; a clause with only a state is about the paper named last.
The last statement on a paper counts, except that a decision not to begin takes back no fault; it may correct a false
alarm. Wordings are in phrases.csv; the folder has the names of papers. This module knows no rule and no date.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from exams.domain.qualification.papers import FALSE_ALARMS_MOST, UNSAID_MOST, Folder
from knowledge.text.sentences import sentences_in
from knowledge.text.word_tables import read_phrases

_PHRASES: Final = read_phrases(Path(__file__).with_name("phrases.csv"), ignore_case=True)
_CONCLUSION: Final = "¶"
"""Stands for the word with which a clause draws a conclusion."""
_Names = frozenset[str]


@dataclass(frozen=True, slots=True)
class Heard:
    """What was said of the papers: keys of faults that were named as such, keys of faults whose paper was named without
    a state, and names of papers in order that were called out of order."""

    found: tuple[str, ...]
    undecided: tuple[str, ...]
    false_alarms: tuple[str, ...]

    def credits(self, fault: str, told: Iterable[str]) -> bool:
        """Whether a fault counts as found; `told` are keys of faults that the answers were judged to state."""
        if len(self.false_alarms) > FALSE_ALARMS_MOST:
            return False
        return fault in self.found or (fault in self.undecided and fault in set(told))


def hear_faults(said: Sequence[str], folder: Folder, decision: str = "") -> Heard:
    """What the answers say of the folder's papers, in their order, with the `decision` about all of them last."""
    names, everything = _names_in(folder), frozenset(card.key for card in folder.cards)
    of_fault = {fault.key: fault.card for fault in folder.faults}
    faulty = set(of_fault.values())
    states: dict[_Names, bool | None] = {}
    begins = hear_decision(decision) is not False
    told = [
        (papers, state, True) for answer in said for papers, state in _states_in(answer, names, everything)
    ]
    told += [(papers, state, begins) for papers, state in _states_in(decision, names, everything)]
    for papers, out_of_order, takes_back in told:
        if states.get(papers) and papers & faulty and not takes_back:
            continue
        if out_of_order is not None or papers not in states:
            states[papers] = out_of_order
    bad = [papers for papers, out_of_order in states.items() if out_of_order]
    fine = {key for papers, out_of_order in states.items() if out_of_order is False for key in papers}
    found = tuple(key for key, card in of_fault.items() if any(card in papers for papers in bad))
    unsaid = [papers for papers, out_of_order in states.items() if out_of_order is None]
    side_of = {card.key: card.side for card in folder.cards}
    on_side = Counter(side_of[min(papers)] for papers in unsaid)
    named = {key for papers in unsaid for key in papers if on_side[side_of[key]] <= UNSAID_MOST}
    wrongly = [papers for papers in bad if not papers & faulty]
    titles = {card.key: card.name for card in folder.cards}
    return Heard(
        found=found,
        undecided=tuple(k for k, card in of_fault.items() if k not in found and card in named - fine),
        false_alarms=tuple(dict.fromkeys(titles[min(papers)] for papers in wrongly)),
    )


def hear_decision(answer: str) -> bool | None:
    """Whether the student says that we may begin; None where that is not clear."""
    no, yes = _PHRASES["we may not begin"].search(answer), _PHRASES["we may begin"].search(answer)
    if bool(no) == bool(yes):
        return None if not no else False
    return yes is not None


def _names_in(folder: Folder) -> Mapping[str, _Names]:
    """By the words of a student, the keys of the cards that they may mean."""
    names: dict[str, set[str]] = {}
    for card in folder.cards:
        for name in (card.name, *card.called):
            names.setdefault(name.lower(), set()).add(card.key)
    for fault in folder.faults:
        for name in fault.called:
            names.setdefault(name.lower(), set()).add(fault.card)
    return {name: frozenset(keys) for name, keys in names.items()}


def _states_in(
    answer: str, names: Mapping[str, _Names], everything: _Names
) -> Iterator[tuple[_Names, bool | None]]:
    """Each paper that is named and what is said of it there: True for out of order, None for nothing."""
    last: list[_Names] = []
    for sentence in sentences_in(answer.replace("’", "'")):
        if sentence.text.rstrip().endswith("?"):
            continue
        if not _PHRASES["points back"].match(sentence.text):
            last = []
        waiting: list[_Names] = []  # named in a list whose state comes at its end
        until = _PHRASES["not until"].search(sentence.text)
        starts = until.end() if until else len(sentence.text)
        now, then = (
            re.split(_PHRASES["parts clauses"], _PHRASES["concludes"].sub(f", {_CONCLUSION}", text))
            for text in (sentence.text[:starts], sentence.text[starts:])
        )
        is_awaited = False
        for at, clause in enumerate((*now, *then)):
            papers, state = _papers_in(clause, names), _state_in(clause)
            if papers and clause.lstrip().startswith(_CONCLUSION):
                waiting = []  # a list, "so the manual is missing": of the others nothing is said
            if at == len(now):
                is_awaited = True
            elif state is not None and not waiting and not set(papers) <= set(last):
                is_awaited = False  # another paper with a state of its own
            if is_awaited:  # what has to come first is not so yet
                state = True if state is not None or _PHRASES["made good"].search(clause) else None
            if not papers and _PHRASES["any of them"].search(clause):
                continue
            if not papers and _PHRASES["all of them"].search(clause):
                if state and not is_awaited:
                    yield from ((frozenset({key}), True) for key in everything)
                continue
            if papers:
                last = [*waiting, *papers]
            if state is not None:
                yield from ((one, state) for one in last)
                waiting = []
            elif papers:
                yield from ((one, None) for one in papers)
                waiting = [] if _PHRASES["verb"].search(clause) else last


def _papers_in(clause: str, names: Mapping[str, _Names]) -> list[_Names]:
    """The papers that a clause names, the longest name first; a piece of the clause names one paper."""
    left, found = clause.lower(), {}
    for name in sorted(names, key=len, reverse=True):
        pattern = rf"\b{re.escape(name)}(?:s|'s)?\b(?![&/]|\.\w)"  # "the A&P" is no "the A"
        if match := re.search(pattern, left):
            found[match.start()] = names[name]
            left = re.sub(pattern, lambda hit: "_" * len(hit[0]), left)
    return [found[at] for at in sorted(found)]


def _state_in(clause: str) -> bool | None:
    """True where a clause calls something out of order, False where it calls it in order."""
    if _PHRASES["leaves it open"].search(clause):
        return None
    if _PHRASES["in order after all"].search(clause):
        return False
    if _PHRASES["out of order"].search(clause) or any(
        _PHRASES["made good"].match(clause[hit.end() :].lstrip())
        for hit in _PHRASES["still has to be"].finditer(clause)
    ):
        return True
    if _PHRASES["only a duty"].search(clause):
        return None
    return False if _PHRASES["in order"].search(clause) else None
