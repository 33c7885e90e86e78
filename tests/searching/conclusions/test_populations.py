"""Whether a paper's population is another one than the question's."""

from __future__ import annotations

from tests.rows import each_row
from tests.searching.conclusions.papers import paper

from anagnosis.searching.conclusions.populations import named, other_population

ADULTS = "Does dexmedetomidine prevent agitation in adults?"
CHILDREN = "Does dexmedetomidine prevent agitation in children?"
NOBODY = "Does dexmedetomidine prevent agitation?"


@each_row(
    ("question", "title", "text", "mesh", "population"),
    [
        (ADULTS, "Dexmedetomidine in children", "It helped.", (), "in children"),
        (ADULTS, "Agitation in pediatric surgery", "It helped.", (), "in children"),
        (ADULTS, "Agitation in neonates", "It helped.", (), "in newborns"),
        (ADULTS, "MICE, CATS and other methods of imputation", "Adults came.", (), ""),
        (ADULTS, "Agitation in infants", "It helped.", (), "in newborns and children"),
        (ADULTS, "Agitation in children and adults", "It helped.", (), ""),
        (ADULTS, "Children and the rats that they keep", "It helped.", (), "in children"),
        (ADULTS, "Iron in pregnancy for mother and child", "It helped.", (), ""),
        (ADULTS, "Agitation", "Children had been studied before.", (), ""),
        (ADULTS, "Agitation", "It helped.", ("Humans", "Child"), "in children"),
        (ADULTS, "Agitation in children", "It helped.", ("Humans", "Child", "Adult"), ""),
        (CHILDREN, "Agitation in elderly patients", "It helped.", (), "in adults"),
        (CHILDREN, "Agitation in infants", "It helped.", (), ""),
        (CHILDREN, "Agitation in beagle dogs", "It helped.", (), "in dogs"),
        (NOBODY, "Agitation in children", "It helped.", (), ""),
        (NOBODY, "Agitation in rats and mice", "It helped.", (), "in rats and mice"),
        (NOBODY, "Agitation in guinea pigs", "It helped.", (), "in guinea pigs"),
        (NOBODY, "Agitation", "The rats slept.", (), "in rats"),
        (NOBODY, "Agitation", "The rats slept. So may patients.", (), ""),
        (NOBODY, "Agitation", "It helped.", ("Animals", "Rats"), "in rats"),
        (NOBODY, "Agitation", "It helped.", ("Animals",), "in animals"),
        (NOBODY, "Agitation in rats", "It helped.", ("Animals", "Humans", "Rats"), ""),
        (NOBODY, "Agitation", "A mouse antibody stained it.", (), ""),
        ("Does tea calm rats?", "Tea in mice", "It helped.", (), ""),
        ("Does tea calm rats?", "Tea in volunteers", "It helped.", (), "in people"),
        ("Does tea in pregnancy harm?", "Tea and children", "It helped.", (), ""),
        (ADULTS, "", "It helped.", (), ""),
    ],
)  # fmt: skip
def test_a_paper_on_others_than_asked_says_so(
    question: str, title: str, text: str, mesh: tuple[str, ...], population: str
) -> None:
    assert other_population(question, paper(("METHODS", text), title=title), mesh) == population


def test_a_question_may_name_nobody() -> None:
    assert named(ADULTS)
    assert named("Does tea calm rats?")
    assert not named(NOBODY)


def test_a_paper_s_species_is_not_that_of_others_work() -> None:
    parts = ("BACKGROUND", "Rats slept."), ("METHODS", "It helped.")
    assert other_population(NOBODY, paper(*parts)) == ""
    assert other_population(NOBODY, paper(("METHODS", "Rats slept."))) == "in rats"
