"""A lead-in and its items become whole sentences: "No person may … unless—" and "(1) …; or" are one rule
each.

Whether an item can stand alone depends on the list. "Unless A; or B" names alternatives, so they stay
together; "must A; and B" are two duties. Every sentence keeps the exact words of the text that it was
joined from. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from curation import conf
from curation.offline.definitions import is_definition
from knowledge.grounding.outline import Node
from knowledge.text.sentences import sentences_in


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that may be a rule. `refused` is why it cannot stand, if joining it already told."""

    statement: str
    quotes: tuple[str, ...]
    path: str
    listed: bool = False
    refused: str = ""
    leans_on: tuple[str, ...] = ()  # headings to name, where the sentence follows others or stands under them
    parts: tuple[str, ...] = ()  # the lead-ins and items of a list, each for itself
    at: int = 0  # where the words that it rests on first begin in the text
    headings: tuple[str, ...] = ()  # the run-in headings above it, outermost first


_MODAL = re.compile(
    r"\b(?:may|must|shall|should|is required|are required|required to|is prohibited|are "
    r"prohibited|need not|has the right-of-way"
    r"|have the right-of-way)\b",
    re.I,
)
_GATE = re.compile(r"\b(?P<gate>unless|except|only if|only when|if|when|where|provided)\b", re.I)
_DISTRIBUTIVE = re.compile(
    r"(?:during|at|in|for|if|when|while|on|over|under|within|below|above|after|before|between"
    r"|from|unless|except|prior to)\b"
    r"(?!.{0,4}$)[^;]*?,|(?:unless|if|when)\b",
    re.I,
)
_TERM_ALONE = 5  # words of a lead-in that is a term and nothing more: "Category:"
_KEEPS_CAPITAL = re.compile(
    r"[A-Z]{2}|[A-Z]\.|Class\b|Federal\b|FAA|Administrator|Category\b|United\b|U\.S|Mode\b"
    r"|January|Alaska|[A-Z]\d|[A-Z]-"
)
_TAIL = re.compile(r"[\s;,.]*(?:[;,]\s*(?:and|or|and/or))?[\s;,.]*$")


def candidates_in(text: str, nodes: tuple[Node, ...]) -> Iterator[Candidate]:
    """Every sentence of the outline that could be a rule, items joined with their lead-ins."""
    for node in nodes:
        for found in _candidates_of(text, node, nodes) if node.text else ():
            at = found.at or text.find(found.quotes[-1], node.start)
            yield replace(found, at=max(at, node.start), headings=node.headings())


def _candidates_of(text: str, node: Node, nodes: tuple[Node, ...]) -> Iterator[Candidate]:
    if definition := _listed_definition(node):
        yield definition
        return
    if _is_part_of_definition(node):
        return
    sentences = [sentence.text for sentence in sentences_in(node.text)]
    if node.is_lead_in:
        *sentences, _ = sentences
        yield from _alternatives(text, node)
    if sentences and is_definition(sentences[0]):
        yield _term_of_lead_in(node, sentences.pop(0))
    elif sentences and (node.lead_ins() or node.is_orphan):
        first, *sentences = sentences
        yield from _orphan(node, first) if node.is_orphan and not node.lead_ins() else _item(node, first)
    for place, sentence in enumerate(sentences):
        follows = place > 0 or bool(node.lead_ins()) or (not node.label and node is not nodes[0])
        yield _alone(node, sentence, node.headings() if follows else None)


def _term_of_lead_in(node: Node, sentence: str) -> Candidate:
    """A definition by itself; under "Category:" the term is the lead-in's."""
    above = node.lead_ins()[-1].text.rstrip(" :—") if node.lead_ins() else ""
    if not re.match(r"As used\b", sentence) or not 0 < len(above.split()) <= _TERM_ALONE:
        return _alone(node, sentence, None)
    statement = _finished(f"{above}, {_uncapitalised(sentence)}")
    return Candidate(statement, (node.lead_ins()[-1].text, sentence), node.cited_path)


def _listed_definition(node: Node) -> Candidate | None:
    """ "Amateur rocket means a rocket that:" with all its items is one definition."""
    if not node.is_lead_in or not is_definition(_lead_in_sentence(node)):
        return None
    items = [child for child in node.children if child.text]
    statement = _joined((node,), [("", _first(child)) for child in items], _conjunction(node))
    quotes = (_lead_in_sentence(node), *(_first(child) for child in items))
    nested = any(child.is_lead_in for child in items) or len(quotes) > conf.QUOTES
    return Candidate(
        _finished(statement),
        quotes[: conf.QUOTES],
        node.cited_path,
        listed=True,
        refused="a definition with lists within its list" if nested else "",
        at=node.start,
    )


