"""The error of a server."""

from __future__ import annotations

import json
from typing import Any


class StrataError(Exception):
    """What a server refuses, or "unavailable" where none answers.

    The codes never change; docs/server.md lists them. output is what the operation did
    nevertheless, where it did its work and that amounts to a failure; request_id is the
    id under which the server's log has more.
    """

    def __init__(self, code: str, message: str, hint: str = "", details: dict[str, str] | None = None,
                 request_id: str = "", output: Any = None) -> None:
        super().__init__(f"{code}: {message}" + (f" ({hint})" if hint else ""))
        self.code = code
        self.message = message
        self.hint = hint
        self.details = details or {}
        self.request_id = request_id
        self.output = output

    @classmethod
    def of(cls, text: bytes | str, status: int) -> StrataError:
        """The error that an answer holds; one of "unavailable" where it holds none."""
        try:
            known = json.loads(text)
            return cls(known["code"], known["message"], known.get("hint", ""), known.get("details"),
                       known.get("request_id", ""), known.get("output"))
        except (ValueError, KeyError, TypeError):
            return cls("unavailable", f"the server answers with status {status}", "see whether it is a server of Strata")
