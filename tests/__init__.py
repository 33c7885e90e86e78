"""The tests, a package by name, so that no installed package called `tests` stands in front of them."""