def _is_part_of_definition(node: Node) -> bool:
    return any(is_definition(_lead_in_sentence(above)) for above in node.lead_ins())


def _alone(node: Node, sentence: str, headings: tuple[str, ...] | None) -> Candidate:
    """A sentence by itself; with headings (or none of them: ("",)) where it leans on what stands before."""
    leans_on = () if headings is None else headings or ("",)
    return Candidate(_finished(sentence), (sentence,), node.cited_path, leans_on=leans_on)


def _orphan(node: Node, item: str) -> Iterator[Candidate]:
    """An item whose lead-in stands in another chunk: only a sentence of its own can be read without it."""
    found = _alone(node, item, node.headings())
    yield found if _is_complete(item) else replace(found, refused="its lead-in is missing")


def _lead_in_sentence(node: Node) -> str:
    return sentences_in(node.text)[-1].text


def _chain(lead_ins: tuple[Node, ...]) -> tuple[Node, ...]:
    """The lead-ins that a sentence is joined from: a complete one among them begins it anew."""
    complete = [place for place, above in enumerate(lead_ins) if _is_complete(_lead_in_sentence(above))]
    return lead_ins[complete[-1] :] if complete else lead_ins


def _item(node: Node, item: str) -> Iterator[Candidate]:
    lead_ins = _chain(node.lead_ins())
    quotes = (*(_lead_in_sentence(above) for above in lead_ins), item)
    path = node.cited_path
    if _is_complete(item):
        place = _place(_lead_in_sentence(lead_ins[0]))
        leans_on = () if place else node.headings() or ("",)
        said = f"{place}{_uncapitalised(_finished(item))}" if place else _finished(item)
        yield Candidate(said, quotes, path, leans_on=leans_on)
        return
    if any(_must_stay_together(above) for above in lead_ins):
        return
    statement = _joined(lead_ins, [(node.heading, item)])
    if _is_sufficient_list(lead_ins[-1]):
        statement = _with_only(statement)
    yield Candidate(statement, quotes, path, listed=True)


def _alternatives(text: str, node: Node) -> Iterator[Candidate]:
    """The items of a list that only hold together, as one sentence."""
    if not _must_stay_together(node):
        return
    items = [child for child in node.children if child.text]
    if _is_complete(items[0].text):
        return
    if any(child.is_lead_in for child in items):
        sentence = _lead_in_sentence(node)
        yield Candidate(
            _finished(sentence), (sentence,), node.cited_path, refused="alternatives within alternatives"
        )
        return
    *outer, _ = chain = _chain((*node.lead_ins(), node))
    statement = _joined(chain, [(child.heading, _first(child)) for child in items], _conjunction(node))
    quote = text[text.index(_lead_in_sentence(node), node.start) : items[-1].end].strip()
    above = tuple(_lead_in_sentence(other) for other in outer)
    parts = (*above, _lead_in_sentence(node), *(_first(child) for child in items))
    yield Candidate(statement, (*above, quote), node.cited_path, listed=True, parts=parts, at=node.start)


def _first(node: Node) -> str:
    return sentences_in(node.text)[0].text


def _conjunction(parent: Node) -> str:
    """What joins the items: the word before the last of them, or what the lead-in says."""
    for child in parent.children:
        last = child
        while last.children:
            last = last.children[-1]
        if match := re.search(r"[;,]\s*(and/or|and|or)\s*$", last.text):
            return match[1]
    return (
        "or"
        if re.search(r"\b(?:one of the following|either|any of the following)\b", parent.text, re.I)
        else "and"
    )


def _gate(parent: Node) -> str:
    """The condition word in whose reach the items stand: the last one after the verb of the rule."""
    sentence = _lead_in_sentence(parent)
    verbs = [match.end() for match in _MODAL.finditer(sentence)]
    gates = [match for match in _GATE.finditer(sentence) if not verbs or match.start() >= verbs[-1]]
    closed = (
        gates
        and re.search(r",[^,]*$", sentence[gates[-1].end() :])
        and not re.search(r"\bequipped|\bhas|\bhave|\bis\b|\bare\b", sentence[gates[-1].end() :])
    )
    return gates[-1]["gate"].lower() if gates and not closed else ""


