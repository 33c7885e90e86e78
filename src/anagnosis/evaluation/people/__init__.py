"""Groups of people compared with each other and with systems: differences, sources, time, order, sizes."""
