"""What a user gives to be scored, files, run folders and label files, matched with the gold side of a dataset."""
