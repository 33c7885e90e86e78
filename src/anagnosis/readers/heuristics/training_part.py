"""What a reader may count: instances with an answer, whose entities can be told again in another one.

What counts over entities (their prior, their words) needs the latter. In the local view (BIOMRC's Setting
B) numbers begin anew in each instance: @entity0 is another entity each time, and a figure computed from it
would be of nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.errors import InputError


def answered(instances: Iterable[ClozeInstance], reader: str) -> Iterator[tuple[ClozeInstance, int]]:
    """The instances that have an answer, with its index; refused at the end if there was none."""
    none_yet = True
    for instance in instances:
        if instance.answer is not None:
            none_yet = False
            yield instance, instance.answer
    if none_yet:
        raise InputError(f"{reader} has nothing to count: no training instance has an answer", "split train")


def with_identity(instances: Iterable[ClozeInstance], reader: str, view: str) -> Iterable[ClozeInstance]:
    """The same instances; refused in the local view, the only one of datasets numbered locally."""
    if view == "local":
        raise InputError(
            f"{reader} is undefined where an entity cannot be told again in another instance",
            "view local",
            "use the global view of a dataset with global numbers",
        )
    return instances
