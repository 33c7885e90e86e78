"""Predictions: the files between readers and evaluation, read, written and held against a dataset."""

from anagnosis.predictions.annotators import OUTSIDE, UNANSWERED, Matched
from anagnosis.predictions.lines import read, write, write_by_id
from anagnosis.predictions.matching import common_split, match_each, match_files, split_of
from anagnosis.predictions.prediction import Answer, FoundSnippet, Prediction
from anagnosis.predictions.problems import PROBLEMS, Problem

__all__ = [
    "OUTSIDE",
    "PROBLEMS",
    "UNANSWERED",
    "Answer",
    "FoundSnippet",
    "Matched",
    "Prediction",
    "Problem",
    "common_split",
    "match_each",
    "match_files",
    "read",
    "split_of",
    "write",
    "write_by_id",
]
