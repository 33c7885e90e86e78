"""`fit-reranking` as its users drive it: an index, questions and judgements in, an order kept in the index."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.another_user import another_user, open_to_all
from tests.typed import Said

pytest.importorskip("tantivy", reason="the extra search is not installed")

from anagnosis import api
from anagnosis.errors import InputError

WORDS = ["tea", "salt", "fever", "sleep", "walk", "milk", "rain", "bread", "stone", "glass"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Sixty questions; the paper with the pair of words in their order is relevant, others have them further apart."""
    monkeypatch.chdir(tmp_path)
    papers: list[dict[str, str]] = []
    topics: list[str] = []
    judged = ["query-id\tcorpus-id\tscore"]
    for number in range(60):
        first, second = WORDS[number % 10], WORDS[(number + 1 + number // 10) % 10]
        near = f"We saw {first} {second} x{number} often, and then wrote of all that was seen by us."
        far = f"We saw {first} x{number}. {first} {first} was bad. Also {second} and {second}."
        papers += [
            {"_id": f"near{number}", "title": "", "text": near},
            {"_id": f"far{number}", "title": "", "text": far},
        ]
        topics.append(json.dumps({"_id": str(number), "text": f"{first} {second} x{number}"}))
        judged.append(f"{number}\tnear{number}\t1")
    Path("corpus.jsonl").write_text("".join(json.dumps(paper) + "\n" for paper in papers), encoding="utf-8")
    Path("topics.jsonl").write_text("\n".join(topics) + "\n", encoding="utf-8")
    Path("qrels.tsv").write_text("\n".join(judged) + "\n", encoding="utf-8")
    api.index(["corpus.jsonl"], "index")
    return tmp_path


def test_an_order_is_fitted_kept_and_used(said: Said, folder: Path) -> None:
    out = said("fit-reranking", "index", "--topics", "topics.jsonl", "--judgements", "qrels.tsv")
    assert "reranked" in out
    assert "pairs" in out
    kept = json.loads((folder / "index" / "reranking.json").read_text(encoding="utf-8"))
    assert len(kept["features"]) == 6
    assert kept["vector"] == []
    asked = ("index", "--topics", "topics.jsonl", "--judgements", "qrels.tsv")
    scored = json.loads(
        said("evaluate-search", *asked, "--ranking", "lexical", "--ranking", "reranked", "--json")
    )
    first, again = (system["estimates"]["ndcg@10"]["value"] for system in scored["systems"])
    assert again > first
    found = said("search", "index", "tea salt x0", "--ranking", "reranked")
    assert "ranked by reading the best once more" in found
    assert found.index("near0") < found.index("far0")


def test_plain_data_has_the_test_of_both(said: Said, folder: Path) -> None:
    asked = ("--topics", "topics.jsonl", "--judgements", "qrels.tsv", "--json", "--features-only")
    made = json.loads(said("fit-reranking", "index", *asked))
    assert made["questions"] == made["used"] == 60
    assert made["after"] > made["before"]
    assert made["pair"]["first"] == "reranked"


def test_an_index_that_cannot_be_written_is_refused_before_anything_is_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(*_: object) -> None:
        raise AssertionError("was read")

    with open_to_all() as place:
        for name in ("index", "topics.jsonl", "qrels.tsv"):
            copy = shutil.copytree if (folder / name).is_dir() else shutil.copy
            copy(folder / name, place / name)
        monkeypatch.setattr("anagnosis.searching.rank.ranking.read", read)
        topics, judged = place / "topics.jsonl", place / "qrels.tsv"
        with pytest.raises(AssertionError, match="was read"):
            api.fit_reranking(place / "index", topics=topics, judgements=judged)
        refused = r"^index: cannot be written \(Permission denied\); give yourself the right to, or copy it$"
        with another_user(), pytest.raises(InputError, match=refused):
            api.fit_reranking(place / "index", topics=topics, judgements=judged)
