"""The measures by which the submissions of a dataset are ranked."""

from __future__ import annotations

from pathlib import Path

from tests import decisions
from tests.leaderboard.boards import TODAY, lines, submit
from tests.readers.marked_instances import marked_instance

from anagnosis import api
from anagnosis.datasets.folder import writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.leaderboard.building import board
from anagnosis.leaderboard.golds import Golds

QUERY = marked_instance(
    "Cases of BEG__fever__END\nThe patient had BEG__rash__END .", "the child had @placeholder .", "Rash"
)


def reports(folder: Path) -> Dataset:
    recipe = {"dataset": "clicr", "text_form": "original", "numbering": "global"}
    return writing.write(folder / "reports", {"test": [QUERY]}, recipe)


def test_a_dataset_s_paper_may_have_measures_of_its_own(tmp_path: Path, built: Dataset) -> None:
    """CliCR's are of texts; BioMRC has accuracy, as its kind."""
    golds = Golds((built, reports(tmp_path)))
    assert [golds.named_measures(place) for place in (0, 1)] == [(), ("exact-match", "f1")]
    submit(tmp_path, "words", {"test.jsonl": [{"id": QUERY.id, "answer": "a rash"}]}, view="")
    (part,) = board(tmp_path / "submissions", [reports(tmp_path)], today=TODAY).parts
    values = {standing.measure: standing.rows[0].figure.value for standing in part.standings}
    assert values == {"accuracy": 0, "exact-match": 1, "f1": 1}


def test_a_measure_that_is_asked_for_holds_where_it_judges(tmp_path: Path, built: Dataset) -> None:
    path = decisions.written(tmp_path / "ori_pqal.json", decisions.rows())
    labelled = api.import_dataset(path, tmp_path / "labelled", layout="pubmedqa", split="test")
    submit(tmp_path, "cloze", {"test.jsonl": lines(built, 0.5)})
    submit(tmp_path, "labels", {"test.jsonl": lines(labelled, 0.5)}, view="reasoning-required")
    asked = ["macro_f1", "exact-match"]
    found = board(tmp_path / "submissions", [built, labelled], measures=asked, today=TODAY)
    assert {part.dataset: [each.measure for each in part.standings] for part in found.parts} == {
        "BioMRC": ["exact-match"],
        "PubMedQA": ["macro_f1"],
    }
