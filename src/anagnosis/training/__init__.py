"""The one training loop of all readers that learn; it knows none of them (`readers/learning.py` is the promise).

train.py       a recipe and a dataset in, a run folder out; resumes what was interrupted
replicates.py  the same for seeds or folds    tuning.py        random search on the development part
runs/run.py    the run folder                 runs/predicting.py    its predictions
loop/loop.py   phases, steps, evaluation, stopping; the others are its parts
"""
