"""Schedules of several phases."""
