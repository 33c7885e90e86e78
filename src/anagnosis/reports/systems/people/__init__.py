"""What the answers of people show besides accuracy and kappa: the parts of a report on agreement."""
