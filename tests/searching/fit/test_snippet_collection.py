"""A collection made of the snippets of questions."""

from __future__ import annotations

from pathlib import Path

from anagnosis.datasets.kinds.question import QuestionInstance, Snippet
from anagnosis.searching.fit.snippet_collection import snippet_collection


def asked(number: int, *snippets: tuple[str, str]) -> QuestionInstance:
    """A question with snippets. snippets: (PMID, text)."""
    made = tuple(
        Snippet(f"http://www.ncbi.nlm.nih.gov/pubmed/{pmid}", "abstract", 0, "abstract", len(text), text)
        for pmid, text in snippets
    )
    return QuestionInstance(f"{number:024x}", "summary", f"Question {number}?", (), made, None)


def test_a_paper_is_one_document_of_its_distinct_snippets(tmp_path: Path) -> None:
    questions = (
        asked(1, ("11", "Aspirin lowers  fever."), ("22", "Tea is warm.")),
        asked(2, ("11", "Aspirin lowers fever."), ("11", "Doses were small."), ("11", "lowers fever.")),
    )
    index = snippet_collection(questions, tmp_path / "index")
    try:
        hits = index.search("aspirin tea", None, 10)
        texts = {hit.passage.document: hit.passage.text for hit in hits}
        assert texts == {"11": "Aspirin lowers fever.\nDoses were small.", "22": "Tea is warm."}
    finally:
        index.close()
