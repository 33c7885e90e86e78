"""What the golden files hold, counted: questions by type and by file, their documents, snippets and answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from anagnosis.datasets.kinds.question import QuestionInstance


@dataclass(slots=True)
class Statistics:
    """Sums over questions.

    types: (file, type) → questions. answered: type → those with an exact answer. yes: yes/no questions whose answer it
    is. documents, distinct: of the questions together, and of those how many differ. snippets: of each question that
    has n of them, n → questions; unlike: (document, text) that differ in all. sections: of snippets.
    """

    questions: int = 0
    types: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    answered: Counter[str] = field(default_factory=Counter[str])
    yes: int = 0
    documents: int = 0
    distinct: set[str] = field(default_factory=set[str])
    snippets: Counter[int] = field(default_factory=Counter[int])
    unlike: set[int] = field(default_factory=set[int])
    sections: Counter[str] = field(default_factory=Counter[str])

    def add(self, instance: QuestionInstance) -> None:
        """One more."""
        self.questions += 1
        self.types[instance.file, instance.type] += 1
        if instance.exact is not None:
            self.answered[instance.type] += 1
            self.yes += instance.exact == (("yes",),)
        self.documents += len(instance.documents)
        self.distinct.update(instance.documents)
        self.snippets[len(instance.snippets)] += 1
        for snippet in instance.snippets:
            self.unlike.add(hash((snippet.document, snippet.text)))
            self.sections[snippet.begin_section.partition(".")[0]] += 1

    def of_type(self, kind: str) -> int:
        """Questions of a type."""
        return sum(count for (_, own), count in self.types.items() if own == kind)

    @property
    def all_snippets(self) -> int:
        return sum(number * questions for number, questions in self.snippets.items())

    @property
    def median_snippets(self) -> int:
        """The lower median of snippets a question; 0 where there is no question."""
        seen = 0
        for number in sorted(self.snippets):
            seen += self.snippets[number]
            if 2 * seen >= self.questions:
                return number
        return 0


def statistics(instances: Iterable[QuestionInstance]) -> Statistics:
    """Of these questions together."""
    found = Statistics()
    for instance in instances:
        found.add(instance)
    return found
