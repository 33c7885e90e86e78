"""The page and the JSON API over a collection: FastAPI, rendered on the server, read-only (thesis, section 5.3.1).

A request passes guard.py (request id, limits, headers, log), is read into words by questions.py, asks the index or
trained readers in the threads of threads.py, and becomes the typed answer that json_routes.py gives as it is and
page_routes.py puts into a page. app.py sets the limits up.

running.py opens an index or a study, and runs its application on a port: this one, or that of people/, the pages on
which people answer.
"""
