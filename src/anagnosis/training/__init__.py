"""The training loop of all readers that learn. It knows no reader, only their interface (`readers/learning.py`).

train.py       makes a run folder of a recipe and a dataset, or one for each seed or fold; resumes what was interrupted
tuning.py      random search on the development part
runs/run.py    the run folder                       runs/predicting.py    predictions of a run
loop/loop.py   phases, steps, evaluation, stopping; the other files of loop/ are its parts
"""
