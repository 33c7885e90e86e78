"""Groups of people beside each other and beside systems: differences, what they answered from, time, order, sizes."""
