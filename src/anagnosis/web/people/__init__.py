"""The pages on which people answer, served on this machine: one token a person, answers kept in the study's folder.

    GET  /TOKEN/         the person's page
    GET  /TOKEN/answers  {"lines": [the last line of each id]}
    POST /TOKEN/answers  {"line": LINE, "since": SECONDS}  →  {"line": the line as it is kept}

app.py has the routes and what a request must be before its body counts, web/running.py opens the study and runs it.
The guard, the limits and the log are those of the search page; that page stays read-only.
"""
