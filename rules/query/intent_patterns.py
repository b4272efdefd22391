"""Sort the clauses of a message into questions for the rules and questions for a database of airports. Pure.

A database knows airports, what they have, and the ways between them; the rules know what is allowed, required and usual.
The phrases are in `intents.yaml`. Those that ask for a rule ("must", "allowed") weigh more than facts that are only
mentioned ("fuel"), and a wish to find something ("list airfields that…") weighs more than both.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from knowledge.text.phrases import read_phrase_lists

Want = Literal["rules", "database"]


@dataclass(frozen=True, slots=True)
class Request:
    """A clause that wants something. `sure` is False where words of both kinds stand in it, or only a topic;
    `finds` is what asks, beside a rule, for airports that it holds for: a database's half of the clause."""

    wants: Want
    sure: bool
    because: str
    clause: str = ""
    finds: str = ""


_WORDS: Final = read_phrase_lists(Path(__file__).with_name("intents.yaml"))
_CUT: Final = re.compile(
    r"[.?!;:](?=\s|$)|\s[-–—]\s|(?!(?<=@) and @(?!@)),?\s+\b(?:and|plus|also|then|but|while|as well as|together with|along with)\b(?:\s+(?:also|then|please))?\s+|,\s+|\s[&+]\s|\n"
)
_THING_WORDS: Final = 4  # at most, of a thing that is asked for by its name and an airport's
_JOINS: Final = frozenset({"and", "plus", "also", "&", "+"})


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a text that may want something; `opens` is True where a sentence begins with it, `goes_on` where "and"
    follows it, `joined` where "and" stands before it, `leads` where a colon ends what it belongs to."""

    text: str
    opens: bool
    goes_on: bool = False
    joined: bool = False
    leads: bool = False


def clauses_of(text: str) -> Iterator[Clause]:
    plain, opens, joined, end = " ".join(text.lower().replace("’", "'").split()), True, False, 0
    for cut in [*_CUT.finditer(plain), None]:
        part = plain[end : cut.start() if cut else None].strip(" ,.?!;:-–—\"'()")
        goes_on = cut is not None and not _JOINS.isdisjoint(cut[0].split())
        is_about_rules = _WORDS["asks"].is_in(part) or _WORDS["topics"].is_in(part)
        if goes_on and _WORDS["unfinished"].is_all_of(part) and not is_about_rules:
            continue
        if part:
            leads = cut is not None and ":" in re.split(r"[.?!;]", plain[cut.start() :])[0]
            yield Clause(part, opens, goes_on, joined, leads)
            joined = goes_on
        if cut:
            opens, end = bool(re.match(r"[.?!;:\n]", cut[0])) or (opens and not part), cut.end()


def begins_a_question(clause: str) -> bool:
    """Whether a clause asks, or tells to say, something itself, rather than more about the one before."""
    return _WORDS["begins"].begins(clause) and not clause.startswith("if ")


def request_of(clause: str) -> Request | None:
    """What one clause wants; None where it wants nothing by itself."""
    finds, facts, asks, topic, rule = (
        _WORDS[name].find(clause) for name in ("finds", "facts", "asks", "topics", "chosen by rule")
    )
    # "Are there airfields where no PPR is needed?" asks whether it may be so, not for their names.
    lists = finds and _WORDS["asks for a list"].begins(finds[0]) and not _WORDS["in general"].is_in(clause)
    if finds and lists and rule and rule.end() > finds.end():
        return Request("rules", True, rule[0], finds=finds[0])
    if finds and asks:
        first = finds if finds.start() <= asks.start() else asks
        return Request("database" if first is finds else "rules", False, first[0])
    if finds:
        return Request("database", True, finds[0])
    if asks:
        return Request("rules", not facts, asks[0])
    if facts:
        # A thing that airports have may be named without one, and without asking where it is to be had.
        only_named = _WORDS["thing"].is_all_of(facts[0]) and not _WORDS["had somewhere"].is_in(clause)
        return Request("database", not topic and not only_named, facts[0])
    either = _WORDS["either"].find(clause)
    if either:
        return Request("rules", True, either[0])
    return Request("rules", False, topic[0]) if topic else None


def requests_in(text: str) -> tuple[Request, ...]:
    """What a message wants, clause by clause. `text` has "@" for each place and "@@" for an airport. A clause that is
    only a circumstance of another, or says more about the one before, wants nothing itself."""
    clauses, orders = _without_orders(tuple(clauses_of(text)))
    found = [(clause, request) for clause in clauses if (request := request_of(clause.text))]
    if not found and len(clauses) == 1:
        return _thing_of_airport(clauses[0].text) or orders
    asked = [(clause, request) for clause, request in found if not _is_circumstance(clause, request)]
    if not asked:
        # Questions of which no word tells what they want, beside circumstances alone: mostly for a rule.
        told = {clause for clause, _ in found}
        rest = [one for one in clauses if one not in told and _WORDS["asks itself"].begins(one.text)]
        asked = [(clause, Request("rules", False, clause.text.split()[0])) for clause in rest] or found
    if len({request.wants for _, request in asked}) == 2:
        asked = [one for one in asked if not _is_waved_off(*one)] or asked
    about_rules = any(request.wants == "rules" for _, request in asked)
    kept: list[Request] = []
    for clause, request in asked:
        named = not request.sure and not clause.opens and _WORDS["thing"].is_all_of(request.because)
        if about_rules and request.wants == "database" and named:
            continue  # beside a question about rules, a mere thing is no question of its own: "and for fuel"
        if not kept or request.wants == kept[-1].wants or _stands_alone(clause, request):
            kept.append(replace(request, clause=clause.text, finds=""))
            if request.finds:  # of "which airfields need PPR" a list, beside the rule
                kept.append(replace(kept[-1], wants="database", because=request.finds))
    return tuple(kept) or orders


def _thing_of_airport(clause: str) -> tuple[Request, ...]:
    """A thing with an airport's name behind it, and nothing else: "curfew at EBBR", "fire category LFMD"."""
    *thing, airport = clause.removesuffix(" please").split()
    thing = thing[:-1] if thing[-1:] in (["at"], ["of"], ["for"], ["in"]) else thing
    named = " ".join(thing)
    leads_there = any(word in ("to", "from", "via") or word.endswith("ing") for word in thing)
    if airport != "@@" or not 1 <= len(thing) <= _THING_WORDS or leads_there or is_elliptic(named):
        return ()
    return (Request("database", False, named, clause),) if re.fullmatch(r"[-\w ]+", named) else ()


