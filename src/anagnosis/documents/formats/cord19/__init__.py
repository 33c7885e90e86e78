"""CORD-19, the COVID-19 Open Research Dataset."""
