"""Reading and writing files: archives, compression, encodings, checksums, folders of ours, and outputs."""
