"""`predict`, `score`, `compare`, `agreement` and `report` and every option of them."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from tests.typed import Said, World, lines

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.datasets.folder import store


def test_what_is_printed_as_next_works_where_paths_have_a_blank(
    said: Said, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "my data"
    folder.mkdir()
    monkeypatch.chdir(folder)
    said("export", world.dataset, "--layout", "biomrc", "--out", "their files")
    texts = [
        said("import", "their files", "--setting", "A", "--out", folder / "built here"),
        said("sample", world.dataset, "--set", "test=9", "--out", folder / "small one"),
        said("build", "biomrc", carried(), "--recipe", "biomrc-demo", "--out", "made here"),
        said("label", "draw", "made here", "--draw", 3, "--people", "ann", "--sheets", "two sheets"),
    ]
    followed: set[str] = set()
    while texts:
        commands = re.findall("^ *next: anagnosis (.*)$", texts.pop(), re.M)
        for words in map(shlex.split, commands):
            if words[0] not in followed and not re.search("[A-Z]{4}", " ".join(words)):
                followed.add(words[0])
                texts.append(said(*words))
    assert followed >= {"show", "export", "predict", "score", "label"}


class TestPredict:
    def test_a_line_an_instance_with_a_score_a_candidate(
        self, said: Said, world: World, tmp_path: Path
    ) -> None:
        out = said("predict", "neighbour-overlap", world.dataset, "--out", tmp_path / "p.jsonl")
        assert f"p.jsonl (62 lines)\n  next: anagnosis score {world.dataset} {tmp_path}" in out
        assert (tmp_path / "p.jsonl").read_bytes() == world["BASE4"].read_bytes()
        first = lines(tmp_path / "p.jsonl")[0]
        assert list(first["scores"]) == [candidate.key for candidate in world.instances[0].candidates]
        assert first["dataset"] == store.fingerprint(store.load(world.dataset), "test")

    def test_train_on_fits_on_another_dataset(self, said: Said, world: World, tmp_path: Path) -> None:
        small = api.sample(world.dataset, tmp_path / "s", settings={"train": 10, "dev": 5, "test": 62})
        for name, on in (("own", []), ("large", ["--train-on", world.dataset])):
            said("predict", "entity-prior", small.folder, *on, "--out", tmp_path / name)
        said("predict", "entity-prior", world.dataset, "--out", tmp_path / "direct")
        scores = {n: [x["scores"] for x in lines(tmp_path / n)] for n in ("own", "large", "direct")}
        assert scores["large"] == scores["direct"] != scores["own"]

    def test_json_says_what_was_done(self, said: Said, world: World, tmp_path: Path) -> None:
        got = json.loads(said("predict", "BASE1", world.dataset, "--out", tmp_path / "p", "--json"))
        out = str(tmp_path / "p")
        assert got == {"reader": "BASE1", "split": "test", "lines": 62, "out": out, "replaced": False}


class TestScore:
    def test_accuracy_with_interval_and_break_downs(self, said: Said, world: World) -> None:
        out = said("score", world.dataset, world["BASE1"], world["BASE4"], "--full")
        assert re.search(r"^BASE1 +9\.68 \[4\.51, 19\.55\]", out, re.MULTILINE)
        assert re.search(r"^BASE4 +33\.81 \[", out, re.MULTILINE)
        for caption in (
            "number of candidates",
            "type of the answer",
            "length of the passage",
            "knew the answer",
        ):
            assert re.search(rf"^Accuracy by .*{caption}", out, re.MULTILINE)
        assert "Nothing: every line of every file fits the dataset." in out


class TestCompare:
    def test_ranks_and_says_in_words_which_is_better(self, said: Said, world: World) -> None:
        out = said("compare", world.dataset, world["BASE1"], world["BASE3+"], world["BASE4"], "--full")
        assert "1 and 2: BASE4 is better than BASE3+." in out
        assert re.search(r"^BASE4 +1 +33\.81", out, re.MULTILINE)
        assert "The first beside each other system" in out
        assert "for all 3 pairs of the ranking" in " ".join(out.split())


class TestAgreement:
    def test_groups_people_and_systems(self, said: Said, world: World) -> None:
        out = said("agreement", world.dataset, world.people, "--systems", world["BASE4"], "--full")
        assert "20 instances were asked of people" in out
        assert re.search(r"^expert \(mean of 2\) +70\.00 .* 73\.33 .* 5\.00$", out, re.MULTILINE)
        assert re.search(r"^lay \(mean of 2\) +57\.50 .* 62\.50 .* 5\.00$", out, re.MULTILINE)
        assert re.search(r"^Bob +expert +60\.00 .* 66\.67 .* 18 +10\.00 ", out, re.MULTILINE)
        assert re.search(r"^BASE4 +40\.07", out, re.MULTILINE)
        assert "BASE4" not in said("agreement", world.dataset, world.people)

    def test_protocol_is_for_the_systems_beside(self, said: Said, world: World) -> None:
        command = ["agreement", world.dataset, world.people, "--systems", world["BASE4"]]
        expected, answer = said(*command), said(*command, "--protocol", "answer")
        assert re.search(r"^BASE4 +40\.07", expected, re.MULTILINE)
        assert not re.search(r"^BASE4 +40\.07", answer, re.MULTILINE)
        assert re.search(r"^Ann +80\.00", answer, re.MULTILINE)


class TestReport:
    @pytest.mark.parametrize(
        ("suffix", "words"),
        [
            (".html", "<svg"),
            (".md", "| BASE4 |"),
            (".tex", r"\begin{document}"),
            (".csv", "biomrc,test,,expected,BASE4,accuracy,0.338"),
            (".json", '"record": "results"'),
            (".txt", "1 and 2: BASE4 is better than BASE1."),
        ],
    )
    def test_by_the_ending_of_out(
        self, said: Said, world: World, tmp_path: Path, suffix: str, words: str
    ) -> None:
        out = tmp_path / f"report{suffix}"
        assert f"wrote {out}" in said("report", world.dataset, world["BASE1"], world["BASE4"], "--out", out)
        assert words in out.read_text("utf-8")
        assert str(tmp_path) not in out.read_text("utf-8")

    def test_shortcuts_show_what_is_reached_without_reading_and_what_is_hard(
        self, said: Said, world: World
    ) -> None:
        command = ["report", world.dataset, world["BASE1"], world["BASE4"]]
        out = said(*command, "--shortcuts")
        assert re.search(r"^entity-prior .* 8\.32 \[", out, re.MULTILINE)
        assert re.search(r"^neighbour-overlap +BASE4 .* 33\.81 \[", out, re.MULTILINE)
        assert "13 of 62 instances are hard" in out
        assert "Accuracy on the 13 hard instances" in out
        assert "entity-prior" not in said(*command)

    def test_hard_writes_what_no_shortcut_answers(self, said: Said, world: World, tmp_path: Path) -> None:
        command = ["report", world.dataset, world["BASE4"], "--hard", tmp_path / "hard"]
        assert f"wrote {tmp_path / 'hard'} (13 instances that no shortcut answers)" in said(*command)
        assert "sound: " in said("check", tmp_path / "hard")
        kept = [instance.id for instance in store.instances(store.load(tmp_path / "hard"), "test")]
        assert set(kept) < {instance.id for instance in world.instances}
        other = ["report", world.dataset, world["dev"], "--hard", tmp_path / "hard"]
        assert "--replace" in said(*other, code=2)
        assert "instances that no shortcut answers" in said(*other, "--replace")
        assert list(store.load(tmp_path / "hard").sizes) == ["dev"]
