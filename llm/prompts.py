"""Fill prompt files, each with a version, and fence untrusted text. Nothing here knows what a prompt is about.

Each layer keeps its own `prompts/*.md`. The version is a hash of the file, so that every stored output can be traced to
the words that asked for it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from typing import Final

VERSION_DIGITS: Final = 12
"""Hexadecimal digits of the version: 48 bits, far more than prompts will ever need to differ."""

_PLACEHOLDER: Final = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_FENCE_LEAST: Final = 5
_HIDDEN: Final = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069\\ud800-\\udfff\\U000e0000-\\U000e007f]"
)
"""Control characters but for tab and line feed, marks of writing direction, lone surrogates, tag characters."""


class PromptError(ValueError):
    """A prompt and its values do not fit: a fault of ours."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """Text ready to send, and the version of the file it came from."""

    text: str
    version: str


def load_prompt(package: str, name: str, /, **values: str | int) -> Prompt:
    """`<package>/prompts/<name>.md` with each `{value}` filled in.

    Placeholders in values are not filled; braces around anything but a lower-case name stay as they are. Raises
    PromptError for a missing file, a missing value or one that the file does not use.
    """
    where = f"{package}/prompts/{name}.md"
    if not _NAME.fullmatch(name):
        raise PromptError(f"{name!r} is no prompt's name: lower-case letters, digits and _ only")
    try:
        raw = files(package).joinpath("prompts", f"{name}.md").read_bytes()
    except (FileNotFoundError, ModuleNotFoundError) as error:
        raise PromptError(f"there is no prompt {name!r} in {package}/prompts/") from error
    text = raw.decode("utf-8")
    wanted = set(_PLACEHOLDER.findall(text))
    for problem, names in (
        ("needs a value for", wanted - values.keys()),
        ("does not use", values.keys() - wanted),
    ):
        if names:
            raise PromptError(f"{where} {problem} {', '.join(sorted(names))}")
    filled = _PLACEHOLDER.sub(lambda found: str(values[found[1]]), text)
    return Prompt(filled.strip(), sha256(raw).hexdigest()[:VERSION_DIGITS])


def fence_text(name: str, text: str) -> str:
    """Untrusted text between two marks that it cannot write itself.

    The marks are runs of `=` longer than any run in the text. Control characters (but for line feed and tab), marks of
    writing direction and the invisible tag characters are removed; everything else stays, so that quotes stay
    verbatim.
    """
    if not _NAME.fullmatch(name):
        raise PromptError(f"{name!r} is no fence's name: lower-case letters, digits and _ only")
    clean = _HIDDEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    longest = max((len(run) for run in re.findall("=+", clean)), default=0)
    mark = "=" * max(_FENCE_LEAST, longest + 1)
    return f"{mark} begin {name} {mark}\n{clean}\n{mark} end {name} {mark}"
