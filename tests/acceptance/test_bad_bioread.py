"""Inputs of BioRead-like questions, and of sheets of entities, that are refused: exit code 2, one line, no output."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.datasets.bioread.passages import gene, paper, text
from tests.datasets.bioread.records import CANDIDATES, FILE, record
from tests.refusals import refused

from anagnosis import api

BODILESS = (
    '<article><front><article-meta><article-id pub-id-type="pmid">1</article-id><title-group>'
    "<article-title>Aspirin against headaches</article-title></title-group>"
    "<abstract><p>Aspirin was given.</p></abstract></article-meta></front></article>\n"
)
DECLARED = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
BOMB = f'<!DOCTYPE article [<!ENTITY e0 "x">{DECLARED}]>\n' + BODILESS.replace("headaches", "&e9;")


def build(at: Path, name: str, content: str, *settings: str) -> list[str]:
    (at / name).write_text(content)
    return ["build", "bioread", str(at / name), "--out", str(at / "out"), *settings]


def an_article_without_a_body(at: Path) -> list[str]:
    return build(at, "paper.xml", f'<?xml version="1.0"?>\n{BODILESS}')


def an_article_with_an_entity_bomb(at: Path) -> list[str]:
    return build(at, "paper.xml", f'<?xml version="1.0"?>\n{BOMB}')


def sentences_that_no_document_brings(at: Path) -> list[str]:
    papers = text(paper(*[f"{gene(1)} is here."] * 30)).decode()
    return build(at, "papers.jsonl", papers, "--set", "sentences=given")


def a_question_for_something_else(at: Path) -> list[str]:
    return build(at, "papers.jsonl", text(paper("Nothing.")).decode(), "--set", "per=sentence")


def imported(at: Path, **files: str) -> list[str]:
    for name, content in files.items():
        (at / f"{name}.txt").write_text(content)
    named = [str(at / f"{name}.txt") for name in files]
    return ["import", *named, "--layout", "bioread", "--out", str(at / "out")]


def instances_of_one_candidate(at: Path) -> list[str]:
    return imported(at, train=record("@entity0 alone", candidates=CANDIDATES[:1], answer="@entity0"))


def an_empty_split(at: Path) -> list[str]:
    return imported(at, train=FILE, dev="")


def a_split_of_blank_lines(at: Path) -> list[str]:
    return imported(at, train=FILE, dev="\n\n")


def built(at: Path) -> Path:
    (at / "train.txt").write_text(FILE)
    api.import_dataset(at / "train.txt", at / "theirs", layout="bioread")
    return at / "theirs"


def a_split_that_is_not_there(at: Path) -> list[str]:
    return ["predict", "bioread:BASE4", str(built(at)), "--split", "dev", "--out", str(at / "out")]


def tuning_without_a_development_part(at: Path) -> list[str]:
    return ["tune", "bioread-ngram-occurrences", "--data", str(built(at))]


def a_sample_without_a_size(at: Path) -> list[str]:
    return ["sample", str(built(at)), "--out", str(at / "out")]


def a_splitter_of_sentences_that_is_unknown(at: Path) -> list[str]:
    return build(at, "papers.jsonl", text(paper("Nothing.")).decode(), "--set", "sentences=xyz")


def a_file_of_papers_without_a_kind_of_sheets(at: Path) -> list[str]:
    return label(at, "--draw", "1")


def a_share_above_all(at: Path) -> list[str]:
    return ["sample", str(built(at)), "--set", "train=120%", "--out", str(at / "out")]


def a_share_of_nothing(at: Path) -> list[str]:
    return ["sample", str(built(at)), "--set", "train=0%", "--out", str(at / "out")]


def numbers_of_no_kind(at: Path) -> list[str]:
    return ["export", str(built(at)), "--setting", "globl", "--out", str(at / "out")]


def label(at: Path, *options: str, source: str = "papers.jsonl") -> list[str]:
    (at / "papers.jsonl").write_bytes(text(paper(f"{gene(1)} beside {gene(2)}.")))
    return ["label", str(at / source), "--sheets", str(at / "sheets"), *options]


def sheets_of_no_kind(at: Path) -> list[str]:
    return label(at, "--kind", "entity", "--draw", "1")


def more_entities_than_there_are(at: Path) -> list[str]:
    return label(at, "--kind", "entities", "--draw", "3")


def sheets_that_nobody_drew(at: Path) -> list[str]:
    return label(at, "--kind", "entities")


def sheets_of_papers_without_entities(at: Path) -> list[str]:
    (at / "bare.jsonl").write_bytes(text(paper("Nothing.")))
    return label(at, "--kind", "entities", "--draw", "1", source="bare.jsonl")


def sheets_of_a_dataset_for_papers(at: Path) -> list[str]:
    built(at)
    return label(at, "--kind", "entities", "--draw", "1", source="theirs")


def a_judgement_of_no_kind(at: Path) -> list[str]:
    given = label(at, "--kind", "entities")
    api.label(at / "papers.jsonl", at / "sheets", kind="entities", draw=1)
    sheet = at / "sheets" / "judge-1.csv"
    sheet.write_text(sheet.read_text("utf-8-sig").rstrip() + "wrong\n")
    return given


REFUSED: list[tuple[Callable[[Path], list[str]], str]] = [
    (
        an_article_without_a_body,
        "no instance could be built: of 1 document too_few_sentences dropped 1; change the recipe with --set",
    ),
    (
        an_article_with_an_entity_bomb,
        "paper.xml: the file declares XML entities of its own; write their text",
    ),
    (
        sentences_that_no_document_brings,
        "sentences = given: 1 has no fact sentence_offsets; choose a splitter",
    ),
    (
        a_sample_without_a_size,
        "theirs: the sample has no size; give --recipe bioread-lite-sample, or --set train=25%",
    ),
    (
        a_splitter_of_sentences_that_is_unknown,
        "unknown sentence splitter 'xyz'; known: fast, given, nupunkt, punkt",
    ),
    (
        a_file_of_papers_without_a_kind_of_sheets,
        "papers.jsonl: is a file, and questions are those of a dataset folder; to judge the entities of papers, add "
        "--kind entities",
    ),
    (a_question_for_something_else, "bioread: 1 problem: per: 'sentence' is not entity or mention"),
    (
        instances_of_one_candidate,
        "train.txt: there is no instance to write: too_few_candidates refused 1; first at train.txt:1",
    ),
    (an_empty_split, "dev.txt: the file holds no instance; check how it was made, or leave it out"),
    (a_split_of_blank_lines, "dev.txt: the file holds no instance; check how it was made, or leave it out"),
    (a_split_that_is_not_there, "theirs: no split 'dev'; its splits: train"),
    (tuning_without_a_development_part, "theirs: no split 'dev'; its splits: train"),
    (a_share_above_all, "train: '120%' does not fit; write a number of instances, or a share of the split"),
    (a_share_of_nothing, "--set: the sample would be empty; ask for instances of train, dev or test"),
    (numbers_of_no_kind, "unknown setting 'globl'; did you mean global or global-unk or local?"),
    (sheets_of_no_kind, "unknown kind of sheets 'entity'; did you mean entities?"),
    (more_entities_than_there_are, "papers.jsonl: 3 entities are asked for, the papers have 2; draw fewer"),
    (sheets_that_nobody_drew, "judge-1.csv: no such sheet; draw them with --draw"),
    (
        sheets_of_papers_without_entities,
        "bare.jsonl: 1 entities are asked for, the papers have 0; annotate the papers first",
    ),
    (
        sheets_of_a_dataset_for_papers,
        "theirs: it is a dataset, but people judge the entities of papers; name",
    ),
    (a_judgement_of_no_kind, "'wrong' is no answer; write right, coordinated, verb, pre-modifier, other"),
]


@pytest.mark.parametrize(("given", "line"), REFUSED, ids=lambda value: getattr(value, "__name__", ""))
def test_is_answered_with_one_line_and_exit_code_2(
    given: Callable[[Path], list[str]], line: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert line in refused(["-q", *given(tmp_path)], capfd)
    assert not (tmp_path / "out").is_file()
    assert not (tmp_path / "out" / "receipt.json").exists()
