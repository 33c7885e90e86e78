"""Instances that a counting reader may use: those with an answer and, for counts by entity, with global numbers.

In the local view (BIOMRC's Setting B) numbers restart in each instance, so @entity0 is another entity each time and a
count by entity is meaningless.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.errors import InputError


def answered(instances: Iterable[ClozeInstance], reader: str) -> Iterator[tuple[ClozeInstance, int]]:
    """(instance, index of its answer) of the instances with an answer; InputError at the end if there is none."""
    none_yet = True
    for instance in instances:
        if instance.answer is not None:
            none_yet = False
            yield instance, instance.answer
    if none_yet:
        raise InputError(f"{reader} has nothing to count: no training instance has an answer", "split train")


def with_identity(instances: Iterable[ClozeInstance], reader: str, view: str) -> Iterable[ClozeInstance]:
    """The same instances; InputError in the local view, the only one of datasets numbered locally."""
    if view == "local":
        raise InputError(
            f"{reader} is undefined where entities have other numbers in each instance",
            "view local",
            "use the global view of a dataset with global numbers",
        )
    return instances
