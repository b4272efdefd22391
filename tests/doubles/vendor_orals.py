"""Both roles of an exam at a vendor's own wire format, scripted from what the exam expects at that moment."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from exams.models import Exam, Turn
from llm.providers.anthropic import AnthropicChatModel
from llm.providers.openai import OpenAIChatModel
from llm.providers.retries import RetryPolicy
from tests.doubles.vendors import Reply, Says, VendorServer

ONCE = RetryPolicy(attempts=1)
KEY = "sk-never-in-a-prompt"


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

    def will_ask(self, *texts: str) -> None:
        self.examiner.script[:] = map(asks, texts)

    def will_judge(self, *replies: Reply) -> None:
        self.assessor.script[:] = replies


def asks(text: str) -> Says:
    return Says({"text": text, "expectations": [], "sources": []})


def texts_in(body: Any) -> list[str]:
    if isinstance(body, str):
        return [body]
    parts = body.values() if isinstance(body, dict) else body if isinstance(body, list) else ()
    return [text for part in parts for text in texts_in(part)]


def judges(exam: Exam, answer: str, met: str = "met", *, unsafe: bool = False) -> Says:
    """A judgement of the turn that is waited on, the same for each expectation."""
    turn = Turn.objects.filter(exam=exam).order_by("-number")[0]
    said = answer if met in ("met", "half", "contradicted") else ""
    points = [
        {"key": one["key"], "met": met, "said": said, "sources": one["citations"][:1]}
        for one in turn.expectations
    ]
    return Says({"points": points, "unsafe": unsafe})
