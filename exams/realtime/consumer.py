"""The websocket of a live exam: calls `exams.exchange.session` for each frame and sends stored frames.

The rows in PostgreSQL are the truth; a message of the channel layer only says that there are new frames. Frames are
sent in the order of their seq, each once. Nothing is decided here.
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

from exams.conf import FRAMES_A_MINUTE
from exams.exchange import exam_frames, session
from exams.exchange.answer_processing import OralPaused
from exams.exchange.compute_slots import OutOfTime
from exams.exchange.executors import run_ahead, run_quick, run_slow, run_storing
from exams.exchange.prefetch import prepare_next
from exams.protocol.codec import FrameError, encode_frame, parse_client_frame, token_frames
from exams.protocol.frames import Answer, ClientFrame, Error, FrameBody, Ping, Pong, Resume, ServerFrame
from knowledge.access.signed_in import user_of_session, user_of_token
from knowledge.access.throttling import in_words

log = structlog.get_logger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

FRAMES_WINDOW_SECONDS = 60.0
NOT_SIGNED_IN, BAD_ORIGIN, NOT_YOURS, SUPERSEDED = 4401, 4403, 4404, 4409


class SignedOut(Exception):
    """The user who opened the socket is no longer signed in; nothing was done."""


class FrameRate:
    """Counts how many frames an exam sends in a minute, in this process.

    One connection at a time writes to an exam, so its frames come through one process. Redis is not asked, because a
    frame must not wait for it. A count goes on when a client connects again.
    """

    def __init__(self) -> None:
        self._counts: dict[UUID, int] = {}
        self._until = 0.0

    def seconds_to_wait(self, exam: UUID) -> int:
        """0 for a frame that may be taken, which this call counts. All counts start over with each window."""
        now = time.monotonic()
        if now >= self._until:
            self._counts, self._until = {}, now + FRAMES_WINDOW_SECONDS
        count = self._counts.get(exam, 0)
        if count >= FRAMES_A_MINUTE:
            return max(1, round(self._until - now))
        self._counts[exam] = count + 1
        return 0


frame_rate = FrameRate()
being_prepared: set[tuple[UUID, int]] = set()
"""The exams, and the seq of the question after which the next one is being prepared, in this process."""


class ExamConsumer(AsyncWebsocketConsumer):
    exam_id: UUID
    user_id: int = 0
    epoch: int = 0
    sent: int = 0  # the seq of the last frame that was sent
    gone: bool = False
    told_at: float = 0.0

    async def connect(self) -> None:
        self.tasks: set[asyncio.Task[None]] = set()
        self.sending = asyncio.Lock()
        self.exam_id = self.scope["url_route"]["kwargs"]["exam_id"]
        await self.accept()
        if not _is_from_here(self.scope):
            await self._close_once(BAD_ORIGIN)
            return
        user = await run_quick(user_for_scope, self.scope)
        if user is None:
            await self._close_once(NOT_SIGNED_IN)
            return
        self.user_id = user.pk
        try:
            opened = await run_quick(session.open_connection, self.exam_id, user.pk)
        except session.NoSuchExam:
            await self._close_once(NOT_YOURS)
            return
        self.epoch, self.sent = opened.epoch, opened.seq_before_question
        exam_frames.announce_through(asyncio.get_running_loop())
        group = exam_frames.channel_group_of(self.exam_id)
        await self.channel_layer.group_add(group, self.channel_name)
        await self.channel_layer.group_send(group, {"type": "exam.superseded", "epoch": self.epoch})
        await self._send_new_frames(replay=True)
        self._begin_work(opened.work)

    async def disconnect(self, code: int) -> None:
        # Work that has begun goes on in its thread: what it stores is replayed on the next connection.
        self.gone = True
        if self.epoch:
            group = exam_frames.channel_group_of(self.exam_id)
            await self.channel_layer.group_discard(group, self.channel_name)

    # --- what the client sends

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if not self.epoch or self.gone:
            return
        wait = frame_rate.seconds_to_wait(self.exam_id)
        if wait:
            # Said once a second at most: a client that sends without end is not answered without end.
            if time.monotonic() >= self.told_at + 1:
                self.told_at = time.monotonic()
                message = f"That was too much within a minute. Nothing was taken; go on in {in_words(wait)}."
                await self._send_frame(Error(code="too_fast", message=message, retryable=True))
            return
        frame: ClientFrame | FrameError
        try:
            frame = parse_client_frame(text_data if text_data is not None else bytes_data or b"")
        except FrameError as error:
            frame = error
        about = frame.about if isinstance(frame, FrameError) else frame.type
        try:
            await self._handle_frame(frame)
        except SignedOut:
            await self._close_once(NOT_SIGNED_IN)
        except session.Superseded:
            await self._close_superseded()
        except session.NoSuchExam:
            await self._close_once(NOT_YOURS)  # deleted meanwhile
        except session.Refused as error:
            await self._send_frame(
                Error(code=error.code, message=error.message, retryable=False, about=about)
            )
        except Exception:
            log.exception("frame_failed", exam=str(self.exam_id))
            message = "That could not be done just now. Nothing was lost; try again."
            await self._send_frame(Error(code="internal", message=message, retryable=True, about=about))

    async def _handle_frame(self, frame: ClientFrame | FrameError) -> None:
        match frame:
            case FrameError(code=code, message=message, about=about):
                await run_quick(self._check_signed_in)
                await self._send_frame(Error(code=code, message=message, retryable=False, about=about))
            case Ping():
                await run_quick(self._check_signed_in)
                await self._send_frame(Pong())
            case Resume(last_seq=last_seq):
                await run_quick(self._check_signed_in)
                self.sent = min(last_seq, self.sent)
                await self._send_new_frames(replay=True)
                self._begin_work(await run_quick(session.work_left, self.exam_id, self.epoch))
            case Answer(id=client_id, text=text):
                taken = await run_storing(
                    self._signed_in, session.take_answer, self.exam_id, self.epoch, client_id, text
                )
                await self._send_frame(taken.again or taken.frame)
                if taken.again is None:
                    self._begin_work(taken.work, about=frame.type)
            case _:
                work = await run_quick(self._signed_in, session.take_frame, self.exam_id, self.epoch, frame)
                await self._send_new_frames()
                self._begin_work(work, about=frame.type)

    def _signed_in(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Calls the function if the user is still signed in. Runs in a thread. Raises SignedOut."""
        self._check_signed_in()
        return function(*args, **kwargs)

    def _check_signed_in(self) -> None:
        """A socket does not outlive its session or token: later messages on it are refused."""
        user = user_for_scope(self.scope)
        if user is None or user.pk != self.user_id:
            raise SignedOut

    # --- what is done for it

    def _begin_work(self, work: session.Work | None, about: str = "") -> None:
        if work is not None:
            self._start_task(self._do_work(work, about))

    def _start_task(self, doing: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(doing)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _do_work(self, work: session.Work, about: str) -> None:
        """Does the work and shows what it has stored."""
        function, key = work
        error: Error | None = None
        try:
            try:
                await run_slow(self.user_id, function, key)
            except OutOfTime:
                log.warning("out_of_time", exam=str(self.exam_id))
                await run_quick(session.give_up, work)
        except OralPaused as paused:
            error = Error(code=paused.reason, message=str(paused), retryable=paused.may_try_again)
        except Exception:
            log.exception("settle_failed", exam=str(self.exam_id))
            message = "The examiner could not go on just now. Your answer is kept and will be assessed."
            await self._send_frame(
                Error(code="assessment_delayed", message=message, retryable=True, about=about)
            )
            return
        await self._show_new_frames()
        if error is not None:
            await self._send_frame(error)

    async def _prepare_next(self) -> None:
        """Prepares the next question while the student reads; a question that is not ready is made on demand. A client
        that connects again and again makes no second preparation wait behind the first."""
        question = (self.exam_id, self.sent)
        if question in being_prepared:
            return
        being_prepared.add(question)
        try:
            await run_ahead(self.user_id, prepare_next, self.exam_id)
        except Exception:
            log.exception("preparation_failed", exam=str(self.exam_id))
        finally:
            being_prepared.discard(question)

    # --- what the client gets

    async def _show_new_frames(self) -> None:
        try:
            await self._send_new_frames()
        except SignedOut:
            await self._close_once(NOT_SIGNED_IN)

    async def _send_new_frames(self, *, replay: bool = False) -> None:
        """Sends what is new, in order. The words of a new question come sentence by sentence before its frame."""
        async with self.sending:
            if self.gone:
                return
            frames = await run_quick(self._new_frames)
            for frame in frames:
                if frame["type"] == "question" and not replay:
                    for token in token_frames(frame):
                        await self._send_frame(token)
                await self._send_frame(frame)
                self.sent = frame["seq"]
        if any(frame["type"] == "question" for frame in frames):
            self._start_task(self._prepare_next())

    def _new_frames(self) -> list[FrameBody]:
        """Runs in a thread. Raises SignedOut where there is something new and nobody is signed in to see it."""
        frames = exam_frames.frames_after(self.exam_id, self.sent)
        if frames:
            self._check_signed_in()
        return frames

    async def _send_frame(self, frame: FrameBody | ServerFrame) -> None:
        """A client that has just gone is no failure: what is stored is replayed when it comes back."""
        if self.gone:
            return
        try:
            await self.send(text_data=encode_frame(frame))
        except OSError:
            self.gone = True

    async def _close_superseded(self) -> None:
        message = "This oral goes on in another window."
        await self._send_frame(Error(code="superseded", message=message, retryable=False))
        await self._close_once(SUPERSEDED)

    async def _close_once(self, code: int) -> None:
        """Closes once; nothing can be said afterward."""
        if self.gone:
            return
        self.gone = True
        with suppress(OSError):
            await self.close(code)

    # --- messages of the channel layer

    async def exam_frames(self, message: dict[str, Any]) -> None:
        if message["seq"] > self.sent:
            await self._show_new_frames()

    async def exam_superseded(self, message: dict[str, Any]) -> None:
        if message["epoch"] > self.epoch:
            await self._close_superseded()


class NoSuchRoom(AsyncWebsocketConsumer):
    """Every other address."""

    async def connect(self) -> None:
        await self.accept()
        await self.close(NOT_YOURS)


def user_for_scope(scope: dict[str, Any]) -> Any | None:
    """The user who is signed in now by session cookie or token, or None; a socket may be older than a sign-out.

    It reads the database, so it runs in a thread.
    """
    scheme, _, key = dict(scope["headers"]).get(b"authorization", b"").decode("latin1").partition(" ")
    if scheme.lower() == "token":
        return user_of_token(key)
    return user_of_session(scope["session"].session_key)


def _is_from_here(scope: dict[str, Any]) -> bool:
    """Whether the host is one of ours and the origin is the same, as Django's own pages ask it.

    A browser always says where it comes from; a program without an Origin signs in by token.
    """
    headers = dict(scope["headers"])
    host = headers.get(b"host", b"").decode("latin1")
    domain, _ = split_domain_port(host)
    if not domain or not validate_host(domain, settings.ALLOWED_HOSTS):
        return False
    origin = headers.get(b"origin", b"").decode("latin1")
    return not origin or urlsplit(origin).netloc == host
