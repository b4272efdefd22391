"""A websocket becomes calls of `exams.exchange.session`, and stored frames become messages: nothing is decided here.

The rows in PostgreSQL are the truth; a message of the channel layer only says "look". Frames are sent in the order of
their seq, each once, whoever asked for them to be looked at.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar
from urllib.parse import urlsplit
from uuid import UUID

import structlog
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.http.request import split_domain_port, validate_host

from exams.exchange import exam_repository, session
from exams.exchange.broadcast import group_of, speak_through
from exams.exchange.executors import OutOfTime, ahead, quick, slow, storing
from exams.exchange.prefetch import prepare_next
from exams.protocol.catalog import (
    Answer,
    ClientFrame,
    FrameError,
    Ping,
    Resume,
    encode,
    error_frame,
    parse_client_frame,
    pong_frame,
)
from exams.realtime.frame_rate import FrameRate
from exams.realtime.websocket_auth import user_for_scope
from knowledge.access.throttling import in_words

log = structlog.get_logger(__name__)
frame_rate = FrameRate()

P = ParamSpec("P")
T = TypeVar("T")

NOT_SIGNED_IN, BAD_ORIGIN, NOT_YOURS, SUPERSEDED = 4401, 4403, 4404, 4409


class SignedOut(Exception):
    """Whoever opened the socket is no longer signed in; nothing was done."""


class ExamConsumer(AsyncWebsocketConsumer):
    exam_id: UUID
    user_id: int = 0
    epoch: int = 0
    sent: int = 0
    gone: bool = False
    told_at: float = 0.0

    async def connect(self) -> None:
        self.work: set[asyncio.Task[None]] = set()
        self.sending = asyncio.Lock()
        self.exam_id = self.scope["url_route"]["kwargs"]["exam_id"]
        await self.accept()
        if not _host_allowed(self.scope) or not _origin_allowed(self.scope):
            await self._leave(BAD_ORIGIN)
            return
        user = await quick(user_for_scope, self.scope)
        if user is None:
            await self._leave(NOT_SIGNED_IN)
            return
        self.user_id = user.pk
        try:
            opened = await quick(session.open_connection, self.exam_id, user.pk)
        except session.NoSuchExam:
            await self._leave(NOT_YOURS)
            return
        self.epoch, self.sent = opened.epoch, opened.before_pending
        speak_through(asyncio.get_running_loop())
        await self.channel_layer.group_add(group_of(self.exam_id), self.channel_name)
        await self.channel_layer.group_send(
            group_of(self.exam_id), {"type": "exam.superseded", "epoch": self.epoch}
        )
        await self._send_new_frames(replay=True)
        self._begin(opened.work)

    async def disconnect(self, code: int) -> None:
        # A settle that is under way goes on in its thread: what it stores is replayed on the next connection.
        self.gone = True
        if self.epoch:
            await self.channel_layer.group_discard(group_of(self.exam_id), self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if not self.epoch or self.gone:
            return
        wait = frame_rate.seconds_to_wait(self.exam_id)
        if wait:
            await self._slow_down(wait)
            return
        frame = _frame_or_error(text_data if text_data is not None else bytes_data or b"")
        about = frame.about if isinstance(frame, FrameError) else frame.type
        try:
            await self._handle(frame)
        except SignedOut:
            await self._leave(NOT_SIGNED_IN)
        except session.Superseded:
            await self._superseded()
        except session.NoSuchExam:
            await self._leave(NOT_YOURS)  # deleted meanwhile
        except session.Refused as error:
            await self._say(error_frame(error.code, error.message, retryable=False, about=about))
        except Exception:
            log.exception("frame_failed", exam=str(self.exam_id))
            message = "That could not be done just now. Nothing was lost; try again."
            await self._say(error_frame("internal", message, retryable=True, about=about))

    async def _handle(self, frame: ClientFrame | FrameError) -> None:
        match frame:
            case FrameError(code=code, message=message, retryable=retryable, about=about):
                await quick(self._check_signed_in)
                await self._say(error_frame(code, message, retryable=retryable, about=about))
            case Ping():
                await quick(self._check_signed_in)
                await self._say(pong_frame())
            case Resume(last_seq=last_seq):
                await quick(self._check_signed_in)
                self.sent = min(last_seq, self.sent)
                await self._send_new_frames(replay=True)
                self._begin(await quick(session.work_left, self.exam_id, self.epoch))
            case Answer():
                await self._answer(frame)
            case _:
                work = await quick(self._signed_in, session.take_frame, self.exam_id, self.epoch, frame)
                await self._send_new_frames()
                self._begin(work, about=frame.type)

    async def _answer(self, frame: Answer) -> None:
        taken = await storing(
            self._signed_in, session.take_answer, self.exam_id, self.epoch, frame.id, frame.text
        )
        if taken.again is not None:
            await self._say(taken.again)
            return
        await self._say(taken.frame)
        self._begin(taken.work, about=frame.type)

    def _begin(self, work: session.Work | None, about: str = "") -> None:
        if work is not None:
            self._go_on_with(self._settle(work, about))

    def _go_on_with(self, doing: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(doing)
        self.work.add(task)
        task.add_done_callback(self.work.discard)

    async def _settle(self, work: session.Work, about: str) -> None:
        try:
            await self._done(work)
        except session.OralPaused as paused:
            await self._show_new_frames()
            await self._say(error_frame(paused.reason, str(paused), retryable=paused.may_try_again))
            return
        except Exception:
            log.exception("settle_failed", exam=str(self.exam_id))
            message = "The examiner could not go on just now. Your answer is kept and will be assessed."
            await self._say(error_frame("assessment_delayed", message, retryable=True, about=about))
            return
        await self._show_new_frames()

    async def _done(self, work: session.Work) -> None:
        function, key = work
        try:
            await slow(self.user_id, function, key)
        except OutOfTime:
            log.warning("out_of_time", exam=str(self.exam_id))
            await quick(session.give_up, work)

    async def _show_new_frames(self) -> None:
        try:
            await self._send_new_frames()
        except SignedOut:
            await self._leave(NOT_SIGNED_IN)

    async def _send_new_frames(self, *, replay: bool = False) -> None:
        """What is new, in order; words that are new come sentence by sentence before their frame."""
        async with self.sending:
            if self.gone:
                return
            frames = await quick(self._new_frames)
            for frame in frames:
                for token in () if replay else session.tokens_for(frame):
                    await self._say(token)
                await self._say(frame)
                self.sent = frame["seq"]
        if any(frame["type"] == "question" for frame in frames):
            self._go_on_with(self._prepare())

    async def _prepare(self) -> None:
        """The student reads; a question that is not made ready now is made when it is wanted."""
        try:
            await ahead(self.user_id, prepare_next, self.exam_id)
        except Exception:
            log.exception("preparation_failed", exam=str(self.exam_id))

    def _new_frames(self) -> list[dict[str, Any]]:
        """Nothing is shown to who is no longer signed in; where nothing is new that is not asked. Runs in a thread."""
        frames = exam_repository.frames_after(self.exam_id, self.sent)
        if frames:
            self._check_signed_in()
        return frames

    def _signed_in(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do it for who is still signed in; runs in a thread, in one go. Raises SignedOut."""
        self._check_signed_in()
        return function(*args, **kwargs)

    def _check_signed_in(self) -> None:
        """A socket outlives neither its session nor its token: what comes over it afterwards is not taken."""
        user = user_for_scope(self.scope)
        if user is None or user.pk != self.user_id:
            raise SignedOut

    async def _slow_down(self, wait: int) -> None:
        """Said once a second at most: whoever sends without end is not answered without end."""
        if time.monotonic() >= self.told_at + 1:
            self.told_at = time.monotonic()
            message = f"That was too much within a minute. Nothing was taken; go on in {in_words(wait)}."
            await self._say(error_frame("too_fast", message, retryable=True))

    async def _superseded(self) -> None:
        message = "This oral goes on in another window."
        await self._say(error_frame("superseded", message, retryable=False))
        await self._leave(SUPERSEDED)

    async def _leave(self, code: int) -> None:
        """Close once; nothing can be said afterwards."""
        if self.gone:
            return
        self.gone = True
        with suppress(OSError):
            await self.close(code)

    async def _say(self, frame: dict[str, Any]) -> None:
        """A client that has just gone is no failure: what is stored is replayed when it comes back."""
        if self.gone:
            return
        try:
            await self.send(text_data=encode(frame))
        except OSError:
            self.gone = True

    # --- messages of the channel layer

    async def exam_frames(self, message: dict[str, Any]) -> None:
        if message["seq"] > self.sent:
            await self._show_new_frames()

    async def exam_superseded(self, message: dict[str, Any]) -> None:
        if message["epoch"] > self.epoch:
            await self._superseded()


class NoSuchRoom(AsyncWebsocketConsumer):
    """Every other address."""

    async def connect(self) -> None:
        await self.accept()
        await self.close(NOT_YOURS)


def _frame_or_error(message: str | bytes) -> ClientFrame | FrameError:
    try:
        return parse_client_frame(message)
    except FrameError as error:
        return error


def _host_allowed(scope: dict[str, Any]) -> bool:
    """As Django's own pages ask it: a name that is not ours may lead here, too, and would then be its own origin."""
    domain, _ = split_domain_port(dict(scope["headers"]).get(b"host", b"").decode("latin1"))
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)


def _origin_allowed(scope: dict[str, Any]) -> bool:
    """A browser always says where it comes from; a program without an Origin signs in by token."""
    headers = dict(scope["headers"])
    origin = headers.get(b"origin", b"").decode("latin1")
    if not origin:
        return True
    here = headers.get(b"host", b"").decode("latin1")
    parts = urlsplit(origin)
    if parts.netloc == here:
        return True
    return validate_host(parts.hostname or "", settings.ALLOWED_HOSTS) and parts.netloc != "" and not here
