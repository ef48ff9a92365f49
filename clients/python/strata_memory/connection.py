"""Connections to a server, over the Unix socket of its home or over TCP."""

from __future__ import annotations

import os
import socket
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from urllib.parse import urlsplit


def socket_of(home: str | os.PathLike[str] | None) -> str:
    """The socket of a home: by default $STRATA_HOME, or .strata in the user's home directory."""
    return str(Path(home or os.environ.get("STRATA_HOME") or Path.home() / ".strata") / "strata.sock")


def connect(url: str | None, path: str, timeout: float | None) -> HTTPConnection:
    """A connection to the server at url, or at the socket with that path."""
    if url is None:
        return _SocketConnection(path, timeout)
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("the address of the server is no URL; use one such as http://127.0.0.1:7117")
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    return kind(parts.hostname, parts.port, timeout=timeout)


class _SocketConnection(HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: str, timeout: float | None) -> None:
        super().__init__("strata", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self.sock.settimeout(self.timeout)
            self.sock.connect(self._path)
        except OSError:
            self.close()
            raise
