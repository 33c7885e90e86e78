"""Reading and writing files: archives, compression, checksums, folders of ours, and outputs."""
