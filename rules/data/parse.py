"""Parse a file of rules (JSON or .xlsx) into questions with their answers; list what was refused or corrected. Pure.

A faulty row loses only itself. Refused: a file that is not a file of rules, junk questions, empty answers, unknown
countries, second answers for one cell, and characters that the database cannot store. Corrected: misspelled tags,
markup in texts, addresses that are misspelled or listed twice.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from rules import conf
from rules.data.clean import distinct_links, plain_text, usable_link
from rules.data.spreadsheet import Formula, WrongWorkbook, is_workbook, rows_of_workbook
from rules.tags import canonical_tag

UNSTORABLE = "characters that cannot be stored"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDraft:
    """What a file says for one country: plain text, never empty, and addresses that can be opened."""

    country: str
    text: str
    links: tuple[str, ...] = ()
    date_checked: date | None = None
    source_link: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionDraft:
    """A question of a file with its answers that say something, by country."""

    key: str
    text: str
    category: str
    tags: tuple[str, ...]
    answers: Mapping[str, AnswerDraft]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in a file that was not taken unchanged. `where` is a question's key, and the country if any; `row` is
    the row of the sheet, or the place of the question in a JSON file, from 1."""

    what: str
    where: str
    said: str = ""
    became: str = ""
    row: int = 0

    @property
    def place(self) -> str:
        """For a person: row and name."""
        row = f"row {self.row}"
        return self.where if self.where == row or not self.row else f"{row}, {self.where}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesFile:
    """A parsed file of rules: `refused` was left out, `mended` was corrected."""

    questions: tuple[QuestionDraft, ...]
    refused: tuple[Finding, ...] = ()
    mended: tuple[Finding, ...] = ()
    countries: frozenset[str] = field(default_factory=frozenset)


class NotRules(ValueError):
    """The file as a whole cannot be used; the message says why and what is expected."""


class _Pairs(dict[str, Any]):
    """A JSON object that remembers what it was told twice: the first one stands."""

    def __init__(self, pairs: Iterable[tuple[str, Any]]) -> None:
        super().__init__()
        self.twice: list[str] = []
        for name, value in pairs:
            if name in self:
                self.twice.append(name)
            else:
                self[name] = value


def read_rules(data: bytes, known_countries: Collection[str]) -> RulesFile:
    """Raises NotRules."""
    if len(data) > conf.FILE_BYTES:
        raise NotRules(f"the file has more than {conf.FILE_BYTES // 1024**2} MB")
    reader = _Reader(known_countries)
    if is_workbook(data):
        try:
            rows, unread = rows_of_workbook(data)
        except WrongWorkbook as error:
            raise NotRules(str(error)) from error
        reader.refused += [Finding("not read", one) for one in unread]
    else:
        rows = list(enumerate(_rows_of_json(data), 1))
    questions = tuple(filter(None, (reader.question(place, row) for place, row in rows)))
    if not questions:
        raise NotRules("the file has no question that can be used")
    return RulesFile(
        questions=questions,
        refused=tuple(reader.refused),
        mended=tuple(reader.mended),
        countries=frozenset(country for question in questions for country in question.answers),
    )


def _rows_of_json(data: bytes) -> list[Any]:
    try:
        found = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_Pairs)
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        if not data.strip():
            raise NotRules("the file is empty") from error
        told = (
            f". As JSON it is wrong: {error}"
            if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"["))
            else ""
        )
        raise NotRules(f"the file is neither an Excel workbook (.xlsx) nor JSON in UTF-8{told}") from error
    rows = found.get("questions") if isinstance(found, dict) else None
    if not isinstance(rows, list):
        raise NotRules('the file is JSON, but not {"questions": [{"question_id", "answers_by_country", …}]}')
    return rows


