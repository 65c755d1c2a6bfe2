"""The games themselves, their players, and what players share: the clock and the memory that is left."""
