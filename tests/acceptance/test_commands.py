"""Every command as its users type it: command lines, exit codes, what they print, and the files that are there then.

A story is command lines in one world, a folder that `ground.py` makes once; @ is a folder of the story's own:

    $ COMMAND LINE      2$ and 1$: it ends with that exit code
    PATTERN             of its output, both streams, one a line; "! PATTERN": it is not there
    > FILE              it exists then, and "> FILE ~ PATTERN" holds the pattern; "< FILE": it does not
    = ONE OTHER         two files or folders have the same bytes, or values of JSON; "/ ONE OTHER": they have not
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from tests.acceptance.ground import SMALL
from tests.builds import contents
from tests.golden_files import ident

from anagnosis import api, parallel, predictions
from anagnosis.cli import COMMANDS, run
from anagnosis.corpus import carried
from anagnosis.predictions import Prediction

STORIES = {
    "build": r"""
$ build biomrc corpus.pubtator --recipe biomrc-demo --workers 1 --full --out @/out
documents read 81, documents kept 62
too_few_sentences +2$
answer_most_frequent 13$
mention_without_identifier 5$
sizes: train 121, dev 36, test 62$
wrote @/out\n  next: anagnosis show @/out\n  next: anagnosis export @/out --out out/
$ build biomrc corpus.pubtator --recipe biomrc-demo --workers 2 --out @/again --json
(?s)\A\{\n  "version": .*\n  "recipe_sha256": .*\n  "inputs": .*\n  "documents":
"name": "corpus.pubtator"
"too_few_sentences": 2
= @/out @/again
$ build biomrc corpus.pubtator --workers 1 --dates dates.tsv --since 2024-01 --full --out @/dated
documents kept 2\b
published_before +1$
date_unknown +59$
$ build biomrc corpus.pubtator --workers 1 --dates dates.tsv --out @/undated
! published_before
2$ build biomrc cut.pubtator.gz --workers 1 --out @/cut
--accept-truncated
< @/cut
$ build biomrc cut.pubtator.gz --workers 1 --accept-truncated --out @/cut
documents read [2-5]\d, documents kept
truncated_file 1\b
""",
    "the authors' files come back byte for byte": r"""
$ export built --layout biomrc --setting A --out @/a
path @/a/dataset_train.json, instances 121
$ import @/a --out @/theirs
sizes: train 121, dev 36, test 62
$ export @/theirs --out @/again
= @/a @/again
$ export built --setting B --out @/b
> @/b/dataset_val_B.json
> @/a/dataset_test.json ~ consecutive @entity2 transplanted
> @/b/dataset_test_B.json ~ consecutive @entity0 transplanted
2$ import @/a --layout newsqa --out @/other
'newsqa'
$ import @/a --out @/mine --json
"kept": 219
"choices": \{\}
2$ import @/a/dataset_test.json --out @/mine
--replace
$ import @/a/dataset_test.json --out @/mine --replace
sizes: test 62
""",
    "a view becomes rows": r"""
$ export built --layout jsonl --view names --out "@/my rows"
path @/my rows/test.jsonl, instances 62
> "@/my rows/test.jsonl" ~ daily dose of valganciclovir was 450 mg
$ export questions --layout jsonl --out @/rows
> @/rows/test.jsonl ~ "answer": ?"(yes|no|maybe)"
""",
    "sample": r"""
$ sample built --recipe biomrc-lite --set train=20 --set dev=5 --set test=10 --out @/lite
sizes: train 20, dev 5, test 10
$ sample built --set train=20 --set dev=5 --set test=10 --out @/out --json
"not_sampled": 184
2$ sample built --set test=3 --out @/out
--replace
$ sample built --set train=20 --set dev=5 --set test=3 --out @/out --replace
test 3$
""",
    "show and check a dataset": r"""
$ show built --full
Instances +121 +36 +62 +219 +700,000 +50,000 +62,707 +812,707
too_few_sentences +2 +75 +92\.59
mention_without_identifier +5
No instance has a structural shortcut, of answer_visible_in_question .the answer
$ show built --out @/it.html
wrote @/it.html
> @/it.html ~ too_few_sentences
$ show built --instance ana0044:20 base1.json base4.json
answer: valganciclovir \[@entity296\] \(hidden: valganciclovir\)
answers of systems: base1.json: patients \S+ ✗; base4.json: valganciclovir \S+ ✓
$ show built -q
The dataset
$ check built
\Asound: 6 files and 219 instances looked at\n\Z
$ check built --json
"files": 6,\n  "instances": 219
""",
    "predict": r"""
$ predict neighbour-overlap built --out @/p.jsonl
p.jsonl \(62 lines\)\n  next: anagnosis score built @/p.jsonl
= @/p.jsonl base4.json
> @/p.jsonl ~ "dataset": ?"
$ predict BASE1 built --out @/q.jsonl --json
"reader": "BASE1",\n  "split": "test",\n  "lines": 62,\n  "out": "@/q.jsonl",\n  "replaced": false
$ sample built --set train=10 --set dev=5 --set test=100% --out @/small
$ predict entity-prior @/small --limit 20 --out @/own.jsonl
$ predict entity-prior @/small --limit 20 --train-on built --out @/large.jsonl
/ @/own.jsonl @/large.jsonl
$ predict runs/fold-0 questions --threads 1 --out @/run.jsonl
> @/run.run.json ~ "parameters":
""",
    "score, compare and report": r"""
$ score built base1.json base4.json --full
^base1.json +9\.68 \[4\.51, 19\.55\]
^base4.json +33\.81 \[
^Accuracy by .*number of candidates
^Accuracy by .*type of the answer
^Accuracy by .*knew the answer
Nothing: every line of every file fits the dataset.
$ compare built base1.json base3.json base4.json --full
1 and 2: base4.json is better than base1.json.
^base4.json +1 +33\.81
The first beside each other system
for all 3 pairs of the\s+ranking
$ report built base1.json base4.json --draws 99 --out @/r.html
wrote @/r.html
> @/r.html ~ <svg
$ report built base1.json base4.json --draws 99 --out @/r.md
> @/r.md ~ \| base4.json \|
$ report built base1.json base4.json --draws 99 --out @/r.tex
> @/r.tex ~ \\begin\{document\}
$ report built base1.json base4.json --draws 99 --out @/r.csv
> @/r.csv ~ biomrc,test,,expected,base4.json,accuracy,0.338
$ report built base1.json base4.json --draws 99 --out @/r.json
> @/r.json ~ "record": "results"
$ report built base1.json base4.json --draws 99 --out @/r.txt
> @/r.txt ~ 1 and 2: base4.json is better than base1.json.
$ report built base1.json base4.json --draws 99 --shortcuts
^entity-prior .* 8\.32 \[
^neighbour-overlap +BASE4 .* 33\.81 \[
""",
    "questions of yes, no or maybe": r"""
$ show questions --full
Number of QA pairs
Prop. of yes \(%\) +50.00 +55.20
$ show questions --out @/a.md
> @/a.md ~ Number of QA pairs
$ predict majority questions --split all --out @/m.jsonl
$ score questions @/m.jsonl --split all
all accuracy \(%\)
\nm +50.00 \[
split:all.*n:120
$ agreement questions --people --split all
120 instances were asked of people
$ score questions said.json --labels types.csv --full
subgroup
""",
    "people beside systems": r"""
$ label draw built --kind skills --draw 3 --people ann --sheets @/skills
3 drawn
the pages show the right answers
$ label collect built pages --out @/people.jsonl
wrote @/people.jsonl
> @/people.jsonl ~ "annotator": ?"ann"
$ agreement built @/people.jsonl
instances were asked of people
$ agreement questions --people --systems said.json
^said
$ label read unlabelled --sheets sheets --out @/labelled
> @/labelled/receipt.json
""",
    "questions of experts": r"""
$ import golden more --layout bioasq --out @/built
instances kept 6
$ show @/built --full
9B5_golden.json +1$
$ check @/built
sound: 3 files and 6 instances looked at
$ export @/built --out @/out
8B1_golden.json, instances 4
= @/out/8B1_golden.json golden/8B1_golden.json
= @/out/9B5_golden.json more/9B5_golden.json
$ export @/built --compress --out @/packed
> @/packed/9B5_golden.json.gz
2$ import golden --layout bioasq --out @/built --part dev=8B
holds a dataset already
$ protocols asked answers.jsonl
thesis
""",
    "answers become a submission": r"""
$ submit asked given.json --phase B --out @/one.json
questions 4, answered 4
wrote @/one.json\n  next: anagnosis score asked @/one.json
in_one_text|in one text 1
> @/one.json ~ "exact_answer": \[\s*\[\s*"XYZ1; ABC2, salt"
$ submit asked @/one.json --phase B --out @/two.json --json
\{\n  "out": "@/two.json",\n  "phase": "B",\n  "split": "test",\n  "questions": 4,\n  "answered": 4
= @/one.json @/two.json
$ submit asked answers.jsonl --phase B --out @/three.json
questions 4, answered 1
unanswered: (\w+ 1, ){2}\w+ 1
$ check asked @/three.json
sound: 4 lines for 4 questions of test looked at
$ score asked @/three.json --measure factoid_mrr
1.00
$ submit asked only.json --phase B --out @/four.json
questions 4, answered 2
unanswered
$ submit asked phase_a.json --phase A --out @/five.json
unanswered: yesno 1, list 1, summary 1
left out 1
2$ check asked faulty.json
question 'nobody': the question is not in test
has a line before, at faulty.json:1
an ideal answer of 201 words, of at most 200
NOT sound: 6 lines for 4 questions of test looked at
2$ check asked faulty.json --json
"foreign_id": 1,\s+"repeated_id": 1,\s+"ideal": 1
""",
    "the order of a search becomes a submission": r"""
$ build bioasq-retrieval golden --set test=8B --out @/pool
$ predict search-order @/pool --out @/lines.jsonl
$ submit asked @/lines.jsonl --phase A --out @/submission.json
questions 4, answered 3\nunanswered: factoid 1
$ check asked @/lines.jsonl
sound: 3 lines for 4 questions of test
""",
    "answers of several models": r"""
$ predict runs questions --threads 1 --out @/told
$ compare questions runs @/told said.json
Which is better by macro-F1
runs:1,2,2
$ score questions runs @/told --out @/page.html
> @/page.html ~ Accuracy on test
$ score questions @/told --full
Class by class
$ score questions said.json runs
majority \(yes\)
Not above it in accuracy: said.
""",
    "questions with sentences": r"""
$ import scifact --layout scifact --split test --out @/built
no_evidence
$ check @/built
sound
$ show @/built
gold sentences
$ predict sentence-overlap @/built --out @/overlap.jsonl
$ score @/built @/overlap.jsonl
best sentence
\|protocol:sentences\|measure:auc\|n:3\|
$ show @/built @/overlap.jsonl --instance 1:11
\(gold, overlap 1.000\)
$ report @/built @/overlap.jsonl --shortcuts --draws 9
sentence-overlap
""",
    "train": r"""
$ train biomrc-attention-sum-local --data built --limit 20 --set embedding=4 --set hidden=4 --set epochs=2 --out @/as
^folder name as, epochs 2, best epoch [12], seconds [\d.]+, dev accuracy [\d.]+ %, dev loss [\d.]+, parameters [\d,]+$
next: anagnosis predict @/as built --out predictions.jsonl
> @/as/model.safetensors
> @/as/history.jsonl
> @/as/run.json
$ train biomrc-attention-sum-local --data built --limit 20 --set embedding=4 --set hidden=4 --set epochs=2 --out @/as
@/as: this training is finished; --replace repeats it
2$ train biomrc-attention-sum-local --data built --limit 20 --set embedding=4 --set hidden=4 --set seed=9 --out @/as
holds another training, of another
$ predict @/as built --split dev --out @/as.jsonl
\(36 lines\)
> @/as.run.json ~ "parameters":
$ predict @/as built --out @/file.jsonl
$ predict snippet-cloze asked --set cloze=@/as --out @/zero.jsonl
\(4 lines\)
$ report built base4.json @/as @/file.jsonl --draws 9
^as .*[\d.]+ s
^file .*[\d.]+ s
""",
    "several seeds are one system": r"""
$ train attention-sum --data built --limit 20 --set epochs=1 --seeds 2 --out @/two
next: anagnosis predict @/two built --out predictions
> @/two/seeds.json
$ train attention-sum --data built --limit 20 --set epochs=1 --seeds 2 --json --out @/two
"folder": "@/two/seed-1"
$ predict @/two built --out @/predictions
wrote @/predictions \(124 lines in 2 files\)
> @/predictions/seed-1.run.json
2$ predict @/two built --out @/predictions
holds predictions already; choose another --out, or give --replace
$ predict @/two built --out @/predictions --replace
2$ predict @/two built --out @/one.jsonl.zst
one.jsonl.zst: names a file, and 2 models give 2; name a folder
$ score built @/predictions @/two
^predictions +([\d.]+ \[.*)
""",
    "a frozen encoder": r"""
$ train biomrc-masked-encoder-max --data built --set encoder=encoder --limit 8 --set epochs=1 --out @/max
> @/.kept
$ predict @/max built --limit 3 --encoder encoder --out @/p.jsonl
\(3 lines\)
2$ predict @/max built --limit 3 --encoder other --replace --out @/p.jsonl
is another one than at the training
2$ predict runs/fold-0 questions --encoder encoder --out @/q.jsonl
was trained without an encoder
""",
    "tune": r"""
$ tune mine.toml --data built --limit 20 --trials 1 --out @/search
measure accuracy, best trial 0, best value [\d.]+$
^  0: \{'hidden': [259]\}
next: anagnosis train @/search/best.toml --data built
$ tune mine.toml --data built --limit 20 --trials 2 --out @/search
^  0:
^  1:
> @/search/best.toml ~ \nhidden = [259]\n
$ tune mine.toml --data built --limit 20 --trials 2 --out @/search --json
"trials": \[\n    \{\n      "number": 0
$ train @/search/best.toml --data built --limit 9 --out @/best
$ phases phased
final
""",
    "convert, annotate, terms and vectors": r"""
$ convert corpus.pubtator --out @/a.pubtator
documents 81
mention_without_identifier 5
$ convert corpus.pubtator --out @/a.pubtator.gz
$ convert @/a.pubtator.gz --out @/b.pubtator.zst
$ convert @/b.pubtator.zst --out @/b.pubtator
= @/a.pubtator @/b.pubtator
$ convert corpus.pubtator --out @/c.jsonl --json
\{\n  "documents": 81,\n  "refused": 0,\n  "refusals": \[\],
2$ convert corpus.pubtator --to jats --out @/d
jats can be read, not written
< @/d
$ annotate corpus.pubtator --terms terms.tsv --workers 1 --out @/e.jsonl
documents 81, mentions \d+, concepts 2
$ terms terms.tsv --out @/f.terms
concepts 2, names 2
next: anagnosis annotate PAPERS --terms @/f.terms
$ terms @/f.terms --json
"concepts": 2
$ vectors corpus.txt --set dimension=4 --out @/v.txt
words \d+, dimension 4, documents 81
next: anagnosis train RECIPE --data DATASET --set vectors=@/v.txt
""",
    "lists": r"""
$ formats
^pubtator +\w
$ datasets
^biomrc +\w
$ readers
^neighbour-overlap +\w
$ measures --json
"accuracy": "\w
"reciprocal_rank": "\w
$ recipes
^biomrc-strict +\w
$ recipes biomrc
^minimum_sentences = 10 +# section 2
$ recipes biomrc --json
"minimum_sentences": 10
"train": 700000
""",
    "index, search and ask": r"""
$ search index "cold brew coffee" --limit 2
165 documents
1. score
title: Cold brew coffee raises gastric pH less than espresso in healthy volunteers.
https://pubmed.ncbi.nlm.nih.gov/99000027/
! ^3\.\s
$ ask index "Does cold brew coffee raise gastric pH less than espresso?"
For half an hour, cold brew raises gastric pH less than espresso does.
What papers conclude
$ index corpora/a.pubtator --out @/index
documents 81, passages 81
$ index corpora/a.pubtator --out @/index --json
"unchanged": 81
$ index --out @/index --remove ana0001 --remove nothing
documents 80
deleted 1
not_there 1
$ check @/index
^sound
$ index a.nbib --out @/one --terms terms.tsv
documents 1, passages 1
terms\nconcepts 2, names 2\nfiles \(--full has more\):\n  terms.tsv\n
! [0-9a-f]{64}
$ search @/one '"tea helps"[tiab]'
1 document, 1 passage, ranked by their words.
$ index retracted.jsonl --out @/retracted
$ search @/retracted "Does tea cure all?"
(?s)RETRACTED.*Tea cures all
$ ask @/retracted "Does tea cure all?"
(?s)RETRACTED.*Tea cures all
$ export-results index coffee --to ris --out @/papers.ris
papers.ris: \d+ paper
> @/papers.ris ~ TY  - JOUR
$ search index "stay surgery" --section conclusion --json
"section": "conclusion"
! "section": "results"
$ search index patients --since 2015 --json
! "date": "(200|201[0-4])
$ search index surgery --out @/found.md
$ search index surgery --out @/found.md --replace
> @/found.md ~ surgery
$ search index --like 99000027 --limit 3
Related by the rare words that they share
""",
    "inputs that break off": r"""
2$ index cut.xml.gz corpora/a.pubtator --out @/index --json
1 file could not be read \(all else is done\)
cut.xml.gz.*\n.*--accept-truncated
"documents": \d{3}
$ index corpora/a.pubtator cut.xml.gz --accept-truncated --out @/index --json
"truncated_file": 1
$ index papers.jsonl --out @/sound
2$ index empty.pubtator --out @/sound
nothing was indexed: no document has a text that can be searched \(1 without_text\)
$ check @/sound
^sound
2$ index empty.pubtator --out @/none
nothing was indexed
< @/none
""",
    "vectors of an index": r"""
$ index corpora/a.pubtator --out @/index --encoder encoder --device cpu
vectors\nencoder \S+/encoder, passages 81, encoded 81, cut 79
$ search @/index "cold brew coffee"
ranked by words and meaning
$ search @/index "cold brew coffee" --ranking lexical
ranked by their words
$ search @/index "zzz qqq" --ranking dense --limit 3 --json
"found": \[\n
$ ask @/index "Does tea help?" --ranking dense
ranked by their meaning
$ index papers.jsonl --out @/index --remove ana0001 --json
"encoded": [1-9]
$ index --out @/index --no-encoder --json
"vectors": null
$ search @/index "cold brew coffee"
ranked by their words
2$ index --out @/index --encoder x --no-encoder
an encoder and none at once
""",
    "papers that stand alone": r"""
$ index alone.jsonl --out @/index
stand alone:\n  c: doi:10.1/cd
$ show @/index
1 stand alone: their identifiers belong to several papers\nc: doi:10.1/cd
Papers, the latest first \(3\)
$ show @/index --json
"papers": \[\s+\{\s+"document"
2$ show @/index --beside lite
an index is shown whole
""",
    "the language of queries": r"""
$ search index '"cold brew" coffee[ti] -tea'
Understood as "cold brew" · title: coffee · not tea.
title: Cold brew coffee raises gastric pH
$ search index --limit 1 -- '-tea "cold brew" (coffee[ti]'
Understood as not tea · "cold brew" · title: coffee.
Please note: a parenthesis has no partner.
$ search index "PMID: 99000027" --json
"papers": \[\s*"99000027"
$ search index 10.1000/nothing
no paper here is 10.1000/nothing.
$ ask index "Does cold brew coffee raise gastric pH less than espresso? -mice"
cold brew raises gastric pH less than espresso does
""",
    "rankings are judged": r"""
$ evaluate-search other.run best.run --judgements qrels.txt --topics topics.tsv --full
queries scored: 3, each with a relevant document
(?s)^best .*0.8710 \[.*^other\s
best over other
no_relevant
no_topic
unjudged_query
no_results
qrels.txt@
$ evaluate-search index --judgements queries.txt --topics queries.tsv --draws 9 --runs @/runs
> @/runs/index.run
$ evaluate-search index --judgements queries.txt --topics queries.tsv --measure P@1 --json
"precision@1": \[\s*1.0,\s*0.0,\s*1.0
$ evaluate-search @/runs/index.run --judgements queries.txt --measure P@1 --json
"precision@1": \[\s*1.0,\s*0.0,\s*1.0
""",
    "files that no format reads": r"""
$ index library --out @/index --json
"file_not_read.csv": 1,\s+"file_not_read.rtf": 2,\s+"file_not_read.sqlite": 1
! file_not_read.ris
$ convert library --to jsonl --out @/o.jsonl
file_not_read.csv +1
file_not_read.rtf +2
file_not_read.ris +1
file_not_read.sqlite +1
$ build biomrc library --recipe biomrc-demo --workers 1 --out @/built
file_not_read.ris +1
$ index noted --out @/1
 deep/notes.txt:1: no format recognises its first bytes
companion_file 1
> @/1
2$ convert noted/a.pubtator noted/deep/notes.txt --out @/6
notes.txt:1: no format recognises its first bytes
< @/6
2$ build biomrc misnamed --recipe biomrc-demo --workers 1 --out @/10
paper.txt: no dataset is built from pages \(pdf\)
""",
    "pages of a PDF file": r"""
$ convert tea.pdf --out @/tea.jsonl
tea.pdf, page 3: larger than 200 inches
repairs: page_refused 1, page_without_text 1, turned_text 1
> @/tea.jsonl
$ index tea.pdf --out @/index --full
documents 1, passages \d
$ show @/index --out @/papers.csv
> @/papers.csv ~ (?m)\Adocument,title,year,source,file\n\w+,.*,pdf,/.*tea.pdf$
$ search @/index sleep --json
"doi": "10.1234/tea"
"heading": "Results"
"pages": \[\s+1,\s+4
""",
    "the board": r"""
$ leaderboard withhold built --out @/public
instances 62, split test, withheld answers
> @/public/receipt.json
$ leaderboard build entered --gold built --out @/board
wrote @/board/index.html
> @/board/index.html ~ base4
""",
}  # fmt: skip


@pytest.mark.parametrize("story", STORIES)
def test_a_story_goes_as_it_is_told(story: str, at: Path, capfd: pytest.CaptureFixture[str]) -> None:
    printed = ""
    for line in STORIES[story].strip("\n").splitlines():
        sign, _, rest = line.partition(" ")
        if sign in ("$", "2$"):
            capfd.readouterr()
            words = shlex.split(rest.replace("@/", f"{at}/"))
            try:
                code = run(words)
            except SystemExit as ended:  # `check` ends so when it found something
                code = ended.code
            captured = capfd.readouterr()
            printed = captured.out + captured.err
            assert code == (2 if sign == "2$" else 0), f"{line}\n{printed}"
            assert "Traceback" not in printed, line
        else:
            assert _holds(sign, rest, line, at, printed), f"{line}\n{printed}"


def _holds(sign: str, rest: str, line: str, at: Path, printed: str) -> bool:
    """Whether what a line of a story says is so."""
    if sign in (">", "<"):
        name, _, pattern = rest.partition(" ~ ")
        path = Path(name.strip('"').replace("@/", f"{at}/"))
        if not path.exists():
            return sign == "<"
        return sign == ">" and (not pattern or re.search(pattern, path.read_text("utf-8")) is not None)
    if sign in ("=", "/"):
        one, other = (Path(name.replace("@/", f"{at}/")) for name in rest.split())
        return (_read(one, {one.suffix, other.suffix}) == _read(other, {one.suffix, other.suffix})) == (
            sign == "="
        )
    pattern = rest if sign == "!" else line
    found = re.search(pattern.replace("@/", f"{re.escape(str(at))}/"), printed, re.MULTILINE)
    return (found is None) == (sign == "!")


def _read(path: Path, suffixes: set[str]) -> object:
    """What is compared: every file of a folder, the values of JSON, else the bytes."""
    if path.is_dir():
        return contents(path)
    return json.loads(path.read_bytes()) if suffixes == {".json"} else path.read_bytes()


def test_what_is_printed_as_next_works_where_paths_have_a_blank(
    at: Path, ground: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = at / "my data"
    folder.mkdir()
    monkeypatch.chdir(folder)
    lines = (
        f"train attention-sum --data {ground}/built --limit 9 {' '.join(SMALL)} --out 'my run'",
        f"export {ground}/built --layout biomrc --out 'their files'",
        "import 'their files' --setting A --out 'built here'",
        f"sample {ground}/built --set test=9 --out 'small one'",
        f"build biomrc {carried()} --recipe biomrc-demo --out 'made here'",
        "label draw 'made here' --draw 3 --people ann --sheets 'two sheets'",
    )
    typed = [*map(shlex.split, lines)]
    followed: set[str] = set()
    while typed:
        assert run(typed.pop(0)) == 0
        for words in map(shlex.split, re.findall("^ *next: anagnosis (.*)$", capfd.readouterr().out, re.M)):
            if words[0] not in followed and not re.search("[A-Z]{4}", " ".join(words)):
                followed.add(words[0])
                typed.append(words)
    assert followed >= {"show", "export", "predict", "report", "score", "label"}


WRITING = (
    "build biomrc corpus.pubtator --recipe biomrc-demo --workers 1 --out @/built",
    "import theirs/ori_pqal.json --layout pubmedqa --out @/imported",
    "report built base4.json --draws 9 --out @/report.md",
    "index papers.jsonl --out @/index",
)


@pytest.mark.parametrize("line", WRITING)
def test_a_command_that_writes_says_nothing_when_it_is_quiet(
    line: str, at: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run([*line.replace("@", str(at)).split(), "-q"]) == 0
    assert capfd.readouterr() == ("", "")
    assert [*at.iterdir()]


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example_and_quiet_and_no_bounds_that_are_not_there(
    name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run([name, "--help"]) == 0
    help = capfd.readouterr().out
    assert re.search(rf"Example:\n +anagnosis {name}", help)
    assert "--quiet" in help
    assert "None" not in help


def test_help_lists_every_command_in_its_group_with_what_it_does(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    help = capfd.readouterr().out
    groups = ["Build", "Read and score", "Search and ask", "Look up"]
    assert re.findall(r"^(\w.*):$", help, re.MULTILINE) == ["Options", *groups]
    assert all(name in help and what in " ".join(help.split()) for name, (_, what) in COMMANDS.items())


def test_convert_to_standard_output_says_the_counts_elsewhere(
    at: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["convert", "corpus.pubtator", "--out", str(at / "copy")]) == 0
    capfd.readouterr()
    assert run(["convert", "corpus.pubtator", "--out", "-"]) == 0
    printed = capfd.readouterr()
    assert printed.out == (at / "copy").read_text("utf-8")
    assert "documents 81" in printed.err


def test_demo_builds_compares_asks_and_ends_with_one_screen(
    at: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(at)
    assert run(["demo"]) == 0
    out = capfd.readouterr().out
    assert (at / "demo/carried.pubtator").read_bytes() == carried().read_bytes()
    assert (at / "demo/carried.xml").read_bytes() == carried("medline").read_bytes()
    made = ("report.html", *(datasets := ("biomrc", "pubmedqa", "bioread", "clicr")), "index")
    assert all((at / "demo" / name).exists() for name in made)
    assert len(out.splitlines()) < 300
    screen = out.rpartition("=" * 80)[2].splitlines()
    assert 20 <= len(screen) <= 23
    assert max(map(len, screen)) <= 80
    for name in datasets:
        assert any(re.fullmatch(rf" +\d+ questions .* demo/{name}", line) for line in screen)
    assert [line.split()[:2] for line in screen if re.match(r" +1 ", line)] == [
        ["1", "biomrc-neighbour-overlap"]
    ]
    assert "biomrc-neighbour-overlap is better than biomrc-best-position." in screen
    assert "  For half an hour, cold brew raises gastric pH less than espresso does." in screen


_PYTHON = """#!/bin/sh
case "$*" in
"-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" && cp "$0" "$3/bin/anagnosis" ;;
*quiet*) ;;
*install*) echo "Collecting numpy" ;;
demo) echo "the demo" ;;
esac
"""


def test_make_demo_prints_one_line_for_the_installation(at: Path) -> None:
    (at / "python").write_text(_PYTHON)
    (at / "python").chmod(0o755)
    words = [
        "make",
        "-C",
        Path(__file__).parents[2],
        "demo",
        f"VENV={at / 'venv'}",
        f"PYTHON={at / 'python'}",
    ]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    shown = [line for line in (done.stdout + done.stderr).splitlines() if not line.startswith("make")]
    assert shown == [f"Installing into {at / 'venv'}, once; this takes a minute or two.", "the demo"]


def test_cluster_is_the_address_given(at: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(parallel, "dask", lambda address: asked.append(address) or parallel.local(1))
    words = ["build", "biomrc", "corpus.pubtator", "--cluster", "tcp://host:8786", "--out", str(at / "out")]
    assert run(words) == 0
    assert asked == ["tcp://host:8786"]


def test_an_answer_to_a_list_that_is_one_text_is_reported(at: Path) -> None:
    for given, count in (
        ("XYZ1; ABC2", 1),
        ("XYZ1, ABC2", 1),
        (["XYZ1;ABC2"], 1),
        ("1,25-dihydroxyvitamin D", 0),
        ("XYZ1;", 0),
        (["XYZ1, 2", "ABC2"], 0),
        ([], 0),
    ):
        # The factoid is no list.
        lines = [Prediction(ident(1), answer=given), Prediction(ident(2), answer=given)]
        predictions.write(at / "p.jsonl", lines)
        problems = api.score("asked", [at / "p.jsonl"]).systems[0].problems
        assert (problems["in_one_text"].count if "in_one_text" in problems else 0) == count, given
