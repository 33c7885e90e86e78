"""Names of the files and folders that identify a dataset, a run, a search of settings and an index."""

RECIPE = "recipe.toml"
RECEIPT = "receipt.json"
DATA = "data"
INDEX = "index.json"
JOURNAL = "search.journal"

# Files of a run folder, from training and from later fits.
RUN = "run.json"
GIVEN_UP = ".given-up"  # the name of run.json while we remove a run
HISTORY = "history.jsonl"
TRAINED_ON = "trained_on.npy"
PHASE_SCORES = "phase_scores.json"
CALIBRATION = "calibration.json"
FITTED = "fitted.json"
OVER_COLLECTION = "over_collection.json"
READER_CARD = "reader_card.json"  # of `anagnosis readers make`

# Setting in which the replicates of a folder differ → the file that we write when all are finished. The folder of the
# first replicate exists from the beginning.
REPLICATES = {"seed": "seeds.json", "fold": "folds.json"}
MEMBERS = tuple(f"{what}-0" for what in REPLICATES)

# The file that we write when all phases of a schedule are finished, and the folders of the phases.
PHASES = "phases.json"
ARTIFICIAL = "artificial"
REASONING_FREE = "reasoning-free-artificial"
BOOTSTRAP = "bootstrap"
PSEUDO_LABELLED = "pseudo-labelled"
ALL_AT_ONCE = "all-at-once"
FURTHER = "further"
FINAL = "final"
PHASE_FOLDERS = (ARTIFICIAL, REASONING_FREE, BOOTSTRAP, PSEUDO_LABELLED, ALL_AT_ONCE, FURTHER, FINAL)

# Files of a leaderboard's site: its records, and the digest of every other file.
BOARD = "board.json"
MANIFEST = "manifest.json"
