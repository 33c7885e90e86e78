"""A language model, asked by prompts: from instances to calls, from replies to predictions.

An instance is shown in a view of its kind. Candidates are numbered in an order that the seed draws for each instance.
The examples are turns before the question: answered instances of the train part, which the seed draws for each prompt.
"""

from __future__ import annotations

import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import nsmallest
from itertools import chain, islice
from math import ceil
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.datasets.kinds.cloze_views import Viewed
from anagnosis.datasets.kinds.decision import LABELS, REQUIRED, DecisionInstance, Posed
from anagnosis.datasets.kinds.question import EXACT_TYPES, SNIPPETS, QuestionInstance, distinct
from anagnosis.datasets.kinds.table import CLOZE, DECISION, QUESTION, demand
from anagnosis.datasets.sampling import rank
from anagnosis.errors import InputError
from anagnosis.language_models.asking import LanguageModel
from anagnosis.language_models.calls import Call, Message, Reply
from anagnosis.language_models.prompts import Prompt
from anagnosis.language_models.server import SECONDS
from anagnosis.predictions import Answer, Prediction
from anagnosis.predictions.notes import ModelNote
from anagnosis.progress import Progress, print_note
from anagnosis.readers.answers.ranking import occurrences, ranked
from anagnosis.readers.prompted.replies import REPLIES
from anagnosis.recipes.load import MOST
from anagnosis.wording import either

_GAP = "____"
_WITHOUT_ANSWER = {"stop": "unparsed", "length": "truncated", "refused": "refused", "too-long": "refused"}
Text = tuple[int, str]  # of the context, with the number of its snippet


class Settings(msgspec.Struct, frozen=True):
    """context: all of it, each snippet of a question by itself, or nothing. examples: of each prompt.

    at_once: most calls at a time. seconds: of a call.
    """

    context: Literal["full", "snippets", "none"] = "full"
    examples: Annotated[int, msgspec.Meta(ge=0, le=100)] = 0
    temperature: Annotated[float, msgspec.Meta(ge=0, le=2)] = 0.0
    at_once: Annotated[int, msgspec.Meta(ge=1, le=256)] = 16
    seconds: Annotated[float, msgspec.Meta(gt=0, le=86_400)] = SECONDS


class Asked(NamedTuple):
    """An instance as prompts show it. keys: what can be answered, in the order shown; empty for any text.

    right: of each form of replies the right one, None where nobody knows it.
    """

    id: str
    type: str
    question: str
    texts: Sequence[Text]
    right: Mapping[str, str | None]
    keys: Sequence[str] = ()
    candidates: str = ""


def _question(instance: QuestionInstance, viewed: Any, seed: int) -> Asked:
    texts = distinct(getattr(viewed, SNIPPETS, ()))
    names = [synonyms[0] for synonyms in instance.exact or ()]
    right = {"answers": json.dumps(names, ensure_ascii=False) if names else None}
    return Asked(instance.id, instance.type, instance.question, texts, right)


def _decision(instance: DecisionInstance, viewed: Posed, seed: int) -> Asked:
    texts = [*enumerate(section.text for section in viewed.read)]
    right = {"yes-no": instance.label, "yes-no-maybe": instance.label}
    return Asked(instance.id, "", instance.question, texts, right, LABELS)


def _cloze(instance: ClozeInstance, viewed: Viewed, seed: int) -> Asked:
    begin, end = viewed.placeholder
    question = f"{viewed.question[:begin]}{_GAP}{viewed.question[end:]}"
    keys = [each.key for each in instance.candidates]
    order = sorted(range(len(keys)), key=lambda place: rank(seed, f"{instance.id} {keys[place]}"))
    number = None if instance.answer is None else str(order.index(instance.answer) + 1)
    right = {"number": number, "words": next(iter(instance.answers), None)}
    names = [" ".join(viewed.candidates[place].split()) for place in order]
    lines = [f"{number}. {name}" for number, name in enumerate(names, 1)]
    texts, keys = [*enumerate(viewed.passage.split("\n"))], [keys[place] for place in order]
    return Asked(instance.id, "", question, texts, right, keys, "\n".join(lines))


# Of a kind: what makes an instance, what its view shows, and the seed into what is asked; the types of prompts; the
# usual view.
ASKED: Mapping[str, tuple[Callable[[Any, Any, int], Asked], Sequence[str], str]] = {
    QUESTION: (_question, EXACT_TYPES, SNIPPETS),
    DECISION: (_decision, ("",), REQUIRED),
    CLOZE: (_cloze, ("",), "names"),
}