def _without_orders(clauses: Sequence[Clause]) -> tuple[list[Clause], tuple[Request, ...]]:
    """The clauses that are no orders to do something, which this desk cannot, and what such an order counts for: it
    asks no database. A clause that only goes on with an order goes with it."""
    kept: list[Clause] = []
    orders: list[Request] = []
    ordered = False
    for clause in clauses:
        told = _WORDS["told to act"].find_start(clause.text)
        verb = _WORDS["order"].find(told[0]) if told else None
        ordered = bool(verb) or (ordered and not clause.opens and not _WORDS["begins"].begins(clause.text))
        if verb:
            orders.append(Request("rules", True, verb[0], clause.text))
        elif not ordered:
            kept.append(clause)
    return kept, tuple(orders[:1])


def _is_waved_off(clause: Clause, request: Request) -> bool:
    """ "Not looking for airports, just the rules": what is asked for beside it is all that is wanted."""
    before = clause.text[: clause.text.find(request.because) + len(request.because)]
    return _WORDS["waved off" if request.wants == "rules" else "not wanted"].is_in(before)


def _is_circumstance(clause: Clause, request: Request) -> bool:
    if request.wants != "database":
        return False
    if (clause.leads or _WORDS["states"].is_in(clause.text)) and not _WORDS["begins"].begins(clause.text):
        return True
    route = _WORDS["route named"].begins(clause.text) and not clause.goes_on
    return route or _WORDS["circumstance"].begins(clause.text)


def _stands_alone(clause: Clause, request: Request) -> bool:
    if clause.opens or _WORDS["begins"].begins(clause.text):
        return True
    if request.wants == "database":
        return clause.joined and ("@@" in clause.text or _WORDS["finds"].is_in(clause.text))
    return _WORDS["named rules"].is_in(clause.text)


def is_elliptic(text: str) -> bool:
    """Whether a text says nothing but places and words that go on from something said before."""
    return all(word in _WORDS["going on"] for word in re.findall(r"[a-z0-9'’]+", text))
