"""Language models behind a server that speaks OpenAI's interface (vLLM, Ollama, llama.cpp, transformers, hosted ones).

calls.py      what is asked, what comes back, and the log of both
server.py     the client: one address, one key, many calls at once
spending.py   tokens, seconds and cost, with their limits
asking.py     a model: calls through log, limits and server, in order
prompts.py    prompts by name and version
"""
