"""Join a lead-in and its items into whole sentences: "No person may … unless—" and "(1) …; or" are one rule each.

Whether an item can stand alone depends on the list. "Unless A; or B" names alternatives, so they stay together;
"must A; and B" are two duties. Every sentence keeps the exact words of the text that it was joined from. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from curation import conf
from curation.offline.definitions import is_definition
from knowledge.grounding.outline import Node
from knowledge.text.clauses import clauses_in
from knowledge.text.phrases import read_phrase_lists
from knowledge.text.sentences import sentences_in
from knowledge.text.tokens import content_words


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


_PHRASES: Final = read_phrase_lists(Path(__file__).with_name("phrases.yaml"))
_TERM_ALONE: Final = 5  # words of a lead-in that is a term and nothing more: "Category:"
_TAIL: Final = re.compile(r"[\s;,.]*(?:[;,\s]\s*(?:and|or|and/or))?[\s;,.]*$")
_OPENING: Final = re.compile(
    r"^(?:\d{1,2}(?:\.\d{1,2}){1,4}\.? (?=[A-Z])|(?i:note): )?"
    r"(?:(?i:however|in addition(?! to\b)|additionally|further|furthermore|also|therefore|thus|accordingly"
    r"|consequently)\b,? )?"
)
_CASE: Final = r"(?:if|in the case of) [^;]*,"
_BY_DOING: Final = r"\bby [a-z]+ing\b(?=[^,;]*$)"  # "may apply by presenting the following—"
_MET: Final = r"\bmay\b.*\b(?:requirement|condition)s?\b.{0,40}\b(?:met|satisfied)\W*$"
_COMPLETE: Final = re.compile(
    r"(?:However, )?(?:(?:If|When|While|Unless|Except|Before|After|During|For|In|Upon"
    r"|Notwithstanding|Where|Until)\b[^;]*?, )?"
    r"(?:the|a|an|each|any|no|every|all|both|that|such|persons?|pilots?|aircraft|operators?"
    r"|you)\b[^,;]{0,220}?\b(?<!that )(?<!which )(?<!who )"
    r"(?:must|may|shall|has the right|have the right)\b",
    re.I,
)
_GERUNDS: Final = {
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


def candidates_in(text: str, nodes: tuple[Node, ...]) -> Iterator[Candidate]:
    """Every sentence of the outline that could be a rule, items joined with their lead-ins."""
    for node in nodes:
        for found in _candidates_of(text, node, nodes) if node.text else ():
            at = found.at or text.find(found.quotes[-1], node.start)
            yield replace(found, at=max(at, node.start), headings=node.headings())


def _candidates_of(text: str, node: Node, nodes: tuple[Node, ...]) -> Iterator[Candidate]:
    if node.is_lead_in and is_definition(_last_sentence(node)):
        yield _definition_of_list(node)
        return
    if any(is_definition(_last_sentence(above)) for above in node.lead_ins()):
        return
    sentences = _sentences_of(node)
    if node.is_lead_in:
        *sentences, _ = sentences
        yield from _list_that_stays_together(text, node)
    if sentences and is_definition(sentences[0]):
        yield _definition_under_term(node, sentences.pop(0))
    elif sentences and node.lead_ins():
        yield from _item_with_lead_ins(node, sentences.pop(0))
    elif sentences and node.is_orphan:
        item = sentences.pop(0)
        found = _sentence_alone(node, item, node.headings())
        yield found if _is_complete(item) else replace(found, refused="its lead-in is missing")
    for place, sentence in enumerate(sentences):
        follows = place > 0 or bool(node.lead_ins()) or (not node.label and node is not nodes[0])
        yield _sentence_alone(node, sentence, node.headings() if follows else None)


def _sentences_of(node: Node) -> list[str]:
    """The sentences of a paragraph; one about "those cases" belongs to the sentence before, which names them."""
    sentences: list[str] = []
    for sentence in sentences_in(node.text):
        if sentences and re.match(r"In (?:that|those|such) cases?, ", sentence.text):
            sentences[-1] += f" {sentence.text}"
        else:
            sentences.append(sentence.text)
    return sentences


def _definition_under_term(node: Node, sentence: str) -> Candidate:
    """A definition by itself; under "Category:" the term is the lead-in's."""
    above = node.lead_ins()[-1].text.rstrip(" :—") if node.lead_ins() else ""
    if not sentence.startswith("As used ") or not 0 < len(above.split()) <= _TERM_ALONE:
        return _sentence_alone(node, sentence, None)
    statement = _finish_sentence(f"{above}, {_lower_first(sentence)}")
    return Candidate(statement, (node.lead_ins()[-1].text, sentence), node.cited_path)


