"""`import`, `export`, `sample`, `show` and `check` and every option of them."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.builds import contents
from tests.typed import Said, World, lines

from anagnosis.datasets.folder import store

QUESTION = "ana0044:20"


class TestExportAndImport:
    def test_the_authors_files_come_back_byte_for_byte(
        self, said: Said, world: World, tmp_path: Path
    ) -> None:
        out = said("export", world.dataset, "--layout", "biomrc", "--setting", "A", "--out", tmp_path / "a")
        assert f"wrote {tmp_path / 'a/dataset_train.json'} (121 instances)" in out
        told = said("import", tmp_path / "a", "--out", tmp_path / "theirs")
        assert "219 instances: train 121, dev 36, test 62" in told
        said("export", tmp_path / "theirs", "--out", tmp_path / "again")
        assert contents(tmp_path / "a") == contents(tmp_path / "again")

    def test_setting_b_ranks_the_numbers_within_an_instance(
        self, said: Said, world: World, tmp_path: Path
    ) -> None:
        said("export", world.dataset, "--out", tmp_path / "a")
        said("export", world.dataset, "--setting", "B", "--out", tmp_path / "b")
        written = [f"dataset_{split}_B.json" for split in ("test", "train", "val")]
        assert sorted(contents(tmp_path / "b")) == [".written", *written]
        a = json.loads((tmp_path / "a/dataset_test.json").read_text())
        b = json.loads((tmp_path / "b/dataset_test_B.json").read_text())
        assert "consecutive @entity2 transplanted" in a["abstracts"][0]
        assert "consecutive @entity0 transplanted" in b["abstracts"][0]
        assert a["answers"][0].startswith("@entity296")
        assert b["answers"][0].startswith("@entity2")

    def test_a_view_becomes_tasks_for_language_models(self, said: Said, world: World, tmp_path: Path) -> None:
        out = said("export", world.dataset, "--layout", "lm-eval", "--out", tmp_path / "my tasks")
        task = "anagnosis_biomrc_names_test"
        assert f"wrote {tmp_path / 'my tasks' / task}.yaml (62 instances)" in out
        assert (
            f"next: lm_eval --model hf --model_args pretrained=MODEL --include_path '{tmp_path}/my tasks'"
            in out
        )
        assert f"--tasks {task} --log_samples" in out
        rows = lines(tmp_path / f"my tasks/{task}.jsonl")
        assert [row["id"] for row in rows] == [instance.id for instance in world.instances]
        assert "daily dose of valganciclovir was 450 mg" in rows[0]["passage"]
        said("export", world.dataset, "--layout", "lm-eval", "--view", "local", "--out", tmp_path / "local")
        row = lines(tmp_path / "local/anagnosis_biomrc_local_test.jsonl")[0]
        assert row["choices"][row["gold"]] == "@entity2"

    def test_import_knows_its_layouts_and_gives_its_receipt(
        self, said: Said, world: World, tmp_path: Path
    ) -> None:
        said("export", world.dataset, "--out", tmp_path / "a")
        assert "'newsqa'" in said(
            "import", tmp_path / "a", "--layout", "newsqa", "--out", tmp_path / "b", code=2
        )
        got = json.loads(said("import", tmp_path / "a", "--out", tmp_path / "b", "--json"))
        assert got["instances"] == {"kept": 219, "dropped": {}}
        assert got["choices"] == {}
        other = ["import", tmp_path / "a/dataset_test.json", "--out", tmp_path / "b"]
        assert "--replace" in said(*other, code=2)
        assert "62 instances: test 62" in said(*other, "--replace")


class TestSample:
    SIZES = ("--set", "train=20", "--set", "dev=5", "--set", "test=10")

    def test_draws_in_each_split_and_keeps_the_numbers(
        self, said: Said, world: World, tmp_path: Path
    ) -> None:
        out = said(
            "sample", world.dataset, "--recipe", "biomrc-lite", *self.SIZES, "--out", tmp_path / "lite"
        )
        assert "35 instances: train 20, dev 5, test 10" in out
        whole = {instance.id: instance for instance in world.instances}
        drawn = list(store.instances(store.load(tmp_path / "lite"), "test"))
        assert [each.candidates for each in drawn] == [whole[each.id].candidates for each in drawn]
        positions = [list(whole).index(each.id) for each in drawn]
        assert positions == sorted(positions)

    def test_json_and_replace(self, said: Said, world: World, tmp_path: Path) -> None:
        command = ["sample", world.dataset, *self.SIZES, "--out", tmp_path / "out"]
        got = json.loads(said(*command, "--json"))
        assert got["instances"] == {"kept": 35, "dropped": {"not_sampled": 184}}
        other = [*command[:-2], "--set", "test=3", *command[-2:]]
        assert "--replace" in said(*other, code=2)
        assert "test 3" in said(*other, "--replace")


class TestShow:
    def test_a_dataset_beside_the_published_one_with_drops_and_shortcuts(
        self, said: Said, world: World
    ) -> None:
        out = said("show", world.dataset, "--full")
        assert re.search(r"Instances +121 +36 +62 +219 +700,000 +50,000 +62,707 +812,707", out)
        assert re.search(r"too_few_sentences +2 +75 +92\.59", out)
        assert re.search(r"mention_without_identifier +5", out)
        assert "No instance has a structural shortcut, of answer_visible_in_question, " in " ".join(
            out.split()
        )

    def test_out_and_json_hold_the_same_figures(self, said: Said, world: World, tmp_path: Path) -> None:
        html, data = tmp_path / "it.html", tmp_path / "it.json"
        assert f"wrote {html}" in said("show", world.dataset, "--out", html)
        assert "<td" in html.read_text("utf-8")
        assert "too_few_sentences" in html.read_text("utf-8")
        said("show", world.dataset, "--out", data)
        assert json.loads(data.read_text("utf-8")) == json.loads(said("show", world.dataset, "--json"))

    def test_one_instance_with_gold_people_and_systems(self, said: Said, world: World) -> None:
        out = said(
            "show", world.dataset, "--instance", QUESTION, world.people, world["BASE1"], world["BASE4"]
        )
        assert "answer: valganciclovir [@entity296] (hidden: valganciclovir)" in out
        assert re.search(r"answers of expert: Ann: valganciclovir \S+ ✓; Bob: valganciclovir \S+ ✓", out)
        assert re.search(r"answers of lay: Cy: valganciclovir \S+ ✓; Di: no answer", out)
        assert re.search(r"answers of systems: BASE1: patients \S+ ✗; BASE4: valganciclovir \S+ ✓", out)
        assert re.search(r"^@entity296 .* answer +Ann, Bob, Cy, BASE4$", out, re.MULTILINE)


class TestCheck:
    def test_sound(self, said: Said, world: World) -> None:
        assert said("check", world.dataset) == "sound: 6 files and 219 instances looked at\n"
        got = json.loads(said("check", world.dataset, "--json"))
        assert (got["files"], got["instances"], got["places"]) == (6, 219, {})
