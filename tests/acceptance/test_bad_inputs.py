"""What a user gives wrong, and the line that answers it: exit code 2, one line, no traceback."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.refusals import refused

from anagnosis.cli import run
from anagnosis.corpus import carried

ABSTRACT = "Aspirin was given. " * 11


def pubtator(path: Path, ident: str = "1", rows: str = "") -> Path:
    path.write_text(f"{ident}|t|Aspirin against headaches\n{ident}|a|{ABSTRACT}\n{rows}\n")
    return path


def build(*inputs: object, out: object, options: tuple[str, ...] = ()) -> list[str]:
    return ["build", "biomrc", *map(str, inputs), "--out", str(out), *options]


def wrong_path(at: Path) -> list[str]:
    return build(at / "missing.pubtator.gz", out=at / "out")


def folder_without_files(at: Path) -> list[str]:
    (at / "empty").mkdir()
    return build(at / "empty", out=at / "out")


def empty_file(at: Path) -> list[str]:
    (at / "empty.pubtator").touch()
    return build(at / "empty.pubtator", out=at / "out")


def empty_gzip(at: Path) -> list[str]:
    (at / "empty.pubtator.gz").write_bytes(gzip.compress(b""))
    return build(at / "empty.pubtator.gz", out=at / "out")


def truncated_gzip(at: Path) -> list[str]:
    whole = gzip.compress(os.urandom(5000).hex().encode() + b"\n" + pubtator(at / "whole").read_bytes())
    (at / "cut.pubtator.gz").write_bytes(whole[: len(whole) // 2])
    return build(at / "cut.pubtator.gz", out=at / "out", options=("--format", "pubtator"))


def no_gzip_under_that_name(at: Path) -> list[str]:
    (at / "report.pubtator.gz").write_bytes(b"%PDF-1.7 not what its name says\n" * 40)
    return build(at / "report.pubtator.gz", out=at / "out")


def binary_file(at: Path) -> list[str]:
    (at / "program.pubtator").write_bytes(bytes(range(256)) * 64)
    return build(at / "program.pubtator", out=at / "out")


def wrong_format(at: Path) -> list[str]:
    return build(pubtator(at / "a.pubtator"), out=at / "out", options=("--format", "bioc-xlm"))


def another_dataset(at: Path) -> list[str]:
    return ["build", "biomrk", str(pubtator(at / "a.pubtator")), "--out", str(at / "out")]


def recipe_with_three_faults(at: Path) -> list[str]:
    (at / "mine.toml").write_text(
        'dataset = "biomrc"\nminimum_sentence = 9\nmaximum_title_tokens = "many"\nsplit = "tail"\n'
    )
    return build(pubtator(at / "a.pubtator"), out=at / "out", options=("--recipe", str(at / "mine.toml")))


def recipe_of_a_sample(at: Path) -> list[str]:
    return build(pubtator(at / "a.pubtator"), out=at / "out", options=("--recipe", "biomrc-lite"))


def file_in_place_of_a_dataset(at: Path) -> list[str]:
    return ["show", str(carried())]


def setting_without_a_value(at: Path) -> list[str]:
    return build(pubtator(at / "a.pubtator"), out=at / "out", options=("--set", "minimum_sentences"))


def dates_asked_for_and_missing(at: Path) -> list[str]:
    return build(carried(), out=at / "out", options=("--since", "2024"))


def output_is_a_file(at: Path) -> list[str]:
    (at / "out").touch()
    return build(pubtator(at / "a.pubtator"), out=at / "out")


def output_holds_other_files(at: Path) -> list[str]:
    (at / "out").mkdir()
    (at / "out" / "thesis.docx").touch()
    return build(pubtator(at / "a.pubtator"), out=at / "out")


def no_output(at: Path) -> list[str]:
    return ["build", "biomrc", str(pubtator(at / "a.pubtator"))]


def unknown_encoding(at: Path) -> list[str]:
    return build(pubtator(at / "a.pubtator"), out=at / "out", options=("--encoding", "latin-77"))


def unknown_splitter(at: Path) -> list[str]:
    return build(carried(), out=at / "out", options=("--set", "sentences=nupunk"))


def document_to_explain_missing(at: Path) -> list[str]:
    return ["build", "biomrc", str(pubtator(at / "a.pubtator")), "--explain", "77"]


def no_dataset(at: Path) -> list[str]:
    return ["show", str(at / "nothing")]


def folder_that_is_no_dataset(at: Path) -> list[str]:
    return ["check", str(at)]


def unknown_reader(at: Path) -> list[str]:
    return ["predict", "neighbor-overlap", str(built(at)), "--out", str(at / "p.jsonl")]


def unknown_split(at: Path) -> list[str]:
    return ["predict", "BASE1", str(built(at)), "--split", "validation", "--out", str(at / "p.jsonl")]


def unknown_instance(at: Path) -> list[str]:
    return ["show", str(built(at)), "--instance", "ana9999:1"]


def names_of_files_without_names(at: Path) -> list[str]:
    run(["export", str(built(at)), "--setting", "B", "--out", str(at / "b")])
    run(["import", str(at / "b"), "--out", str(at / "theirs")])
    return ["export", str(at / "theirs"), "--layout", "jsonl", "--view", "names", "--out", str(at / "names")]


def sample_larger_than_the_set(at: Path) -> list[str]:
    return ["sample", str(built(at)), "--out", str(at / "lite")]


def predicted(at: Path, dataset: Path) -> Path:
    assert run(["-q", "predict", "BASE1", str(dataset), "--out", str(at / "base1.jsonl")]) == 0
    return at / "base1.jsonl"


def predictions_for_another_dataset(at: Path) -> list[str]:
    lines = predicted(at, built(at))
    other = build(
        carried(), out=at / "other", options=("--recipe", "biomrc-demo", "--set", "minimum_mentions=25")
    )
    assert run(["-q", *other, "--workers", "1"]) == 0
    return ["score", str(at / "other"), str(lines), "--split", "test"]


def predictions_of_unknown_questions(at: Path) -> list[str]:
    (at / "theirs.jsonl").write_text('{"id": "q1", "answer": "@entity0"}\n')
    return ["score", str(built(at)), str(at / "theirs.jsonl")]


def a_file_that_is_no_predictions(at: Path) -> list[str]:
    return ["score", str(built(at)), str(carried()), "--split", "test"]


def no_predictions_in_the_file(at: Path) -> list[str]:
    (at / "empty.jsonl").touch()
    return ["score", str(built(at)), str(at / "empty.jsonl")]


def hard_subset_into_the_dataset(at: Path) -> list[str]:
    lines = predicted(at, built(at))
    report = ["--out", str(at / "r.md")]
    return ["report", str(at / "built"), str(lines), "--hard", str(at / "built" / "data" / ".."), *report]


def view_without_an_instance(at: Path) -> list[str]:
    return ["show", str(built(at)), "--view", "names"]


def view_that_no_reader_has(at: Path) -> list[str]:
    return ["predict", "BASE4", str(built(at)), "--view", "nmaes", "--out", str(at / "p.jsonl")]


def tuning_what_has_no_n(at: Path) -> list[str]:
    return ["tune", "BASE1", "--data", str(built(at))]


def sim_entity_without_word_vectors(at: Path) -> list[str]:
    recipe = ("--recipe", "clicr-sim-entity")
    return ["predict", "clicr:sim-entity", str(built(at)), *recipe, "--out", str(at / "p.jsonl")]


def word_vectors_without_a_known_word(at: Path) -> list[str]:
    (at / "words.txt").write_text("1 2\nzebra 1 0\n")
    vectors = ("--set", f"vectors={at / 'words.txt'}")
    return ["predict", "sim-entity", str(built(at)), *vectors, "--out", str(at / "p.jsonl")]


def word_vectors_with_a_short_line(at: Path) -> list[str]:
    (at / "words.txt").write_text("2 2\nzebra 1\nthe 1 0\n")
    vectors = ("--set", f"vectors={at / 'words.txt'}")
    return ["predict", "sim-entity", str(built(at)), *vectors, "--out", str(at / "p.jsonl")]


def baseline_fitted_where_none_is(at: Path) -> list[str]:
    given = ("--train-on", str(built(at)), "--set", "vectors=words.txt")
    return ["predict", "sim-entity", str(at / "built"), *given, "--out", str(at / "p.jsonl")]


def language_model_of_local_numbers(at: Path) -> list[str]:
    return ["predict", "lang-model", str(built(at)), "--view", "local", "--out", str(at / "p.jsonl")]


def language_models_in_a_view(at: Path) -> list[str]:
    return ["export", str(built(at)), "--layout", "arpa", "--view", "names", "--out", str(at / "lm")]


def vectors_by_the_recipe_of_a_reader(at: Path) -> list[str]:
    return ["vectors", str(built(at)), "--recipe", "clicr-sim-entity", "--out", str(at / "w.bin")]


def word_vectors_searched_without_a_place(at: Path) -> list[str]:
    return ["tune", "clicr-word-vectors", "--data", str(built(at)), "--trials", "2"]


def word_vectors_trained_as_a_reader(at: Path) -> list[str]:
    return ["train", "clicr-word-vectors", "--data", str(built(at)), "--out", str(at / "run")]


def recipe_of_another_reader(at: Path) -> list[str]:
    recipe = ("--recipe", "bioread-ngram-occurrences")
    return ["predict", "BASE4", str(built(at)), *recipe, "--out", str(at / "p.jsonl")]


def recipe_of_a_reader(at: Path) -> list[str]:
    return build(carried(), out=at / "out", options=("--recipe", "biomrc-attention-sum-local"))


def reader_with_a_near_alias(at: Path) -> list[str]:
    build_at = at / "built"
    assert (
        run(["-q", *build(carried(), out=build_at, options=("--recipe", "biomrc-demo", "--workers", "1"))])
        == 0
    )
    return ["predict", "BASE5", str(build_at), "--out", str(at / "p.jsonl")]


def file_whose_name_names_no_split(at: Path) -> list[str]:
    (at / "my.json").write_text("{}")
    return ["import", str(at / "my.json"), "--out", str(at / "out")]


def date_that_is_none(at: Path) -> list[str]:
    return build(carried(), out=at / "out", options=("--since", "2024-13"))


def predictions_file_missing(at: Path) -> list[str]:
    return ["compare", str(built(at)), str(at / "a.jsonl"), str(at / "b.jsonl")]


def one_system_to_compare(at: Path) -> list[str]:
    return ["compare", str(built(at)), str(predicted(at, at / "built"))]


def report_without_a_known_ending(at: Path) -> list[str]:
    return ["report", str(built(at)), str(predicted(at, at / "built")), "--out", str(at / "report.docx")]


def setting_of_plain_rows(at: Path) -> list[str]:
    return ["export", str(built(at)), "--layout", "jsonl", "--setting", "B", "--out", str(at / "rows")]


def setting_of_a_task(at: Path) -> list[str]:
    return ["export", str(built(at)), "--layout", "lm-eval", "--setting", "B", "--out", str(at / "tasks")]


def tasks_of_names_that_are_gone(at: Path) -> list[str]:
    run(["export", str(built(at)), "--setting", "B", "--out", str(at / "b")])
    run(["import", str(at / "b"), "--layout", "biomrc", "--out", str(at / "theirs")])
    return ["export", str(at / "theirs"), "--layout", "lm-eval", "--out", str(at / "tasks")]


def samples_of_another_task(at: Path) -> list[str]:
    doc = {"QUESTION": "Do statins prevent stroke?", "final_decision": "yes"}
    line = {
        "doc_id": 0,
        "doc": doc,
        "target": "yes",
        "filtered_resps": [["-1.5", "False"], ["-2.5", "False"]],
    }
    (at / "samples.jsonl").write_text(json.dumps(line) + "\n")
    return ["score", str(built(at)), str(at / "samples.jsonl"), "--split", "test"]


def view_of_the_authors_layout(at: Path) -> list[str]:
    return ["export", str(built(at)), "--view", "names", "--out", str(at / "authors")]


def unknown_command(at: Path) -> list[str]:
    return ["biuld"]


def unknown_option(at: Path) -> list[str]:
    return build(carried(), out=at / "out", options=("--worker", "2"))


def built(at: Path) -> Path:
    assert (
        run(
            ["-q", *build(carried(), out=at / "built", options=("--recipe", "biomrc-demo", "--workers", "1"))]
        )
        == 0
    )
    return at / "built"


REFUSED: list[tuple[Callable[[Path], list[str]], str]] = [
    (wrong_path, "missing.pubtator.gz: no such file or folder; check the path"),
    (folder_without_files, "empty: no file ending in .pubtator"),
    (empty_file, "empty.pubtator: the file is empty; check how it was made"),
    (empty_gzip, "empty.pubtator.gz: the file is empty; check how it was made"),
    (truncated_gzip, "cut.pubtator.gz: the compressed file ends too early; fetch it again"),
    (
        no_gzip_under_that_name,
        "report.pubtator.gz:1: no format recognises its first bytes; name one with --format",
    ),
    (binary_file, "program.pubtator:1: no format recognises its first bytes"),
    (wrong_format, "unknown format 'bioc-xlm'; did you mean bioc-xml"),
    (another_dataset, "unknown dataset 'biomrk'; did you mean biomrc or bioread or bioasq?"),
    (
        recipe_with_three_faults,
        "mine.toml: 3 problems: unknown key 'minimum_sentence' (did you mean minimum_sentences",
    ),
    (
        recipe_of_a_sample,
        "biomrc-lite: is a recipe for `anagnosis sample`, not for building; sample a dataset that is built: "
        "`anagnosis sample DATASET --recipe biomrc-lite --out FOLDER`",
    ),
    (
        file_in_place_of_a_dataset,
        "carried.pubtator: is a file, and a dataset is a folder; `anagnosis annotate` marks",
    ),
    (setting_without_a_value, "--set: 'minimum_sentences' is not key=value"),
    (
        dates_asked_for_and_missing,
        "--dates: the recipe asks for dates, and there are none; give a MEDLINE file",
    ),
    (output_is_a_file, "out: is a file, not a folder; choose another --out"),
    (
        output_holds_other_files,
        "out: holds other files (thesis.docx); choose an empty or new folder for --out",
    ),
    (no_output, "Missing option '--out'; see `anagnosis build --help`"),
    (unknown_encoding, "--encoding: unknown encoding 'latin-77'; use a name that Python knows"),
    (unknown_splitter, "unknown sentence splitter 'nupunk'; did you mean nupunkt"),
    (document_to_explain_missing, "--explain: no document '77' in the input; check the id"),
    (no_dataset, "nothing: no such dataset folder; build one with `anagnosis build`, or check the path"),
    (folder_that_is_no_dataset, ": no receipt here; name a folder that `anagnosis build` or `import` made"),
    (unknown_reader, "unknown reader 'neighbor-overlap'; did you mean neighbour-overlap"),
    (unknown_split, "built: no split 'validation'; its splits: train, dev, test"),
    (unknown_instance, "built: no instance 'ana9999:1'"),
    (
        names_of_files_without_names,
        "the names view needs the names of entities, and this dataset was read from",
    ),
    (
        sample_larger_than_the_set,
        "87,500 instances of train are asked for by the recipe biomrc-lite, there are 121",
    ),
    (predictions_for_another_dataset, "base1.jsonl:1: "),
    (predictions_of_unknown_questions, "theirs.jsonl: "),
    (a_file_that_is_no_predictions, "carried.pubtator:1: "),
    (no_predictions_in_the_file, "empty.jsonl: holds no predictions; check the file"),
    (hard_subset_into_the_dataset, "is an input of this command; choose another --out"),
    (view_without_an_instance, "--view is of one --instance"),
    (view_that_no_reader_has, "unknown view for a reader that counts 'nmaes'"),
    (tuning_what_has_no_n, "first-entity has no n to choose"),
    (sim_entity_without_word_vectors, "vectors: names no word vectors; name a word2vec file"),
    (word_vectors_without_a_known_word, "words.txt: no word of the data is in it; give another file"),
    (word_vectors_with_a_short_line, "words.txt:2: row 1 ('zebra') has 1 of 2 numbers; give a file that"),
    (baseline_fitted_where_none_is, "sim-entity is not fitted on a train part; leave --train-on out"),
    (language_model_of_local_numbers, "lang-model is undefined where entities have other numbers"),
    (language_models_in_a_view, "--view names: a language model has a view of its own; leave --view out"),
    (vectors_by_the_recipe_of_a_reader, "clicr-sim-entity: is no recipe of word vectors; choose one"),
    (word_vectors_searched_without_a_place, "--out and --trials are needed to search; say where"),
    (word_vectors_trained_as_a_reader, "clicr-word-vectors: is no reader's recipe; choose one"),
    (recipe_of_another_reader, "the recipe is for ngram-occurrences, not for neighbour-overlap"),
    (
        recipe_of_a_reader,
        "is a recipe for training the reader 'attention-sum', not for building 'biomrc'; train",
    ),
    (reader_with_a_near_alias, "did you mean BASE4 (neighbour-overlap, biomrc:BASE4) or "),
    (
        file_whose_name_names_no_split,
        "my.json: the file's name does not say which split it is; add --split train",
    ),
    (date_that_is_none, "since: 2024-13 is not in the calendar"),
    (predictions_file_missing, "a.jsonl: no such file or directory"),
    (one_system_to_compare, "nothing to compare; give two or more systems"),
    (report_without_a_known_ending, "unknown report format '.docx'; "),
    (setting_of_plain_rows, "--setting does not apply to --layout jsonl; leave it out"),
    (setting_of_a_task, "--setting does not apply to --layout lm-eval; leave it out"),
    (tasks_of_names_that_are_gone, "the names view needs the names of entities"),
    (samples_of_another_task, "samples.jsonl:1: a sample of lm-eval, but of another task ("),
    (
        view_of_the_authors_layout,
        "--view does not apply to --layout biomrc; leave it out",
    ),
    (unknown_command, "unknown command 'biuld'; did you mean build?"),
    (unknown_option, "No such option '--worker'"),
]


@pytest.mark.parametrize(("given", "line"), REFUSED, ids=lambda value: getattr(value, "__name__", ""))
def test_is_answered_with_one_line_and_exit_code_2(
    given: Callable[[Path], list[str]], line: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert line in refused(["-q", *given(tmp_path)], capfd)


def noticed(at: Path, capfd: pytest.CaptureFixture[str], *rows: str, data: bytes | None = None) -> str:
    path = pubtator(at / "a.pubtator", rows="\n".join(rows))
    if data is not None:
        path.write_bytes(data)
    path.write_bytes(path.read_bytes() + b"\n" + carried().read_bytes())  # so that something is built
    assert run([*build(path, out=at / "out", options=("--workers", "1"))]) == 0
    return capfd.readouterr().out


def test_a_nul_byte_is_counted_and_the_rest_is_read(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = pubtator(tmp_path / "b").read_bytes().replace(b"headaches", b"head\0ches")
    assert "nul_character" in noticed(tmp_path, capfd, data=text)


def test_a_mention_that_does_not_match_is_counted_and_left_out(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rows = [f"1\t{26 + 19 * i}\t{33 + 19 * i}\tAspirin\tChemical\tMESH:D001241" for i in range(6)]
    out = noticed(tmp_path, capfd, *rows, "1\t0\t7\tIbuprof\tChemical\tMESH:D007052")
    assert "mention_text_differs" in out


def test_a_duplicate_id_is_kept_once_and_counted(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = noticed(tmp_path, capfd, data=carried().read_bytes())
    assert "repeated_id                      62" in out


def test_a_file_that_is_not_compressed_under_a_gz_name_is_read(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "plain.pubtator.gz"
    path.write_bytes(carried().read_bytes())
    assert run([*build(path, out=tmp_path / "out", options=("--workers", "1"))]) == 0
    assert "62 kept" in capfd.readouterr().out
