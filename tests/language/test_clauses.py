"""Where the subject of a question's clause ends."""

from __future__ import annotations

from tests.rows import each_row

from anagnosis.language.clauses import begins_with_verb, clause


@each_row(
    ("auxiliary", "rest", "subject", "text"),
    [
        ("does", "GDF15 bind", "GDF15", "GDF15 binds"),
        ("do", "stress granules localize", "stress granules", "stress granules localize"),
        ("did", "the vaccine becomes available", "the vaccine", "the vaccine became available"),
        ("does", "the loss of expression by T cells contribute", "the loss of expression by T cells",
         "the loss of expression by T cells contributes"),
        ("is", "the variant CENPA preferentially localized", "the variant CENPA",
         "the variant CENPA is preferentially localized"),
        ("is", "the antibody used for staining of bodies raised", "the antibody used for staining of bodies",
         "the antibody used for staining of bodies is raised"),
        ("are", "increased levels seen", "increased levels", "increased levels are seen"),
        ("is", "the gene that is mutated located", "the gene that is mutated", "the gene that is mutated is located"),
        ("is", "DNA that binds it located in man", "DNA that binds it", "DNA that binds it is located in man"),
        ("can", "palbociclib be used", "palbociclib", "palbociclib can be used"),
        ("has", "midostaurin received approval", "midostaurin", "midostaurin has received approval"),
        ("is", "ixazomib being evaluated for", "ixazomib", "ixazomib is being evaluated for"),
        ("was", "empagliflozin FDA approved", "empagliflozin", "empagliflozin was FDA approved"),
    ],
)  # fmt: skip
def test_the_auxiliary_stands_behind_the_subject(auxiliary: str, rest: str, subject: str, text: str) -> None:
    made = clause(auxiliary, rest)
    assert (made.subject, made.text, made.sure) == (subject, text, True)


def test_without_a_verb_all_is_the_subject() -> None:
    made = clause("is", "the virus")
    assert (made.text, made.sure) == ("the virus is", False)


@each_row(
    ("auxiliary", "rest", "is_verb"),
    [
        ("is", "mutated in deafness", True),
        ("is", "Cidofovir indicated for", False),
        ("are", "able to bind", True),
        ("can", "be used", True),
        ("can", "patients take", False),
        ("has", "been tested", True),
        ("has", "the smallest genome found", True),
        ("has", "the loss been seen", False),
        ("does", "GDF15 bind", False),
        ("is", "FDA approved for it", True),
    ],
)
def test_a_predicate_differs_from_a_subject(auxiliary: str, rest: str, is_verb: bool) -> None:
    assert begins_with_verb(auxiliary, rest) is is_verb
