"""A language model, asked by prompts: from instances to calls, from replies to predictions.

An instance is shown in a view of its kind. Candidates are numbered in an order that the seed draws for each instance.
The examples are turns before the question: answered instances of the train part, drawn by the seed for each prompt.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import nsmallest
from itertools import chain
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.datasets.kinds.cloze_views import Viewed
from anagnosis.datasets.kinds.decision import DecisionInstance, Posed
from anagnosis.datasets.kinds.question import EXACT_TYPES, SNIPPETS, QuestionInstance, distinct
from anagnosis.datasets.kinds.table import CLOZE, DECISION, QUESTION, demand
from anagnosis.datasets.sampling import rank
from anagnosis.errors import InputError, unknown_name
from anagnosis.language_models.asking import LanguageModel
from anagnosis.language_models.calls import Call, Message, Reply
from anagnosis.language_models.prompts import Prompt
from anagnosis.language_models.server import SECONDS
from anagnosis.predictions import Answer, Prediction
from anagnosis.predictions.notes import ModelNote
from anagnosis.progress import Progress, print_note
from anagnosis.readers.answers.ranking import occurrences
from anagnosis.readers.prompted.replies import REPLIES, Form
from anagnosis.recipes.load import MOST, Count

GAP = "____"
_NOTHING = {"stop": "unparsed", "length": "truncated", "refused": "refused"}
Text = tuple[int, str]  # of a passage, with its number
Example = tuple[str, Message, Message]  # an id, what the user says, and the reply


class Settings(msgspec.Struct, frozen=True):
    """context: all of it, each snippet of a question by itself, or nothing. examples: of each prompt.

    characters: at most so many of a context, 0 for all. at_once: most calls at a time. seconds: of a call.
    """

    context: Literal["full", "snippets", "none"] = "full"
    examples: Annotated[int, msgspec.Meta(ge=0, le=100)] = 0
    characters: Count = 0
    temperature: Annotated[float, msgspec.Meta(ge=0, le=2)] = 0.0
    at_once: Annotated[int, msgspec.Meta(ge=1, le=256)] = 16
    seconds: Annotated[float, msgspec.Meta(gt=0, le=86_400)] = SECONDS


class Asked(NamedTuple):
    """An instance as prompts show it. keys: of its candidates, in the order shown. answers: right ones, as texts.

    answer: the right key, or label.
    """

    id: str
    type: str
    question: str
    texts: Sequence[Text]
    answers: Sequence[str] = ()
    answer: str | None = None
    keys: Sequence[str] = ()
    candidates: str = ""


def _question(instance: QuestionInstance, viewed: Any, seed: int) -> Asked:
    texts = distinct(getattr(viewed, SNIPPETS, ()))
    answers = [synonyms[0] for synonyms in instance.exact or ()]
    return Asked(instance.id, instance.type, instance.question, texts, answers)


def _decision(instance: DecisionInstance, viewed: Posed, seed: int) -> Asked:
    texts = [*enumerate(section.text for section in viewed.read)]
    return Asked(instance.id, "", instance.question, texts, answer=instance.label)


def _cloze(instance: ClozeInstance, viewed: Viewed, seed: int) -> Asked:
    begin, end = viewed.placeholder
    question = f"{viewed.question[:begin]}{GAP}{viewed.question[end:]}"
    keys = [each.key for each in instance.candidates]
    order = sorted(range(len(keys)), key=lambda place: rank(seed, f"{instance.id} {keys[place]}"))
    lines = [f"{number}. {viewed.candidates[place]}" for number, place in enumerate(order, 1)]
    return Asked(
        instance.id,
        "",
        question,
        [*enumerate(viewed.passage.split("\n"))],
        instance.answers[:1],
        None if instance.answer is None else keys[instance.answer],
        [keys[place] for place in order],
        "\n".join(lines),
    )


# Of a kind: an instance, what its view shows of it, and the seed → what is asked.
ASKED: Mapping[str, Callable[[Any, Any, int], Asked]] = {
    QUESTION: _question,
    DECISION: _decision,
    CLOZE: _cloze,
}


class PromptedReader:
    """A language model behind a server, asked by prompts.

    model: its name. prompts: each asks the questions of its type. train: the dataset of the examples. InputError: a
    prompt does not fit the dataset or another one, or there are too few examples.
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
        self.view = view or (kind.prompts.view if kind.prompts else SNIPPETS)
        dataset.demand_view(self.view, "--view")
        self.dataset, self.settings, self.model, self.seed = dataset, settings, model, seed
        self._prompts: dict[str, Prompt] = {}
        for prompt in prompts:
            self._check(prompt)
            if self._prompts.setdefault(prompt.type, prompt) is not prompt:
                what = f"asks the same questions as {self._prompts[prompt.type].name}"
                raise InputError(what, prompt.name, "leave one of them out")
        if settings.context == "snippets" and kind.name != QUESTION:
            what = f"context=snippets is for questions with snippets, and this dataset holds {kind.holds}"
            raise InputError(what, str(dataset.folder), "leave it out")
        self._examples = {each.type: self._drawn(each, train or dataset) for each in prompts}
        self._counts = Counter[str]()

    def predict(self, split: str, limit: int | None, model: LanguageModel) -> Iterator[Prediction]:
        """A prediction for each instance of a split, streamed. InputError: as of `LanguageModel.replies`."""
        fingerprint = store.fingerprint(self.dataset, split)
        rows = min(self.dataset.size(split), limit or MOST)
        started, is_estimated = time.monotonic(), False
        with Progress(f"prompted on {split}", rows, "instances") as bar:
            for asked, replies in model.replies(self._items(split, limit)):
                if replies and not is_estimated:
                    is_estimated = True
                    self._estimate(time.monotonic() - started, rows - bar.done - 1, model)
                line = self._prediction(asked, replies) if replies else Prediction(asked.id)
                yield msgspec.structs.replace(line, dataset=fingerprint)
                bar.advance()

    def note(self, model: LanguageModel, cut_off: str) -> ModelNote:
        """How the model answered so far."""
        return ModelNote(
            model=self.model,
            prompts=tuple(each.signed for each in self._prompts.values()),
            context=self.settings.context,
            examples=self.settings.examples,
            seed=self.seed,
            cut_off=cut_off,
            spent=model.spending.spent,
            **self._counts,
        )

    def _check(self, prompt: Prompt) -> None:
        kind = self.dataset.kind
        if prompt.kind != kind.name:
            what = f"does not ask {kind.holds}"
            raise InputError(what, prompt.name, f'name a prompt with kind = "{kind.name}"')
        forms = [name for name, form in REPLIES.items() if form.kind == kind.name]
        for name, value, known in (
            ("reply", prompt.reply, forms),
            ("type", prompt.type, EXACT_TYPES if kind.name == QUESTION else ("",)),
        ):
            if value not in known:
                raise unknown_name(name, value, known, prompt.name)

    def _estimate(self, seconds: float, rows: int, model: LanguageModel) -> None:
        """Say what the other instances may take, if it is more than a minute. seconds: of the first one."""
        minutes, spent = seconds * rows / self.settings.at_once / 60, model.spending.spent
        if minutes > 1:
            cost = "" if spent.cost is None else f", at a cost of {spent.cost * rows:.2f}"
            tokens = f"{(spent.read + spent.written) * rows:,} tokens{cost}"
            print_note(f"{rows:,} instances more, as the first: about {minutes:,.0f} minutes and {tokens}")

    def _items(self, split: str, limit: int | None) -> Iterator[tuple[Asked, list[Call]]]:
        for asked in self._asked(self.dataset, split, limit):
            prompt = self._prompts.get(asked.type)
            yield asked, [] if prompt is None else [*self._calls(prompt, asked)]

    def _asked(self, dataset: Dataset, split: str, limit: int | None = None) -> Iterator[Asked]:
        show, made = dataset.viewer(self.view), ASKED[dataset.kind.name]
        return (made(each, show(each), self.seed) for each in store.instances(dataset, split, limit))

    def _calls(self, prompt: Prompt, asked: Asked) -> Iterator[Call]:
        turns = [turn for ident, *turn in self._examples[prompt.type] if ident != asked.id]
        before = [prompt.first, *chain.from_iterable(turns[: self.settings.examples])]
        for texts in self._shown(asked):
            shown = _message(prompt, asked, texts)
            yield Call(self.model, (*before, shown), prompt.most, self.settings.temperature, self.seed)

    def _shown(self, asked: Asked) -> list[Sequence[Text]]:
        """The texts that each call shows."""
        every: dict[str, list[Sequence[Text]]] = {
            "full": [asked.texts],
            "snippets": [[each] for each in asked.texts],
            "none": [[]],
        }
        return [self._cut(texts) for texts in every[self.settings.context]]

    def _cut(self, texts: Sequence[Text]) -> Sequence[Text]:
        """The first characters of texts, as many as the settings allow."""
        room, kept = self.settings.characters or MOST, list[Text]()
        for place, text in texts:
            kept.append((place, text[:room]))
            room -= len(text)
            if room <= 0:
                break
        return kept

    def _drawn(self, prompt: Prompt, train: Dataset) -> list[Example]:
        """One example more than a question gets, as it may itself be one."""
        count = self.settings.examples
        if not count:
            return []
        demand(train.kind, prompt.kind, str(train.folder))
        answered = (
            asked
            for asked in self._asked(train, "train")
            if asked.type == prompt.type and _reply(prompt, asked)
        )
        found = nsmallest(count + 1, answered, key=lambda asked: rank(self.seed, asked.id))
        if len(found) < count:
            what = f"{count} examples are asked for, and train has {len(found)} answers that {prompt.name} can give"
            raise InputError(
                what, str(train.folder), "ask for fewer, or name another dataset with --train-on"
            )
        return [
            (
                asked.id,
                _message(prompt, asked, self._telling(asked)),
                Message("assistant", _reply(prompt, asked)),
            )
            for asked in found
        ]

    def _telling(self, asked: Asked) -> Sequence[Text]:
        """The texts of an example: of several calls the first that shows an answer."""
        shown = self._shown(asked)
        telling = (texts for texts in shown if any(occurrences(text, asked.answers) for _, text in texts))
        return next(telling, shown[0] if shown else ())

    def _prediction(self, asked: Asked, replies: Sequence[Reply]) -> Prediction:
        form = REPLIES[self._prompts[asked.type].reply]
        shown = [*chain.from_iterable(self._shown(asked))]
        read = [self._read(form, asked, reply) for reply in replies]
        answers = [_placed(each, shown) for each in _merged(read)]
        line = form.predicted(asked.id, asked.type, answers)
        self._counts["answers"] += len(line.texts)
        self._counts["cut"] += self.settings.context != "none" and _size(shown) < _size(asked.texts)
        if form.is_free:
            inside = {each.text for each in answers if each.snippet is not None}
            self._counts["outside"] += sum(text not in inside for text in line.texts)
        return line

    def _read(self, form: Form, asked: Asked, reply: Reply) -> list[str]:
        """The answers of a reply; none, and counted, of one that is not of the form."""
        if reply.finish == "stop":
            answers = form.read(reply.text, asked.keys)
            if answers is not None:
                return answers
        self._counts[_NOTHING[reply.finish]] += 1
        return []


