"""Does an abstract support a claim? A classifier that reads abstracts, and one that reads the best sentences.

    python benchmarks/for_and_against.py scifact.tar.gz OUT --encoder models/minilm [--epochs 3] [--seed 0]

SciFact's claims, each with each abstract that it cites (`--layout scifact-verdicts`): train teaches, validation is
scored and chooses nothing. OUT/abstracts holds the pairs with whole abstracts, OUT/sentences with the three sentences
that share most of the claim's words by their IDF (`sentence-overlap`); OUT/runs the trainings. What is there is not
done again. Prints accuracy, macro-F1, precision and recall of three systems: abstracts read by the reader of abstracts,
sentences by the same reader, and sentences by the reader of sentences.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import msgspec

import anagnosis
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.decision import ContextSection, DecisionInstance
from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.language.sentences import splitter
from anagnosis.readers.predict import make_reader

SENTENCES = 3
SPLITTER = "nupunkt"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("archive", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--encoder", required=True)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=int, help="only so many pairs of each part")
    options = parser.parse_args()
    whole, short = built(options.archive, options.out)
    settings = {
        "encoder": options.encoder,
        "epochs": options.epochs,
        "rate": 1e-4,
        "stop": "epochs",
        "seed": options.seed,
    }
    runs = [
        anagnosis.train(
            "pubmedqa-encoder",
            dataset,
            options.out / "runs" / dataset.folder.name,
            settings=settings,
            limit=options.limit,
        )
        for dataset in (whole, short)
    ]
    for run, dataset in zip((runs[0], runs[0], runs[1]), (whole, short, short), strict=True):
        file = options.out / f"{run.folder.name}-on-{dataset.folder.name}.jsonl"
        anagnosis.predict(run.folder, dataset, file, split="dev")
        (score,) = anagnosis.score(dataset, [file], split="dev").on("dev")
        estimate, classes = score.estimate, score.classes
        print(f"trained on {run.folder.name}, given {dataset.folder.name}: ", end="")
        print(f"accuracy {estimate.value:.3f} [{estimate.interval.low:.3f}, {estimate.interval.high:.3f}]")
        if classes is not None:
            macro_f1 = score.measures["macro_f1"]
            interval = macro_f1.interval
            print(f"  macro-F1 {macro_f1.value:.3f} [{interval.low:.3f}, {interval.high:.3f}]")
            for each in classes.scores:
                print(
                    f"  {each.label}: precision {each.precision:.3f}, recall {each.recall:.3f}, F1 {each.f1:.3f}"
                )


def built(archive: Path, out: Path) -> tuple[Dataset, Dataset]:
    """The pairs with whole abstracts, and with the sentences that fit best."""
    pairs, best = out / "abstracts", out / "sentences"
    if not best.exists():
        whole = anagnosis.import_dataset(
            archive, pairs, layout="scifact-verdicts", setting="train,validation", replace=pairs.exists()
        )
        writing.write(
            best,
            {split: shortened(list(store.instances(whole, split))) for split in whole.rows},
            {"dataset": "scifact", "kind": "decision", "sentences": SENTENCES},
        )
    return anagnosis.load(pairs), anagnosis.load(best)


def shortened(instances: list[DecisionInstance]) -> Iterator[DecisionInstance]:
    """Each with the sentences of most overlap in place of its abstract, in their order."""
    asked = [choices(instance) for instance in instances]
    overlap = make_reader("sentence-overlap", training=lambda: chain(asked))
    for instance, choice in zip(instances, asked, strict=True):
        scores = overlap(choice)
        best = sorted(sorted(range(len(scores)), key=lambda place: -scores[place])[:SENTENCES])
        text = " ".join(choice.sentences[place].text for place in best)
        yield msgspec.structs.replace(instance, context=(ContextSection("", text),))


def choices(instance: DecisionInstance) -> EvidenceInstance:
    """The sentences of its abstract."""
    text = " ".join(section.text for section in instance.context)
    document = instance.id.partition(":")[2]
    return EvidenceInstance(
        instance.id,
        instance.question,
        tuple(SourceSentence(document, "", text[begin:end], None) for begin, end in splitter(SPLITTER)(text)),
    )


if __name__ == "__main__":
    main()
