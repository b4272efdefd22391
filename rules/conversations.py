"""Store what a user asks, message by message, as turns with their answers.

Countries are recognized from the conversation or set by hand; once set, later messages build on them. Nothing is
decided here: `query.router` routes, `answers.answer` answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import Max, QuerySet

from rules import conf
from rules.answers.answer import RulesAnswered, ask_rules
from rules.countries import name_of
from rules.models import RuleConversation, RuleTurn
from rules.query.query_preparation import checked_question, without_places
from rules.query.router import RouterDecision


def turns_of(user: Any) -> QuerySet[RuleTurn]:
    """All turns of one user."""
    return RuleTurn.objects.filter(conversation__user=user).select_related("conversation")


def conversations_of(user: Any) -> QuerySet[RuleConversation]:
    return RuleConversation.objects.filter(user=user)


def ask_next(user: Any, message: str, *, after: RuleTurn | None, tenant: int | None) -> RuleTurn:
    """Answer the message, as the next turn of a conversation or the first of a new one. Raises
    Unanswerable."""
    said = checked_question(message)
    before = _turns_before(after.conversation, after.position + 1) if after else []
    decision, answered = _answer_message(said, before, tenant)
    return _store_turn(user, after.conversation if after else None, said, decision, answered)


def ask_again(turn: RuleTurn, countries: Sequence[str], *, tenant: int | None) -> RuleTurn:
    """Ask the same question about other countries, or about all if there are none. Raises as `ask_next`."""
    before = _turns_before(turn.conversation, turn.position)
    chosen = tuple(dict.fromkeys(countries))
    decision, answered = _answer_message(turn.message, before, tenant, chosen)
    return _store_turn(
        turn.conversation.user, turn.conversation, turn.message, decision, answered, chosen=True
    )


def heard_as(turns: Sequence[RuleTurn]) -> tuple[str, ...]:
    """The earlier messages, oldest first, as the router should read them. Messages before the countries were set by
    hand do not count; the question of that turn replaces them, with those countries."""
    said: list[str] = []
    for turn in turns:
        if turn.chosen:
            places = ", ".join(map(name_of, turn.countries)) or "any country"
            said = [f"{without_places(str(turn.answer['question']))} in {places}"]
        else:
            said.append(turn.message)
    return tuple(said[-conf.TOPIC_MESSAGES :])


def _answer_message(
    message: str, before: Sequence[RuleTurn], tenant: int | None, chosen: tuple[str, ...] | None = None
) -> tuple[RouterDecision, RulesAnswered]:
    return ask_rules(
        message, heard_as(before), countries=chosen or (), everywhere=chosen == (), tenant=tenant
    )


def _turns_before(conversation: RuleConversation, position: int) -> list[RuleTurn]:
    last = conversation.turns.filter(position__lt=position).order_by("-position")
    return list(last[: conf.TOPIC_MESSAGES])[::-1]


def _store_turn(
    user: Any,
    conversation: RuleConversation | None,
    message: str,
    decision: RouterDecision,
    answered: RulesAnswered,
    *,
    chosen: bool = False,
) -> RuleTurn:
    """One row more. The conversation's row is locked, so that two messages at once get two places. The answer is stored
    as the API gives it, with what stands in it before and after the rules."""
    told = "\n\n".join(section.in_words() for section in answered.sections)
    opening, _, closing = answered.answer.partition(told) if told else (answered.answer, "", "")
    answer = {
        **answered.to_dict(),
        "confidence": decision.confidence,
        "reasoning": decision.reasoning,
        "opening": opening.strip(),
        "closing": closing.strip(),
    }
    with transaction.atomic():
        if conversation is None:
            conversation = RuleConversation.objects.create(user=user)
        else:
            RuleConversation.objects.select_for_update().get(pk=conversation.pk).save()
        last = conversation.turns.aggregate(last=Max("position"))["last"]
        return RuleTurn.objects.create(
            conversation=conversation,
            position=0 if last is None else last + 1,
            message=message,
            countries=list(answered.countries),
            chosen=chosen,
            answer=answer,
        )