def _definition_of_list(node: Node) -> Candidate:
    """ "Amateur rocket means a rocket that:" with all its items is one definition."""
    items = _items_of(node)
    quotes = (_last_sentence(node), *(_first_sentence(child) for child in items))
    nested = any(child.is_lead_in for child in items) or len(quotes) > conf.QUOTES
    return Candidate(
        _join_items((node,), quotes[1:], _conjunction_of(node)),
        quotes[: conf.QUOTES],
        node.cited_path,
        listed=True,
        refused="a definition with lists within its list" if nested else "",
        at=node.start,
    )


def _sentence_alone(node: Node, sentence: str, headings: tuple[str, ...] | None) -> Candidate:
    """A sentence by itself; with headings (or none of them: ("",)) where it leans on what stands before."""
    leans_on = () if headings is None else headings or ("",)
    return Candidate(_finish_sentence(sentence), (sentence,), node.cited_path, leans_on=leans_on)


def _items_of(node: Node) -> list[Node]:
    return [child for child in node.children if child.text]


def _first_sentence(node: Node) -> str:
    return sentences_in(node.text)[0].text


def _last_sentence(node: Node) -> str:
    return sentences_in(node.text)[-1].text


def _from_last_complete(lead_ins: tuple[Node, ...]) -> tuple[Node, ...]:
    """The lead-ins that a sentence is joined from: a complete one among them begins it anew."""
    complete = [place for place, above in enumerate(lead_ins) if _is_complete(_last_sentence(above))]
    return lead_ins[complete[-1] :] if complete else lead_ins


def _item_with_lead_ins(node: Node, item: str) -> Iterator[Candidate]:
    lead_ins = _from_last_complete(node.lead_ins())
    quotes = (*(_last_sentence(above) for above in lead_ins), item)
    path = node.cited_path
    is_requirement = " may " not in item and _are_requirements_of_permission(lead_ins[-1])
    is_under_title = (
        lead_ins == lead_ins[-1:] and _is_title(_last_sentence(lead_ins[-1])) and clauses_in(item).modality
    )
    if (_is_complete(item) or is_under_title) and not is_requirement:
        circumstance = next(filter(None, (_circumstance_in(_last_sentence(above)) for above in lead_ins)), "")
        opening = _opening_of(_last_sentence(lead_ins[-1]))
        is_aim_told = opening.startswith("To ") and not set(content_words(opening)) - set(content_words(item))
        if item.startswith("Except") or is_aim_told or opening.lower() in circumstance.lower():
            opening = ""
        opening += _lower_first(circumstance) if opening else circumstance
        said = _finish_sentence(item)
        leans_on = () if circumstance else node.headings() or ("",)
        yield Candidate(
            f"{opening}{_lower_first(said)}" if opening else said, quotes, path, leans_on=leans_on
        )
        return
    together = [above for above in lead_ins if _must_stay_together(above)]
    is_own = node.parent is lead_ins[-1] and not _PHRASES["modal"].is_in(item)
    if together and not (is_own and together == [node.parent] and _is_too_long_for_one_sentence(lead_ins)):
        return
    statement = _say_only(_join_items(lead_ins, (item,), heading=node.heading), lead_ins)
    if together:  # one of several ways, of which the sentence must not say that it is the only one
        others = f"paragraph {lead_ins[-1].cited_path} of this section"
        statement = f"{statement.removesuffix('.')}, or as {others} otherwise provides."
    yield Candidate(statement, quotes, path, listed=True)


