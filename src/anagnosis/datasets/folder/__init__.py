"""The dataset folder: what it holds, how it is written, read and checked."""
