"""What the recurrent readers share: a GRU, words, word vectors, inputs, and a few small bricks of attention."""
