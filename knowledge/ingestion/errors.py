"""What may go wrong while a file becomes a document, said so that the operator knows what to do. Pure."""


class IngestionError(Exception):
    """The file cannot become a document. `code` is for programs, the message is for the operator."""

    code = "failed"

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code or self.code


class RefusedFile(IngestionError):
    """The file itself is the reason: not what it says it is, locked, empty, broken or over a limit."""

    code = "refused"


class ReadingKilled(RefusedFile):
    """The process that read the file was killed from outside, by a person or a machine that ran out of memory. The file
    may be the reason or not: it is tried again."""

    code = "over_limits"


class PagesMissing(IngestionError):
    """A source that has pages yielded text without a page: it could never be opened at a citation."""

    code = "pages_missing"


class EmbeddingIncomplete(IngestionError):
    """A chunk was left without exactly one vector of the current model."""

    code = "embedding_incomplete"


class Stopped(Exception):
    """The run ends here and nothing is wrong: the job was cancelled, or another worker holds it."""


class Interrupted(Stopped):
    """The same in the middle of a step: the thread that keeps the lease ended it."""


class Stalled(IngestionError):
    """A step went on for minutes without getting any further."""

    code = "over_limits"

    def __init__(self, message: str = "") -> None:
        super().__init__(
            message
            or "The file was given up: a step got no further for minutes. Split the file, or save it anew."
        )
