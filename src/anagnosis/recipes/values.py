"""Numbers of recipes with their bounds, so that what no machine can hold or draw is refused where it is read.

Without an upper bound a whole number above 2**63 ends in an overflow deep inside torch, numpy or Arrow, and an infinite
rate in weights that are no numbers. The bounds lie far above whatever a paper uses; the published recipes are within.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Meta

MOST = 2**31 - 1  # what a signed integer of 32 bits holds, and more than any dataset has of anything

Precision = Literal["auto", "float32", "bfloat16"]
PRECISIONS: tuple[str, ...] = get_args(Precision)
Count = Annotated[int, Meta(ge=0, le=MOST)]
# A number of instances, or a share of those that there are, of at most six decimal places.
CountOrShare = Annotated[
    Count | Annotated[str, Meta(pattern=r"\A(100(\.0{1,6})?|[0-9]{1,2}(\.[0-9]{1,6})?)%\Z")],
    Meta(description="write a number of instances, or a share of the split from 0% to 100%, such as 25%"),
]
Positive = Annotated[int, Meta(ge=1, le=MOST)]
# Word pieces of a sequence that holds a question and a part of a snippet; fewer leave one of them no place.
WindowSize = Annotated[int, Meta(ge=16, le=MOST)]
# Of the random draws; what a signed integer of 64 bits holds, as TOML's.
Seed = Annotated[int, Meta(ge=0, le=2**63 - 1)]
# Lengths of vectors. A square matrix of 65,536 has 16 GiB.
Width = Annotated[int, Meta(ge=1, le=65_536)]
# Layers, hops: each is made, and a step runs through all of them.
Depth = Annotated[int, Meta(ge=1, le=1_000)]
# The n of n-grams, in tokens; an n-gram of one holds no neighbour.
Grams = Annotated[int, Meta(ge=2, le=1_000)]
Share = Annotated[float, Meta(ge=0, lt=1)]
# Learning rates; the highest that is published here is 0.1.
Rate = Annotated[float, Meta(gt=0, le=1_000)]
# Factors and limits of the loss and the gradient, which are computed with 32 bits.
Weight = Annotated[float, Meta(ge=0, le=1e9)]
