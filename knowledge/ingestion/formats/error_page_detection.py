"""A page that only says that there is no page is refused: what a site answers instead of a document. Pure.

A saved "page not found", the wall that keeps programs out, a sign-in page: each is a few words of text,
and would be quoted to students as if it were the document that was asked for. A document that speaks of
such pages is much longer, and speaks of it further below.
"""

import re

from knowledge.ingestion.errors import RefusedFile

_LETTERS = 6000  # a page with more text than this is no wall, whatever it says; site menus have up to 4,000
_OPENING = 700  # characters within which such a page comes to its point
_ONE_SENTENCE = 1500  # a page with less text than this is read to its end

_MISSING = re.compile(
    r"\bpage (?:was |is |could |can)?(?:not|n[o']t) (?:be )?found\b|\b404\b.{0,40}\b(?:not found|error|page)"
    r"|\b(?:error|http)\b.{0,10}\b404\b|\bpage (?:can\W?t|cannot|could not) be (?:found|displayed)"
    r"|\bpage you (?:are looking for|requested|were looking for|have requested)"
    r".{0,80}\b(?:not|no longer|moved|exist|unavailable|removed|found)"
    r"|\bthe requested (?:url|page|resource|document|file)\b.{0,80}\bnot (?:be )?(?:found|available)"
    r"|\bcannot find (?:the|this) (?:page|document|file)|\b(?:document|file|page) (?:is )?no longer available",
    re.IGNORECASE | re.DOTALL,
)
_WALL = re.compile(
    r"\bjust a moment\b|\bchecking (?:your browser|if the site connection is secure)"
    r"|\benable javascript(?: and cookies)?\b.{0,40}\b(?:to continue|to view|in your browser|to proceed)"
    r"|\bverify(?:ing)? (?:that )?you are (?:a )?human|\bare you (?:a robot|human)\b|\bnot a robot\b"
    r"|\bpardon our interruption\b|\bunusual traffic\b|\bcaptcha\b|\bray id\b|\bincident id\b"
    r"|\battention required\b|\brequest unsuccessful\b|\bautomated (?:access|requests?|queries)\b"
    r"|^\W*(?:your )?access(?: to this (?:page|site|resource|server))?(?: has been| is|:)? denied\b"
    r"|\byou (?:don\W?t|do not) have permission to access\b|\byou have been blocked\b",
    re.IGNORECASE | re.DOTALL | re.MULTILINE,
)
_SIGN_IN = re.compile(
    r"\b(?:sign|log) ?in to (?:continue|your account|view|access)|\bsession (?:has )?(?:expired|timed out)",
    re.IGNORECASE,
)
_FAULT = re.compile(
    r"\b(?:500|502|503|504)\b.{0,30}\b(?:error|unavailable|gateway|time-?out)"
    r"|\b(?:internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out)\b",
    re.IGNORECASE | re.DOTALL,
)
_SAID = (
    (_MISSING, "page_not_found", "It is a “page not found” page, not the document"),
    (_WALL, "bot_wall", "It is the page of a site that keeps programs out, not the document"),
    (_SIGN_IN, "sign_in_page", "It is a sign-in page, not the document"),
    (_FAULT, "error_page", "It is a site's error page, not the document"),
)


def refuse_pretender(title: str, text: str) -> None:
    """Raise RefusedFile for a page that stands in for the document that was wanted."""
    if len(text) > _LETTERS:
        return
    opening = f"{title}\n{text if len(text) <= _ONE_SENTENCE else text[:_OPENING]}"
    for pattern, code, said in _SAID:
        if pattern.search(opening):
            raise RefusedFile(f"{said}. Download the document in a browser and upload that file.", code)
