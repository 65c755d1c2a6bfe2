"""The text protocol that serves every game on stdin and stdout, and the commands built on it."""
