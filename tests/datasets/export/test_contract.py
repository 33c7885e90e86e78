"""What holds for every entry of LAYOUTS: a new one needs a sample (samples.py) and no line here."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from tests.datasets.export.samples import Sample, sample

from anagnosis import api
from anagnosis.datasets.export.layouts import LAYOUTS, LayoutFaults, is_written, split_of
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError

Check = Callable[[str, Sample, Path], None]
REPLIES = {
    "empty": b"",
    "blank": b"\n",
    "list": b"[]\n",
    "object": b"{}\n",
    "number": b"3\n",
    "nested": b"[" * 100_000,
    "not UTF-8": b'{"\xe9": 1}\n',
    "page": b"<!DOCTYPE html><html><body>Not found</body></html>\n",
}


def written(folder: Path, files: Mapping[str, bytes], first: bytes | None = None) -> Path:
    """What a user names: the file, or the folder where several belong together. first: in place of the first file."""
    folder.mkdir()
    for place, (name, data) in enumerate(files.items()):
        (folder / name).write_bytes(data if first is None or place else first)
    return folder if len(files) > 1 else folder / next(iter(files))


def imported(name: str, sample: Sample, folder: Path, first: bytes | None = None) -> Dataset:
    """The dataset in `folder`/built of the sample's files. first: in place of the first."""
    return api.import_dataset(written(folder / "given", sample.files, first), folder / "built", layout=name)


def is_one_line_with_its_place(fault: InputError, sample: Sample) -> bool:
    return "\n" not in str(fault) and len(str(fault)) < 400 and next(iter(sample.files)) in str(fault)


def comes_back_byte_for_byte(name: str, sample: Sample, folder: Path) -> None:
    dataset = imported(name, sample, folder)
    assert not dataset.receipt.instances.dropped
    if not is_written(name):
        with pytest.raises(
            InputError, match=f"layout {name}: files of {name} are read, not written; .*layout"
        ):
            api.export(dataset, folder / "out", layout=name)
        assert not (folder / "out").exists()
        return
    made = api.export(dataset, folder / "out", layout=name)
    assert {one.path.name: one.path.read_bytes() for one in made} == dict(sample.files)


def comes_back_compressed(name: str, sample: Sample, folder: Path) -> None:
    if not is_written(name):
        return
    made = api.export(imported(name, sample, folder), folder / "out", layout=name, compress=True)
    found = {one.path.name: gzip.decompress(one.path.read_bytes()) for one in made}
    assert found == {f"{file}.gz": data for file, data in sample.files.items()}


def refuses_what_is_another_file(name: str, sample: Sample, folder: Path) -> None:
    for place, (what, data) in enumerate(REPLIES.items()):
        inside = folder / str(place)
        inside.mkdir()
        with pytest.raises(InputError) as told:
            imported(name, sample, inside, data)
        assert "\n" not in str(told.value), what
        assert "b'" not in str(told.value), what
        assert len(str(told.value)) < 400, what
        assert not (inside / "built").exists(), what


def refuses_a_file_that_breaks_off(name: str, sample: Sample, folder: Path) -> None:
    first = next(iter(sample.files.values())).rstrip()
    for place, end in enumerate((1, len(first) // 3, len(first) * 5 // 8, len(first) - 1)):
        inside = folder / str(place)
        inside.mkdir()
        with pytest.raises(InputError) as told:
            imported(name, sample, inside, first[:end])
        assert is_one_line_with_its_place(told.value, sample), told.value
        # Where the break comes late, a begun folder may be there: it is no dataset, and the next import takes it.
        with pytest.raises(InputError):
            api.load(inside / "built")
        given = written(inside / "whole", sample.files)
        assert api.check(api.import_dataset(given, inside / "built", layout=name)).sound


def leaves_broken_records_out_and_keeps_the_others(name: str, sample: Sample, folder: Path) -> None:
    whole = folder / "whole"
    whole.mkdir()
    sizes = imported(name, sample, whole).sizes
    for number, broken in enumerate(sample.broken):
        inside = folder / str(number)
        inside.mkdir()
        dataset = imported(name, sample, inside, broken.data)
        assert (dataset.sizes, dataset.receipt.instances.dropped) == (sizes, {broken.fault: 1}), broken.why
        (told,) = [one for one in dataset.receipt.refusals if one.why.startswith(broken.fault)]
        assert told.where.startswith(broken.where)
        assert broken.why in told.why


def refuses_options_that_it_does_not_take(name: str, sample: Sample, folder: Path) -> None:
    given = written(folder / "given", sample.files)
    for option, value in (("split", "practice"), ("setting", "nonsense")):
        with pytest.raises(InputError, match=f"unknown split 'practice'|nonsense|{name} has no settings"):
            api.import_dataset(given, folder / "built", layout=name, **{option: value})
    taking = {"dev_share": ("scifact", 0.1), "parts": ("bioasq", {"test": "8B"})}
    for option, (other, value) in taking.items():
        if name != other:
            with pytest.raises(InputError, match=f"files of {name} (are not shared out|have no editions)"):
                api.import_dataset(given, folder / "built", layout=name, **{option: value})


def keeps_apart_or_counts_or_refuses_two_records_of_one_id(name: str, sample: Sample, folder: Path) -> None:
    whole, inside = folder / "whole", folder / "twice"
    whole.mkdir()
    inside.mkdir()
    if sample.is_refused_twice:
        with pytest.raises(InputError, match="stands twice"):
            imported(name, sample, inside, sample.twice)
        return
    dataset, once = imported(name, sample, inside, sample.twice), imported(name, sample, whole)
    assert api.check(dataset).sound
    more = sum(dataset.sizes.values()) - sum(once.sizes.values())
    assert more + sum(dataset.receipt.instances.dropped.values()) == 1


CHECKS: tuple[Check, ...] = (
    comes_back_byte_for_byte,
    comes_back_compressed,
    refuses_what_is_another_file,
    refuses_a_file_that_breaks_off,
    leaves_broken_records_out_and_keeps_the_others,
    refuses_options_that_it_does_not_take,
    keeps_apart_or_counts_or_refuses_two_records_of_one_id,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", LAYOUTS)
def test_a_layout_keeps_the_contract(name: str, check: Check, tmp_path: Path) -> None:
    check(name, sample(name), tmp_path)


@pytest.mark.parametrize(
    ("name", "split"),
    [
        ("train1.0.json", "train"),
        ("dev1.0.json.gz", "dev"),
        ("folder/test1.0.json", "test"),
        ("Validation_part_0.txt", "dev"),
        ("train/interval.txt", ""),
        ("train_dev.txt", ""),
        ("contest.txt", ""),
    ],
)
def test_one_word_of_the_name_gives_the_split(name: str, split: str) -> None:
    if split:
        assert split_of(name) == split
        return
    with pytest.raises(InputError, match=r"the name of the file gives (no split|two splits)"):
        split_of(name)


def test_a_place_is_told_from_the_fault_also_where_a_name_has_a_colon() -> None:
    (faults := LayoutFaults()).note("my set: 1.json:4", "repeated_id", "7 stands twice")
    (found,) = faults.listed(refused=False)
    assert (found.where, found.why) == ("my set: 1.json:4", "repeated_id: 7 stands twice")
