"""Files that nest brackets without end, and numbers without end: one line, or a refusal that is counted."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest
from tests.typed import World

from anagnosis import api
from anagnosis.cli import run
from anagnosis.corpus import carried
from anagnosis.errors import InputError

DEEP = "[" * 2_000 + "]" * 2_000
OPEN = "[" * 100_000
OBJECTS = '{"a":' * 2_000 + "1" + "}" * 2_000
LONG = "9" * 5_000  # more digits than Python reads
TEXTS = {"deep": DEEP, "open": OPEN, "objects": OBJECTS, "long": LONG}


def one_line(words: Sequence[object], capfd: pytest.CaptureFixture[str]) -> str:
    assert run(["-q", *map(str, words)]) == 2, words
    said = capfd.readouterr().err
    assert said.startswith("anagnosis: ")
    assert said.count("\n") == 1, said
    assert len(said) < 1_000
    return said


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_recipe_is_refused_in_one_line(
    text: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    recipe = tmp_path / "mine.toml"
    recipe.write_text(f"minimum_sentences = {text}\n")
    build = ["build", "biomrc", carried(), "--out", tmp_path / "out"]
    assert f"{recipe}: not TOML: " in one_line([*build, "--recipe", recipe], capfd)
    one_line([*build, "--set", f"minimum_sentences={text}"], capfd)
    one_line(["train", recipe, "--data", tmp_path, "--out", tmp_path / "run"], capfd)
    for given in (recipe, str(recipe)):
        with pytest.raises(InputError):
            api.recipe(given)


def test_a_recipe_that_is_a_pipe_does_not_wait(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "mine.toml")
    words = ["build", "biomrc", carried(), "--recipe", tmp_path / "mine.toml", "--out", tmp_path / "out"]
    assert "mine.toml: is no regular file" in one_line(words, capfd)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize(
    "format", ["jsonl", "bioc-json", "bioc-xml", "medline", "jats", "pubtator", "nbib", "cord19"]
)
def test_documents_are_refused_and_counted(
    format: str, text: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    nested = {
        "jsonl": f'{{"id": "1", "title": "T", "text": "x", "deep": {text}}}\n{text}\n',
        "bioc-json": f'{{"source": "", "documents": [{{"id": "1", "passages": {text}}}]}}',
        "bioc-xml": f"<collection>{'<document>' * 2_000}",
        "medline": f"<PubmedArticleSet>{'<PubmedArticle>' * 2_000}",
        "jats": f"<article>{'<sec>' * 2_000}",
        "cord19": text,
    }.get(format, text)
    file = tmp_path / "a.in"
    file.write_text(nested)
    code = run(
        ["-q", "convert", str(file), "--format", format, "--to", "jsonl", "--out", str(tmp_path / "o.jsonl")]
    )
    captured = capfd.readouterr()
    said = captured.out + captured.err
    assert code in (0, 2), said
    assert "Traceback" not in said
    if code == 2:
        assert captured.err.count("\n") == 1, said
    else:
        assert re.search("[1-9][0-9,]* refused|key_left_out", said), said


SHAPES = ("{text}", '{{"id": "x", "answer": {text}}}', '{{"id": "x", "strange": {text}}}',
                                   '{{"doc_id": {text}, "filtered_resps": {text}}}', '{{"x": {text}}}')  # fmt: skip


def test_predictions_are_refused_in_one_line(
    world: World, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "p.jsonl"
    for shape, text in product(SHAPES, TEXTS.values()):
        file.write_text(shape.format(text=text) + "\n")
        assert "p.jsonl" in one_line(["score", world.dataset, file, "--split", "test"], capfd)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_authors_files_labels_topics_and_stored_files_are_refused_in_one_line(
    text: str, world: World, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for layout in ("biomrc", "pubmedqa", "bioasq", "scifact", "squad"):
        folder = tmp_path / layout
        folder.mkdir()
        for name in ("ori_pqal.json", "golden.json", "dataset_train.json", "corpus.jsonl",
                     "claims_train.jsonl"):  # fmt: skip
            (folder / name).write_text(text)
        words = ["import", folder, "--layout", layout, "--out", tmp_path / f"{layout}-out"]
        one_line(words, capfd)
        one_line(["import", folder / "golden.json", *words[2:], "--split", "train"], capfd)
    (tmp_path / "labels.jsonl").write_text(f'{{"id": "x", "numbers": {text}}}\n')
    one_line(["score", world.dataset, world["BASE4"], "--labels", tmp_path / "labels.jsonl"], capfd)
    (tmp_path / "topics.jsonl").write_text(text + "\n")
    (tmp_path / "j.qrels").write_text("1 0 d 1\n")
    (tmp_path / "r.run").write_text("1 Q0 d 1 2.5 x\n")
    one_line(["evaluate-search", tmp_path / "r.run", "--judgements", tmp_path / "j.qrels",
              "--topics", tmp_path / "topics.jsonl"], capfd)  # fmt: skip
    for name in ("receipt.json", "recipe.toml"):
        copied = tmp_path / name
        copied.mkdir()
        for file in world.dataset.iterdir():
            if file.is_file():
                (copied / file.name).write_bytes(file.read_bytes())
        (copied / name).write_text(f"a = {text}" if name.endswith("toml") else text)
        one_line(["show", copied], capfd)
    for name in ("run.json", "recipe.toml", "index.json"):
        folder = tmp_path / f"of {name}"
        folder.mkdir()
        (folder / name).write_text(text)
        one_line(["predict", folder, world.dataset, "--out", tmp_path / "p.jsonl"], capfd)
        one_line(["search", folder, "tea"], capfd)


def test_what_nests_a_little_is_read(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps({"id": "1", "title": "T", "text": "x", "deep": [[[[[[1]]]]]]}) + "\n")
    assert [document.id for document in api.read(file)] == ["1"]
