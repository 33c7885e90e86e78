"""What is checked of the authors' files, and what each fault is called."""

from __future__ import annotations

from tests.rows import each_row

from anagnosis.datasets.biomrc import invariants
from anagnosis.datasets.biomrc.invariants import INVARIANTS, REFUSING, BiomrcFaults
from anagnosis.datasets.biomrc.rows import Row
from anagnosis.datasets.export.layouts import KEPT_PLACES

A = Row(
    "@entity3 ( @entity3 ) helps in @entity1 of @entity1 and @entity20 .\n",
    "XXXX for @entity1 .\n",
    [
        "@entity1 :: ('9606', 'Species') :: ['men']",
        "@entity20 :: ('7', 'Gene') :: ['X']",
        "@entity3 :: ('D1', 'Chemical') :: ['salt', 'NaCl']",
    ],
    "@entity3 :: (D1,Chemical) :: ['Salt']\n",
)
B = Row(
    "@entity1 ( @entity1 ) helps in @entity0 of @entity0 and @entity2 .\n",
    "XXXX for @entity0 .\n",
    ["@entity0", "@entity2", "@entity1"],
    "@entity1",
)


def faults(row: Row, setting: str) -> set[str]:
    findings = BiomrcFaults()
    kept = findings.check(invariants.read(row, setting), "file, instance 0")
    assert kept == (not findings.refused)
    assert sum(findings.refused.values()) <= findings.instances == 1
    assert {fault for _, fault, _ in findings.places} == set(findings.broken)
    assert set(findings.broken) <= set(INVARIANTS)
    return set(findings.broken)


def test_a_sound_instance_has_no_fault() -> None:
    assert faults(A, "A") == set()
    assert faults(B, "B") == set()


TOO_MANY = [f"@entity{n}" for n in range(21)]


@each_row(
    ("setting", "change", "expected"),
    [
        ("A", {"entities": [*A.entities[:2], "@entity3 :: salt"]}, {"candidate_unreadable"}),
        ("B", {"entities": [*B.entities, "@entity07"]}, {"candidate_unreadable"}),
        ("A", {"entities": B.entities, "answer": B.answer}, {"candidate_unreadable"}),
        ("B", {"entities": [*B.entities, "@entity2"]}, {"candidate_twice"}),
        ("A", {"title": "Salt for @entity1 .\n"}, {"title_without_one_placeholder"}),
        ("A", {"title": "XXXX for XXXX .\n"}, {"title_without_one_placeholder"}),
        ("B", {"entities": B.entities[::2]}, {"abstract_entity_no_candidate"}),
        ("A", {"title": "XXXX for @entity2 .\n"}, {"title_entity_no_candidate"}),
        ("A", {"answer": "@entity2 :: (D1,Chemical) :: ['Salt']\n"}, {"answer_no_candidate"}),
        ("A", {"answer": "Salt\n"}, {"answer_no_candidate"}),
        ("A", {"answer": "@entity3 :: (D2,Chemical) :: ['Salt']\n"}, {"answer_unreadable"}),
        ("A", {"answer": "@entity3\n"}, {"answer_unreadable"}),
        ("B", {"answer": "@entity1\n"}, {"answer_unreadable"}),
        ("B", {"entities": [*B.entities, "@entity3"]}, {"candidate_not_in_abstract"}),
        ("A", {"abstract": A.abstract.replace("helps", "XXXX")}, {"placeholder_in_abstract"}),
        ("A", {"abstract": A.abstract.replace(" of @entity1", "")}, {"answer_alone_at_the_top"}),
        (
            "B",
            {"abstract": "@entity0 \n", "title": "XXXX \n", "entities": ["@entity0"], "answer": "@entity0"},
            {"answer_alone_at_the_top", "too_few_or_many_candidates"},
        ),
        (
            "B",
            {"abstract": " ".join([*TOO_MANY, "\n"]), "entities": TOO_MANY},
            {"too_few_or_many_candidates"},
        ),
        ("A", {"abstract": A.abstract.replace("( @entity3", "(@entity3")}, {"token_glued"}),
        ("A", {"abstract": A.abstract.replace("20 .", "20.")}, {"token_glued"}),
        ("A", {"title": "For @entity1 \tXXXX .\n"}, {"token_glued"}),
        ("A", {"title": "XXXX for @entity1 ."}, {"newline_missing_or_inside"}),
        ("A", {"abstract": A.abstract.replace("helps", "\nhelps")}, {"newline_missing_or_inside"}),
        ("A", {"answer": A.answer[:-1]}, {"newline_missing_or_inside"}),
        (
            "A",
            {"entities": [*A.entities[1:], '@entity1 :: ("9606", \'Species\') :: ["men"]']},
            {"other_repr"},
        ),
        ("A", {"answer": '@entity3 :: (D1,Chemical) :: ["Salt"]\n'}, {"other_repr"}),
        (
            "B",
            {
                "abstract": B.abstract.replace("@entity2", "@entity7"),
                "entities": ["@entity0", "@entity7", "@entity1"],
            },
            {"local_numbers_with_gaps"},
        ),
    ],
)
def test_each_fault_has_its_name(setting: str, change: dict[str, object], expected: set[str]) -> None:
    row = (A if setting == "A" else B)._replace(**change)
    found = faults(row, setting)
    assert expected <= found
    # Some changes break a second invariant by necessity; none may break an unrelated one.
    assert found - expected <= {
        "candidate_not_in_abstract",
        "too_few_or_many_candidates",
        "answer_no_candidate",
        "answer_alone_at_the_top",
        "local_numbers_with_gaps",
    }


def test_an_empty_abstract_lacks_its_newline() -> None:
    assert "newline_missing_or_inside" in faults(A._replace(abstract=""), "A")


def test_only_what_cannot_be_given_back_is_refused() -> None:
    findings = BiomrcFaults()
    assert findings.check(invariants.read(A._replace(title="XXXX for @entity1 ."), "A"), "here")
    assert not findings.check(invariants.read(A._replace(title="no placeholder \n"), "A"), "there")
    assert dict(findings.refused) == {"title_without_one_placeholder": 1}
    assert findings.instances == 2
    assert findings.places == [
        ("here", "newline_missing_or_inside", "title"),
        ("there", "title_without_one_placeholder", repr("no placeholder \n")),
    ]
    assert set(REFUSING) < set(INVARIANTS)


def test_a_number_with_two_entities_and_an_entity_with_two_numbers_are_found_across_instances() -> None:
    findings = BiomrcFaults()
    findings.check(invariants.read(A, "A"), "first")
    other = A._replace(entities=[item.replace("'7', 'Gene'", "'8', 'Gene'") for item in A.entities])
    findings.check(invariants.read(other, "A"), "second")
    moved = Row(
        *(
            part.replace("@entity20", "@entity21")
            if isinstance(part, str)
            else [i.replace("@entity20", "@entity21") for i in part]
            for part in A
        )
    )
    findings.check(invariants.read(moved, "A"), "third")
    assert dict(findings.broken) == {"number_of_two_entities": 1, "entity_with_two_numbers": 1}
    assert [where for where, _, _ in findings.places] == ["second", "third"]


def test_the_first_hundred_places_are_kept_and_all_are_counted() -> None:
    findings = BiomrcFaults()
    for number in range(KEPT_PLACES + 5):
        findings.note(str(number), "other_json", "")
    assert len(findings.places) == KEPT_PLACES
    assert findings.broken["other_json"] == KEPT_PLACES + 5
