"""Every pure parser that students, uploads and models reach, as a function of one text; what it costs is tested."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from curation.offline.extractor import extract_drafts
from curation.values import Material
from exams.domain.question_checks import faults_of
from exams.examiner.supporting_quotes import says_something
from exams.offline.answer_filter import filter_answer
from exams.offline.asides import read_aside
from exams.offline.classifier import Classifier
from exams.offline.features import PointText
from exams.offline.findings import find_points
from knowledge.grounding.citations import find_quote, paragraph_of_quote
from knowledge.grounding.entailment import check_entailment
from knowledge.grounding.fact_check import compare_facts
from knowledge.ingestion.chunking.chunker import chunk_pages
from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.formats.html import html_document
from knowledge.ingestion.formats.markdown import markdown_document
from knowledge.ingestion.formats.metadata import describe_text
from knowledge.ingestion.formats.plain_text import text_document
from knowledge.ingestion.formats.section_numbers import number_of
from knowledge.retrieval.query.abbreviation_extraction import abbreviations_in
from knowledge.retrieval.query.builder import rank_terms, spell_out_abbreviations, split_into_parts
from knowledge.standards.references import parse_references
from knowledge.text.conditions import conditions_in
from knowledge.text.modality import clauses_of, modality_of, negations_in
from knowledge.text.quantities import quantities_in
from knowledge.text.sentences import sentences_in
from knowledge.text.tokens import content_words
from llm.local.minilm import load_tokenizer
from rules.countries.mentions import mentions_in
from rules.data.clean import plain_text
from rules.query.question_splitting import parts_of
from rules.query.router import route
from rules.statements.entailment import force_of
from rules.statements.figures import figures_in
from rules.statements.stance import position_of

STATEMENT: Final = (
    "Within the preceding 90 days you must have made at least three takeoffs and three landings, unless no "
    "passengers are carried."
)
QUESTION: Final = "You last flew 95 days ago. What do you need before you may take passengers aloft?"


@cache
def _classifier() -> Classifier:
    return Classifier(load_tokenizer())


def _judged(answer: str) -> object:
    return find_points([PointText(STATEMENT)], QUESTION, answer, _classifier())


def _chunked(source: Callable[..., Any]) -> Callable[[str], object]:
    def read(text: str) -> object:
        try:
            document = source(text, file_name="fuzz.txt")
        except RefusedFile:
            return ()
        return list(chunk_pages(document, count_tokens=lambda said: len(said) // 4))

    return read


def _claimed(text: str) -> object:
    return extract_drafts(Material(text=text, section="91.3", doc_type="cfr", document="14 CFR 91"))


PARSERS: Final[dict[str, Callable[[str], object]]] = {
    "assessor": _judged,
    "answer filter": filter_answer,
    "aside": read_aside,
    "said something": says_something,
    "question rules": lambda text: faults_of(text, expectations=[STATEMENT], support=[STATEMENT]),
    "sentences": sentences_in,
    "quantities": quantities_in,
    "conditions": conditions_in,
    "clauses": clauses_of,
    "modality": modality_of,
    "negations": negations_in,
    "content words": content_words,
    "comparison": lambda text: compare_facts(text, STATEMENT),
    "comparison with a source": lambda text: compare_facts(STATEMENT, text),
    "entailment": lambda text: check_entailment(text, STATEMENT),
    "entailment by a passage": lambda text: check_entailment(STATEMENT, text),
    "quote": lambda text: find_quote(text, "the preceding 90 days"),
    "label": lambda text: paragraph_of_quote(text, text[-30:]),
    "plain text": _chunked(text_document),
    "markdown": _chunked(markdown_document),
    "web page": _chunked(html_document),
    "title page": describe_text,
    "section number": number_of,
    "claims": _claimed,
    "query": rank_terms,
    "query in full words": spell_out_abbreviations,
    "query parts": split_into_parts,
    "abbreviations": lambda text: list(abbreviations_in(text)),
    "references": parse_references,
    "route": lambda text: route([text]),
    "countries": mentions_in,
    "rules question parts": parts_of,
    "rules amounts": figures_in,
    "rules position": position_of,
    "rules force": force_of,
    "rules answer as text": plain_text,
}
