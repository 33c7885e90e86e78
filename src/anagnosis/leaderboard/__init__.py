"""A leaderboard: submissions that are checked, scored and ranked."""
