"""A small rules desk: six questions and five countries, loaded as a file is, with vectors of the words.

Germany has no answer about circuits, Ireland answers with figures of its own, Malta says that a rule does not apply.
Spain is a country that nobody answered for.
"""

from collections.abc import Iterator

import pytest

from llm import registry
from rules.data.load import load_rules
from rules.data.parse import AnswerDraft, QuestionDraft, RulesFile
from tests.doubles.embedding import HashingEmbedding

PLAN = "Is an FPL required for a VFR flight?"
NOTICE = "How long before arrival is prior permission (PPR) asked for?"
CIRCUIT = "What are the rules for joining a visual circuit?"
DANGER = "What are the rules and normal practices regarding penetration of Danger Areas"
FIS = "Are there any specific requirements in the initial call for FIS?"
SCHENGEN = "What are the rules and practicality of arriving Non-Schengen?"


def _question(key: str, category: str, *tags: str, **answers: str) -> QuestionDraft:
    drafts = {
        country: AnswerDraft(country=country, text=text, links=_links(text))
        for country, text in answers.items()
    }
    return QuestionDraft(key=key, text=key, category=category, tags=tags, answers=drafts)


def _links(text: str) -> tuple[str, ...]:
    return tuple(word for word in text.split() if word.startswith("https://"))


QUESTIONS = (
    _question(
        PLAN, "VFR", "flight plan", FR="no", DE="No, but at night it is required", IE="Yes", BE="no", MT="no"
    ),
    _question(
        NOTICE,
        "Airfields",
        "prior permission",
        FR="2 hours before",
        DE="24 hours before",
        IE="2 hours before",
    ),
    _question(
        CIRCUIT, "Airfields", "join", FR="downwind join", IE="Join overhead at 1,000 ft above circuit height"
    ),
    _question(
        DANGER, "Airspace", "airspace", "penetration", FR="Do not enter", DE="Entering is permitted", MT="n/a"
    ),
    _question(FIS, "VFR", "air traffic service", FR="Say who you are", BE="Squawk 2000", IE="no experience"),
    _question(
        SCHENGEN,
        "International",
        "international",
        FR="Use a port of entry, see https://example.org/ports",
        BE="Send a declaration, see https://example.org/declaration",
    ),
)


def load_desk(*questions: QuestionDraft, tenant: object = None, model: object = None) -> None:
    """These questions, or the six."""
    drafts = questions or QUESTIONS
    countries = frozenset(country for draft in drafts for country in draft.answers)
    load_rules(RulesFile(questions=drafts, countries=countries), model or HashingEmbedding(), tenant)  # type: ignore[arg-type]


@pytest.fixture
def rules_desk(db: None) -> Iterator[HashingEmbedding]:
    """The desk, and its embedding model as the registry gives it. There is no chat model but the offline one."""
    model = HashingEmbedding()
    registry.configure_models(chat={}, embedding=lambda: model)
    load_desk(model=model)
    yield model
    registry.reset_models()
