"""`annotate`: documents in, JSON lines with mentions out, the same bytes from any number of workers."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.entities.third_party.samples import SAMPLES, TEXT
from tests.entities.third_party.samples import TERMS as ANNOTATED

import anagnosis
from anagnosis import parallel
from anagnosis.cli import run
from anagnosis.documents.document import Document, Section
from anagnosis.entities.annotated import annotated, loaded_dictionary
from anagnosis.errors import InputError

TERMS = (
    "id\tname\tsynonyms\tsemantic_type\n"
    "D006333\tHeart Failure\tCardiac Failure\tDisease\n"
    "D001241\tAspirin\tAcetylsalicylic acid\tChemical\n"
)


@pytest.fixture
def terms(tmp_path: Path) -> Path:
    path = tmp_path / "terms.tsv"
    path.write_text(TERMS)
    return path


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    documents = (
        Document(
            str(n),
            (
                Section("title", "Aspirin in heart failure (HF)."),
                Section("abstract", f"We gave {n} people with HF acetylsalicylic acid."),
            ),
        )
        for n in range(150)
    )
    path = tmp_path / "papers.jsonl"
    anagnosis.write(documents, path, format="jsonl")
    return path


def test_mentions_are_written_and_read_again(papers: Path, terms: Path, tmp_path: Path):
    done = anagnosis.annotate([papers], tmp_path / "out.jsonl.gz", terms=[terms], workers=1)
    assert (done.documents, done.mentions, done.concepts) == (150, 750, 2)
    assert done.types == {"Chemical": 300, "Disease": 450}
    assert done.counts == {"defined_short_forms": 300}
    first = next(iter(anagnosis.read(tmp_path / "out.jsonl.gz")))
    assert [(m.text, m.identifier, m.name, m.type) for m in first.mentions] == [
        ("Aspirin", "D001241", "Aspirin", "Chemical"),
        ("heart failure", "D006333", "Heart Failure", "Disease"),
        ("HF", "D006333", "Heart Failure", "Disease"),
        ("HF", "D006333", "Heart Failure", "Disease"),
        ("acetylsalicylic acid", "D001241", "Aspirin", "Chemical"),
    ]
    assert all(first.text[m.start : m.end] == m.text for m in first.mentions)


def test_two_workers_write_the_same_bytes(papers: Path, terms: Path, tmp_path: Path):
    for workers in (1, 2):
        anagnosis.annotate([papers], tmp_path / f"{workers}.jsonl.gz", terms=[terms], workers=workers)
    assert (tmp_path / "1.jsonl.gz").read_bytes() == (tmp_path / "2.jsonl.gz").read_bytes()


def test_a_script_without_a_main_guard_annotates_a_few_documents(note: Path, terms: Path, tmp_path: Path):
    script = tmp_path / "script.py"
    script.write_text(
        "import anagnosis, anagnosis.parallel\n"
        "anagnosis.parallel.available_workers = lambda: 2\n"
        f"anagnosis.annotate([{str(note)!r}], {str(tmp_path / 'o.jsonl')!r}, terms=[{str(terms)!r}])\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("count", "expected"), [(64, 1), (65, None)])
def test_one_batch_needs_no_other_process(
    count: int, expected: int | None, terms: Path, monkeypatch: pytest.MonkeyPatch
):
    given: list[int | None] = []

    def local(workers: int | None):
        given.append(workers)
        return pools(1)

    pools = parallel.local
    monkeypatch.setattr(parallel, "local", local)
    monkeypatch.setattr(parallel, "available_workers", lambda: 1)
    dictionary, _ = loaded_dictionary([terms])
    documents = [Document(str(n), (Section("title", "Aspirin."),)) for n in range(count)]
    done = list(annotated(iter(documents), dictionary, Counter(), workers=None))
    assert [document.id for document in done] == [document.id for document in documents]
    assert given == [expected]


def test_types_and_rules_are_chosen(papers: Path, terms: Path, tmp_path: Path):
    done = anagnosis.annotate(
        [papers],
        tmp_path / "out.jsonl",
        terms=[terms],
        types=["disease"],
        without=["defined_short_forms"],
        workers=1,
    )
    assert done.types == {"Disease": 150}


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"without": ["plural"]}, "--without: unknown rule of annotation 'plural'; did you mean plurals"),
        ({"types": ["virus"]}, "--type: no term has the type virus; types of these terms: Disease, Chemical"),
    ],
)
def test_a_wrong_choice_is_one_line(
    papers: Path, terms: Path, tmp_path: Path, how: dict[str, list[str]], message: str
):
    with pytest.raises(InputError) as raised:
        anagnosis.annotate([papers], tmp_path / "out.jsonl", terms=[terms], **how)  # pyright: ignore[reportArgumentType]
    assert str(raised.value).startswith(message)
    assert not (tmp_path / "out.jsonl").exists()


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.jsonl"
    anagnosis.write([Document("1", (Section("abstract", TEXT),))], path, format="jsonl")
    return path


@pytest.mark.parametrize("format", sorted(SAMPLES))
def test_annotations_of_another_program_become_mentions(format: str, note: Path, tmp_path: Path) -> None:
    (tmp_path / "1").write_bytes(SAMPLES[format]().whole)
    done = anagnosis.annotate([note], tmp_path / "out.jsonl", annotations=[(format, tmp_path / "1")])
    (document,) = anagnosis.read(tmp_path / "out.jsonl")
    assert [(mention.text, mention.identifier) for mention in document.mentions] == [
        (words, identifier) for identifier, words, _ in ANNOTATED
    ]
    assert (done.mentions, done.concepts) == (3, 3)


def test_annotations_of_another_version_stop_in_one_line_or_are_left_out(
    note: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "1.ann").write_text("T1\tx 13 25\theart attack\nT2\tx 27 32\tfever\n")
    command = [
        "annotate",
        str(note),
        "--from",
        "brat",
        str(tmp_path / "1.ann"),
        "--out",
        str(tmp_path / "o.jsonl"),
    ]
    assert run(command) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "o.jsonl").exists()
    assert run([*command, "--accept-drift"]) == 0
    ((mention,),) = (document.mentions for document in anagnosis.read(tmp_path / "o.jsonl"))
    assert mention.text == "fever"


@pytest.mark.parametrize("given", ["neither", "both"])
def test_either_vocabularies_or_annotations_are_needed(
    given: str, note: Path, terms: Path, tmp_path: Path
) -> None:
    both = {"terms": [terms], "annotations": [("brat", tmp_path)]} if given == "both" else {}
    with pytest.raises(InputError, match=given):
        anagnosis.annotate([note], tmp_path / "out.jsonl", **both)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"types": ["x"]}, "--type"),
        ({"without": ["hyphens"]}, "--without"),
        ({"accept_drift": True}, "--accept-drift"),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(
    options: dict[str, Any], where: str, note: Path, terms: Path, tmp_path: Path
) -> None:
    source: dict[str, Any] = (
        {"terms": [terms]} if where == "--accept-drift" else {"annotations": [("brat", tmp_path)]}
    )
    with pytest.raises(InputError, match=f"{where}: not for"):
        anagnosis.annotate([note], tmp_path / "out.jsonl", **source, **options)


def test_annotations_of_other_documents_are_refused(note: Path, tmp_path: Path) -> None:
    (tmp_path / "2.ann").write_bytes(SAMPLES["brat"]().whole)
    with pytest.raises(
        InputError, match="no document has the id of an annotated text, such as '2'; documents: '1'; call"
    ):
        anagnosis.annotate([note], tmp_path / "out.jsonl", annotations=[("brat", tmp_path / "2.ann")])