def _is_too_long_for_one_sentence(lead_ins: tuple[Node, ...]) -> bool:
    """Whether the alternatives below the last lead-in make no sentence of a claim together."""
    *_, parent = lead_ins
    items = _items_of(parent)
    if _conjunction_of(parent) != "or" or not parent.cited_path:
        return False
    if _PHRASES["list that stays together"].is_in(parent.text) or _point_at_each_other(parent, items):
        return False
    if any(item.is_lead_in for item in items):
        return True
    return len(_join_items(lead_ins, [_first_sentence(item) for item in items])) > conf.STATEMENT_LENGTH


def _is_title(lead_in: str) -> bool:
    """Whether a lead-in only names what its items are about: "Power Requirements—"."""
    words = re.findall(r"\w[\w'’-]*", lead_in)
    return (
        bool(words)
        and all(word[:1].isupper() or len(word) <= 3 for word in words)
        and not clauses_in(lead_in).rest
    )


def _say_only(statement: str, lead_ins: Sequence[Node]) -> str:
    """ "May … only if A", where A is one of several conditions that must all hold."""
    if " may " not in statement or not any(map(_is_sufficient_only_together, lead_ins)):
        return statement
    lead_in, colon, items = statement.partition(": ")
    if colon and re.search(
        r"\b(?:if|when|provided)\b", lead_in
    ):  # an item may open with a condition of its own
        return _say_only(lead_in, lead_ins) + colon + items
    if colon and re.search(_BY_DOING, lead_in) and not re.search(r"\b(?:if|when|provided)\b", lead_in):
        return re.sub(_BY_DOING, r"only \g<0>", lead_in) + colon + items
    gate = r"(?<!only )\b(if|when|provided(?: that(?= (?:the|an?|each|no|any)\b))?)\b(?!.*\b(?:if|when|provided)\b)"
    statement = re.sub(gate, r"only \1", statement, count=1)
    return re.sub(r"\bonly provided(?: that(?= (?:the|an?|each|no|any)\b))?", "only if", statement)


def _list_that_stays_together(text: str, node: Node) -> Iterator[Candidate]:
    """The items of a list that only hold together, as one sentence."""
    items = _items_of(node)
    is_alone = _is_complete(items[0].text) and not _are_requirements_of_permission(node)
    if not _must_stay_together(node) or is_alone:
        return
    lead_in = _last_sentence(node)
    if any(child.is_lead_in for child in items):
        refused = "alternatives within alternatives"
        yield Candidate(_finish_sentence(lead_in), (lead_in,), node.cited_path, refused=refused)
        return
    *outer, _ = chain = _from_last_complete((*node.lead_ins(), node))
    if any(map(_must_stay_together, outer)):
        return
    said = tuple(_first_sentence(child) for child in items)
    heading = items[0].heading if len(items) == 1 else ""
    above = tuple(_last_sentence(other) for other in outer)
    yield Candidate(
        _say_only(_join_items(chain, said, _conjunction_of(node), heading=heading), outer),
        (*above, text[text.index(lead_in, node.start) : items[-1].end].strip()),
        node.cited_path,
        listed=True,
        parts=(*above, lead_in, *said),
        at=node.start,
    )


# --- whether items can stand alone -----------------------------------------------------------------------------