def _message(prompt: Prompt, asked: Asked, texts: Sequence[Text]) -> Message:
    """The question with some texts, a line each, so that none ends the frame around them."""
    lines = "\n".join(" ".join(text.split()) for _, text in texts)
    return prompt.asked(asked.question, lines or None, asked.candidates)


def _reply(prompt: Prompt, asked: Asked) -> str:
    """The right reply; "" if nobody knows it, or the prompt's form has no room for it."""
    form = REPLIES[prompt.reply]
    right = asked.answers if form.is_free else [asked.answer] if asked.answer is not None else []
    written = form.written(right, asked.keys) if right else ""
    return written if form.read(written, asked.keys) else ""


def _size(texts: Sequence[Text]) -> int:
    return sum(len(text) for _, text in texts)


def _merged(replies: Sequence[Sequence[str]]) -> list[Answer]:
    """The answers of replies, those that differ by capitals alone once. Of several replies each adds 1 / place."""
    spelled, scores = dict[str, str](), Counter[str]()
    for answers in replies:
        own = dict.fromkeys(each.casefold() for each in answers)
        spelled = {each.casefold(): each for each in reversed(answers)} | spelled
        scores.update({each: 1 / place for place, each in enumerate(own, 1)})
    return [Answer(spelled[each], score if len(replies) > 1 else None) for each, score in scores.items()]


def _placed(answer: Answer, texts: Sequence[Text]) -> Answer:
    """The answer with the first place in the texts that holds it."""
    for place, text in texts:
        for begin, end in occurrences(text, [answer.text]):
            return Answer(answer.text, answer.score, place, begin, end)
    return answer
