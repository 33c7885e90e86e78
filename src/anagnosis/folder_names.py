"""Names of the files and folders by which a dataset, a run, a search of settings and an index are known."""

RECIPE = "recipe.toml"
RECEIPT = "receipt.json"
INDEX = "index.json"
JOURNAL = "search.journal"

# In a run folder: what training writes, and what is fitted on it later.
RUN = "run.json"
GIVEN_UP = ".given-up"  # run.json under this name, while a run is removed
HISTORY = "history.jsonl"
TAUGHT = "taught.npy"
PHASE_SCORES = "reached.json"
CALIBRATION = "calibration.json"
FITTED = "fitted.json"
HELD_OUT = "held_out.json"
OVER_COLLECTION = "over_collection.json"
ANSWERS = "answers.json"

# What the runs of a folder differ in → what is written there when all are finished; of them the first is there from
# the beginning.
SEVERAL = {"seed": "seeds.json", "fold": "folds.json"}
MEMBERS = tuple(f"{what}-0" for what in SEVERAL)

# What is written when all phases of a schedule are finished, and the folders of the phases.
PHASES = "phases.json"
ARTIFICIAL = "artificial"
REASONING_FREE = "reasoning-free-artificial"
BOOTSTRAP = "bootstrap"
PSEUDO_LABELLED = "pseudo-labelled"
ALL_AT_ONCE = "all-at-once"
FINAL = "final"
PHASE_FOLDERS = (ARTIFICIAL, REASONING_FREE, BOOTSTRAP, PSEUDO_LABELLED, ALL_AT_ONCE, FINAL)
