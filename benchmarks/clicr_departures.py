"""Where CliCR-like queries of the variant `paper` differ from those of the published program, on random reports.

    python benchmarks/clicr_departures.py fuzz_reports.jsonl.gz

A line of the file is a JSON object with `text` (title, one tokenised sentence a line, learning points) and `entities`,
each [start, end, type, identifier]. A departure counts once for each report or query in which it occurs; one report may
have several. Queries are compared by the entity that they hide.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from anagnosis.datasets.build.screening import Screening
from anagnosis.datasets.clicr import as_published, paper
from anagnosis.datasets.clicr.as_published import Entity, StopsError
from anagnosis.datasets.clicr.letters import passage_letters
from anagnosis.datasets.clicr.marks import BEGIN, END, PLACEHOLDER, without_marks
from anagnosis.datasets.clicr.queries import without_citations
from anagnosis.datasets.clicr.questions import Marked, Query, is_exact_repeat, longer_side
from anagnosis.datasets.clicr.recipe import CliCRRecipe
from anagnosis.datasets.kinds.cloze_columns import ClozeColumns
from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER as OURS
from anagnosis.documents.document import Document, Mention
from anagnosis.documents.formats.clicr_report import sections

RECIPE = CliCRRecipe(sentences="lines", tokens="blanks", minimum_candidates=0, remove_exact_repeats=False)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    counts = counted(parser.parse_args().file)
    print(f"| departure | of {counts.pop('reports'):,} reports |\n| --- | --- |")
    for name, count in sorted(counts.items()):
        print(f"| {name} | {count:,} |")


def counted(file: Path) -> Counter[str]:
    """The departures of a file's reports, and the number of reports."""
    counts = Counter[str]()
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            counts["reports"] += 1
            record = json.loads(line)
            # By its start an entity is recognised in the queries of both.
            entities = [Entity(start, end, kind, str(start)) for start, end, kind, _ in record["entities"]]
            counts.update(departures(record["text"], entities))
    return counts


def departures(text: str, entities: list[Entity]) -> Iterator[str]:
    """The departures of one report, each as often as it counts."""
    ours = of_paper(text, entities)
    queries = {} if ours is None else {query.identifier: query for query in ours[1]}
    try:
        theirs = as_published.build(text, entities)
    except StopsError as fault:
        yield f"reports: the program stops: {str(fault).partition(':')[0]}"
        yield from ["queries of paper in reports at which the program stops"] * len(queries)
        return
    if theirs is None:
        yield "reports: the program leaves the report out for its marks"
        yield from ["queries of paper in reports that the program leaves out"] * len(queries)
        return
    yield "reports that the program builds"
    yield from of_passage(text, entities, theirs, ours)
    made = {query.identifier: query for query in theirs.queries}
    yield from ["queries that both make"] * len(made.keys() & queries.keys())
    for start in made.keys() - queries.keys():
        yield f"queries of the program alone: {why_not_ours(text, entities, int(start))}"
    yield from ["queries of paper alone: the program drops them for their marks"] * len(
        queries.keys() - made.keys()
    )
    for start in made.keys() & queries.keys():
        yield from of_query(text, made[start], queries[start])
        left, _, right = queries[start].question.text.partition(OURS)
        context = ours[0].text.partition("\n")[2] if ours else ""
        repeats = longer_side(left.rstrip(), right.lstrip()) in context
        if repeats != is_exact_repeat(made[start].text, theirs.context):
            yield f"queries: an exact repeat for {'paper' if repeats else 'the program'} alone"


def of_paper(text: str, entities: list[Entity]) -> tuple[Marked, list[Query]] | None:
    """The passage and the queries of `paper`; None where a rule drops the report."""
    mentions = tuple(
        Mention(((each.start, each.end),), text[each.start : each.end], each.type, each.identifier)
        for each in entities
    )
    made = paper.cloze(Document("1", sections(text), mentions), RECIPE, Screening(ClozeColumns()))
    return None if isinstance(made, str) else made


def of_passage(
    text: str,
    entities: list[Entity],
    theirs: as_published.Report,
    ours: tuple[Marked, list[Query]] | None,
) -> Iterator[str]:
    """The departures of a passage."""
    cut = text.lower().find("\nlearning point")
    if cut < 0:
        yield "reports: the program takes a text without learning points for a passage, less its last character"
        return
    starts, ends = {each.start for each in entities}, {each.end for each in entities}
    if letters(passage_letters(text[:cut], starts, ends)) != letters(text[:cut]):
        yield "reports: letters of the passage are lost (nested, overlapping or touching entities)"
    marked = f"{theirs.title}\n{theirs.context}"
    unchanged = as_published.passage(f"{text[:cut]}\nlearning point", {}, ())
    if letters(unchanged) != letters(text[:cut]):
        yield "reports: numbers of the passage are taken for citations"
    if any(text[each.start : each.end].count("\n") for each in entities if each.end < cut):
        yield "reports: an entity of the passage crosses a line break"
    if any(each.start < cut == each.end for each in entities):
        yield "reports: an entity ends where the passage ends, and its words vanish"
    if f"{BEGIN}{END}" in marked:
        yield "reports: an entity of the passage that is a parenthesis becomes empty"
    plain, spans = without_marks(marked)
    if ours is not None and surfaces(ours[0]) != Counter(plain[start:end] for start, end in spans):
        yield "reports: the entities of the passage differ"


def why_not_ours(text: str, entities: list[Entity], start: int) -> str:
    """Why `paper` has no query of the entity that starts there."""
    heading = text.lower().find("\nlearning point")
    end = next(each.end for each in entities if each.start == start)
    if heading < 0:
        return "there are no learning points"
    if start < text.find("\n", heading + 1) or text.find("\n", heading + 1) < 0:
        return "the entity is in the heading"
    if "\n" in text[start:end]:
        return "the entity holds a line break"
    if any(each.start < end and start < each.end for each in entities if each.start != start):
        return "a longer entity overlaps the entity"
    return "the entity is white space"


def of_query(text: str, theirs: as_published.Query, ours: Query) -> Iterator[str]:
    """The departures of a query that both make."""
    answer, question = " ".join(theirs.answer.split()), ours.question.text
    their_text = theirs.text.replace(PLACEHOLDER, OURS)
    if answer != ours.answer and not " ".join(text[int(ours.identifier) :].split()).startswith(answer):
        yield "queries: the answer is the word before the hidden entity, which vanishes"
    elif answer != ours.answer:
        yield "queries: the answer has other borders"
    elif letters(their_text) != letters(question):
        if without_citations(f"{question} ") != f"{question} ":
            yield "queries: numbers are taken for citations"
        elif not text.endswith("\n") and letters(question).startswith(letters(their_text)):
            yield "queries: the last letter of the text is lost"
        else:
            yield "queries: other words are lost"
    plain, spans = without_marks(their_text)
    if surfaces(ours.question) != Counter(plain[start:end] for start, end in spans):
        yield "queries: the other entities differ"


def letters(text: str) -> str:
    """The text without marks and white space."""
    return "".join(text.replace(BEGIN, "").replace(END, "").split())


def surfaces(text: Marked) -> Counter[str]:
    return Counter(text.surfaces())


if __name__ == "__main__":
    main()
