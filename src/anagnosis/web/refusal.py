"""Why a request was not answered: the exception, and the record that the API returns and the page shows."""

from __future__ import annotations

from pydantic import BaseModel


class Fault(Exception):  # noqa: N818 it is a fault as errors.InputError is one, with its three parts
    """A refusal with its HTTP status. retry_after: seconds, 0 where asking again is of no use."""

    def __init__(
        self, status: int, what: str, where: str = "", remedy: str = "", *, retry_after: int = 0
    ) -> None:
        super().__init__(what)
        self.status, self.what, self.where, self.remedy = status, what, where, remedy
        self.retry_after = retry_after
        self.again = "/"  # where a page leads back to


class Refusal(BaseModel):
    """Why a request was not answered: what, where (the parameter), what to do; and the id to ask about."""

    status: int
    what: str
    where: str
    remedy: str
    request: str
