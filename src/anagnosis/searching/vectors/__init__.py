"""Dense vectors of passages: a sentence encoder makes them, a file stores them in 8 bits a number, which a
question reads whole.

The engine stays authoritative: a vector counts only while the engine has its passage unchanged. Only `encoding` needs
torch.
"""
