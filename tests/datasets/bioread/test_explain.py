"""What happened to one full text, rule by rule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.datasets.bioread.passages import SHORT, gene, paper, text

from anagnosis import api

LINES = (f"{gene(1)} is here.", "No gene is there.", f"So {gene(1)} is it.", "It is not.")


def explained(folder: Path, *lines: str, **settings: Any) -> Any:
    (folder / "papers.jsonl").write_bytes(text(paper(*lines, ident="7")))
    (found,) = api.explain("bioread", [folder / "papers.jsonl"], "7", settings={**SHORT, **settings})
    return found


def test_a_kept_article_shows_its_questions_and_what_its_positions_gave(tmp_path: Path) -> None:
    found = explained(tmp_path, *LINES)
    assert found.verdicts == [("not_drawn", False), ("too_few_sentences", False), ("no_instance_left", False)]
    assert found.facts == {"sentences": 4, "positions": 2, "mentions": 2, "distinct_entities": 1}
    assert found.instances == ["so XXXX is it."]
    assert found.instances_dropped == {"no_shared_entity": 1}


def test_a_dropped_article_names_the_rule(tmp_path: Path) -> None:
    assert explained(tmp_path, *LINES[:2]).verdicts[-1] == ("too_few_sentences", True)
    assert explained(tmp_path, *LINES, share_of_articles=1e-9).verdicts == [("not_drawn", True)]
    assert explained(tmp_path, *LINES, maximum_candidates=0).verdicts[-1] == ("no_instance_left", True)


def test_a_jats_article_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "a.nxml").write_text(
        "<article><front><article-meta><article-id pub-id-type='pmid'>7</article-id><title-group><article-title>Salt"
        "</article-title></title-group></article-meta></front><body><p>We asked. They left.</p></body></article>"
    )
    (found,) = api.explain("bioread", [tmp_path / "a.nxml"], "7", settings=SHORT)
    assert found.facts["sentences"] == len(("Salt", "We asked.", "They left."))