class PromptedReader:
    """A language model behind a server, asked by prompts.

    model: its name. prompts: each asks the questions of its type. train: has the examples. InputError: a prompt does
    not fit the dataset, or the examples are too few.
    """

    def __init__(
        self,
        dataset: Dataset,
        prompts: Sequence[Prompt],
        settings: Settings,
        *,
        model: str,
        view: str | None = None,
        seed: int = 0,
        train: Dataset | None = None,
    ) -> None:
        kind = dataset.kind
        self._dataset, self._settings, self._model, self._seed = dataset, settings, model, seed
        self._prompts: dict[str, Prompt] = {}
        self._counts = Counter[str]()
        _, types, usual = ASKED.get(kind.name, (None, (), ""))
        forms = [name for name, (of_kind, _) in REPLIES.items() if of_kind == kind.name]
        for prompt in prompts:
            for name, fits in (("kind", (kind.name,)), ("reply", forms), ("type", types)):
                if (given := getattr(prompt, name)) not in fits:
                    what = (
                        f"is a prompt of {name} {given!r}, and {kind.holds} need {either([*map(repr, fits)])}"
                    )
                    raise InputError(what, prompt.name, "choose another")
            if self._prompts.setdefault(prompt.type, prompt) is not prompt:
                other = self._prompts[prompt.type].name
                raise InputError(f"asks the same questions as {other}", prompt.name, "leave one of them out")
        if settings.context == "snippets" and kind.name != QUESTION:
            what = f"context=snippets is for questions with snippets, not for {kind.holds}"
            raise InputError(what, str(dataset.folder), "leave it out")
        self.view = view or usual
        dataset.demand_view(self.view, "--view")
        train = train or dataset
        self._examples = {each.type: self._drawn(each, train) for each in prompts}
        self._train = store.fingerprint(train, "train") if settings.examples else ""

    def predict(self, split: str, limit: int | None, model: LanguageModel) -> Iterator[Prediction]:
        """A prediction for each instance of a split, streamed. InputError: as of `LanguageModel.replies`."""
        fingerprint = store.fingerprint(self._dataset, split)
        rows = min(self._dataset.size(split), limit or MOST)
        started: float | None = time.monotonic()
        with Progress(f"prompted on {split}", rows, "instances") as bar:
            for asked, replies in model.replies(self._items(split, limit)):
                bar.advance()
                self._counts["unasked"] += not replies
                if replies and started is not None:
                    self._estimate(time.monotonic() - started, self._wanted(split, rows) - 1, model)
                    started = None
                yield msgspec.structs.replace(self._prediction(asked, replies), dataset=fingerprint)

    def note(self, model: LanguageModel, cut_off: str) -> ModelNote:
        """How the model answered."""
        return ModelNote(
            model=self._model,
            prompts=tuple(each.signed for each in self._prompts.values()),
            context=self._settings.context,
            examples=self._settings.examples,
            train=self._train,
            temperature=self._settings.temperature,
            seed=self._seed,
            cut_off=cut_off,
            spent=model.spending.spent,
            **self._counts,
        )

    def _estimate(self, seconds: float, rows: int, model: LanguageModel) -> None:
        """Print what the other instances take, if it may be more than a minute. seconds: of the first one."""
        minutes, spent = seconds * rows / 60, model.spending.spent
        if minutes > 1:
            # Nobody knows how many calls the server answers at a time.
            times = dict.fromkeys(f"{ceil(each):,}" for each in (minutes / self._settings.at_once, minutes))
            cost = "" if spent.cost is None else f", at a cost of {spent.cost * rows:,.2f}"
            tokens = f"{(spent.read + spent.written) * rows:,} tokens{cost}"
            line = (
                f"about {' to '.join(times)} minutes and {tokens} for {rows:,} more instances like the first"
            )
            print_note(line)

    def _wanted(self, split: str, rows: int) -> int:
        """How many of the first rows are of a type that is asked about."""
        if "" in self._prompts:
            return rows
        read = store.batches(self._dataset, split, 8192, ["type"])
        types = chain.from_iterable(batch.column("type").to_pylist() for batch in read)
        return sum(each in self._prompts for each in islice(types, rows))

    def _asked(self, dataset: Dataset, split: str, limit: int | None = None) -> Iterator[Asked]:
        show, (make, *_) = dataset.viewer(self.view), ASKED[dataset.kind.name]
        return (make(each, show(each), self._seed) for each in store.instances(dataset, split, limit))

    def _items(self, split: str, limit: int | None) -> Iterator[tuple[Asked, list[Call]]]:
        for asked in self._asked(self._dataset, split, limit):
            prompt = self._prompts.get(asked.type)
            yield asked, [] if prompt is None else [*self._calls(prompt, asked)]

    def _calls(self, prompt: Prompt, asked: Asked) -> Iterator[Call]:
        turns = [turn for ident, *turn in self._examples[prompt.type] if ident != asked.id]
        before = [prompt.first, *chain.from_iterable(turns[: self._settings.examples])]
        for texts in self._shown(asked):
            turn = _turn(prompt, asked, texts)
            yield Call(self._model, (*before, turn), prompt.most, self._settings.temperature, self._seed)

    def _shown(self, asked: Asked) -> list[Sequence[Text]]:
        """The texts that each call shows."""
        if self._settings.context == "snippets":
            return [[each] for each in asked.texts]
        return [asked.texts if self._settings.context == "full" else ()]

    def _drawn(self, prompt: Prompt, train: Dataset) -> list[tuple[str, Message, Message]]:
        """The examples with their ids, one more than a question gets, as it may be one itself."""
        count = self._settings.examples
        if not count:
            return []
        demand(train.kind, prompt.kind, str(train.folder))
        _, parse = REPLIES[prompt.reply]
        every = (each for each in self._asked(train, "train") if each.type == prompt.type)
        told = ((each, each.right[prompt.reply] or "") for each in every)
        known = ((each, right) for each, right in told if parse(right, each.keys))
        drawn = nsmallest(count + 1, known, key=lambda pair: rank(self._seed, pair[0].id))
        if len(drawn) < count:
            what = f"{count} examples are asked for, and train has {len(drawn)} for {prompt.name}"
            raise InputError(what, str(train.folder), "ask for fewer, or name a dataset with --train-on")
        shows = self._settings.context != "none"
        return [
            (each.id, _turn(prompt, each, each.texts if shows else ()), Message("assistant", right))
            for each, right in drawn
        ]

    def _prediction(self, asked: Asked, replies: Sequence[Reply]) -> Prediction:
        texts = [*chain.from_iterable(self._shown(asked))]
        answers = [_placed(each, texts) for each in _merged([self._read(asked, one) for one in replies])]
        if asked.type:
            # An empty list too says that exact answers are to be scored.
            line = Prediction(asked.id, answers=ranked(answers, asked.type, group=False))
        else:
            line = Prediction(asked.id, answers[0].text if answers else None)
        inside = {*asked.keys, *(each.text for each in answers if each.snippet is not None)}
        self._counts["answers"] += len(line.texts)
        self._counts["outside"] += sum(text not in inside for text in line.texts)
        return line

    def _read(self, asked: Asked, reply: Reply) -> list[str]:
        """The answers of a reply; none, and counted, of one that is not of the form."""
        _, parse = REPLIES[self._prompts[asked.type].reply]
        answers = parse(reply.text, asked.keys) if reply.finish == "stop" else None
        self._counts[_WITHOUT_ANSWER[reply.finish]] += answers is None
        return answers or []


def _turn(prompt: Prompt, asked: Asked, texts: Sequence[Text]) -> Message:
    """The question with some texts, a line each. A line of dashes would end the frame around them."""
    lines = [" ".join(text.split()) for _, text in texts]
    shown = "\n".join(line for line in lines if len(line) < 3 or line.strip("-"))
    return prompt.asked(asked.question, shown, asked.candidates)


def _merged(replies: Sequence[Sequence[str]]) -> list[Answer]:
    """The answers of replies, those that differ by capitals alone once. Of several replies each adds 1 / place."""
    spelled, scores = dict[str, str](), defaultdict[str, float](float)
    for answers in replies:
        spelled = {each.casefold(): each for each in reversed(answers)} | spelled
        for place, each in enumerate(dict.fromkeys(map(str.casefold, answers)), 1):
            scores[each] += 1 / place
    return [Answer(spelled[each], score if len(replies) > 1 else None) for each, score in scores.items()]


def _placed(answer: Answer, texts: Sequence[Text]) -> Answer:
    """The answer, with its first place in the texts that hold it."""
    for number, text in texts:
        for begin, end in occurrences(text, [answer.text]):
            return Answer(answer.text, answer.score, number, begin, end)
    return answer
