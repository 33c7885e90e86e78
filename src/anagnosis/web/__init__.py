"""The page and the JSON API over a collection: Starlette, rendered on the server, read-only (thesis, section 5.3.1).

A request passes guard.py (request id, limits, headers, log), is read by parameters.py as a verb of `anagnosis.api`
declares it, asks the index or trained readers in threads (served_index.py), and becomes the answer of the verb as JSON
(json_routes.py) or a page (page_routes.py). running.py opens an index and runs its application on a port.
"""
