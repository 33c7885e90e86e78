"""Dense vectors of passages: a sentence encoder makes them, one file has them, which a question reads whole.

The engine stays authoritative: a vector counts only while the engine has its paper unchanged. Only `encoding` needs
torch.
"""
