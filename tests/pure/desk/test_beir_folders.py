"""A folder of judged questions is read, or refused with the place of what is wrong."""

import json
from pathlib import Path

import pytest

from desk.evaluation.beir import read_folder
from desk.evaluation.labeled_files import BadFile


def folder(path: Path, corpus: str = "", queries: str = "", qrels: str = "") -> Path:
    (path / "qrels").mkdir()
    (path / "corpus.jsonl").write_text(
        corpus or json.dumps({"_id": "d1", "title": "Fuel", "text": "30 minutes"})
    )
    (path / "queries.jsonl").write_text(queries or json.dumps({"_id": "q1", "text": "How much fuel?"}))
    (path / "qrels" / "test.tsv").write_text(qrels or "query-id\tcorpus-id\tscore\nq1\td1\t2\n")
    return path


def test_a_folder_becomes_documents_and_questions(tmp_path: Path) -> None:
    read = read_folder(folder(tmp_path))
    assert [(text.name, text.title) for text in read.texts] == [("d1", "Fuel")]
    assert [(question.text, dict(question.right)) for question in read.questions] == [
        ("How much fuel?", {"d1": 2})
    ]


def test_a_judgement_of_nought_is_none(tmp_path: Path) -> None:
    read = read_folder(folder(tmp_path, qrels="q\tc\ts\nq1\td1\t1\nq1\td2\t0\n"))
    assert dict(read.questions[0].right) == {"d1": 1}


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({"corpus": "{"}, "corpus.jsonl, line 1"),
        ({"corpus": "[]"}, "corpus.jsonl, line 1"),
        ({"corpus": '{"text": "x"}'}, "_id"),
        ({"corpus": '{"_id": "a"}\n{"_id": "a"}'}, "twice"),
        ({"qrels": "q\tc\ts\nq1\td1\tmany\n"}, "line 2"),
        ({"qrels": "q\tc\ts\nq9\td1\t1\n"}, "no question"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, given: dict[str, str], place: str) -> None:
    with pytest.raises(BadFile, match=place):
        read_folder(folder(tmp_path, **given))


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"corpus\.jsonl"):
        read_folder(tmp_path / "nowhere")
