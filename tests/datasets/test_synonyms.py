"""Names of a dataset's concepts, from all of its passages and from a vocabulary."""

from __future__ import annotations

from pathlib import Path

import pytest

from anagnosis import api
from anagnosis.datasets.folder import writing
from anagnosis.datasets.folder.store import Dataset, load_unverified
from anagnosis.datasets.kinds.cloze_instance import Candidate, ClozeInstance, PassageMention
from anagnosis.datasets.synonyms import synonyms
from anagnosis.entities import vocabulary
from anagnosis.entities.concepts import Concept
from anagnosis.entities.vocabulary import Vocabulary


def instance(
    ident: str, name: str, key: str = "disease/MESH:D1", question: str = "On XXXX."
) -> ClozeInstance:
    candidates = (Candidate(key, "Disease", 0, (name,)), Candidate("gene/7", "Gene", 1, ("TP53", "p53")))
    mentions = (PassageMention(((0, 1),), 0), PassageMention(((2, 3),), 1))
    return ClozeInstance(ident, ident[:1], "", "x y", question, mentions, (), candidates, 0, (name,))


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    splits = {
        "train": [instance("1:0", "Lung Cancer"), instance("2:0", "NSCLC", question="Lung cancer: XXXX.")],
        "test": [instance("3:0", "LC", question="Carcinoma of the lung is XXXX.")],
    }
    return writing.write(tmp_path / "made", splits, {"dataset": "bioread", "kind": "cloze"})


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    concepts = [Concept("D1", "Lung Neoplasms", ("Lung Neoplasms", "Carcinoma of the Lung"), ())]
    vocabulary.store(concepts, tmp_path / "mesh.terms")
    return tmp_path / "mesh.terms"


def test_a_concept_has_the_names_of_all_splits_in_lower_case_without_the_shortest(dataset: Dataset) -> None:
    found = synonyms(dataset)
    assert found is not None
    assert found.of("disease/MESH:D1", "Disease") == {"lung cancer", "nsclc"}
    assert found.of("gene/7", "Gene") == {"tp53", "p53"}
    assert found.of("gene/8", "Gene") == frozenset()


def test_a_vocabulary_adds_its_names_whether_the_identifier_has_a_prefix_or_not(
    dataset: Dataset, stored: Path
) -> None:
    with Vocabulary(stored) as opened:
        found = synonyms(dataset, opened)
        assert found is not None
        of_mesh = {"lung cancer", "nsclc", "lung neoplasms", "carcinoma of the lung"}
        assert found.of("disease/MESH:D1", "Disease") == of_mesh
        assert found.of("disease/D1", "Disease") == {"lung neoplasms", "carcinoma of the lung"}


def test_local_keys_name_no_concept(dataset: Dataset) -> None:
    recipe = 'dataset = "bioread"\nkind = "cloze"\nnumbering = "local"\ntext_form = "replaced"\n'
    (dataset.folder / "recipe.toml").write_text(recipe, "utf-8")
    assert synonyms(load_unverified(dataset.folder)) is None


def test_show_counts_synonyms_of_the_dataset_and_with_terms_those_of_the_vocabulary(
    dataset: Dataset, stored: Path
) -> None:
    def count(terms: Path | None) -> int:
        lines = {line.name: line for line in api.show(dataset, terms=terms).statistics.shortcuts}
        assert lines["answer_synonym_in_question"].of == 3
        return lines["answer_synonym_in_question"].instances

    assert (count(None), count(stored)) == (1, 2)
