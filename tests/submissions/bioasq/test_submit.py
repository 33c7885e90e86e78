"""What is written is read again as it was, and every question of the split is there."""

from __future__ import annotations

import io
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis import api
from anagnosis.datasets.folder import writing
from anagnosis.datasets.kinds.question import FACTOID, LIST, SUMMARY, TYPES, YESNO, QuestionInstance, Triple
from anagnosis.errors import InputError
from anagnosis.predictions import Answer, FoundSnippet, Prediction, read
from anagnosis.submissions.bioasq.rules import ADDRESS, faults
from anagnosis.submissions.bioasq.submit import write

NAME = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=12).filter(
    lambda text: bool(text.strip())
)
SNIPPET = st.builds(
    lambda pmid, begin, text, section: FoundSnippet(
        ADDRESS.format(pmid), section, begin, section, begin + len(text), text
    ),
    st.integers(1, 10**8),
    st.integers(0, 5000),
    NAME,
    st.sampled_from(["title", "abstract"]),
)
ANSWERS = {
    YESNO: st.sampled_from(["yes", "no"]).map(lambda text: [text]),
    FACTOID: st.lists(NAME, max_size=5),
    LIST: st.lists(NAME, max_size=8),
    SUMMARY: st.none(),
}


def put(phase: str, pairs: list[tuple[QuestionInstance, Prediction | None]]) -> bytes:
    with TemporaryDirectory() as scratch:
        recipe = {"dataset": "bioasq", "kind": "question"}
        dataset = writing.write(Path(scratch) / "built", {"test": [each for each, _ in pairs]}, recipe)
        stream, answers = io.BytesIO(), {question.id: answer for question, answer in pairs if answer}
        assert write(stream, dataset, "test", phase, answers).questions == len(pairs)
    return stream.getvalue()


@st.composite
def answered(draw: st.DrawFn, phase: str) -> list[tuple[QuestionInstance, Prediction]]:
    pairs: list[tuple[QuestionInstance, Prediction]] = []
    for number, kind in enumerate(draw(st.lists(st.sampled_from(TYPES), min_size=1, max_size=5))):
        ident = f"{number:024x}"
        if phase == "A":
            documents = draw(st.lists(st.integers(1, 10**8).map(ADDRESS.format), max_size=10, unique=True))
            snippets = draw(st.lists(SNIPPET, max_size=5, unique_by=lambda s: (s.document, s.begin)))
            concepts = draw(st.none() | st.lists(NAME, min_size=1, max_size=3))
            triples = draw(st.none() | st.lists(st.builds(Triple, NAME, NAME, NAME), min_size=1, max_size=3))
            answer = Prediction(
                ident, documents=documents, snippets=snippets, concepts=concepts, triples=triples
            )
        else:
            texts = draw(ANSWERS[kind])
            answer = Prediction(
                ident,
                answers=None if texts is None else [*map(Answer, texts)],
                ideal=draw(st.none() | NAME),
            )
        pairs.append((QuestionInstance(ident, kind, "?"), answer))
    return pairs


@pytest.mark.parametrize("phase", ["A", "B"])
def test_what_is_written_is_read_again(phase: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("submissions") / "submission.json"

    @given(pairs=answered(phase))
    def check(pairs: list[tuple[QuestionInstance, Prediction]]) -> None:
        assert not [fault for question, answer in pairs for fault in faults(question, answer)]
        path.write_bytes(put(phase, [*pairs]))
        again = [*read(path)]
        assert [_plain(each) for each in again] == [_plain(answer) for _, answer in pairs]
        assert (
            put(phase, [*zip([question for question, _ in pairs], again, strict=True)]) == path.read_bytes()
        )

    check()


def _plain(prediction: Prediction) -> tuple[Any, ...]:
    return prediction.id, prediction.any_answer, prediction.ideal, prediction.retrieved


def test_questions_without_an_answer_are_there_too() -> None:
    pairs = [(QuestionInstance(kind, kind, "?"), None) for kind in TYPES]
    assert json.loads(put("B", [*pairs]))["questions"] == [
        {"id": kind, **({"exact_answer": []} if kind in (FACTOID, LIST) else {})} for kind in TYPES
    ]
    assert all(
        question == {"id": question["id"], "documents": [], "snippets": []}
        for question in json.loads(put("A", [*pairs]))["questions"]
    )


def test_addresses_are_written_as_in_the_golden_files() -> None:
    question = QuestionInstance("q", SUMMARY, "?")
    snippet = FoundSnippet("https://pubmed.ncbi.nlm.nih.gov/7/", "title", 0, "title", 1, "a")
    answer = Prediction("q", documents=["https://pubmed.ncbi.nlm.nih.gov/7/"], snippets=[snippet])
    (found,) = json.loads(put("A", [(question, answer)]))["questions"]
    assert found["documents"] == [ADDRESS.format(7)]
    assert found["snippets"][0]["document"] == ADDRESS.format(7)


def test_a_file_without_a_line_is_refused_beside_others(tmp_path: Path) -> None:
    dataset = writing.write(
        tmp_path / "built",
        {"test": [QuestionInstance("q", FACTOID, "?")]},
        {"dataset": "bioasq", "kind": "question"},
    )
    (tmp_path / "one.jsonl").write_text('{"id": "q", "answer": "a"}\n')
    (tmp_path / "empty.jsonl").touch()
    files = [tmp_path / "one.jsonl", tmp_path / "empty.jsonl"]
    with pytest.raises(InputError, match=r"empty\.jsonl: holds no predictions"):
        api.submit(dataset, files, phase="B", out=tmp_path / "out.json")


def test_the_file_is_ascii_with_a_question_a_line() -> None:
    question = QuestionInstance("q", FACTOID, "?")
    assert put("B", [(question, Prediction("q", answer="β"))] * 2).decode("ascii").splitlines() == [
        '{"questions": [',
        '{"id": "q", "exact_answer": [["\\u03b2"]]},',
        '{"id": "q", "exact_answer": [["\\u03b2"]]}',
        "]}",
    ]