def _is_distributive(parent: Node) -> bool:
    items = [child for child in parent.children if child.text]
    return bool(items) and all(_DISTRIBUTIVE.match(child.text) for child in items)


def _is_sufficient_list(parent: Node) -> bool:
    """ "May … if A; and B": neither item alone is enough."""
    permits = bool(re.search(r"\bmay\b(?! (?:not|only))", _lead_in_sentence(parent))) and not _forbids(parent)
    return permits and _gate(parent) in ("if", "when", "provided", "where") and _conjunction(parent) == "and"


def _forbids(parent: Node) -> bool:
    return bool(
        re.search(
            r"\bno (?:person|pilot|operator)\b|\bmay not\b|\bmust not\b", _lead_in_sentence(parent), re.I
        )
    )


def _must_stay_together(parent: Node) -> bool:
    if re.search(
        (
            r"\b(?:highest|lowest|latest|earliest|greater|greatest|lesser|least|longest|shorter"
            r"|either|one|any|whichever) of the following"
        ),
        parent.text,
        re.I,
    ):
        return True
    if _is_distributive(parent):
        return False
    gate, conjunction = _gate(parent), _conjunction(parent)
    if conjunction in ("or", "and/or"):
        alternatives = gate in ("unless", "except") or (
            not gate and not _forbids(parent) and _obliges(parent)
        )
        return alternatives or (gate == "if" and not _permits(parent) and not _obliges(parent))
    return (
        _is_sufficient_list(parent)
        and len(_joined((parent,), [("", child.text) for child in parent.children])) <= conf.JOINED_LENGTH
    )


def _obliges(parent: Node) -> bool:
    return bool(re.search(r"\b(?:must|shall|required)\b", _lead_in_sentence(parent)))


def _permits(parent: Node) -> bool:
    return bool(re.search(r"\bmay\b", _lead_in_sentence(parent)))


def _with_only(statement: str) -> str:
    """A condition that is needed though not enough by itself: "may … only if"."""
    return (
        re.sub(
            r"(?<!only )\b(if|when|provided)\b(?!.*\b(?:if|when|provided)\b)", r"only \1", statement, count=1
        )
        if " may " in statement
        else statement
    )


_COMPLETE = re.compile(
    r"(?:However, )?(?:(?:If|When|While|Unless|Except|Before|After|During|For|In|Upon"
    r"|Notwithstanding|Where|Until)\b[^;]*?, )?"
    r"(?:the|a|an|each|any|no|every|all|both|persons?|pilots?|aircraft|operators?"
    r"|you)\b[^,;]{0,220}?\b(?<!that )(?<!which )(?<!who )"
    r"(?:must|may|shall|has the right|have the right)\b",
    re.I,
)


def _is_complete(item: str) -> bool:
    """Whether an item is a sentence with a subject and a verb of its own."""
    if re.match(r"(?:that|which|who)\b", item, re.I):
        return False
    item = re.sub(r"^However, ([a-z])", lambda match: match[1].upper(), item)
    return bool(_COMPLETE.match(item) or _PLAIN_SENTENCE.match(item))


_PLAIN_SENTENCE = re.compile(
    r"[A-Z][a-z]+(?:[ -](?!that\b|which\b|who\b|if\b|as\b)[\w'’-]+){0,8}? (?:must|shall|may)\b"
)


_GERUNDS = {
    "operate": "operating",
    "conduct": "conducting",
    "begin": "beginning",
    "act": "acting",
    "serve": "serving",
    "fly": "flying",
    "take off": "taking off",
    "use": "using",
    "carry": "carrying",
    "tow": "towing",
    "land": "landing",
    "install": "installing",
}
_FORBIDDEN = re.compile(
    (
        rf"^(?P<before>.*?)\bno person may (?P<verb>{'|'.join(_GERUNDS)}) (?P<what>.+?),? (?:except in "
        rf"compliance with|unless|except)\b.*following"
    ),
    re.I,
)
_OPERATING = re.compile(
    (
        r"^(?:each|a|any) (?:person|pilot|operator)\b (?:who )?(?:operating|operates) (?P<what>.+?) "
        r"(?:must|shall)\b"
    ),
    re.I,
)


_PERMITTED = re.compile(
    r"\bthe following [a-z ]*?may be [a-z]+ (?P<where>(?:in|within|at|under|over) .+?)\W*$", re.I
)


