"""Datasets for other programs: trainers, the authors' layouts."""
