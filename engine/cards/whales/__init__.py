"""Whales Destroying the World: offers, claims that may be lies, secret roles, for 3 to 8 seats."""