def _place(lead_in: str) -> str:
    if match := _FORBIDDEN.match(lead_in):
        return f"When {_GERUNDS[match['verb'].lower()]} {match['what']}, "
    if match := _OPERATING.match(lead_in):
        return f"When operating {match['what']}, "
    if re.match(r"(?:If|When|While|For)\b", lead_in) and not _MODAL.search(lead_in):
        return re.sub(r"\W+$", "", lead_in) + ", "
    if match := _PERMITTED.search(lead_in):
        return f"{match['where'][0].upper()}{match['where'][1:]}, "
    return ""


def _joined(lead_ins: tuple[Node, ...], items: list[tuple[str, str]], conjunction: str = "") -> str:
    said, last_lead_in = "", ""
    for above in lead_ins:
        sentence = _lead_in_sentence(above)
        said, last_lead_in = _attached(said, sentence, last_lead_in), sentence
    parts = [_body(item) for _, item in items]
    glue = f"; {conjunction} " if conjunction else " "
    last = glue.join(["; ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]
    whole = _attached(said, last, last_lead_in if len(lead_ins) > 1 else "")
    heading = items[0][0] if len(items) == 1 else ""
    if re.match(r"(?:For|During|When|At|In)\b", heading):
        whole = f"{heading}, {_uncapitalised(whole)}"
    return _finished(whole)


_NEW_SUBJECT = re.compile(
    (
        r"(?:each|any|no|every|the|a|an) (?:[a-z-]+ ){0,3}(?:person|pilot|operator|applicant|airplane"
        r"|aircraft|owner)\b"
    ),
    re.I,
)


_VERBS = re.compile(
    (
        r"\b(?:may|must|shall|is|are|was|were|has|have|had|does|do|will|holds?|meets?|includes?"
        r"|provides?|complies|operat\w+|unless|if|when|to|not|with|of|by)\b\W*"
    ),
    re.I,
)


def _attached(said: str, more: str, title: str = "") -> str:
    """A lead-in and what follows it: after "the following" or a title, a colon; before a condition, a
    comma."""
    if not said:
        return more
    opened = re.sub(r"\s*(?:—|--|:)\s*$", "", said)
    announces = re.search(
        r"\b(?:following|prescribed below|listed below)\b(?!.*: )", opened
    ) and said.rstrip().endswith((":", "—"))
    if announces and _NEW_SUBJECT.match(more):
        place = _place(said)
        return f"{place}{_uncapitalised(more)}" if place else more
    if announces:
        return f"{opened}: {_uncapitalised(more)}"
    if (
        title
        and not _NEW_SUBJECT.match(title)
        and not _VERBS.search(title)
        and title.rstrip().endswith((":", "—"))
    ):
        return f"{opened}: {_uncapitalised(more)}"
    comma = "," if _wants_comma(title or opened, more) or _wants_comma(opened, more) else ""
    return f"{opened}{comma} {_uncapitalised(more)}"


_OPEN_PHRASE = re.compile(
    r"\b(?:with|of|in|to|for|by|at|under|on|from|as|that|is|are|was|has|have|had|holds?|if|unless|when|either|both|and|or)\W*$"
)


def _wants_comma(opened: str, more: str) -> bool:
    if (
        not _OPEN_PHRASE.search(opened)
        and re.match(r"(?:If|When|For|In|While|During|After|Before|Except)\b", re.sub(r"\W+$", "", opened))
        and not _MODAL.search(opened)
    ):
        return True
    condition = re.match(r"(?:during|at|except|after|before|in|for|within)\b[^,;]*,", more, re.I)
    return bool(condition) and not opened.endswith(",")


def _body(item: str) -> str:
    return _uncapitalised(_TAIL.sub("", item))


def _uncapitalised(words: str) -> str:
    return words if _KEEPS_CAPITAL.match(words) or not words else words[0].lower() + words[1:]


_OPENING = re.compile(
    r"^(?:\d{1,2}(?:\.\d{1,2}){1,4}\.? (?=[A-Z])|(?i:note): )?"
    r"(?:(?i:however|in addition|additionally|further|furthermore|also|therefore|thus)\b,? )?"
)


def _finished(sentence: str) -> str:
    """A sentence with a capital and one full stop, in one line, without its number and without "however"."""
    said = _OPENING.sub("", " ".join(sentence.split()))
    said = _TAIL.sub("", said) if re.search(r"(?:[;,]|; (?:and|or))$", said) else said
    said = said[:1].upper() + said[1:]
    return said if said.endswith((".", "!", "?", ":", "—", ".”", '."', ".)")) else said + "."
