"""Why a request was not answered, as the API returns it and as the page shows it."""

from __future__ import annotations

from pydantic import BaseModel


class Refusal(BaseModel):
    """Why a request was not answered: what, where (the parameter), what to do; and the id to ask about."""

    status: int
    what: str
    where: str
    remedy: str
    request: str
