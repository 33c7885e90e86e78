"""The pages of a leaderboard: a static site without scripts, and the same as one report."""
