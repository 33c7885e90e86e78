"""What papers' own mentions say of names: concepts, types that are asked for, and names of one concept together."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from tests.measured import NAME_WEIGHTS
from tests.rows import each_row

from anagnosis.documents.document import Document, Mention, Section
from anagnosis.language.question_kinds import FACTOID
from anagnosis.searching.answers.asking import highlighted
from anagnosis.searching.entities import marked_types
from anagnosis.searching.entities.candidate_names import Name, ReadSentence, names
from anagnosis.searching.entities.concepts import key, parts
from anagnosis.searching.entities.marked_types import NOTHING, WEIGHTS, Marked, bonus, marked, types
from anagnosis.searching.entities.naming import NamesReader
from anagnosis.searching.index.index import create_index
from anagnosis.searching.records.expansion import Topic
from anagnosis.searching.records.hits import Sentence
from anagnosis.searching.records.names import NamedAnswer
from anagnosis.searching.records.passage import Entity, Passage
from anagnosis.searching.sentences.asked_for import wanted

QUESTION = "Which gene is mutated in Huntington disease?"


def reads(*texts: str) -> list[ReadSentence]:
    """A mention is written [text|type|identifier]; a title stands before "::"."""
    found = list[ReadSentence]()
    for rank, told in enumerate(texts):
        title, _, text = told.rpartition("::")
        (title, of_title), (text, own) = plain(title), plain(text)
        passage = Passage(str(rank), 0, "abstract", "", title, text, entities=own, title_entities=of_title)
        found.append(ReadSentence(rank, passage, Sentence(0, len(text), 1 / (rank + 1), 1)))
    return found


def plain(told: str) -> tuple[str, tuple[Entity, ...]]:
    text, found = "", list[Entity]()
    for piece in re.split(r"(\[[^]]*\])", told):
        if not piece.startswith("["):
            text += piece
            continue
        surface, kind, identifier = piece[1:-1].split("|", 2)
        found.append(Entity(len(text), len(text) + len(surface), kind, identifier))
        text += surface
    return text, tuple(found)


def named(found: list[Name]) -> dict[str, Name]:
    return {surface: name for name in found for surface in name.surfaces}


@each_row(
    ("type", "identifier", "expected"),
    [
        ("Disease", "MESH:D006816", "disease/D006816"),
        ("DiseaseOrPhenotypicFeature", "D006816", "disease/D006816"),
        ("Disease", "OMIM:143100", "disease/OMIM:143100"),
        ("Gene", "3064", "gene/3064"),
        ("Gene", "3064(Tax:9606)", "gene/3064"),
        ("Species", "3064", "species/3064"),
        ("Chemical", "CHEBI:3064", "chemical/CHEBI:3064"),
        ("Gene", "", ""),
        ("ProteinMutation", "p|SUB|P|799|L;Gene:59341;RS#:121912637;VariantGroup:1", "variant/rs121912637"),
        ("SNP", "rs121912637", "variant/rs121912637"),
        ("DNAMutation", "c|DEL|1|A;Gene:5;Disease:D1;VariantGroup:2", "variant/c|DEL|1|A;Gene:5"),
    ],
)
def test_a_concept_is_one_however_its_vocabulary_is_spelled(
    type: str, identifier: str, expected: str
) -> None:
    assert key(type, identifier) == expected


def test_a_mention_of_several_concepts_has_parts() -> None:
    assert parts("disease/D1|D2") == {"disease/D1", "disease/D2"}
    assert parts("variant/c|DEL|1|A") == {"variant/c|DEL|1|A"}


@each_row(
    ("question", "asked"),
    [
        (QUESTION, {"gene", "gene-family"}),
        ("Which drugs cause QT prolongation?", {"chemical"}),
        ("Which mutations cause deafness?", {"variant"}),
        ("Mutations in which gene cause deafness?", {"gene", "gene-family"}),
        ("Which species of mosquito carries malaria?", {"species"}),
        ("Which cell lines express HER2?", {"cell-line"}),
        ("What are the side effects of tea?", {"disease"}),
        ("Which company makes tea?", set()),
        ("How many genes has the virus?", set()),
    ],
)
def test_types_that_are_asked_for(question: str, asked: set[str]) -> None:
    assert types(wanted(question)) == asked


def test_names_of_one_concept_are_one_across_papers() -> None:
    found = named(names(reads("[HTT|Gene|3064] binds.", "[huntingtin|gene|3064] is long."), QUESTION))
    assert found["HTT"] is found["huntingtin"]
    assert found["HTT"].linked_to() == ["gene/3064"]
    bare = named(names(reads("HTT binds.", "huntingtin is long."), QUESTION))
    assert bare["HTT"] is not bare["huntingtin"]


def test_the_same_string_in_two_vocabularies_is_no_one_concept() -> None:
    found = named(names(reads("[HTT|Gene|3064] binds.", "[Zonia|Species|3064] is long."), QUESTION))
    assert found["HTT"] is not found["Zonia"]
    found = named(
        names(reads("[tea|Chemical|CHEBI:1] helps.", "[thein|Chemical|HMDB:1] helps."), "Which drug?")
    )
    assert found["tea"] is not found["thein"]


def test_a_stray_mark_among_many_mentions_joins_no_names() -> None:
    """Mentions in passages without any mark tell nothing."""
    right = "[huntingtin|Gene|3064] is long."
    stray = ["[tea|Gene|3064] binds.", *("With tea [mice|Species|10090] slept." for _ in range(2))]
    found = named(names(reads(right, *stray), QUESTION))
    assert found["tea"] is not found["huntingtin"]
    for texts in (stray[:2], [stray[0], "With tea all slept.", "With tea none slept."]):
        found = named(names(reads(right, *texts), QUESTION))
        assert found["tea"] is found["huntingtin"]


def test_a_name_of_two_concepts_does_not_join_them() -> None:
    texts = (
        "[Crohn disease|Disease|D1] ([CD|Disease|D1]) is slow.",
        "[celiac disease|Disease|D2] ([CD|Disease|D2]).",
    )
    found = named(names(reads(*texts), "Which disease is slow?"))
    assert found["Crohn disease"] is not found["celiac disease"]
    assert found["CD"] is found["Crohn disease"]


def test_what_a_title_marks_under_a_name_of_the_question_is_no_answer() -> None:
    texts = ("[Huntington disease|Disease|D006816] and genes::In [HC|Disease|MESH:D006816] HTT is mutated.",)
    assert named(names(reads(*texts), QUESTION))["HC"].in_question
    bare = "Huntington disease and genes::In HC HTT is mutated."
    assert not named(names(reads(bare), QUESTION))["HC"].in_question


def test_a_mention_that_is_no_noun_phrase_is_a_candidate() -> None:
    found = named(names(reads("It is [and 4 beta|Gene|7], we say."), QUESTION))
    assert found["and 4 beta"].types
    assert "and 4 beta" not in named(names(reads("It is and 4 beta, we say."), QUESTION))


def test_how_names_are_marked() -> None:
    sentences = reads(
        "[HTT|Gene|3064] and [tea|Chemical|D1] and salt.",
        "HTT and [BDNF|Gene|627].",
        "HTT and salt and [tea|Chemical|D1] and coffee.",  # of a paper without genes
        "The [HTT|Gene|3064] gene.",
    )
    every = names(sentences, QUESTION)
    by = {name.text: one for name, one in zip(every, marked(every, sentences, wanted(QUESTION)), strict=True)}
    assert by["HTT"] == Marked(2 / 3, 0, 1 / 3)
    assert by["tea"] == Marked(0, 1, 0)
    assert by["salt"] == Marked(0, 0, 1)
    assert by["coffee"] == NOTHING
    assert bonus(by["HTT"], WEIGHTS) > bonus(NOTHING, WEIGHTS) == 0 > bonus(by["tea"], WEIGHTS)
    assert set(marked(every, sentences, wanted("Which company makes tea?"))) == {NOTHING}


def test_without_mentions_nothing_is_gained() -> None:
    sentences = reads("HTT and tea.", "HTT and salt.")
    every = names(sentences, QUESTION)
    assert set(marked(every, sentences, wanted(QUESTION))) == {NOTHING}
    assert not any(name.concepts or name.types for name in every)


def test_weights_are_of_what_is_known() -> None:
    assert tuple(WEIGHTS) == Marked._fields
    assert marked_types.SPECIES in types(wanted("Which species?"))


PAPERS = (
    "Mutations of [HTT|Gene|3064] cause [Huntington disease|Disease|MESH:D006816] in all families.",
    "In [Huntington disease|Disease|D006816] [huntingtin|gene|3064] is mutated, and CAG too.",
    "[Huntington disease|Disease|D006816]: CAG was mutated in [mice|Species|10090], CAG is long.",
)


def answers(folder: Path, papers: tuple[str, ...], namer: NamesReader) -> tuple[NamedAnswer, ...]:
    index, counts = create_index(folder), Counter[str]()
    for number, told in enumerate(papers):
        text, own = plain(told)
        mentions = [Mention(((e.begin, e.end),), text[e.begin : e.end], e.type, e.identifier) for e in own]
        index.add(Document(str(number), (Section("abstract", text),), tuple(mentions)), counts)
    index.commit()
    found = highlighted(index, Topic(QUESTION), index.search(QUESTION))
    given = namer.answer(index, Topic(QUESTION), FACTOID, found)
    index.close()
    return tuple(given.answers)


def test_a_name_marked_with_what_is_asked_for_is_the_answer_and_tells_its_concept(tmp_path: Path) -> None:
    first, *others = answers(tmp_path / "index", PAPERS, NamesReader(NAME_WEIGHTS))
    assert {first.text, *first.names} == {"HTT", "huntingtin"}
    assert first.concepts == ("gene/3064",)
    assert first.text in first.evidence.text
    assert {"HTT", "huntingtin"}.isdisjoint(one.text for one in others)


def test_papers_without_mentions_are_answered_as_if_there_were_no_such_thing(tmp_path: Path) -> None:
    bare = tuple(plain(told)[0] for told in PAPERS)
    nothing = NamesReader(NAME_WEIGHTS, mention_weights=dict.fromkeys(WEIGHTS, 0.0))
    given = answers(tmp_path / "a", bare, NamesReader(NAME_WEIGHTS))
    assert given == answers(tmp_path / "b", bare, nothing)
    assert not any(one.concepts for one in given)
    assert given[0].text != answers(tmp_path / "c", PAPERS, NamesReader(NAME_WEIGHTS))[0].text
