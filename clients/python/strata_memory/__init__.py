"""Calls the operations of a Strata server: a memory for AI agents.

    from strata_memory import Client

    memory = Client()  # the socket of the default home
    memory.call("save", content="My cat is called Whiskerino")
    for hit in memory.call("recall", query="what is my cat called?")["hits"]:
        print(hit["text"])
"""

from .client import Client
from .error import StrataError

__all__ = ["Client", "StrataError"]
