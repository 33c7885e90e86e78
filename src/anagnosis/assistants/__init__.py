"""Tools over a collection for assistants that speak the Model Context Protocol (modelcontextprotocol.io).

tools.py      the tools, made from what verbs declare
serving.py    a server over standard input and output, or over HTTP on this machine
"""
