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
from tests.rows import each_row

import anagnosis
from anagnosis import parallel
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


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.jsonl"
    anagnosis.write([Document("1", (Section("abstract", TEXT),))], path, format="jsonl")
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
    anagnosis.annotate([papers], tmp_path / "2.jsonl.gz", terms=[terms], workers=2)
    assert (tmp_path / "2.jsonl.gz").read_bytes() == (tmp_path / "out.jsonl.gz").read_bytes()
    chosen: dict[str, Any] = {"types": ["disease"], "without": ["defined_short_forms"]}
    done = anagnosis.annotate([papers], tmp_path / "3.jsonl", terms=[terms], workers=1, **chosen)
    assert done.types == {"Disease": 150}


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


@pytest.mark.parametrize("format", sorted(SAMPLES))
def test_annotations_of_another_program_become_mentions(format: str, note: Path, tmp_path: Path) -> None:
    (tmp_path / "1").write_bytes(SAMPLES[format]().whole)
    done = anagnosis.annotate([note], tmp_path / "out.jsonl", annotations=[(format, tmp_path / "1")])
    (document,) = anagnosis.read(tmp_path / "out.jsonl")
    assert [(mention.text, mention.identifier) for mention in document.mentions] == [
        (words, identifier) for identifier, words, _ in ANNOTATED
    ]
    assert (done.mentions, done.concepts) == (3, 3)


def test_annotations_of_another_version_stop_in_one_line_or_are_left_out(note: Path, tmp_path: Path) -> None:
    (tmp_path / "1.ann").write_text("T1\tx 13 25\theart attack\nT2\tx 27 32\tfever\n")
    out, annotations = tmp_path / "o.jsonl", [("brat", tmp_path / "1.ann")]
    with pytest.raises(InputError, match=r"1\.ann"):
        anagnosis.annotate([note], out, annotations=annotations)
    assert not out.exists()
    anagnosis.annotate([note], out, annotations=annotations, accept_drift=True)
    ((mention,),) = (document.mentions for document in anagnosis.read(out))
    assert mention.text == "fever"


@each_row(
    ("of", "options", "line"),
    [
        (("terms",), {"without": ["plural"]}, "without: unknown rule of annotation 'plural'; did you mean plurals"),
        (("terms",), {"types": ["virus"]}, "types: no term has the type virus; types of these terms: Disease, Chem"),
        (("terms",), {"accept_drift": True}, "accept_drift: not for vocabularies; name it with annotations"),
        (("annotations",), {"types": ["x"]}, "types: not for annotations; name it with terms"),
        (("annotations",), {"without": ["hyphens"]}, "without: not for annotations"),
        (("annotations",), {}, "no document has the id of an annotated text, such as '2'; documents: '1'; call"),
        ((), {}, "terms: neither a vocabulary nor annotations"),
        (("terms", "annotations"), {}, "terms: both vocabularies and annotations"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_one_line(
    of: tuple[str, ...], options: dict[str, Any], line: str, tmp_path: Path
):
    (tmp_path / "terms.tsv").write_text(TERMS)
    (tmp_path / "2.ann").write_bytes(SAMPLES["brat"]().whole)
    anagnosis.write([Document("1", (Section("abstract", TEXT),))], tmp_path / "note.jsonl", format="jsonl")
    both = {"terms": [tmp_path / "terms.tsv"], "annotations": [("brat", tmp_path / "2.ann")]}
    given: dict[str, Any] = {name: both[name] for name in of}
    with pytest.raises(InputError) as raised:
        anagnosis.annotate([tmp_path / "note.jsonl"], tmp_path / "out.jsonl", **given, **options)
    assert line in str(raised.value)
    assert not (tmp_path / "out.jsonl").exists()