def _must_stay_together(parent: Node) -> bool:
    """Whether the items of a list mean something else one by one."""
    if _PHRASES["list that stays together"].is_in(parent.text):
        return True
    items = _items_of(parent)
    if _point_at_each_other(parent, items):
        return True
    if items and all(_names_circumstance(child.text) for child in items):
        return False
    is_unless = _condition_word(_last_sentence(parent)) in ("unless", "except")  # both ways are open to all
    if items[1:] and not is_unless and all(re.match(_CASE, child.text, re.I) for child in items[1:]):
        return False  # "A; or, if X, B": the first is for all others
    if re.search(r"\bnot\W*$", _last_sentence(parent)):
        return False  # "is not A; or B": neither
    if _conjunction_of(parent) == "and":
        if any(child.is_lead_in for child in items):
            return False
        together = _join_items((parent,), [child.text for child in parent.children])
        return _is_sufficient_only_together(parent) and len(together) <= conf.JOINED_LENGTH
    lead_in = ""
    for above in _from_last_complete((*parent.lead_ins(), parent)):  # the duty may stand in a lead-in above
        lead_in = _attach_words(lead_in, _last_sentence(above))
    if re.search(r"\bfor each of the following\b", lead_in):
        return False
    gate = _condition_word(lead_in)
    obliges = _PHRASES["obliges"].is_in(lead_in)
    is_only = re.search(r"\bmay\b.*\bonly\b", lead_in)  # "may … only for A; or B": A is not the only one
    if is_only or any(map(_is_sufficient_only_together, parent.lead_ins())):
        return True
    if gate == "if":
        return not obliges and not re.search(r"\bmay\b", lead_in)
    return gate in ("unless", "except") or (not gate and obliges and not _PHRASES["forbids"].is_in(lead_in))


def _point_at_each_other(parent: Node, items: Sequence[Node]) -> bool:
    """Whether an item speaks of something that only an item before it names: "from that airport"."""
    if len(_join_items((parent,), [item.text for item in items])) > conf.STATEMENT_LENGTH:
        return False
    before = ""
    for item in map(_first_sentence, items):
        for found in _PHRASES["pointing"].find_all(item):
            thing = found.group().split()[-1].lower()
            if thing in before and thing not in f"{_last_sentence(parent)} {item[: found.start()]}".lower():
                return True
        before += f" {item.lower()}"
    return False


def _names_circumstance(item: str) -> bool:
    """Whether an item says when or where before it says what: "At night, …"."""
    found = _PHRASES["distributive"].find_start(item)
    return _PHRASES["condition"].begins(item) or (
        found is not None and "," in item[found.end() :].partition(";")[0]
    )


def _is_sufficient_only_together(parent: Node) -> bool:
    """ "May … if A; and B": neither item alone is enough."""
    lead_in = _last_sentence(parent)
    permits = re.search(r"\bmay\b(?! (?:not|only))", lead_in) and not _PHRASES["forbids"].is_in(lead_in)
    gate = _condition_word(lead_in) if permits else ""
    is_gated = gate in ("if", "when", "provided", "where") or (permits and re.search(_BY_DOING, lead_in))
    return bool(is_gated) and _conjunction_of(parent) == "and"


def _are_requirements_of_permission(parent: Node) -> bool:
    """ "May … provided the following requirements are met": an item is no duty by itself, even if it says "must"."""
    return _is_sufficient_only_together(parent) and re.search(_MET, _last_sentence(parent)) is not None


def _conjunction_of(parent: Node) -> str:
    """What joins the items: the word before the last of them, or what the lead-in says."""
    for last in parent.children:
        while last.children:
            last = last.children[-1]
        if found := re.search(r"[;,\s]\s*(and/or|and|or)\s*$", last.text):
            return found[1]
    return "or" if _PHRASES["one of the items"].is_in(parent.text) else "and"


def _condition_word(sentence: str) -> str:
    """The condition word in whose reach a lead-in's items stand: the last one after the verb of the rule."""
    verbs = [found.end() for found in _PHRASES["modal"].find_all(sentence)]
    gates = [
        found for found in _PHRASES["gate"].find_all(sentence) if not verbs or found.start() >= verbs[-1]
    ]
    if not gates:
        return ""
    open_gates = [
        found.group().lower()
        for found in gates
        if "," not in (behind := sentence[found.end() :])
        or re.search(r"\b(?:equipped|has|have|is|are)\b", behind)
    ]
    if gates[-1].group().lower() != (open_gates or [""])[-1]:
        return ""
    # "Unless the pilot carries, when flying alone, …": the items are what "unless" demands.
    return next((gate for gate in open_gates if gate in ("unless", "except")), open_gates[-1])


