"""Matches: which of two engines is stronger, and how sure one can be."""
