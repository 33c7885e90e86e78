"""The training loop: steps, schedules, evaluation, stopping, checkpoints."""
