"""What the answers of people show beside accuracy and kappa: the parts of a report on agreement."""
