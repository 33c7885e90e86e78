"""Dense vectors of passages: made by a sentence encoder, kept small on disk, scanned for those near a question's.

They stand beside an engine, which stays the truth: a vector counts only while its passage is there as it was encoded.
`encoding` alone needs torch.
"""
