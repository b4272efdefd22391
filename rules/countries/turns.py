"""What a turn of a conversation does with the places it names: adds, compares, replaces, leaves out. Pure.

Texts are in small letters, with "@" for each place.
"""

import re
from typing import Final


def _any(*alternatives: str) -> str:
    return "|".join(alternatives)


_OPENING: Final = (
    r"(?:(?:ok|okay|thanks|thank you|ta|great|good|right|yes|yeah|hmm|oh|well|so|cool|fine|perfect|alright"
    r"|ah|and|sorry)"
    r"[,.! ]+)*"
)
_TO: Final = r"(?:(?:in|for|to|from|of|with|into|over|about|at|the|also|those|rules|that|it|is|on)\s+)*@"

ADDS: Final = re.compile(
    _any(
        rf"^\s*{_OPENING}(?:and|plus|also)\b|^\s*[+&]",
        r"@[^.?!]*\b(?:too|as well)\b|\b(?:too|as well)\W*$",
        r"\badd(?:ing|ed)?\b|\binclud(?:e|ed|ing)\b|\bthrow in\b|\balong with\b|\btogether with\b|\bas well as\b"
        r"|\bkeep\b",
        rf"\balso (?:(?:do|show|check|try|consider|look at|give|tell) )?(?:me )?{_TO}"
        r"|@ also\b|\b(?:that|it|this|same) also\b|\badditionally\b|\bin addition\b|\bon top of\b",
        r"\bnot (?:only|just)\b|\bbesides\b|\bboth there and\b",
        r"\bis (?:that|it|this) the case\b[^.?!]*@|\b(?:that|it|this) (?:true|so|valid|apply|hold) (?:in"
        r"|for|to)\b[^.?!]*@",
        r"\b(?:from|between|to|via) there\b[^.?!]*@|@[^.?!]*\b(?:from|to|via) there\b|\bput @ in\b|\bplus @"
        r"|\b(?:swap|replac|exchang)\w* @",
    )
)
REPLACES: Final = re.compile(
    _any(
        rf"^\s*{_OPENING}and (?:now|what about|how about)\b(?![^.?!]*\b(?:too|as well|also)\b)"
        rf"|(?<!not )\bonly {_TO}|@ (?:only|alone)\b",
        r"\b(?:instead|rather than|switch to|forget|never ?mind|let'?s (?:do|go to|switch)|change to)\b",
    )
)
_THEM: Final = r"(?:it|that|this|they|these|those|things|there|the rules?)"
_STRICTER: Final = r"(?:\w{3,}er|more|less|better|worse)"
COMPARES: Final = re.compile(
    _any(
        r"\bcompar\w*|\bcontrast\w*|\bversus\b|\bvs\b|\bside by side\b|\bunlike\b|\bwhereas\b"
        r"|\bas opposed to\b",
        r"\bdiffer(?:s|ed|ent|ently|ence|ences)?\b|\bsimilar(?:ly)?\b|\bidentical\b|\balike\b|\bin common\b"
        r"|\bat odds\b",
        r"\b(?!do (?:exactly )?the same (?:for|with|in)\b)"
        r"(?:is|are|does|do|would|isn't|aren't|doesn't)\b[^.?!]{0,60}\b(?:the )?same\b(?! question)",
        r"^\W*(?:and )?(?:the )?same(?: rules?| thing)? in @"
        r"|\b(?:is|are) (?:the )?@ (?:also )?like (?:that|this)\b",
        r"\bthe same (?:as|in @ as|rules? as)\b|\bsame as\b|\bagrees? with\b|\bmatch(?:es)?\b[^.?!]*@"
        r"|\bstacks? up\b",
        r"\bthan (?:(?:in|for|the|those|of|is|it|at|to|over|from)\s+)*@",
        rf"\bwhich (?:one|of|country|is|has)\b[^.?!]*\b(?:{_STRICTER}|\w+est|most|least)\b",
        rf"\b(?:is|are) (?:{_THEM}|(?:the )?@) (?:any |much |a bit |also |even )?{_STRICTER}\b",
        rf"\bhow (?:does|do|is|are) {_THEM}\b[^.?!]{{0,20}}\b(?:stack|measure) up\b",
    )
)
NO_COMPARISON: Final = re.compile(
    r"\b(?:an?|another|something|one|totally|completely|entirely)? ?different (?:question|topic|country|one"
    r"|matter|thing|subject"
    r"|place|note|issue|story|airport|airfield|point|trip|flight|types?|classes)|\bsomething different\b"
    r"|\bon a different\b"
)
ALL_OF_THEM: Final = re.compile(
    r"\b(?:them|all (?:of )?(?:them|those|these|three|four|five|the countries)|(?:these|those) (?:two|three"
    r"|countries)|both"
    r"|the two|the three|each (?:of them|other|country)|among them|between them|all together|every one of)\b"
)
THE_FIRST: Final = re.compile(r"\bthe former\b|\bthe first (?:one|country|of (?:them|these|those|the two))\b")
THE_FIRST_TWO: Final = re.compile(r"\bthe first two\b")
THE_LAST_TWO: Final = re.compile(r"\bthe last two\b")
THE_LAST: Final = re.compile(
    r"\bthe latter\b|\bthe (?:second|last) (?:one|country|of (?:them|these|those|the two))\b"
)
EVERYWHERE: Final = re.compile(
    _any(
        r"\b(?:which|what) (?:european |other |eu )?countr(?:y|ies)\b(?! of (?:these|those|them|the))",
        r"\b(?:all|any) (?:of the )?(?:other )?(?:european |eu )?countr(?:y|ies)\b",
        r"\bother (?:european |eu )?countries\b",
        r"\b(?:in|across|throughout|around|over|within) (?:all of |the whole of |the rest of |all )?europe\b",
        r"\b(?:every|any)where (?:but|bar|except|excluding|other than|apart from|aside from|outside|save|else)\b",
    )
)

