from __future__ import annotations

from pathlib import Path

import pytest
from tests.readers.marked_instances import marked_instance

from anagnosis import api
from anagnosis.datasets.folder import writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_instance import sentences
from anagnosis.errors import InputError
from anagnosis.language import arpa
from anagnosis.language.kneser_ney import train

INSTANCES = [
    marked_instance(
        f"Report {n}\nHe had BEG__dry cough__END and BEG__fever__END .",
        "@placeholder helps",
        "fever",
        id=f"r.{n}",
    )
    for n in range(4)
]


def dataset(folder: Path, split: str = "train", numbering: str = "global") -> Dataset:
    recipe = {"dataset": "biomrc", "text_form": "original", "numbering": numbering}
    return writing.write(folder, {split: INSTANCES}, recipe)


def test_each_method_of_discounting_has_a_file_of_trains_model(tmp_path: Path) -> None:
    made = api.export(dataset(tmp_path / "built"), tmp_path / "out", layout="arpa")
    assert [(one.path.name, one.instances) for one in made] == [
        ("train.plain.arpa", 4),
        ("train.modified.arpa", 4),
    ]
    for one, method in zip(made, ("plain", "modified"), strict=True):
        lines = list(arpa.lines(train(sentences(INSTANCES), discounts=method)))  # type: ignore[arg-type]
        assert one.path.read_text().splitlines() == lines
        assert any(line.endswith("\thad @entitydry_cough and @entityfever") for line in lines)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"split": "test"}, "has no train part to count"),
        ({"numbering": "local"}, "entities that have the same number in each instance"),
    ],
)
def test_a_dataset_without_the_text_of_a_model_is_refused(
    tmp_path: Path, given: dict[str, str], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        api.export(dataset(tmp_path / "built", **given), tmp_path / "out", layout="arpa")


def test_a_view_is_refused(tmp_path: Path, built: Dataset) -> None:
    with pytest.raises(InputError, match="--view names: a language model has a view of its own"):
        api.export(built, tmp_path / "out", layout="arpa", view="names")