def _is_complete(item: str) -> bool:
    """Whether an item is a sentence with a subject and a verb of its own."""
    if re.match(r"(?:that|which|who|such)\b", item, re.I):
        return False
    if re.match(r"For (?:the )?purposes? of\b", item):
        return True
    plain = re.sub(r"^However, ([a-z])", lambda found: found[1].upper(), item)
    return bool(
        _COMPLETE.match(plain)
        or re.match(
            r"[A-Z][a-z]+(?:[ -](?!(?:that|which|who|if|as)\b)[\w'’-]+){0,8}? (?:must|shall|may)\b", plain
        )
    )


# --- putting words together ------------------------------------------------------------------------------------


def _opening_of(lead_in: str) -> str:
    """The exceptions and conditions that open a lead-in: "Except as provided in § 7.1, ", "If the board agrees, "."""
    clauses = clauses_in(lead_in)
    told = any(words in clauses.opening for words in (*clauses.exceptions, *clauses.conditions))
    is_only_link = re.match(r"(?:Notwithstanding|In addition)\b", clauses.opening)  # to other rules
    return f"{clauses.opening}, " if told and not is_only_link else ""


def _circumstance_in(lead_in: str) -> str:
    """What a lead-in says of when or where its items hold: "When operating an aircraft, "; "" if nothing."""
    forbidden = re.match(
        rf".*?\bno person may (?P<verb>{'|'.join(_GERUNDS)}) (?P<what>.+?),? "
        r"(?:(?:except in compliance with|unless|except(?=[^,]*following))\b.*following|unless\W*$)",
        lead_in,
        re.I,
    )
    if forbidden:
        return f"When {_GERUNDS[forbidden['verb'].lower()]} {forbidden['what']}, "
    who = r"(?:Except as [^,;]*, )?(?:each|a|any) (?:person|pilot|operator)\b"
    operating = rf"{who} (?:who )?operat(?:ing|es) (.+?) (?:must|shall)\b"
    if found := re.match(operating, lead_in, re.I):
        return f"When operating {found[1]}, "
    eligible = r".*?\b(to be eligible for .+?),? an? (?:applicant|person)\b[^,;]* must\W*$"
    if found := re.match(eligible, lead_in, re.I):
        return f"{found[1][0].upper()}{found[1][1:]}, "
    if (
        _PHRASES["time or place"].begins(lead_in)
        and lead_in[0].isupper()
        and not _PHRASES["modal"].is_in(lead_in)
    ):
        return re.sub(r"\W+$", "", lead_in) + ", "
    permitted = r"\bthe following [a-z ]*?may be [a-z]+ ((?:in|within|at|under|over) .+?)\W*$"
    if found := re.search(permitted, lead_in, re.I):
        return f"{found[1][0].upper()}{found[1][1:]}, "
    return ""


def _join_items(
    lead_ins: Sequence[Node], items: Sequence[str], conjunction: str = "", heading: str = ""
) -> str:
    """Lead-ins and items as one sentence, under a heading that says when."""
    said, last_lead_in = "", ""
    for above in lead_ins:
        own = f"paragraph {above.cited_path} of this section" if above.cited_path else "this paragraph"
        sentence = re.sub(r"\bthis paragraph\b(?! \()(?: of this section)?", own, _last_sentence(above))
        said, last_lead_in = _attach_words(said, sentence, last_lead_in), sentence
    *first, last = [_lower_first(_TAIL.sub("", item)) for item in items]
    listed = f"{'; '.join(first)}; {conjunction} {last}" if first else last
    whole = _attach_words(said, listed, last_lead_in if len(lead_ins) > 1 else "")
    if _PHRASES["heading condition"].begins(heading):
        whole = f"{heading}, {_lower_first(whole)}"
    return _finish_sentence(whole)


