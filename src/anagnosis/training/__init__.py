"""The one training loop of all readers that learn; it knows none of them (`readers/learning.py` is the promise).

train.py       a recipe and a dataset in, a run folder out; resumes what was interrupted
several.py     the same for seeds or folds    tuning.py    random search on the development part
run.py         the run folder                 predicting.py    its predictions
loop.py        phases, steps, evaluation, stopping; the others are its parts
"""
