"""The words of a passage that a result of a search shows: the sentence that holds most of what was asked. Pure."""

from dataclasses import dataclass

from knowledge import conf
from knowledge.retrieval.query.builder import Term, rank_terms
from knowledge.text.sentences import sentences_in
from knowledge.text.tokens import content_words, plain_words, stem_word


@dataclass(frozen=True, slots=True)
class Snippet:
    """Words of a passage as they stand there, and whether their sentence begins before or ends behind them."""

    text: str
    starts_late: bool = False
    ends_early: bool = False


def quote_for(text: str, asked: str, heading: str = "") -> Snippet | None:
    """The sentence of `text` with the most different terms of `asked`, and the next one if that has others; None if no
    sentence has any; of what is too long the first piece with the most terms, from word to word. The passage's heading,
    with which a text may begin, is no sentence."""
    text = text.removeprefix(heading)
    terms, sentences = rank_terms(asked), sentences_in(text)
    held = [_terms_held(terms, one.text) for one in sentences]
    at = max(range(len(held)), key=lambda place: (len(held[place]), -place), default=None)
    if at is None or not held[at]:
        return None
    goes_on = at + 1 < len(held) and held[at + 1] - held[at]
    text = text[sentences[at].start : sentences[at + bool(goes_on)].end]
    most = conf.QUOTE_SHOWN
    if len(text) <= most:
        return Snippet(text)
    pieces = []
    for place in range(0, len(text), most // 4):  # so near each other that a term is whole in one of them
        start = text.find(" ", place) + 1 if place else 0
        end = text.rfind(" ", start, start + most + 1) if start + most < len(text) else len(text)
        pieces.append((start, end if end > start else start + most))
        if end == len(text):
            break
    start, end = max(pieces, key=lambda piece: len(_terms_held(terms, text[slice(*piece)])))
    return Snippet(text[start:end], start > 0, end < len(text))


def _terms_held(terms: list[Term], sentence: str) -> set[Term]:
    words, stems = f" {plain_words(sentence)} ", set(content_words(sentence))
    return {
        term
        for term in terms
        if any(f" {plain_words(wording)} " in words for wording in term.wordings)
        or (term.form and stem_word(term.form) in stems)
    }
