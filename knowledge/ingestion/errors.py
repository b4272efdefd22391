"""What may go wrong during ingestion; each message tells the operator what to do. Pure."""


class IngestionError(Exception):
    """Ingestion failed. `code` is for programs, the message for the operator."""

    code = "failed"

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code or self.code


class RefusedFile(IngestionError):
    """The file is at fault: another format than it claims, locked, empty, broken, or over a limit."""

    code = "refused"


class ReadingKilled(RefusedFile):
    """The process that read the file was killed from outside, by a person or for lack of memory. The file may not be
    the reason, so it is tried again."""

    code = "over_limits"


class PagesMissing(IngestionError):
    """A source with pages yielded text without a page, which no citation could open."""

    code = "pages_missing"


class EmbeddingIncomplete(IngestionError):
    """A chunk does not have exactly one vector of the current model."""

    code = "embedding_incomplete"


class Stopped(Exception):
    """The run ends without an error: the job was cancelled, or another worker holds it."""


class Interrupted(Stopped):
    """The run was stopped in the middle of a step by the thread that keeps the lease."""


class Stalled(IngestionError):
    """A step made no progress for minutes."""

    code = "over_limits"

    def __init__(self) -> None:
        super().__init__(
            "The job was stopped: a step made no progress for minutes. Split the file, or save it again."
        )
