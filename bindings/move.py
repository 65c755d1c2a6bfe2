"""A move of Thud: where from, where to, what it captures. The core makes them, since lists are long."""

from thudstone.engine.thud.core import Move

__all__ = ["Move"]