class _Reader:
    """Keeps the lists while rows are read."""

    def __init__(self, known_countries: Collection[str]) -> None:
        self.known = known_countries
        self.refused: list[Finding] = []
        self.mended: list[Finding] = []
        self._row = 0
        self._keys: set[str] = set()
        self._categories: dict[str, str] = {}

    def question(self, place: int, row: Any) -> QuestionDraft | None:
        self._row = place
        if not isinstance(row, dict):
            self._note_refused("not a question", f"row {place}", str(row))
            return None
        key = _text_of(row, "question_id") or _text_of(row, "question_text")
        text = self._read_text(key or f"row {place}", _text_of(row, "question_text") or key)
        fault = self._find_fault(row, key, text)
        if fault:
            self._note_refused(fault, key or f"row {place}", text)
            return None
        self._keys.add(key)
        spelt = _text_of(row, "category")
        # it is spelt as it was first
        category = self._categories.setdefault(" ".join(spelt.lower().split()), spelt)
        if category != spelt:
            self._note_mended("a category spelt otherwise", key, spelt, category)
        return QuestionDraft(
            key=key,
            text=text,
            category=category,
            tags=self._read_tags(key, row.get("tags")),
            answers=self._read_answers(key, row["answers_by_country"]),
        )

    def _find_fault(self, row: dict[str, Any], key: str, text: str) -> str:
        category = _text_of(row, "category")
        answers = row.get("answers_by_country")
        faults = {
            UNSTORABLE: not all(map(_is_storable, (key, text, category))),
            "a question without a name": not key or not text,
            "a question that is too long": max(len(key), len(text)) > conf.QUESTION_LENGTH,
            "a question that is there twice": key in self._keys,
            "a question without a category": not category or len(category) > conf.CATEGORY_LENGTH,
            "a junk question": category.lower() in conf.JUNK_CATEGORIES,
            "a question without answers_by_country": not isinstance(answers, dict),
        }
        return next((what for what, is_so in faults.items() if is_so), "")

    def _read_tags(self, key: str, spelt: Any) -> tuple[str, ...]:
        if spelt is not None and not isinstance(spelt, list):
            self._note_refused("tags that are no list", key, str(spelt))
        found: dict[str, None] = {}
        for one in spelt if isinstance(spelt, list) else ():
            tag = canonical_tag(one) if isinstance(one, str) and _is_storable(one) else ""
            if not tag or len(tag) > conf.TAG_LENGTH:
                self._note_refused("a tag that is none", key, str(one))
                continue
            if tag != one:
                self._note_mended("a tag spelt otherwise", key, one, tag)
            found[tag] = None
        return tuple(found)

    def _read_answers(self, key: str, cells: dict[str, Any]) -> dict[str, AnswerDraft]:
        for twice in getattr(cells, "twice", ()):
            self._note_refused("a second answer for one country", f"{key} [{twice}]")
        found: dict[str, AnswerDraft] = {}
        for spelt, cell in cells.items():
            code = spelt.strip().upper()
            country = conf.USUAL_CODES.get(code, code)
            where = f"{key} [{spelt}]"
            if country not in self.known:
                self._note_refused("a country that does not exist", key, spelt)
                continue
            if country != spelt:
                self._note_mended("a country's code spelt otherwise", key, spelt, country)
            if country in found:
                self._note_refused("a second answer for one country", where)
            elif answer := self._read_answer(where, country, cell):
                found[country] = answer
        return found

    def _read_answer(self, where: str, country: str, cell: Any) -> AnswerDraft | None:
        self._row = getattr(cell, "row", self._row)
        raw = cell.get("answer_html") if isinstance(cell, dict) else None
        if isinstance(raw, Formula):
            self._note_refused("a formula: paste its value instead", where)
            return None
        if not isinstance(raw, str):
            self._note_refused("an answer without answer_html", where)
            return None
        too_long = len(raw) > conf.ANSWER_LENGTH
        text = "" if too_long else self._read_text(where, raw)
        if not text or not _is_storable(text):
            empty = "an answer that is too long" if too_long else "an empty answer"
            self._note_refused(UNSTORABLE if text else empty, where, raw[:80])
            return None
        listed, again = _list_of(cell, "links"), _list_of(cell, "links_json")  # the format has the list twice
        links = list(self._listed_links(where, listed))
        if again != listed:
            links += self._listed_links(where, again)
        links += filter(None, (self._read_link(where, one) for one in plain_text(raw)[1]))
        checked, reviewed = None, cell.get("last_reviewed")
        try:
            checked = date.fromisoformat(reviewed) if reviewed else None
        except (TypeError, ValueError):
            self._note_refused("a date that is none", where, str(reviewed))
        return AnswerDraft(
            country=country,
            text=text,
            links=distinct_links(links),
            date_checked=checked,
            source_link=self._read_link(where, _text_of(cell, "source_link")),
        )

    def _listed_links(self, where: str, spelt: list[Any]) -> tuple[str, ...]:
        kept: tuple[str, ...] = ()
        for address in filter(None, (self._read_link(where, one) for one in spelt)):
            same = next((one for one in kept if len(distinct_links((one, address))) == 1), "")
            if same:
                self._note_mended("a link listed twice", where, address, same)
            else:
                kept = (*kept, address)
        return kept

    def _read_link(self, where: str, spelt: Any) -> str:
        """The address as it can be opened, or nothing."""
        if spelt == "":
            return ""
        address = usable_link(spelt) if isinstance(spelt, str) and _is_storable(spelt) else ""
        if not address:
            self._note_refused("a link that cannot be opened", where, str(spelt))
        elif address != spelt:
            self._note_mended("a link spelt otherwise", where, spelt, address)
        return address

    def _read_text(self, where: str, raw: str) -> str:
        text = plain_text(raw)[0]
        if " ".join(text.split()) != " ".join(raw.split()):
            self._note_mended("markup in a text", where, raw[:120], text[:120])
        return text

    def _note_refused(self, what: str, where: str, said: str = "") -> None:
        self.refused.append(
            Finding(what, _escape_unprintable(where), _escape_unprintable(said[:200]), row=self._row)
        )

    def _note_mended(self, what: str, where: str, said: str, became: str) -> None:
        self.mended.append(
            Finding(
                what,
                _escape_unprintable(where),
                _escape_unprintable(said),
                _escape_unprintable(became),
                self._row,
            )
        )


def _is_storable(text: str) -> bool:
    """Whether a database takes it: no zero, and no half of a character."""
    return "\0" not in text and _escape_unprintable(text) == text


def _escape_unprintable(text: str) -> str:
    """With a sign for what cannot be written down."""
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")


def _text_of(row: dict[str, Any], name: str) -> str:
    value = row.get(name)
    return value.strip() if isinstance(value, str) else ""


def _list_of(cell: dict[str, Any], name: str) -> list[Any]:
    value = cell.get(name)
    return value if isinstance(value, list) else []