def _attach_words(said: str, more: str, title: str = "") -> str:
    """A lead-in and what follows: a colon after "the following" or a title, a comma before a condition."""
    if not said:
        return more
    opened = re.sub(r"\s*(?:—|--|:)\s*$", "", said)
    announced = [found.end() for found in _PHRASES["announces"].find_all(opened)]
    announces = announced and ": " not in opened[announced[-1] :] and said.rstrip().endswith((":", "—"))
    is_requirement = re.search(_MET, said) and not _PHRASES["forbids"].is_in(said)
    stands_alone = _begins_with_subject(more) and not is_requirement
    if announces and stands_alone and (more.endswith(("—", ":")) or clauses_in(more).subject):
        circumstance = _circumstance_in(said)
        return f"{circumstance}{_lower_first(more)}" if circumstance else more
    is_name = re.fullmatch(r"(?:[\w-]+ ){0,5}[\w-]+[:—]\s*", title)  # "Conditions of flight—"
    named = title.replace(" of ", " ") if is_name else title
    titled = title.rstrip().endswith((":", "—")) and not (
        _begins_with_subject(title)
        or _PHRASES["verb or link"].is_in(named)
        or set(re.findall(r"\w+", title)[-1:]) & _PHRASES["open end"].words
    )
    is_case = more.endswith(("—", ":")) and _PHRASES["heading condition"].begins(more)
    open_verb = r"\b(?:may|must|shall|at least)(?P<case>, (?:for|during|when|at|in) [^,;:]+)?$"
    opening = re.search(open_verb, opened) if is_case or titled else None
    if opening and (is_case or opening["case"]):
        return f"{opened}, {_lower_first(more)}"  # "may, for an airship, give an endorsement"
    if announces or (titled and not _PHRASES["modal"].begins(more)):
        return f"{opened}: {_lower_first(more)}"
    comma = "," if _wants_comma(title or opened, more) or _wants_comma(opened, more) else ""
    return f"{opened}{comma} {_lower_first(more)}"


def _begins_with_subject(words: str) -> bool:
    """Whether the words begin with somebody or something that a rule binds: "Each certificated pilot …"."""
    plain = re.match(r"[a-z -]*", words.lower())
    first, *others = (plain.group().split() if plain else [])[:5] or [""]
    return first in _PHRASES["determiner"].words and any(
        one in _PHRASES["rule subject"].words for one in others
    )


def _wants_comma(opened: str, more: str) -> bool:
    last = re.findall(r"\w+", opened)[-1:]
    if last == ["except"] or re.match(r"(?i:must|may|shall|should|is|are|has|have|was|were|holds?)\b", more):
        return False  # what follows is the exception, or the verb of what was opened
    if (
        not set(last) & _PHRASES["open end"].words
        and _PHRASES["opens with condition"].begins(opened)
        and opened[:1].isupper()
        and not _PHRASES["modal"].is_in(opened)
    ):
        return True
    condition = _PHRASES["leading condition"].find_start(more)
    return (
        condition is not None
        and re.match(r"[^,;]*,", more[condition.end() :]) is not None
        and not opened.endswith(",")
    )


def _lower_first(words: str) -> str:
    abbreviated = words[:1].isupper() and (
        words[1:2].isupper() or words[1:2].isdigit() or words[1:2] in (".", "-")
    )
    named = abbreviated or _PHRASES["keeps its capital"].begins(words)
    return words if named else words[:1].lower() + words[1:]


def _finish_sentence(sentence: str) -> str:
    """A sentence with a capital and one full stop, in one line, without its number and without "however"."""
    said = _OPENING.sub("", " ".join(sentence.split()))
    said = _TAIL.sub("", said) if re.search(r"(?:[;,]|; (?:and|or))$", said) else said
    said = re.sub(r"\. In (that|those|such) (cases?), ", r"; in \1 \2, ", said[:1].upper() + said[1:])
    return said if said.endswith((".", "!", "?", ":", "—", ".”", '."', ".)")) else said + "."
