"""Whether an engine keeps to the protocol of docs/protocol.md: the steps of `thudstone check`."""
