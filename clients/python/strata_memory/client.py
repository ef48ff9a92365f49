"""The client of a server."""

from __future__ import annotations

import json
import os
from http.client import HTTPException, HTTPResponse
from typing import Any, Callable, Iterable, Iterator
from urllib.parse import urlencode

from .connection import connect, socket_of
from .error import StrataError

_JSON, _LINES, _EVENTS = "application/json", "application/x-ndjson", "text/event-stream"


class Client:
    """Calls the operations of one server. Every call has a connection of its own, so that threads may share a client.

    home is the directory of the home whose socket is called. url is the address of a server
    on TCP, such as http://127.0.0.1:7117, and token what it asks for: the content of its file
    server.token, or a token of strata token add. timeout, in seconds, bounds how long the
    server may be silent; None means for ever.
    """

    def __init__(self, home: str | os.PathLike[str] | None = None, *, url: str | None = None, token: str | None = None,
                 timeout: float | None = 150) -> None:
        self._url = url
        self._token = token
        self._timeout = timeout
        self._socket = socket_of(home)

    def call(self, operation: str, *, idempotency_key: str | None = None, **fields: Any) -> dict[str, Any]:
        """Runs an operation with the given fields, and returns its output."""
        with self._post(operation, fields, idempotency_key, _JSON) as response:
            return json.loads(response.read())

    def follow(self, operation: str, progress: Callable[[int, int], None], **fields: Any) -> dict[str, Any]:
        """Runs an operation that takes long. progress is told what is done and the total, which is 0 while unknown."""
        with self._post(operation, fields, None, _EVENTS) as response:
            for name, data in _events(response):
                if name == "result":
                    return json.loads(data)
                if name == "error":
                    raise StrataError.of(data, response.status)
                seen = json.loads(data)
                progress(seen["done"], seen.get("total", 0))
        raise StrataError("unavailable", "the answer breaks off", "the server's log says why")

    def send(self, operation: str, lines: Iterable[bytes], **fields: Any) -> dict[str, Any]:
        """Runs an operation that reads lines, such as import: lines may be an open file."""
        query = urlencode({name: _parameter(value) for name, value in fields.items()}, doseq=True)
        with self._request("POST", f"/v1/{operation}?{query}", {"Content-Type": _LINES}, lines) as response:
            return json.loads(response.read())

    def receive(self, operation: str, **fields: Any) -> Iterator[bytes]:
        """Runs an operation that writes lines, such as export. If they break off it raises, and what came is not all."""
        with self._post(operation, fields, None, _JSON) as response:
            yield from _lines(response)

    def events(self, *, scope: str | None = None, kinds: Iterable[str] = (), after: int | None = None) -> Iterator[dict[str, Any]]:
        """Yields what happens to memory, in whichever process, until the server ends.

        Called again with the change of the last event it misses nothing.
        """
        query = [("kind", kind) for kind in kinds]
        query += [(name, str(value)) for name, value in (("scope", scope), ("after", after)) if value is not None]
        with self._request("GET", "/v1/events?" + urlencode(query), {}) as response:
            for name, data in _events(response):
                if name == "error":
                    raise StrataError.of(data, response.status)
                yield json.loads(data)

    def _post(self, operation: str, fields: dict[str, Any], key: str | None, accept: str) -> _Answer:
        headers = {"Content-Type": _JSON, "Accept": accept}
        if key is not None:
            headers["Idempotency-Key"] = key
        return self._request("POST", f"/v1/{operation}", headers, json.dumps(fields).encode())

    def _request(self, method: str, path: str, headers: dict[str, str], body: bytes | Iterable[bytes] | None = None) -> _Answer:
        """Sends a request, and raises what the server refuses it with."""
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        connection = connect(self._url, self._socket, self._timeout)
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            if response.status == 200:
                return _Answer(connection, response)
            refused = StrataError.of(response.read(), response.status)
        except (OSError, HTTPException) as err:
            connection.close()
            raise StrataError("unavailable", f"no server answers at {self._url or self._socket}", "start one with strata serve") from err
        connection.close()
        raise refused


class _Answer:
    """An answer, whose connection is closed with it."""

    def __init__(self, connection: Any, response: HTTPResponse) -> None:
        self._connection, self._response = connection, response

    def __enter__(self) -> HTTPResponse:
        return self._response

    def __exit__(self, kind: type[BaseException] | None, err: BaseException | None, trace: Any) -> None:
        self._connection.close()
        if isinstance(err, (OSError, HTTPException)):
            raise StrataError("unavailable", "the answer breaks off", "the server's log says why") from err


def _lines(response: HTTPResponse) -> Iterator[bytes]:
    """The lines of a body, with their ends. Those of the response itself end silently where it breaks off."""
    rest = b""
    while part := response.read1(65536):
        *lines, rest = (rest + part).split(b"\n")
        for line in lines:
            yield line + b"\n"
    if rest:
        yield rest


def _events(response: HTTPResponse) -> Iterator[tuple[str, bytes]]:
    """Server-sent events, as the server writes them: the data of each is on one line."""
    name, data = "", b""
    for line in _lines(response):
        field, _, value = line.rstrip(b"\r\n").partition(b":")
        if field == b"event":
            name = value.strip().decode()
        elif field == b"data":
            data = value.strip()
        elif not field and not value and name:
            yield name, data
            name, data = "", b""


def _parameter(value: Any) -> Any:
    """A field as parameters of an address write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value
