"""The briefing of an element's first item in the library at hand, as an exam would have it."""

from exams.bank.selection import ItemInForce
from exams.examiner.briefing import Briefing, LibraryState, bank_at_hand, briefing_for_item, library_state
from knowledge.text.slots import fillings_of


def items_about(code: str, library: LibraryState | None = None) -> tuple[ItemInForce, ...]:
    state = library or library_state(None, None)
    return tuple(bank_at_hand(state).by_element.get(code, ()))


def briefing_about(code: str, library: LibraryState | None = None) -> Briefing:
    state = library or library_state(None, None)
    item = items_about(code, state)[0]
    values = next(fillings_of(item.slots, item.cases))
    return briefing_for_item(code, item, values, library=state, recorded=False)
