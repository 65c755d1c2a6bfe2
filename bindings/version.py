"""The version, written once: the build, `--version` and the protocol's `id name` read it here."""

__version__ = "0.1.0"