# "All of Scandinavia but Norway"
ALL_OF: Final = re.compile(r"\b(?:all|any|every|everywhere|whole|each)\b[^.?!]*$")
BUT: Final = re.compile(r"^\s*but\s+(?:the\s+)?$")
# "Non-Swiss": nothing is left out, and nothing is named.
NEGATES: Final = re.compile(r"\bnon[- ]$")
# What may stand between a word that leaves out and the place: "not for the", "except in".
_ARTICLE: Final = (
    r"(?:(?:in|for|at|to|from|of|about|into|over|on|the|any|rules|by|within|near|via|including|with|through"
    r"|anywhere near|again"
    r"|either)\s+)*"
)
_GOING: Final = (
    r"(?:going|flying|travell?ing|stopping|visiting|landing|heading|interested|asking|talking|thinking"
    r"|touching|planning"
    r"|entering|looking|bothered|concerned)"
)
LEAVES_OUT: Final = re.compile(
    "(?:"
    + _any(
        r"\bexcept(?:ing)?(?: for)?\s+|\b(?:with|to) the exception of\s+|\bexclud(?:e|es|ing)\s+"
        r"|\bex(?:cl)?\.?\s+|\bwithout (?:\w+ing (?:(?:into|at|in|on|about|through|over) )?)?|\bsans\s+",
        r"\b(?:other than|apart from|aside from|instead of|rather than|as opposed to|minus"
        r"|(?<!the )(?<!a )(?<!any )bar|barring"
        r"|save(?: for)?|less)\s+",
        r"\bbut (?:not|no|never)\s+|\b(?:any|every|no)(?:where|thing|body|one) but\s+|\b(?:all|any"
        r"|countr(?:y|ies)) but\s+",
        r"\b(?:leav(?:e|ing) (?:out|aside)|drop(?:ping)?|remov(?:e|ing)|omit(?:ting)?|skip(?:ping)?"
        r"|ignor(?:e|ing)|swap(?:ping)?|replac(?:e|ing)|exchang(?:e|ing)|scratch|scrap|strike)\s+",
        r"\b(?:forget(?: about)?|never ?mind|take (?:out|away)|cross (?:off|out)|delete|get rid of|cut"
        r"|kick out)\s+",
        r"\b(?:no longer|no more|neither|nor|outside(?: of)?|avoid(?:ing)?|not counting|not including"
        r"|not bothering with)\s+",
        r"\bnothing (?:on|about|for)\s+|\bno (?:need|interest)(?: for| in)?\s+|\bdone with\s+"
        r"|\benough (?:of|about)\s+",
        r"\b(?:don'?t|do not|didn'?t|did not) (?:care about|want|need|mean|include|ask about|say|show"
        r"|tell me about|give me|bother with)\s+",
        rf"\b(?:won'?t|will not|not|never|no longer|isn'?t|aren'?t|ain'?t) (?:be )?{_GOING}(?: at| anymore"
        rf"| any more)?\s+",
        r"(?:^|[,;:.!?(]|\b(?:and|but))\s*no\s+(?!,)",
        r"\b(?<!or )(?<!why )(?<!whether )(?<!is it )(?<!is that )(?<!are they )not\s+(?!only|just|even)",
        r"^\s*(?:no,? )?not\s+",
    )
    + rf"){_ARTICLE}$"
)
# One place after another that is left out is left out, too: "except France, Germany and Italy"; after these a comma is
# the end of it: "not France, Germany", "instead of France, Germany".
UP_TO_A_COMMA: Final = re.compile(r"\bnot\s|\b(?:instead of|rather than|as opposed to)\s")
AND_SO_ON: Final = re.compile(rf"^\s*(?:,|,?\s*(?:and|or|nor|&)|/)\s*{_ARTICLE}$")
OR_SO_ON: Final = re.compile(rf"^\s*(?:,?\s*(?:or|nor|and)|/|&)\s*{_ARTICLE}$")
LEFT_OUT_AFTERWARDS: Final = re.compile(
    r"^\s*(?:(?:is |are |being )?(?:excluded|left out|excepted|not included|(?:aside|apart)(?! from))\b"
    r"|can (?:be (?:left out|dropped|ignored|skipped)|wait)\b"
    r"|(?:is|are) (?:out|off|cancelled|no longer|not (?:relevant|needed|interesting|important"
    r"|of interest))\b|(?:does not|doesn'?t) (?:matter|interest|count)\b"
    r"|no longer (?:matters|interests))"
)
# "Leave Spain out", "take Spain off": the verb stands before the place, what it means after it.
TAKES: Final = re.compile(rf"\b(?:leav|tak|cross|strik|cut|kick|rul|drop|keep)(?:e|es|ing)?\s+{_ARTICLE}$")
OUT: Final = re.compile(r"^\s*(?:out|off|aside|away)\b(?! of)")
CORRECTS: Final = re.compile(
    r"^[\s.,;:!?…–—-]*(?:(?:oh|um|er|ah|hm+|wait|sorry|no|nope|or)[\s,.…–—-]+)*"
    r"(?:no|no wait|wait|sorry|scratch that|scrap that|correction|or rather|i mean|i meant|make (?:that|it)"
    r"|nope)[\s,.:…–—-]+"
    rf"(?:i mean |i meant |make that |actually |rather )?{_ARTICLE}$"
)
