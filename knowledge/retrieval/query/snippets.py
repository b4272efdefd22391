"""The words of a passage that a result of a search shows: the sentence that holds most of what was asked. Pure."""

from knowledge import conf
from knowledge.retrieval.query.builder import Term, rank_terms
from knowledge.text.sentences import sentences_in
from knowledge.text.tokens import content_words, plain_words, stem_word


def quote_for(text: str, asked: str, heading: str = "") -> str:
    """The sentence of `text` with the most different terms of `asked`, and the next one if that has others; "" if no
    sentence has any. It stands in `text` as it is. The passage's heading, with which a text may begin, is none."""
    text = text.removeprefix(heading)
    terms, sentences = rank_terms(asked), sentences_in(text)
    held = [_terms_held(terms, one.text) for one in sentences]
    at = max(range(len(held)), key=lambda place: (len(held[place]), -place), default=None)
    if at is None or not held[at]:
        return ""
    goes_on = at + 1 < len(held) and held[at + 1] - held[at]
    return text[sentences[at].start : sentences[at + bool(goes_on)].end][: conf.QUOTE_SHOWN]


def _terms_held(terms: list[Term], sentence: str) -> set[Term]:
    words, stems = f" {plain_words(sentence)} ", set(content_words(sentence))
    return {
        term
        for term in terms
        if any(f" {plain_words(wording)} " in words for wording in term.wordings)
        or (term.form and stem_word(term.form) in stems)
    }
