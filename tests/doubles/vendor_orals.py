"""Both roles of an exam at a vendor's own wire format, scripted from what the exam expects at that moment."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

from exams.models import Exam, Turn
from llm.providers.anthropic import AnthropicChatModel
from llm.providers.openai import OpenAIChatModel
from llm.providers.retries import RetryPolicy
from tests.doubles.vendors import Reply, Says, VendorServer

ONCE = RetryPolicy(attempts=1)
KEY = "sk-never-in-a-prompt"

QUESTIONS = (
    "You rent a trainer on a grey morning and a friend comes along. What do you tell her about this?",
    "On the ramp a friend asks you about it. How do you lay it out for him from the beginning?",
    "Your passenger is curious before you start the engine. How would you make it plain to her?",
    "You sit in the same seat later in the day. What is on your mind there, and what do you do about it?",
    "Your instructor has stepped out and the line boy wants to know. What is your account of it?",
)
PROBE = "You were quick there. What else belongs to it?"


def anthropic_at(vendor: VendorServer, **more: Any) -> AnthropicChatModel:
    return AnthropicChatModel(api_key=KEY, base_url=vendor.anthropic_url, **{"retry": ONCE, **more})


def openai_at(vendor: VendorServer, **more: Any) -> OpenAIChatModel:
    return OpenAIChatModel(api_key=KEY, base_url=vendor.openai_url, **{"retry": ONCE, **more})


Maker = Callable[..., AnthropicChatModel | OpenAIChatModel]
VENDORS: tuple[Maker, ...] = (anthropic_at, openai_at)


@dataclass
class Vendors:
    """One server a role; `examiner` and `assessor` are their scripts."""

    examiner: VendorServer
    assessor: VendorServer
    questions: Iterator[str] = field(default_factory=lambda: cycle(QUESTIONS))

    def will_ask(self, *texts: str) -> None:
        self.examiner.script[:] = [asks(text) for text in texts or [next(self.questions)]]

    def will_judge(self, *replies: Reply) -> None:
        self.assessor.script[:] = replies


def asks(text: str) -> Says:
    return Says({"text": text, "expectations": [], "sources": []})


def judges(exam: Exam, answer: str, met: str = "met", *, unsafe: bool = False) -> Says:
    """A judgement of the turn that is waited on, the same for each expectation."""
    turn = Turn.objects.filter(exam=exam).order_by("-number")[0]
    said = answer if met in ("met", "half", "contradicted") else ""
    points = [
        {"key": one["key"], "met": met, "said": said, "sources": one["citations"][:1]}
        for one in turn.expectations
    ]
    return Says({"points": points, "unsafe": unsafe})
