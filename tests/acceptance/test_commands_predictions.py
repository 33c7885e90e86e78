"""`predict`, `score`, `compare`, `agreement` and `report` and every option of them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.typed import Said, World, json_table, lines

from anagnosis import api
from anagnosis.datasets.folder import store
from anagnosis.predictions import notes
from anagnosis.predictions.notes import TrainingNote


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

    def test_the_seed_draws_among_ties_and_changes_no_score(
        self, said: Said, world: World, tmp_path: Path
    ) -> None:
        for name, seed in (("a", 5), ("b", 5), ("c", 6)):
            said("predict", "BASE4", world.dataset, "--seed", seed, "--out", tmp_path / name)
        a, b, c = (lines(tmp_path / name) for name in "abc")
        assert a == b
        assert [line["answer"] for line in a] != [line["answer"] for line in c]
        assert [line["scores"] for line in a] == [line["scores"] for line in c]

    def test_the_local_view_takes_the_identity_of_entities_away(
        self, said: Said, world: World, tmp_path: Path
    ) -> None:
        refused = said(
            "predict", "entity-prior", world.dataset, "--view", "local", "--out", tmp_path / "a", code=2
        )
        assert "entity-prior is undefined where entities have other numbers in each instance" in refused
        assert not (tmp_path / "a").exists()
        said("predict", "entity-prior", world.dataset, "--view", "global", "--out", tmp_path / "a")
        assert len(lines(tmp_path / "a")) == 62

    def test_train_on_fits_on_another_dataset(self, said: Said, world: World, tmp_path: Path) -> None:
        small = api.sample(world.dataset, tmp_path / "s", settings={"train": 10, "dev": 5, "test": 62})
        for name, on in (("own", []), ("large", ["--train-on", world.dataset])):
            said("predict", "entity-prior", small.folder, *on, "--out", tmp_path / name)
        said("predict", "entity-prior", world.dataset, "--out", tmp_path / "direct")
        scores = {n: [x["scores"] for x in lines(tmp_path / n)] for n in ("own", "large", "direct")}
        assert scores["large"] == scores["direct"] != scores["own"]

    def test_set_and_recipe_are_the_reader_s_options(self, said: Said, world: World, tmp_path: Path) -> None:
        (tmp_path / "mine.toml").write_text('reader = "neighbour-overlap"\nn = 5\n')
        said("predict", "BASE4", world.dataset, "--recipe", tmp_path / "mine.toml", "--out", tmp_path / "a")
        said("predict", "BASE4", world.dataset, "--set", "n=5", "--out", tmp_path / "b")
        assert lines(tmp_path / "a") == lines(tmp_path / "b") != lines(world["BASE4"])

    def test_json_says_what_was_done(self, said: Said, world: World, tmp_path: Path) -> None:
        got = json.loads(said("predict", "BASE1", world.dataset, "--out", tmp_path / "p", "--json"))
        out = str(tmp_path / "p")
        assert got == {"reader": "BASE1", "split": "test", "lines": 62, "out": out, "replaced": False}

    def test_tune_tries_five_on_dev_and_says_what_score_says(
        self, said: Said, world: World, tmp_path: Path
    ) -> None:
        out = said("tune", "BASE4", "--data", world.dataset)
        assert [int(n) for n in re.findall(r"^n = (\d)", out, re.MULTILINE)] == [2, 3, 4, 5, 6]
        assert re.search(r"n = 3  accuracy  27\.18 % of 36 dev instances  best\n", out)
        assert out.count("best\n") == 1
        assert "--set n=3" in out
        found = json.loads(said("tune", "BASE4", "--data", world.dataset, "--json", "--measure", "accuracy"))
        (scored,) = api.score(world.dataset, [world["dev"]]).on("dev")
        assert found["trials"][1] == {"n": 3, "value": pytest.approx(scored.estimate.value)}
        assert (found["measure"], found["instances"], found["best"]) == ("accuracy", 36, 3)
        assert list(tmp_path.iterdir()) == []


class TestScore:
    def test_accuracy_with_interval_and_break_downs(self, said: Said, world: World) -> None:
        out = said("score", world.dataset, world["BASE1"], world["BASE4"])
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

    def test_view_stands_in_the_signature(self, said: Said, world: World) -> None:
        assert "|view:-|" in said("score", world.dataset, world["BASE4"])
        assert "|view:local|" in said("score", world.dataset, world["BASE4"], "--view", "local")

    def test_out_is_written_as_its_ending_says(self, said: Said, world: World, tmp_path: Path) -> None:
        assert "wrote" in said("score", world.dataset, world["BASE4"], "--out", tmp_path / "s.md")
        assert "| BASE4 |" in (tmp_path / "s.md").read_text("utf-8")


class TestCompare:
    def test_ranks_and_says_in_words_which_is_better(self, said: Said, world: World) -> None:
        out = said("compare", world.dataset, world["BASE1"], world["BASE3+"], world["BASE4"])
        assert "1 and 2: BASE4 is better than BASE3+." in out
        assert re.search(r"^BASE4 +1 +33\.81", out, re.MULTILINE)
        assert "The first beside each other system" in out
        assert "for all 3 pairs of the ranking" in " ".join(out.split())

    def test_split_view_any_dataset_and_out(self, said: Said, world: World, tmp_path: Path) -> None:
        pair = ["compare", world.dataset, world["BASE1"], world["BASE4"]]
        assert "here: dev " in said(*pair, "--split", "dev", code=2)
        assert "|view:names|" in said(*pair, "--view", "names")
        other = tmp_path / "other.jsonl"
        other.write_text(world["BASE4"].read_text().replace('"dataset":"', '"dataset":"0'))
        assert "made for another" in said("compare", world.dataset, world["BASE1"], other, code=2)
        said("compare", world.dataset, world["BASE1"], other, "--any-dataset", "--out", tmp_path / "c.txt")
        assert "other is better than BASE1: these two models" in (tmp_path / "c.txt").read_text("utf-8")


class TestAgreement:
    def test_groups_people_and_systems(self, said: Said, world: World) -> None:
        out = said("agreement", world.dataset, world.people, "--systems", world["BASE4"])
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

    def test_split_view_any_dataset_and_out(self, said: Said, world: World, tmp_path: Path) -> None:
        command = ["agreement", world.dataset, world.people]
        assert "|split:test|view:names|" in said(*command, "--split", "test", "--view", "names")
        foreign = tmp_path / "foreign.jsonl"
        foreign.write_text(
            "".join(json.dumps({**x, "dataset": "0" * 64}) + "\n" for x in lines(world.people))
        )
        assert "made for another" in said("agreement", world.dataset, foreign, code=2)
        said("agreement", world.dataset, foreign, "--any-dataset", "--out", tmp_path / "a.csv")
        assert "expert (mean of 2)" in (tmp_path / "a.csv").read_text("utf-8")


class TestReport:
    @pytest.mark.parametrize(
        ("suffix", "words"),
        [
            (".html", "<svg"),
            (".md", "| BASE4 |"),
            (".tex", r"\begin{document}"),
            (".csv", "Accuracy of all systems,2,BASE4,test accuracy (%),percent,0.338"),
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

    def test_shortcuts_show_what_is_reached_without_reading_and_the_gain(
        self, said: Said, world: World
    ) -> None:
        command = ["report", world.dataset, world["BASE1"], world["BASE4"]]
        out = said(*command, "--shortcuts")
        assert re.search(r"^entity-prior .* 8\.32 \[", out, re.MULTILINE)
        assert re.search(r"^neighbour-overlap +BASE4 .* 33\.81 \[", out, re.MULTILINE)
        assert re.search(r"^BASE1 +−24\.14 \[", out, re.MULTILINE)
        assert "13 of 62 instances are hard" in out
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
        assert list(store.load(tmp_path / "hard").rows) == ["dev"]

    def test_protocol_unit_seed_and_draws_reach_the_tests(self, said: Said, world: World) -> None:
        command = ["report", world.dataset, world["BASE1"], world["BASE4"], "--json"]
        given = said(
            *command,
            "--protocol",
            "answer",
            "--unit",
            "instance",
            "--seed",
            3,
            "--draws",
            9,
            "--split",
            "test",
        )
        assert "|protocol:answer|" in given
        assert "|seed:3|draws:9|unit:instance|" in given
        assert json_table(given, "Other tests of the same pairs")[0]["McNemar, exact"] is not None

    def test_training_is_shown_from_the_notes_of_the_runs(
        self, said: Said, world: World, tmp_path: Path
    ) -> None:
        for name, epochs in (("a", 5), ("b", 8)):
            (tmp_path / f"{name}.jsonl").write_bytes(world["BASE4"].read_bytes())
            training = TrainingNote(epochs, 2340.0, 6_818_800, 6_658_800, 600)
            notes.write(tmp_path / f"{name}.jsonl", notes.Note(training=training))
        out = said(
            "report", world.dataset, f"own={tmp_path / 'a.jsonl'},{tmp_path / 'b.jsonl'}", world["BASE1"]
        )
        assert re.search(r"^own .* 6\s×\s0\.65\sh +6\.82M +6\.66M +600", out, re.MULTILINE)
        assert "2 runs, deviation 0.0 points on test" in out
