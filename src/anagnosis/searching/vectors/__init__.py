"""Dense vectors of passages: a sentence encoder makes them, compact files store them, a scan finds the nearest.

The engine stays authoritative: a vector counts only while the engine has its passage unchanged. Only `encoding` needs
torch.
"""
