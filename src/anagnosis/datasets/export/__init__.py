"""Datasets for other programs: trainers, evaluation harnesses, the authors' layouts."""
