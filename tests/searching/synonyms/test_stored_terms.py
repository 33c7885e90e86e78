"""The vocabulary of an index: which names it gives, and what happens to its file."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.rows import each_row

pytest.importorskip("tantivy", reason="the extra search is not installed")

from anagnosis.errors import DamagedError, InputError
from anagnosis.searching.synonyms.stored_terms import FILE, TermNames, read_terms, store_terms

TABLE = """id\tname\tsynonyms
X1\tMyocardial infarction\theart attack|HA|MI|cardiac necrosis
X2\tAcquired immune deficiency\tAIDS|slim disease
X3\tCommon cold\tcold|coryza
X4\tCold temperature\tcold
X5\tDisease\tillness
X6\tInterleukin-6\tIL-6
X7\tLeukemia\tleukaemia cancer
X8\tA\tletter
"""


def stored(folder: Path, *tables: str) -> TermNames:
    paths = [folder / f"{number}.tsv" for number in range(len(tables))]
    for path, table in zip(paths, tables, strict=True):
        path.write_text(table)
    store_terms(folder, read_terms(paths))
    return TermNames(folder)


@pytest.fixture
def names(tmp_path: Path) -> TermNames:
    return stored(tmp_path, TABLE)


@pytest.mark.parametrize(
    ("words", "others"),
    [
        ("heart attacks", ["Myocardial infarction", "heart attack", "cardiac necrosis"]),
        ("AIDS", ["Acquired immune deficiency", "AIDS", "slim disease"]),
        ("il6", ["Interleukin-6", "IL-6"]),
        ("Leukaemias", ["Leukemia", "leukaemia cancer"]),
    ],
)
def test_a_name_has_the_names_of_its_concept_but_for_short_ones(
    names: TermNames, words: str, others: list[str]
) -> None:
    assert names.names(words) == others


@pytest.mark.parametrize("words", ["aids", "Aids", "unheard of", "heart", "", "ha"])
def test_short_forms_in_other_letters_and_unknown_words_have_none(names: TermNames, words: str) -> None:
    assert names.names(words) is None


def test_a_name_of_two_concepts_adds_nothing_and_is_not_added(names: TermNames) -> None:
    assert names.names("cold") == ()
    assert names.names("common cold") == ["Common cold", "coryza"]


def test_concepts_of_two_vocabularies_with_one_preferred_name_are_one(tmp_path: Path) -> None:
    other = "id\tname\tsynonyms\nY1\tMyocardial infarctions\tcardiac infarct|heart attack\n"
    names = stored(tmp_path, TABLE, other).names("heart attack")
    assert names is not None
    assert {"Myocardial infarction", "cardiac infarct"} <= {*names}


def test_the_vocabulary_says_what_it_is_made_from(names: TermNames) -> None:
    about = names.about
    assert (about.concepts, [name for name, _ in about.files]) == (8, ["0.tsv"])


def test_damaged_terms_are_refused(names: TermNames, tmp_path: Path) -> None:
    names.close()
    data = bytearray((tmp_path / FILE).read_bytes())
    data[-9] ^= 1
    (tmp_path / FILE).write_bytes(data)
    with pytest.raises(DamagedError, match="changed since it was written"):
        TermNames(tmp_path)


def test_files_without_terms_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.tsv").write_text("id\tname\n")
    with pytest.raises(InputError, match="no term with a name"):
        read_terms([tmp_path / "empty.tsv"])


TREE = """id\tname\tentry_terms\ttree_numbers
D1\tHeart Diseases\tcardiac disease\tC14.280
D2\tMyocardial Infarction\theart attack\tC14.280.647|C23.1
D3\tShock, Cardiogenic\t\tC14.280.647.500
D4\tInfarct, Odd\t\tC23.1.2
D5\tVascular Diseases\t\tC14.2801
D6\tHearts\tthe heart\t
"""


@each_row(
    ("name", "term"),
    [
        ("heart attack", ("Myocardial Infarction", ("Infarct, Odd", "Shock, Cardiogenic"))),
        ("Shock, Cardiogenic", ("Shock, Cardiogenic", ())),
        (
            "heart diseases",
            ("Heart Diseases", ("Myocardial Infarction", "Shock, Cardiogenic")),
        ),
        ("Hearts", None),
        ("unheard of", None),
    ],
)
def test_a_mesh_term_has_all_that_lies_below_it_in_the_tree(
    tmp_path: Path, name: str, term: tuple[str, tuple[str, ...]] | None
) -> None:
    """A heading that lies in two places has what lies below it in the place that counts, and not elsewhere."""
    assert stored(tmp_path, TREE).mesh(name) == term


def test_a_stored_vocabulary_can_be_given_again(tmp_path: Path) -> None:
    first = stored(tmp_path, TREE)
    again = tmp_path / "again"
    again.mkdir()
    store_terms(again, read_terms([tmp_path / FILE]))
    copy = TermNames(again)
    assert copy.mesh("heart diseases") == first.mesh("heart diseases")
    assert (
        copy.names("heart attack") == first.names("heart attack") == ["Myocardial Infarction", "heart attack"]
    )


ALIKE = """id\tname\tsynonyms
D1\tAged\telderly
D2\tNursing\tnursing care
D3\tNurses\tregistered nurse
D4\tAcquired immune deficiency\tAIDS
D5\tInsemination by donor\tAID
"""


@each_row(
    ("words", "others"),
    [
        ("ageing", None),
        ("aged", ["Aged", "elderly"]),
        ("nurses", ["registered nurse"]),
        ("nurse", ["registered nurse"]),
        ("nursing", ["nursing care"]),
        ("AIDS", ["Acquired immune deficiency"]),
        ("AID", ["Insemination by donor"]),
        ("aids", None),
    ],
)
def test_a_name_that_shares_only_the_stem_is_another_name(
    tmp_path: Path, words: str, others: list[str] | None
) -> None:
    """A name as written comes before its plural. Names whose stem is another concept's are not added."""
    assert stored(tmp_path, ALIKE).names(words) == others
