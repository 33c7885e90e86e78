"""Shared parts of the recurrent readers: GRU, LSTM, words, word vectors, inputs, attention."""
