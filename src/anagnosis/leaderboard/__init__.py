"""Leaderboards: entries that people submit, checked, scored on datasets whose answers may be hidden, and ranked.

    submissions/NAME/system.toml   who, when, which view, which training data (system_file.py)
    submissions/NAME/*.jsonl       predictions, each file one run; files of the same split are runs of one system

The pages of a board are in reports/leaderboard/.
"""
