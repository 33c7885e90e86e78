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
        (ADULTS, "Agitation", "We enrolled 60 children.", (), "in children"),
        (ADULTS, "Agitation", "Children had been studied before.", (), ""),
        (ADULTS, "Agitation", "In 1,234 healthy young girls it helped; 40 adults were asked.", (), "in children"),
        (ADULTS, "Agitation", "It helped 45% of children, and 3.5 children.", (), ""),
        (ADULTS, "Agitation", "At 72 hours after surgery children slept. We enrolled 200 adults.", (), ""),
        (ADULTS, "Agitation", "In 2003 children drank tea. 400 adults were enrolled.", (), ""),
        (ADULTS, "Agitation", "Those with type 2 diabetic children fell ill.", (), ""),
        (ADULTS, "Agitation", "They fell ill 3 times as likely as children; a total of 60 adults.", (), ""),
        (ADULTS, "Agitation", "Some 48 million children drink tea. We studied 60 adults.", (), ""),
        (ADULTS, "Agitation", "Three groups of 20 mice. A total of 300 patients were asked.", (), ""),
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


def test_whom_methods_count_comes_before_whom_results_count() -> None:
    parts = ("RESULTS", "Tea helped 9 men."), ("METHODS", "We asked 30 boys."), ("CONCLUSIONS", "5 newborns.")
    assert other_population(ADULTS, paper(*parts)) == "in children"
    assert not other_population(ADULTS, paper(parts[2]))
